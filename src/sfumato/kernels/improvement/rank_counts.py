"""Rank intervals around masked values, followed while single values of a column move.

With F(x) the number of masked values of a column below x, and G(x) of those up to x, a masked value y has the ranks
a = F(y) to b = G(y) - 1, and the original value x lies in its interval of reach r when a - r <= G(x) - 1 and
b + r >= F(x), if it lies between the ends of the column at all. So four counts say how many reaches hold it; and a
value that moves from u to v changes the counts of those x only that lie between u and v.
"""

from typing import NamedTuple

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Floats, Integers


class Ranks(NamedTuple):
    """The masked values of all columns among each other; all but the last two change in place.

    Parameters
    ----------
    values, sought
        The masked values, and the original ones that are looked for around them, shape (d, m).
    by_rank
        The masked values of each column, rising, shape (d, m).
    counts
        F and G of the masked value, F and G of the sought one, shape (d, m, 4).
    holding
        How many reaches are at least k / 2 ranks, for k = 0, 1, ..., shape (2 m + 2,).
    is_centred
        Whether intervals start from the middle of the ranks of equal values.
    """

    values: Floats
    sought: Floats
    by_rank: Floats
    counts: Integers
    holding: Integers
    is_centred: bool


@compiled
def count_all(ranks: Ranks) -> int:
    """Fill in the order and all counts; return how many intervals hold what is sought around them."""
    total = 0
    for column in range(len(ranks.values)):
        ranks.by_rank[column] = np.sort(ranks.values[column])
        for row in range(ranks.values.shape[1]):
            _count(ranks, column, ranks.values[column, row], ranks.counts[column, row, :2])
            _count(ranks, column, ranks.sought[column, row], ranks.counts[column, row, 2:])
            total += count_holding(ranks, ranks.counts[column, row])
    return total


@compiled
def count_holding(ranks: Ranks, counts: Integers) -> int:
    """Return how many intervals hold the sought value, by its four counts."""
    below, upto, sought_below, sought_upto = counts[0], counts[1], counts[2], counts[3]
    if sought_upto == 0 or sought_below == ranks.values.shape[1]:
        return 0
    first, last = (below + upto - 1, below + upto - 1) if ranks.is_centred else (2 * below, 2 * upto - 2)
    needed = max(first - 2 * (sought_upto - 1), 2 * sought_below - last)
    return int(ranks.holding[max(needed, 0)])


@compiled
def count_gained(ranks: Ranks, column: int, rows: Integers, after: float, sought: Floats, writes: bool) -> int:
    """Return by how many the intervals grow that hold what is sought, when some equal values of a column move.

    Parameters
    ----------
    ranks
        Input, and if `writes` output: the move is then made.
    column, rows
        The column, and the records that move, rising.
    after
        What they move to.
    sought
        What is sought around the records that move from then on, shape (d, rows).
    """
    before, size = ranks.values[column, rows[0]], rows.size
    low, high = min(before, after), max(before, after)
    values, goals = ranks.values[column], ranks.sought[column]
    change, passed = 0, 0
    counts = np.empty(4, dtype=np.int64)
    for row in range(values.size):
        if passed < size and row == rows[passed]:
            passed += 1
            continue
        if not (low <= values[row] <= high or low <= goals[row] <= high):
            continue
        counts[:] = ranks.counts[column, row]
        _shift(counts[:2], values[row], before, after, size)
        _shift(counts[2:], goals[row], before, after, size)
        change += count_holding(ranks, counts) - count_holding(ranks, ranks.counts[column, row])
        if writes:
            ranks.counts[column, row] = counts
    for place in range(size):
        row = rows[place]
        for other in range(len(ranks.values)):
            if other != column and sought[other, place] == ranks.sought[other, row]:
                continue
            counts[:] = ranks.counts[other, row]
            _count(ranks, other, sought[other, place], counts[2:])
            if other == column:
                _count(ranks, column, after, counts[:2])
                _shift(counts[:2], after, before, after, size)
                _shift(counts[2:], sought[column, place], before, after, size)
            change += count_holding(ranks, counts) - count_holding(ranks, ranks.counts[other, row])
            if writes:
                ranks.counts[other, row] = counts
                ranks.sought[other, row] = sought[other, place]
    if writes:
        _reorder(ranks.by_rank[column], before, after, size)
        for row in rows:
            ranks.values[column, row] = after
    return change


@compiled
def _count(ranks: Ranks, column: int, value: float, counts: Integers) -> None:
    """Put the number of masked values below a value, and of those up to it, into `counts` (output)."""
    counts[0] = np.searchsorted(ranks.by_rank[column], value, side="left")
    counts[1] = np.searchsorted(ranks.by_rank[column], value, side="right")


@compiled
def _shift(counts: Integers, value: float, before: float, after: float, size: int) -> None:
    """Change the numbers of values below and up to a value (output) for so many values that move."""
    if before < value <= after:
        counts[0] -= size
    elif after < value <= before:
        counts[0] += size
    if before <= value < after:
        counts[1] -= size
    elif after <= value < before:
        counts[1] += size


@compiled
def _reorder(by_rank: Floats, before: float, after: float, size: int) -> None:
    """Move so many equal values in a rising column (output)."""
    first = np.searchsorted(by_rank, before, side="left")
    if after > before:
        end = np.searchsorted(by_rank, after, side="left")
        by_rank[first : end - size] = by_rank[first + size : end].copy()
        by_rank[end - size : end] = after
    else:
        end = np.searchsorted(by_rank, after, side="right")
        by_rank[end + size : first + size] = by_rank[end:first].copy()
        by_rank[end : end + size] = after
