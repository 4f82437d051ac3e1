"""Distances of a query from the points and the boxes of a kd-tree.

They are sums of |difference| ** power over the columns, added up in their order. Those from a box are added up in the
same way, so that rounding never puts its nearest place beyond a point inside, nor its farthest before one. A column
in which the query has no value, NaN, is left out.
"""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.neighbours.kd_tree import LANES
from sfumato.numerics.arrays import Floats

STRIDE = 8  # columns between two looks at whether all points of a leaf are too far already


@compiled
def measure_gaps(
    lows: Floats, highs: Floats, branch: int, power: int, queries: Floats, query: int, gaps: Floats
) -> None:
    """Put the distance of a query from the nearest place in the box of each lane into `gaps` (output), shape (8,)."""
    gaps[:] = 0.0
    for j in range(queries.shape[1]):
        origin = queries[query, j]
        if np.isnan(origin):
            continue
        if power == 1:
            for lane in range(LANES):
                gaps[lane] += max(max(lows[branch, j, lane] - origin, origin - highs[branch, j, lane]), 0.0)
        else:
            for lane in range(LANES):
                outside = max(max(lows[branch, j, lane] - origin, origin - highs[branch, j, lane]), 0.0)
                gaps[lane] += outside * outside


@compiled
def measure_reaches(
    lows: Floats, highs: Floats, branch: int, power: int, queries: Floats, query: int, reaches: Floats
) -> None:
    """Put the distance of a query from the far corner of the box of each lane into `reaches` (output), shape (8,)."""
    reaches[:] = 0.0
    for j in range(queries.shape[1]):
        origin = queries[query, j]
        if np.isnan(origin):
            continue
        if power == 1:
            for lane in range(LANES):
                reaches[lane] += max(origin - lows[branch, j, lane], highs[branch, j, lane] - origin)
        else:
            for lane in range(LANES):
                far = max(origin - lows[branch, j, lane], highs[branch, j, lane] - origin)
                reaches[lane] += far * far


@compiled
def measure_leaf(
    values: Floats,
    start: int,
    size: int,
    left: int,
    power: int,
    queries: Floats,
    query: int,
    bound: float,
    distances: Floats,
) -> int:
    """Put the distances of a query from the points of a leaf into `distances`; return how many are up to `bound`.

    The leaf has had `size` points, from `start` on in `Tree.values`, of which the first `left` remain. Where none is
    near enough, the distances are any numbers beyond `bound`.
    """
    d = queries.shape[1]
    distances[:left] = 0.0
    within = left
    for j in range(d):
        first, origin = start * d + j * size, queries[query, j]
        for i in range(0 if np.isnan(origin) else left):
            difference = values[first + i] - origin
            distances[i] += abs(difference) if power == 1 else difference * difference
        if bound == np.inf or (j % STRIDE < STRIDE - 1 and j < d - 1):
            continue
        within = 0
        for i in range(left):
            within += distances[i] <= bound
        if within == 0:
            break
    return within
