"""Intervals of ranks around the values of a column."""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Floats, Integers


@compiled
def count_intervals_holding(counterparts: Floats, by_rank: Floats, reaches: Floats, centred: bool) -> Integers:
    """Return how many of the intervals around each value hold its counterpart.

    Parameters
    ----------
    counterparts
        The number to look for around each value, shape (n,); NaN is in no interval.
    by_rank
        The values of the column, rising, shape (n,).
    reaches
        How many ranks each interval goes down and up; an interval ends at values of the column.
    centred
        Whether the intervals of equal values start from the middle of their ranks, and not from the lowest of them down
        and from the highest up.

    Returns
    -------
    Between 0 and the number of reaches, shape (n,). With a and b the first and last rank of a value (from 0), both
    replaced by (a + b) / 2 when centred, the interval of reach r goes from the value of rank max(ceil(a - r), 0) to
    that of rank min(floor(b + r), n - 1).
    """
    n = len(by_rank)
    counts = np.zeros(n, dtype=np.int64)
    first = 0
    for last in range(n):
        if last + 1 < n and by_rank[last + 1] == by_rank[first]:
            continue
        middle = (first + last) / 2
        for reach in reaches:
            low = by_rank[max(int(np.ceil((middle if centred else first) - reach)), 0)]
            high = by_rank[min(int(np.floor((middle if centred else last) + reach)), n - 1)]
            for rank in range(first, last + 1):
                counts[rank] += low <= counterparts[rank] <= high
        first = last + 1
    return counts
