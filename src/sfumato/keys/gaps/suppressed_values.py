"""What is told of suppressed key values: by gaps, by other members of a household, by values that few records have."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sfumato.data import METRIC, Microdata, Role
from sfumato.data.distinct_values import NESTED
from sfumato.display import format_count
from sfumato.keys.classes import UNIQUE_SHARE, key_codes, visible_codes
from sfumato.keys.fitting_persons import FittingPersons
from sfumato.keys.gaps.own_gaps import OwnGaps, own_gaps, ruled_out_by_own_gaps
from sfumato.keys.gaps.telling_gaps import exposed_by_gaps, gaps_of_one_category_in, ruled_out_by_gaps
from sfumato.keys.hinting_columns import released_keys
from sfumato.keys.households import Households
from sfumato.keys.ruled_out import ReleasedKey, RuledOut
from sfumato.keys.unique_columns import NOTICED_ROLES
from sfumato.numerics.arrays import CodeColumn


def rare_value_remarks(
    data: Microdata, masked: Microdata, names: Sequence[str], unchanged: Sequence[str], k: int
) -> list[str]:
    """Return a sentence about rare values of columns released as they were that stand beside a suppressed key.

    Columns that tell most records apart by themselves are left to their own notice.

    Parameters
    ----------
    data, masked
        The file as it was and as it is released, in the same order.
    names, unchanged
        The keys, and the columns that are released as they were.
    k
        Values that fewer records have are rare.
    """
    is_suppressed = np.zeros(data.n, dtype=np.bool_)
    for name in names:
        is_suppressed |= data.observed(name) & ~masked.observed(name)
    found = []
    for name in unchanged:
        if name in names or masked.schema[name].role in NOTICED_ROLES or isinstance(masked.table[name].dtype, NESTED):
            continue
        codes = masked.numbers(name)
        is_rare = (codes >= 0) & (np.bincount(codes + 1)[codes + 1] < k)
        records = int(np.count_nonzero(is_rare & is_suppressed))
        if records and np.count_nonzero(is_rare) < UNIQUE_SHARE * data.n:
            found.append(f"{name} (in {format_count(records, 'record')})")
    if not found:
        return []
    return [
        f"values that fewer than {k} records have stand beside a suppressed key, and may tell it to whoever knows what "
        f"they go with: {', '.join(found)}; join these values with others, top-code them, or give the column the role "
        f"key"
    ]


def member_words(before: CodeColumn, after: CodeColumn, homes: Households) -> str:
    """Return how many gaps of a key other members of the household fill, and how many rightly; nothing where none do.

    Examples
    --------
    >>> from sfumato.keys.households import group_households
    >>> homes = group_households(np.array([0, 0, 1, 1, 2]))
    >>> member_words(np.array([5, 5, 5, 6, 5]), np.array([0, -1, -1, 1, -1]), homes)
    '; 2 of its 3 gaps can be filled from another member, 1 of them rightly'
    """
    rows = np.flatnonzero(after >= 0)
    member = np.full(homes.count, -1)
    member[homes.number[rows]] = rows
    gaps = np.flatnonzero((before >= 0) & (after < 0))
    teller = member[homes.number[gaps]]
    filled, teller = gaps[teller >= 0], teller[teller >= 0]
    if not filled.size:
        return ""
    right = np.count_nonzero(before[filled] == before[teller])
    return f"; {filled.size:,} of its {gaps.size:,} gaps can be filled from another member, {right:,} of them rightly"


def gap_remarks(data: Microdata, masked: Microdata, names: tuple[str, ...]) -> list[str]:
    """Return a sentence for each key whose gaps nearly all come from one category, which most records do not have."""
    found = {name: gaps_of_one_category_in(key) for name, key in zip(names, _keys(data, masked, names), strict=True)}
    return [
        f"{name}: {told.rows.size:,} of the {told.gaps:,} suppressed values were one and the same, so a gap tells it"
        for name, told in found.items()
        if told is not None
    ]


class GapExposure(NamedTuple):
    """Whom gaps of keys expose that tell something: of a suppressed value, or that there never was one.

    Parameters
    ----------
    records
        How many records fewer than k persons fit for somebody who uses that.
    fewest
        How many persons fit the record that fewest do, k where that is enough.
    remarks
        What the gaps tell, a sentence each, without what that comes to.
    """

    records: int
    fewest: int
    remarks: tuple[str, ...]


def gap_exposure(original: Microdata, masked: Microdata, names: tuple[str, ...], k: int) -> GapExposure:
    """Return whom gaps of keys expose.

    Gaps of a key are filled where nearly all come from one category, as `gap_remarks` tells, and taken for what they
    were where the file had most of them before, by a rule; those of the others stay. Where k records show the same,
    gaps included, nobody can tell which of them to fill.

    Parameters
    ----------
    original, masked
        The file as it was and as it is released, in the same order.
    names, k
        The keys, and how many persons should fit.
    """
    keys, rows, own = _keys(original, masked, names), np.arange(masked.n), own_gaps(original, names)
    by_rule = [(one, ruled) for one in own for ruled in ruled_out_by_own_gaps([one], masked, rows)]
    gaps = [*ruled_out_by_gaps(keys), *(ruled for _, ruled in by_rule)]
    if not gaps:
        return GapExposure(0, k, ())
    found, fitting = exposed_by_gaps(FittingPersons.of(keys, ()), gaps, visible_codes(masked, names), k)
    remarks = [*gap_remarks(original, masked, names), *(_rule_words(masked, *one) for one in by_rule)]
    if found.size and not remarks:
        remarks = ["no gap of some keys had a value that many others have, so a gap rules it out"]
    return GapExposure(found.size, int(fitting.min(initial=k)), tuple(remarks))


def _rule_words(masked: Microdata, own: OwnGaps, ruled: RuledOut) -> str:
    """Return which gaps the file had before, by a rule."""
    told, gaps = np.count_nonzero(ruled.kinds), np.count_nonzero(~masked.observed(own.key))
    return (
        f"{own.key}: {told:,} of the {gaps:,} gaps were in the file before and follow a rule (all records with certain "
        f"values of {own.column} have one), so a gap tells whom the rule is about"
    )


def _keys(original: Microdata, masked: Microdata, names: tuple[str, ...]) -> list[ReleasedKey]:
    return released_keys(masked, names, original, np.arange(masked.n))


def rare_code_remarks(masked: Microdata, names: tuple[str, ...], k: int) -> list[str]:
    """Return sentences about codes that stand for missing and that fewer than `k` records have.

    Such codes are looked for in the keys, and in confidential numbers.
    """
    remarks = []
    if rare := _rare_codes(masked, names, k):
        remarks.append(
            f"{', '.join(rare)}: a code that stands for missing is left in fewer than {k} records, and tells them "
            f"apart; strict protection mends that, or recoding these codes"
        )
    if rare := _rare_codes(masked, _coded_numbers(masked), k):
        remarks.append(
            f"{', '.join(rare)}: a code that stands for missing is left in fewer than {k} records, and tells them "
            f"apart; give one code for all reasons in the file before it is protected, or leave these cells empty"
        )
    return remarks


def _coded_numbers(masked: Microdata) -> tuple[str, ...]:
    """Return the confidential numbers in which codes stand for missing."""
    return tuple(
        one.name
        for one in masked.schema.variables
        if one.role is Role.CONFIDENTIAL and one.kind in METRIC and (one.missing_codes or one.missing_ranges)
    )


def _rare_codes(masked: Microdata, names: tuple[str, ...], k: int) -> tuple[str, ...]:
    """Return the columns in which a code that stands for missing is left in fewer than `k` records."""
    hidden, shown = key_codes(masked, names) < 0, visible_codes(masked, names)
    found = []
    for name, gaps, column in zip(names, hidden, shown, strict=True):
        _, records = np.unique(column[gaps & (column >= 0)], return_counts=True)
        found += [name] if (records < k).any() else []
    return tuple(found)
