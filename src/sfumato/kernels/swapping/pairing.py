"""Pair ranks for swapping."""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Floats, SmallIntegers


@compiled
def pair_within(reach: int, draws: Floats) -> SmallIntegers:
    """Pair each rank with a free one at most `reach` above it, chosen uniformly.

    Parameters
    ----------
    reach
        Largest distance between the ranks of a pair.
    draws
        One uniform number in [0, 1) per rank, shape (n,).

    Returns
    -------
    For each rank its partner, shape (n,); a rank that found no free partner has itself.

    Notes
    -----
    The free ranks of the sliding window (i, i + reach] are kept in `pool`, in no order, with `place` telling where
    each one stands, so that choosing and removing cost O(1).
    """
    n = draws.size
    partner = np.arange(n).astype(np.int32)
    pool = np.empty(min(reach, n) + 1, dtype=np.int32)
    place = np.full(n, -1, dtype=np.int32)
    size = 0
    for rank in range(1, min(reach, n)):
        pool[size], place[rank] = rank, size
        size += 1
    for rank in range(n):
        entering = rank + reach
        if reach > 0 and entering < n:
            pool[size], place[entering] = entering, size
            size += 1
        if place[rank] >= 0:
            size = _remove(rank, pool, place, size)
        if partner[rank] != rank or size == 0:
            continue
        chosen = pool[min(int(draws[rank] * size), size - 1)]
        size = _remove(chosen, pool, place, size)
        partner[rank], partner[chosen] = chosen, rank
    return partner


@compiled
def _remove(rank: int, pool: SmallIntegers, place: SmallIntegers, size: int) -> int:
    """Take `rank` out of the pool (outputs: pool, place); return the new size."""
    last = pool[size - 1]
    pool[place[rank]] = last
    place[last] = place[rank]
    place[rank] = -1
    return size - 1
