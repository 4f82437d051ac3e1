"""Where sorted ranges are to be cut so that the lower parts together hold exactly so many ranks."""

from collections.abc import Sequence

import numpy as np

from sfumato.numerics.arrays import AnyArray, FloatColumn

TOP = np.uint64(1 << 63)


def cut_positions(columns: Sequence[FloatColumn], ranks: Sequence[int]) -> list[list[int]]:
    """Return for each rank how many values of each sorted column lie below it; of equal values the first columns' do.

    Parameters
    ----------
    columns
        Numbers in rising order, NaN last; they may be files, of which only few values are read.
    ranks
        Each at most as large as there are numbers that are not NaN.

    Examples
    --------
    >>> cut_positions([np.array([1.0, 2.0, 2.0]), np.array([2.0, 5.0])], [2, 4])
    [[2, 0], [3, 1]]
    """
    wanted = np.asarray(ranks, dtype=np.int64)
    found = _values_of_ranks(columns, wanted)
    below = np.array([np.searchsorted(column, found, side="left") for column in columns])
    equal = np.array([np.searchsorted(column, found, side="right") for column in columns]) - below
    left = wanted - below.sum(axis=0)  # so many of the equal values are still to be taken, column by column
    before = np.cumsum(equal, axis=0) - equal
    taken = below + np.clip(left - before, 0, equal)
    return [[int(position) for position in positions] for positions in taken.T]


def _values_of_ranks(columns: Sequence[FloatColumn], ranks: AnyArray) -> FloatColumn:
    """Return the numbers of ranks, counted from 0, by halving what lies between the least and the largest number."""
    low = np.full(ranks.shape, _key(-np.inf), dtype=np.uint64)
    high = np.full(ranks.shape, _key(np.inf), dtype=np.uint64)
    while (low < high).any():
        middle = low + ((high - low) >> np.uint64(1))
        numbers = _numbers(middle)
        counts = np.sum([np.searchsorted(column, numbers, side="right") for column in columns], axis=0)
        high = np.where(counts > ranks, middle, high)
        low = np.where((counts <= ranks) & (low < high), middle + np.uint64(1), low)
    return _numbers(low)


def _key(number: float) -> np.uint64:
    """Return a whole number that lies among others as the numbers do."""
    bits = np.float64(number).view(np.uint64)
    return np.uint64(~bits) if bits & TOP else np.uint64(bits | TOP)


def _numbers(keys: AnyArray) -> FloatColumn:
    return np.where(keys & TOP, keys ^ TOP, ~keys).astype(np.uint64).view(np.float64)
