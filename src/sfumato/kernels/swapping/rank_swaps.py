"""Pair ranks for swaps that have no fixed limit."""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.swapping.pools import take_from_pool
from sfumato.numerics.arrays import Floats, Integers

NEGLIGIBLE = 64  # a bucket this much further on has less than 2^-63 of the probability of the first


@compiled
def pair_near(steps: Integers) -> Integers:
    """Pair each free rank, from the lowest, with the free one nearest to where its step leads.

    Parameters
    ----------
    steps
        How far up each rank looks for a partner, shape (n,); it may lead below the rank, or beyond the last.

    Returns
    -------
    For each rank its partner, shape (n,); of an odd number of ranks the last free one has itself.

    Notes
    -----
    Ranks below the one at hand are never free. Of two free ranks equally near, the higher is taken. `above` and `below`
    lead from a rank to the next free one on either side, with paths halved while they are walked.
    """
    n = steps.size
    partner = np.arange(n)
    above = np.arange(n + 1)
    below = np.arange(n + 1)  # one more than the rank, so that 0 means none
    for rank in range(n):
        if partner[rank] != rank:
            continue
        above[rank], below[rank + 1] = rank + 1, rank
        aim = min(max(rank + steps[rank], rank + 1), n - 1)
        higher, lower = _follow_path(above, aim), _follow_path(below, aim + 1) - 1
        chosen = higher
        if higher == n or (lower > rank and aim - lower < higher - aim):
            chosen = lower
        if chosen <= rank:
            continue
        partner[rank], partner[chosen] = chosen, rank
        above[chosen], below[chosen + 1] = chosen + 1, chosen
    return partner


@compiled
def pair_across_buckets(buckets: Integers, bucket_draws: Floats, draws: Floats) -> Integers:
    """Pair each free rank, from the lowest, with a free one of its own bucket or a later one.

    Parameters
    ----------
    buckets
        The bucket of each rank, rising from 0 without gaps, shape (n,).
    bucket_draws, draws
        Uniform numbers in [0, 1), two per rank: for the choice of the bucket and of the rank in it, shape (n,).

    Returns
    -------
    For each rank its partner, shape (n,); of an odd number of ranks the last free one has itself.

    Notes
    -----
    A bucket is chosen with probability in proportion to 2^-(s - r), where r is the rank's own bucket and s the other,
    among the buckets that have a free rank; the rank in it uniformly. The free ranks of bucket s are
    `pool[starts[s] : starts[s] + sizes[s]]`, in no order, with `place` telling where each stands.
    """
    n = buckets.size
    count = buckets[-1] + 1 if n else 0
    sizes = np.zeros(count, dtype=np.int64)
    for bucket in buckets:
        sizes[bucket] += 1
    starts = np.cumsum(sizes) - sizes
    pool, place, partner = np.arange(n), np.arange(n), np.arange(n)
    first = 0
    for rank in range(n):
        if partner[rank] != rank:
            continue
        take_from_pool(rank, buckets[rank], pool, place, starts, sizes)
        first = max(first, buckets[rank])
        while first < count and sizes[first] == 0:
            first += 1
        if first == count:
            break
        bucket = _draw_bucket(bucket_draws[rank], first, sizes)
        chosen = pool[starts[bucket] + min(int(draws[rank] * sizes[bucket]), sizes[bucket] - 1)]
        take_from_pool(chosen, bucket, pool, place, starts, sizes)
        partner[rank], partner[chosen] = chosen, rank
    return partner


@compiled
def _draw_bucket(draw: float, first: int, sizes: Integers) -> int:
    """Return a bucket from `first` on that has a free rank, each half as probable as the one before it."""
    last = min(first + NEGLIGIBLE, sizes.size)
    total = 0.0
    for bucket in range(first, last):
        if sizes[bucket] > 0:
            total += 0.5 ** (bucket - first)
    left = draw * total
    chosen = first
    for bucket in range(first, last):
        if sizes[bucket] > 0:
            chosen = bucket
            left -= 0.5 ** (bucket - first)
            if left < 0:
                break
    return chosen


@compiled
def _follow_path(path: Integers, start: int) -> int:
    """Return where a path of steps ends, and halve the path on the way (output: path)."""
    here = start
    while path[here] != here:
        path[here] = path[path[here]]
        here = path[here]
    return here
