"""Split many records into blocks of near ones by cuts that a sample of them decides."""

from dataclasses import dataclass

import numpy as np

from sfumato.kernels.neighbours.kd_split import MIN_SHARE
from sfumato.numerics.arrays import Floats, Hashes, Integers


@dataclass(frozen=True)
class KdCuts:
    """A tree of cuts: a record whose value in a column lies below the edge goes one way, any other the other way.

    Parameters
    ----------
    column, edge
        Where to cut.
    below, above
        What follows on either side: other cuts, or how many blocks equal records are dealt out to.
    """

    column: int
    edge: float
    below: "KdCuts | int"
    above: "KdCuts | int"


def find_cuts(sample: Floats, most: float) -> KdCuts | int:
    """Return the cuts that leave at most so many records of a sample in a block.

    Parameters
    ----------
    sample
        Records without missing values, in columns of similar scale, shape (n, d).
    most
        The greatest number of them in a block.

    Notes
    -----
    As in `kd_blocks` a cut is in the middle of the widest column, with 1 in 64 records on either side at least where
    values differ enough. Records that are equal in all columns are not cut, but dealt out.

    Examples
    --------
    >>> find_cuts(np.array([[0.0], [9.0], [1.0], [8.0], [2.0]]), 3)
    KdCuts(column=0, edge=4.5, below=1, above=1)
    """
    if len(sample) <= most:
        return 1
    widths = np.ptp(sample, axis=0)
    column = int(np.argmax(widths))
    if not widths[column] > 0:
        return int(np.ceil(len(sample) / most))
    edge = _edge(sample[:, column])
    is_below = sample[:, column] < edge
    return KdCuts(column, edge, find_cuts(sample[is_below], most), find_cuts(sample[~is_below], most))


def block_numbers(cuts: KdCuts | int, points: Floats, hashes: Hashes) -> Integers:
    """Return the number of each record's block, from 0; which of several equal records take, their hashes decide.

    Examples
    --------
    >>> block_numbers(KdCuts(0, 4.5, 1, 2), np.array([[0.0], [9.0], [8.0]]), np.array([5, 6, 7], dtype=np.uint64))
    array([0, 1, 2])
    """
    numbers = np.empty(len(points), dtype=np.int64)
    _number(cuts, points, hashes, np.arange(len(points)), 0, numbers)
    return numbers


def _number(cuts: KdCuts | int, points: Floats, hashes: Hashes, rows: Integers, first: int, numbers: Integers) -> int:
    """Put the blocks of some rows, from `first` on, into `numbers` (output); return the number that comes next."""
    if isinstance(cuts, int):
        numbers[rows] = first + (hashes[rows] % np.uint64(cuts)).astype(np.int64)
        return first + cuts
    is_below = points[rows, cuts.column] < cuts.edge
    after = _number(cuts.below, points, hashes, rows[is_below], first, numbers)
    return _number(cuts.above, points, hashes, rows[~is_below], after, numbers)


def _edge(values: Floats) -> float:
    """Return where values that differ are cut: no value lies on both sides, and some lie on each."""
    ascending = np.sort(values)
    least = max(int(MIN_SHARE * values.size), 1)
    middle = float(ascending[0] / 2 + ascending[-1] / 2)
    below = int(np.searchsorted(ascending, middle))
    wanted = min(max(below, least), values.size - least)
    if wanted == below and ascending[0] < middle:
        return middle
    same = ascending[wanted]
    low, high = np.searchsorted(ascending, same, side="left"), np.searchsorted(ascending, same, side="right")
    if low == 0 or (high < values.size and high - wanted < wanted - low):
        return float(ascending[high])
    return float(same)
