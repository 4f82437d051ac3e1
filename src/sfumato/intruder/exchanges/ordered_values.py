"""Whose values masked records show where values were exchanged, and all other steps keep their order.

Whatever resampling, distortion, averages of neighbours or rounding make of values, in what order they lie stays: the
value of a rank in the release is what became of the original value of that rank.
"""

from collections.abc import Sequence

import numpy as np

from sfumato.intruder.exchanges.value_owners import Owners
from sfumato.numerics.arrays import CodeColumn, FloatColumn, Rows


def keep_order(known: FloatColumn, groups: CodeColumn, runs: Sequence[tuple[Rows, FloatColumn]]) -> bool:
    """Tell whether no two values of a group changed their order in any run, and none was left out, given or taken.

    Parameters
    ----------
    known
        The value of each original.
    groups
        The group of each.
    runs
        For each run the row of the original of each value, and the value. Nothing is told by none.

    Examples
    --------
    >>> rising = np.array([1.0, 2.0, 2.0, 5.0])
    >>> runs = [(np.arange(4), values) for values in (rising**2, np.array([3.0, 7.0, 3.0, 8.0]), rising[::-1])]
    >>> [keep_order(rising, np.zeros(4, dtype=np.int64), [run]) for run in runs]
    [True, True, False]
    """
    for rows, values in runs:
        if len(rows) != len(known):
            return False
        column = np.empty(len(known))
        column[rows] = values
        order = np.lexsort((column, known, groups))
        falls = np.diff(column[order]) < 0.0
        if (falls & (np.diff(groups[order]) == 0)).any() or not np.array_equal(np.isnan(column), np.isnan(known)):
            return False
    return bool(runs)


def ordered_owners(known: FloatColumn, after: FloatColumn, groups: tuple[CodeColumn, CodeColumn]) -> Owners | None:
    """Return the originals whose ranks are those that each masked value takes up in its group.

    Nothing where some group has not as many values in both files.

    Parameters
    ----------
    known, after
        The value of each original, and of each masked record.
    groups
        The group of each original and of each masked record.

    Examples
    --------
    >>> known, after, one = np.array([5.0, 7.0, 5.0]), np.array([8.0, 2.0, 2.5]), np.zeros(3, dtype=np.int64)
    >>> owners = ordered_owners(known, after, (one, one))
    >>> owners.order, owners.values, owners.starts, owners.places, owners.weights
    (array([0, 2, 1]), array([2, 0, 1]), array([0, 2, 4, 5]), array([0, 1, 0, 1, 2]), array([0.5, 0.5, 0.5, 0.5, 1. ]))
    """
    there, asked = np.flatnonzero(~np.isnan(known)), np.flatnonzero(~np.isnan(after))
    order = there[np.lexsort((known[there], groups[0][there]))]
    rising = asked[np.lexsort((after[asked], groups[1][asked]))]
    if not asked.size or not np.array_equal(groups[0][order], groups[1][rising]):
        return None
    numbers, firsts, ends = _ties(after[rising], groups[1][rising])
    owned, lowest, highest = _ties(known[order], groups[0][order])
    begins, counts = lowest[owned[firsts]], highest[owned[ends - 1]] - lowest[owned[firsts]]
    starts = np.concatenate([[0], np.cumsum(counts)])
    of_values = np.repeat(np.arange(len(counts)), counts)
    places = np.arange(starts[-1]) - starts[of_values] + begins[of_values]
    low, high = lowest[owned[places]], highest[owned[places]]
    shared = np.minimum(high, ends[of_values]) - np.maximum(low, firsts[of_values])
    values = np.full(len(after), -1, dtype=np.int64)
    values[rising] = numbers
    return Owners(values, starts, places, shared / (high - low) / (ends - firsts)[of_values], order)


def _ties(rising: FloatColumn, groups: CodeColumn) -> tuple[CodeColumn, Rows, Rows]:
    """Return the number of the value of each place in a sorted column, and where each value begins and ends."""
    is_first = np.append(True, (np.diff(rising) != 0.0) | (np.diff(groups) != 0))
    firsts = np.flatnonzero(is_first)
    return np.cumsum(is_first) - 1, firsts, np.append(firsts[1:], len(rising))
