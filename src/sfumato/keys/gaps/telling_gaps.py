"""Gaps of a key that tell of their value: nearly all had the same, or none had one that many others have."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from sfumato.kernels.keys.counting import classes_of
from sfumato.keys.fitting_persons import FittingPersons
from sfumato.keys.ruled_out import ReleasedKey, RuledOut, fill_between, rule_out
from sfumato.numerics.arrays import Booleans, CodeColumn, CodeMatrix, Rows

MIN_GAPS = 3  # of a key: fewer have the same value by chance
ONE_CATEGORY = 0.9  # of the gaps of a key: where so many had one value, a gap tells it


class OneCategoryGaps(NamedTuple):
    """How many gaps a key has, and the records of which a gap tells the category."""

    gaps: int
    rows: Rows


def gaps_of_one_category(category: CodeColumn, is_gap: Booleans) -> OneCategoryGaps | None:
    """Return what gaps tell of a key; None where they do not.

    Parameters
    ----------
    category
        What each record would show of the key if nothing were suppressed, missing as -1.
    is_gap
        Which records do not show it.

    Examples
    --------
    >>> sex = np.array([0, 1] * 20 + [2] * 4)
    >>> gaps_of_one_category(sex, sex == 2)
    OneCategoryGaps(gaps=4, rows=array([40, 41, 42, 43]))
    >>> gaps_of_one_category(sex, np.arange(44) % 5 == 0) is None
    True
    """
    rows = np.flatnonzero(is_gap & (category >= 0))
    if rows.size < MIN_GAPS:
        return None
    counts = np.bincount(category[rows])
    told = int(counts.argmax())
    is_common = 2 * np.count_nonzero(category == told) > np.count_nonzero(category >= 0)
    if counts[told] < ONE_CATEGORY * rows.size or is_common:
        return None
    return OneCategoryGaps(rows.size, rows[category[rows] == told])


def gaps_of_one_category_in(key: ReleasedKey) -> OneCategoryGaps | None:
    """Return what the gaps of a masked key tell; its categories are compared as they are released."""
    known = key.before >= 0
    is_gap = known & (key.after < 0)
    if np.count_nonzero(is_gap) < MIN_GAPS:
        return None
    released = np.full(int(key.before.max()) + 1, -1)
    np.maximum.at(released, key.before[known], key.after[known])  # recoding takes each category to one
    released = fill_between(released) if key.is_ordered else released
    own = int(key.after.max(initial=-1)) + 1 + np.arange(released.size)
    return gaps_of_one_category(np.where(known, np.where(released < 0, own, released)[key.before], -1), is_gap)


def ruled_out_by_gaps(keys: Iterable[ReleasedKey]) -> list[RuledOut]:
    """Return what gaps rule out of keys: all but one category that nearly all had, or what by no chance none had."""
    found = []
    for key in keys:
        is_gap = (key.before >= 0) & (key.after < 0)
        told = gaps_of_one_category_in(key)
        categories, count = key.categories
        allowed = np.ones((2, count), dtype=np.bool_)
        if told is not None:
            rows = told.rows
            allowed[1] = key.groups == key.groups[categories[rows[0]]]
        elif (ruled := rule_out(key, is_gap.astype(np.int64), np.flatnonzero(key.before >= 0), False)) is not None:
            rows = np.flatnonzero(is_gap)
            allowed[1] = ruled.allowed[ruled.kinds[rows[0]]] if rows.size else True
        if not allowed[1].all():
            is_told = np.zeros(categories.size, dtype=np.int64)
            is_told[rows] = 1
            found.append(RuledOut(is_told, categories, allowed))
    return found


def exposed_by_gaps(
    file: FittingPersons, gaps: Sequence[RuledOut], seen: CodeMatrix, k: int
) -> tuple[Rows, CodeColumn]:
    """Return the records that fewer than k persons fit once gaps are filled that tell their value, and how many do.

    Where k records show the same, gaps included, nobody can tell which of them has that value: they are not counted.

    Parameters
    ----------
    file, gaps
        The released records, the persons and what other columns rule out, and what gaps do.
    seen
        What readers see of the keys (keys x records), as `visible_codes` gives it.
    k
        How many persons should fit.
    """
    numbers = classes_of(seen).numbers
    is_told = np.logical_or.reduce([one.kinds > 0 for one in gaps])
    rows = np.flatnonzero(is_told & (np.bincount(numbers)[numbers] < k))
    fitting = file.ruled_by((*file.ruled, *gaps)).counts(rows, k)
    return rows[fitting < k], fitting[fitting < k]
