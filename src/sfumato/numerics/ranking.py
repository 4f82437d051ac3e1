"""Order values, number labels by their order, and look up ids in order."""

from collections.abc import Sequence

import numpy as np

from sfumato.numerics.arrays import CodeColumn, FloatColumn, Floats, Hashes, Integers

WIDEST = 4  # times as many possible labels as there are records: labels over a wider range are sorted
FEW = 500  # values, of which a stable sort is as quick as any
LARGEST_WHOLE = 2.0**50  # up to which differences of whole numbers are exact


def stable_order(values: Floats | Integers | Hashes) -> Integers:
    """Return the rows by rising value, equal values by row, and those that are missing last.

    A quick sort that leaves equal values in any order comes first; their rows are then put in order by sorting numbers
    of one row each, which is quick too: together they take a quarter of the time of a stable sort.

    Examples
    --------
    >>> stable_order(np.array([3.0, np.nan, 1.0, 3.0, np.nan, 1.0]))
    array([2, 5, 0, 3, 1, 4])
    """
    if values.size < FEW:
        return np.argsort(values, kind="stable")
    if (values[1:] >= values[:-1]).all():
        return np.arange(values.size)
    order = np.argsort(values)
    by_rank = values[order]
    is_new = by_rank[1:] != by_rank[:-1]
    if by_rank.dtype.kind == "f" and np.isnan(by_rank[-1]):
        is_new[np.count_nonzero(~np.isnan(by_rank)) :] = False
    if not is_new.all():
        starts = np.concatenate([[0], np.cumsum(is_new)]) * np.int64(values.size)
        order += starts
        order.sort()
        order -= starts
    return order


def stable_orders(values: Floats) -> Integers:
    """Return for each row of a matrix its columns by rising value, as `stable_order` does for one.

    Examples
    --------
    >>> stable_orders(np.array([[3.0, np.nan, 1.0, 3.0], [2.0, 2.0, 1.0, 1.0]]))
    array([[2, 0, 3, 1],
           [2, 3, 0, 1]])
    """
    order = np.argsort(values, axis=1)
    by_rank = np.take_along_axis(values, order, axis=1)
    is_new = (by_rank[:, 1:] != by_rank[:, :-1]) & ~np.isnan(by_rank[:, :-1])  # those that are missing are equal
    starts = np.cumsum(is_new, axis=1, dtype=np.int64) * values.shape[1]
    order[:, 1:] += starts
    order.sort(axis=1)
    order[:, 1:] -= starts
    return order


def shuffled_order(values: Floats, rng: np.random.Generator) -> Integers:
    """Return the rows by rising value, equal values in random order; nothing is drawn where none are equal.

    Which of equal values comes first then tells nobody where they stand in the file. The draws belong to ranks, so that
    rows that are already sorted give the same as those that are not.

    Examples
    --------
    >>> order = shuffled_order(np.array([3.0, 1.0, 3.0, 3.0]), np.random.default_rng(0))
    >>> order[0], sorted(order[1:].tolist())
    (np.int64(1), [0, 2, 3])
    """
    order = stable_order(values)
    by_rank = values[order]
    is_equal = by_rank[1:] == by_rank[:-1]
    if not is_equal.any():
        return order
    runs = np.concatenate([[0], np.cumsum(~is_equal)])
    return order[np.lexsort((rng.random(len(order)), runs))]


def middle_ranks(column: FloatColumn) -> FloatColumn:
    """Return where each value stands among the observed ones, from 0 to 1, equal ones in the middle; missing is NaN.

    Examples
    --------
    >>> middle_ranks(np.array([30.0, 10.0, np.nan, 30.0, 20.0]))
    array([0.75 , 0.125,   nan, 0.75 , 0.375])
    """
    known = ~np.isnan(column)
    _, place, counts = np.unique(column[known], return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - counts / 2
    ranks = np.full(len(column), np.nan)
    ranks[known] = middle[place] / max(len(place), 1)
    return ranks


def places_among(ascending: FloatColumn, values: FloatColumn) -> CodeColumn:
    """Return how many of ascending numbers are smaller than each value; all of them where it is missing.

    Many values are looked up in order: that takes less than half of the time, the sort included, as neighbours are
    found near each other.

    Examples
    --------
    >>> places_among(np.array([1.0, 3.0, 5.0]), np.array([4.0, 1.0, 9.0, np.nan]))
    array([2, 0, 3, 3])
    """
    if values.size < FEW:
        return np.searchsorted(ascending, values)
    missing = np.isnan(values)
    values = np.where(missing, np.inf, values)  # numbers alone are sorted in a third of the time
    order = np.argsort(values)
    places = np.empty(values.size, dtype=np.int64)
    places[order] = np.searchsorted(ascending, values[order])
    places[missing] = ascending.size
    return places


def reaches_of(widths: Sequence[float] | Floats | Integers, n: int) -> FloatColumn:
    """Return how many ranks some percents of `n` records are, at least one.

    Examples
    --------
    >>> reaches_of([1.0, 7.0], 100).round(6), reaches_of([1.0, 10.0], 15).round(6)
    (array([1., 7.]), array([1. , 1.5]))
    """
    ranks = np.asarray(widths) * n / 100 + 1e-9  # so that 7 % of 100 records are 7 in floating point too
    return np.asarray(np.maximum(ranks, 1.0), dtype=np.float64)


def dense_numbers(labels: Integers) -> CodeColumn:
    """Return for each label the number of different lower ones; whole numbers close together are not even sorted.

    Examples
    --------
    >>> dense_numbers(np.array([7, -2, 7, 3]))
    array([2, 0, 2, 1])
    """
    if not labels.size:
        return np.empty(0, dtype=np.int64)
    low, high = int(labels.min()), int(labels.max())
    if high - low > WIDEST * labels.size:
        return np.asarray(np.unique(labels, return_inverse=True)[1], dtype=np.int64)
    is_held = np.zeros(high - low + 1, dtype=np.bool_)
    places = labels.astype(np.int64) - low
    is_held[places] = True
    return np.asarray((np.cumsum(is_held) - 1)[places], dtype=np.int64)


def small_whole_numbers(values: FloatColumn) -> CodeColumn | None:
    """Return numbers counted from the lowest, where they are whole and span so little that counting beats sorting."""
    low, high = float(values.min(initial=np.inf)), float(values.max(initial=-np.inf))
    if not high - low < values.size or abs(low) > LARGEST_WHOLE:
        return None
    whole = (values - low).astype(np.int64)
    return whole if low.is_integer() and (whole + low == values).all() else None


def in_order(values: FloatColumn) -> CodeColumn:
    """Return numbers as codes in their order, missing as -1.

    Examples
    --------
    >>> in_order(np.array([7.0, np.nan, 5.0, 7.0])), in_order(np.array([0.5, np.nan, -1e9, 0.5]))
    (array([ 1, -1,  0,  1]), array([ 1, -1,  0,  1]))
    """
    known = ~np.isnan(values)
    whole = small_whole_numbers(values[known])
    if whole is None:
        different, codes = np.unique(values, return_inverse=True)
        return np.where(np.isnan(different)[codes], -1, codes)
    found = np.full(values.size, -1, dtype=np.int64)
    found[known] = (np.cumsum(np.bincount(whole) > 0) - 1)[whole]
    return found
