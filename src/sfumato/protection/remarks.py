"""What must be known before a protected file is released."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from sfumato.assessment.release_notes import Note, remarks_of
from sfumato.data import Kind, Microdata, Role, role
from sfumato.data.recognition.numbers import number_doubt
from sfumato.display import format_count, format_percent
from sfumato.keys.findings.equal_records import equal_groups
from sfumato.keys.gaps.suppressed_values import member_words
from sfumato.keys.households import agreement_in_households, households_of
from sfumato.masking.microaggregation.record_microaggregation import HIDDEN, RecordMicroaggregation, period_remarks
from sfumato.numerics.arrays import CodeColumn, FloatColumn
from sfumato.parameters.percent_hints import may_be_share, percent_hint
from sfumato.protection.keys import Keys
from sfumato.protection.number_limits import what_to_do
from sfumato.protection.plan import Plan
from sfumato.protection.protected import Protected
from sfumato.risk import KAnonymity

Hints = Sequence[tuple[str, str]]
CHANGED_MEAN = 2.0  # percent
SIZES = ((50.0, "half"), (10.0, "a tenth"))  # percent, and what more than that is called
MAX_NAMED = 4  # columns that tell a part of a key; those that tell most keys


def protection_remarks(
    data: Microdata, keys: Keys, plan: Plan, found: Protected, notes: Sequence[Note], hinting: Hints
) -> tuple[str, ...]:
    """Return what must be known before the file is released.

    Parameters
    ----------
    data, keys, plan, found
        The file, its keys, what was asked for, and what came of it.
    notes
        What the protected file still tells.
    hinting
        The keys, each with a column that tells a part of it.
    """
    remarks = []
    if not found.after.meets_limits:
        unmet = ", ".join(checked.limit_text for checked in found.after.limits if not checked.is_met)
        remarks.append(f"NOT WITHIN LIMITS: {unmet}; {what_to_do(found.after.limits)}")
    shown = tuple(row.key for row in found.keys if row.different_after)
    remarks += remarks_of(notes)
    if may_be_share(plan.max_suppressed):
        remarks.append(percent_hint("max_suppressed", plan.max_suppressed))
    if found.exceeds_suppression:
        remarks.append(_suppression_words(data, found, hinting))
    if plan.combinations:
        alone = KAnonymity(columns=shown, k=plan.k).of(found.data).value * found.data.n / 100
        remarks.append(
            f"nothing is promised against somebody who knows all keys at once: {alone:,.0f} records then fit fewer "
            f"than {plan.k}, a gap fitting every value"
        )
    emptied = [row.key for row in found.keys if row.different_after < 2 <= row.different_before]
    if emptied:
        remarks.append(
            f"{', '.join(emptied)}: nothing is left to tell records apart by; leave the key out of the file, or give a "
            f"hierarchy by which its categories can be joined"
        )
    households = tuple(variable.name for variable in data.schema.variables if variable.role is Role.HOUSEHOLD)
    for name, differing in agreement_in_households(data, keys.names, households).items():
        if differing and not plan.whole_records:
            told = member_words(data.codes(name)[0], found.data.codes(name)[0], households_of(data, households))
            remarks.append(
                f"{name}: members differ within {differing} of the households, so that it was suppressed person by "
                f"person{told}; if all members should have the same, correct these households and protect again"
            )
    return tuple(remarks)


def default_remarks(data: Microdata, found: Protected, plan: Plan) -> list[str]:
    """Return what was done to columns that are no keys without being asked for, and what to do about it."""
    masked, remarks = found.data, []
    differing = [name for name in plan.masked if name not in plan.factors]
    for why, names in (
        ("different for most records, or for most that have any", differing),
        ("giving a masked number back together with another masked one", plan.factors),
    ):
        if names:
            remarks.append(
                f"{why}, so masked like confidential numbers: {', '.join(names)}; name in keep what may leave as it is"
            )
    if plan.dropped:
        remarks.append(
            f"different for most records, so dropped like identifiers: {', '.join(plan.dropped)}"
            f"{'' if plan.whole_records else '; name in keep what may leave as it is'}"
        )
        doubts = {name: number_doubt(data.table[name]) for name in plan.dropped}
        remarks += [f"{name} {doubt}" for name, doubt in doubts.items() if doubt]
    if plan.undeclared_households:
        are_grouped = plan.whole_records and not data.select(role("household"))
        groups = f", and groups are of {plan.k} of them by the first" if are_grouped else ""
        keep = "" if plan.whole_records else "; name in keep what is no such number and may leave as it is"
        remarks.append(
            f"numbers of households by what they hold, so dropped{groups}: "
            f"{', '.join(plan.undeclared_households)}; give such a column the role household, or identifier{keep}"
        )
    if plan.whole_records:
        steps = [step for step in found.recipe.steps if isinstance(step, RecordMicroaggregation)]
        periods = [one for step in steps for one in period_remarks(step.date_periods(data))]
        return [*remarks, *_hidden_columns(data, masked, plan), *periods, *_changed_means(data, masked)]
    others = (one.name for one in masked.schema.variables if one.role in {Role.OTHER, Role.CONFIDENTIAL})
    lost = {name: int(np.count_nonzero(data.observed(name) & ~masked.observed(name))) for name in others}
    if any(lost.values()):
        listed = ", ".join(f"{name} ({format_count(count, 'value')})" for name, count in lost.items() if count)
        remarks.append(
            f"where no gap in a key hides somebody whom other columns tell, values of these were suppressed too: "
            f"{listed}"
        )
    return remarks


def _hidden_columns(data: Microdata, masked: Microdata, plan: Plan) -> list[str]:
    """Return which columns are dropped, or gaps everywhere, as no value of them can be shown."""
    known = [one.name for one in data.schema.variables if one.role in {Role.OTHER, Role.CONFIDENTIAL}]
    known = [name for name in known if name not in plan.dropped and data.observed(name).any()]
    gone = [name for name in known if name not in masked.schema]
    empty = [name for name in known if name in masked.schema and not masked.observed(name).any()]
    return [
        *([f"dropped: {', '.join(gone)}: {HIDDEN.format(k=plan.k)}"] if gone else []),
        *([f"{', '.join(empty)}: no group has values that hide each other, so that all are gaps"] if empty else []),
    ]


def _changed_means(data: Microdata, masked: Microdata) -> list[str]:
    """Return which columns have another mean: as single amounts were too large to hide, or as gaps moved."""
    groups = equal_groups(masked)
    cut: list[str] = []
    moved: list[str] = []
    for variable in masked.schema.variables:
        if variable.kind is not Kind.CONTINUOUS or not masked.observed(variable.name).any():
            continue
        before, after = data.values(variable.name), masked.values(variable.name)
        mean = float(np.nanmean(before))
        percent = 100 * abs(float(np.nanmean(after)) - mean) / abs(mean) if mean else 0.0
        if percent >= CHANGED_MEAN:
            is_cut = abs(np.nanmean(_missed_by(before, after, groups))) >= CHANGED_MEAN / 100 * abs(mean)
            (cut if is_cut else moved).append(f"{variable.name} ({_size_words(percent)})")
    say = "say so to users, in no closer words, or leave such a column out"
    return [
        *(
            [
                f"the means of these columns changed, as an amount far above those of its group counts as less, or is "
                f"hidden with its group: {', '.join(cut)}; {say}"
            ]
            if cut
            else []
        ),
        *(
            [f"the means of these columns changed, as gaps are filled or made: {', '.join(moved)}; {say}"]
            if moved
            else []
        ),
    ]


def _size_words(percent: float) -> str:
    """Return roughly by how much a mean changed: with the percentage, what a file shows would tell the amount cut."""
    return next((f"by more than {words}" for least, words in SIZES if percent > least), "by a tenth or less")


def _missed_by(before: FloatColumn, after: FloatColumn, groups: CodeColumn) -> FloatColumn:
    """Return by how much the mean of the values that each group has differs from what is shown."""
    has = ~np.isnan(before)
    counts = np.bincount(groups[has], minlength=groups.max() + 1)
    means = np.bincount(groups[has], weights=before[has], minlength=counts.size) / np.maximum(counts, 1)
    return np.asarray(np.where(counts[groups] > 0, means[groups] - after, np.nan), dtype=np.float64)


def _suppression_words(data: Microdata, found: Protected, hinting: Hints) -> str:
    """Return how many key values are suppressed, more than asked for, why, and what to do."""
    values = sum(row.values for row in found.keys)
    suppressed = round(found.suppressed * values / 100)
    by_hints = f", {found.hinted:,} of them by hint suppression" if found.hinted else ""
    aim = "were asked for" if found.limits_suppression else "are aimed at"
    to_do = _hint_words(data, hinting) if found.hinted else ": "
    return (
        f"{format_percent(found.suppressed)} of the key values ({suppressed:,} of {values:,}) are suppressed, more "
        f"than the {format_percent(found.max_suppressed)} that {aim}{by_hints}{to_do}"
        f"give hierarchies that join more categories, or leave a key out of the file"
    )


def _hint_words(data: Microdata, hinting: Hints) -> str:
    """Return which other columns tell a part of a key, weights first, and what to do about them."""
    keys_told = Counter(column for _, column in hinting)
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
