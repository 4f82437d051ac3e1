"""What must be known before a protected file is released."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from sfumato.data import METRIC, Microdata, Role, role
from sfumato.display import format_percent
from sfumato.keys.classes import key_codes, visible_codes
from sfumato.keys.found_households import household_remarks
from sfumato.keys.hinting_columns import KnownHints, hinting_columns
from sfumato.keys.households import households_of
from sfumato.keys.recomputed_values import Recomputed, recomputed_remark
from sfumato.keys.weight_notices import own_weight_notices
from sfumato.parameters.percent_hints import may_be_share, percent_hint
from sfumato.protection.hint_protection import HintedRun
from sfumato.protection.keys import Keys, agreement_in_households
from sfumato.protection.number_limits import what_to_do
from sfumato.protection.number_remarks import group_remarks
from sfumato.protection.plan import Plan
from sfumato.protection.protected import Protected
from sfumato.protection.suppressed_values import member_words, rare_value_remarks
from sfumato.report.unique_columns import unique_column_notices
from sfumato.risk import KAnonymity

MAX_NAMED = 4  # columns that tell a part of a key; those that tell most keys
MIN_GAPS = 3  # of a key: fewer have the same value by chance
ONE_CATEGORY = 0.9  # of the gaps of a key: where so many had one value, a gap tells it


def protection_remarks(
    data: Microdata,
    keys: Keys,
    plan: Plan,
    found: Protected,
    run: HintedRun,
    recomputed: Sequence[Recomputed],
) -> tuple[str, ...]:
    """Return what must be known before the file is released."""
    remarks = []
    if not found.after.meets_limits:
        unmet = ", ".join(checked.limit_text for checked in found.after.limits if not checked.is_met)
        remarks.append(f"NOT WITHIN LIMITS: {unmet}; {what_to_do(found.after.limits)}")
    shown = tuple(row.key for row in found.keys if row.different_after)
    remarks += run.exposure.remarks
    remarks += [recomputed_remark(recomputed)] if recomputed else []
    remarks += [
        notice.removesuffix(".")
        for notice in (*own_weight_notices(found.data, data), *unique_column_notices(found.unchanged, found.data))
    ]
    remarks += group_remarks(data, found.data, found.recipe.steps, plan.k)
    if may_be_share(plan.max_suppressed):
        remarks.append(percent_hint("max_suppressed", plan.max_suppressed))
    if found.exceeds_suppression:
        remarks.append(_suppression_words(data, found, shown, run.known))
    if plan.combinations:
        alone = KAnonymity(columns=shown, k=plan.k).of(found.data).value * found.data.n / 100
        remarks.append(
            f"nothing is promised against somebody who knows all keys at once: {alone:,.0f} records then fit fewer "
            f"than {plan.k}, a gap fitting every value"
        )
    remarks += gap_remarks(data, found.data, shown)
    remarks += rare_value_remarks(data, found.data, keys.names, found.unchanged, plan.k)
    rare = rare_codes(found.data, tuple(row.key for row in found.keys), plan.k)
    if rare:
        remarks.append(
            f"{', '.join(rare)}: a code that stands for missing is left in fewer than {plan.k} records, and tells them "
            f"apart; strict protection mends that, or recoding these codes"
        )
    rare = rare_codes(found.data, _coded_numbers(found.data), plan.k)
    if rare:
        remarks.append(
            f"{', '.join(rare)}: a code that stands for missing is left in fewer than {plan.k} records, and tells them "
            f"apart; give one code for all reasons in the file before it is protected, or leave these cells empty"
        )
    emptied = [row.key for row in found.keys if row.different_after < 2 <= row.different_before]
    if emptied:
        remarks.append(
            f"{', '.join(emptied)}: nothing is left to tell records apart by; leave the key out of the file, or give a "
            f"hierarchy by which its categories can be joined"
        )
    households = tuple(variable.name for variable in data.schema.variables if variable.role is Role.HOUSEHOLD)
    for name, differing in agreement_in_households(data, keys.names, households).items():
        if differing:
            told = member_words(data.codes(name)[0], found.data.codes(name)[0], households_of(data, households))
            remarks.append(
                f"{name}: members differ within {differing} of the households, so that it was suppressed person by "
                f"person{told}; if all members should have the same, correct these households and protect again"
            )
    remarks += household_remarks(found.data, shown, data)
    if found.data.select(role("household")):
        remarks.append(
            "members of a household may tell a value that one of them lost; release the households only where users "
            "need them"
        )
    return tuple(remarks)


def _suppression_words(data: Microdata, found: Protected, names: tuple[str, ...], known: KnownHints) -> str:
    """Return how many key values are suppressed, more than asked for, why, and what to do."""
    values = sum(row.values for row in found.keys)
    suppressed = round(found.suppressed * values / 100)
    by_hints = f", {found.hinted:,} of them by hint suppression" if found.hinted else ""
    to_do = _hint_words(data, found.data, names, known) if found.hinted else ": "
    return (
        f"{format_percent(found.suppressed)} of the key values ({suppressed:,} of {values:,}) are suppressed, more "
        f"than the {format_percent(found.max_suppressed)} that were asked for{by_hints}{to_do}"
        f"give hierarchies that join more categories, or leave a key out of the file"
    )


def _hint_words(data: Microdata, masked: Microdata, names: tuple[str, ...], known: KnownHints) -> str:
    """Return which other columns tell a part of a key, weights first, and what to do about them."""
    _, hints = hinting_columns(masked, names, data, data.rows_of(masked.row_ids), known)
    keys_told = Counter(hint.column for hint in hints)
    weights = [name for name in data.select(role("weight")) if name in keys_told]
    others = [name for name, _ in keys_told.most_common() if name not in weights]
    if not keys_told:
        return ": "
    columns, more = ", ".join((*weights, *others)[:MAX_NAMED]), len(keys_told) - MAX_NAMED
    coarser = f"round {', '.join(weights)} in larger classes by weight_rounding, " if weights else ""
    return (
        f", because other columns ({columns}{f' and {more} more' if more > 0 else ''}) tell a part of a key: {coarser}"
        f"drop such columns or join their categories, "
    )


def gap_remarks(data: Microdata, masked: Microdata, names: tuple[str, ...]) -> list[str]:
    """Return a sentence for each key whose gaps nearly all come from one category, which most records do not have."""
    remarks = []
    for name in names:
        before, after = data.codes(name)[0], masked.codes(name)[0]
        is_gap = (before >= 0) & (after < 0)
        gaps = int(np.count_nonzero(is_gap))
        if gaps < MIN_GAPS:
            continue
        released = np.full(int(before.max()) + 1, -1)
        np.maximum.at(released, before[before >= 0], after[before >= 0])  # recoding takes each category to one
        own = int(after.max(initial=-1)) + 1 + np.arange(released.size)
        category = np.where(released < 0, own, released)[before]
        values, counts = np.unique(category[is_gap], return_counts=True)
        records = int(np.count_nonzero((category == values[counts.argmax()]) & (before >= 0)))
        if counts.max() >= ONE_CATEGORY * gaps and 2 * records <= np.count_nonzero(before >= 0):
            remarks.append(
                f"{name}: {counts.max():,} of the {gaps:,} gaps had one and the same value before, so that a gap tells "
                f"it; join that category with another, or leave the key out of the file"
            )
    return remarks


def _coded_numbers(masked: Microdata) -> tuple[str, ...]:
    """Return the confidential numbers in which codes stand for missing."""
    return tuple(
        one.name
        for one in masked.schema.variables
        if one.role is Role.CONFIDENTIAL and one.kind in METRIC and (one.missing_codes or one.missing_ranges)
    )


def rare_codes(masked: Microdata, names: tuple[str, ...], k: int) -> tuple[str, ...]:
    """Return the columns in which a code that stands for missing is left in fewer than `k` records."""
    hidden, shown = key_codes(masked, names) < 0, visible_codes(masked, names)
    found = []
    for name, gaps, column in zip(names, hidden, shown, strict=True):
        _, records = np.unique(column[gaps & (column >= 0)], return_counts=True)
        found += [name] if (records < k).any() else []
    return tuple(found)
