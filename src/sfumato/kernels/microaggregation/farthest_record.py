"""Find the remaining record that is farthest from a place.

The answer is that of a loop over all records, ties included: the distance from the farthest corner of a box is added
up as those from points are, so that rounding never puts a point out of bounds.
"""

from math import sqrt

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.microaggregation.remaining_records import RemainingRecords, largest
from sfumato.kernels.neighbours.kd_tree import LANES, LEAF
from sfumato.kernels.neighbours.tree_distances import measure_leaf
from sfumato.kernels.neighbours.tree_search import MAX_STACK, push
from sfumato.numerics.arrays import Floats

ROUNDING = 2.0**-52


@compiled
def farthest_record(records: RemainingRecords, query: Floats) -> int:
    """Return the row of the record farthest from `query`, shape (1, d), the lowest of equally far ones."""
    tree = records.tree
    branches = len(tree.children)
    top, stack, bounds = 1, np.zeros(MAX_STACK, dtype=np.int64), np.full(MAX_STACK, np.inf)
    reach, along, distances = np.empty(LANES), np.empty(LANES), np.empty(LEAF)
    offset = query[0] - records.centre[0]
    beyond = _beyond(records.largest_norms[0], offset)
    best, found = -1.0, len(tree.rows)
    while top > 0:
        top -= 1
        node, bound = stack[top], bounds[top]
        branch = tree.parents[node]
        lane = node - tree.children[branch]
        if bound < best or (bound == best and tree.first_rows[branch, lane] > found):
            continue
        if node < branches:
            _bound_distances(records, node, query, offset, beyond, reach, along)
            bottom = top
            for i in range(LANES):
                if tree.counts[node, i] > 0 and reach[i] >= best:
                    push(stack, bounds, bottom, top, tree.children[node] + i, reach[i])
                    top += 1
            continue
        leaf, left = node - branches, tree.counts[branch, lane]
        start, size = tree.starts[leaf], tree.sizes[leaf]
        measure_leaf(tree.values, start, size, left, 2, query, 0, np.inf, distances)
        for i in range(left):
            if distances[i] > best or (distances[i] == best and tree.rows[start + i] < found):
                best, found = distances[i], tree.rows[start + i]
    return found


@compiled
def _beyond(largest_norms: Floats, offset: Floats) -> float:
    """Return |q - c|^2 for the offset q - c of a query from the centre, and what rounding may add to a bound by norms.

    Each of its sums of d terms is off by less than (d + 4) / 2^52 of the sum of their absolute values; no coordinate
    of a box is farther from the centre than its farthest point. `largest_norms` are those of the root, shape (8,).
    """
    squared, norm = 0.0, max(largest(largest_norms), 0.0)
    for j in range(offset.size):
        squared += offset[j] * offset[j]
    size = norm + squared + sqrt(offset.size * norm * squared)
    return squared + 4 * (offset.size + 4) * ROUNDING * size


@compiled
def _bound_distances(
    records: RemainingRecords,
    branch: int,
    query: Floats,
    offset: Floats,
    beyond: float,
    reach: Floats,
    along: Floats,
) -> None:
    """Put into `reach` what the squared distance of a query q from the points x of each lane cannot exceed.

    It is the lesser of that from the farthest corner of the box, and of |x - c|^2 + |q - c|^2 - 2 (x - c) (q - c) with
    the largest norm and the largest product over the box. `along` is room for the latter; both have shape (8,).
    """
    lows, highs = records.tree.lows, records.tree.highs
    reach[:], along[:] = 0.0, 0.0
    for j in range(offset.size):
        origin, slope, centre = query[0, j], offset[j], records.centre[0, j]
        for lane in range(LANES):
            far = max(origin - lows[branch, j, lane], highs[branch, j, lane] - origin)
            reach[lane] += far * far
        if slope > 0:
            for lane in range(LANES):
                along[lane] -= (lows[branch, j, lane] - centre) * slope
        else:
            for lane in range(LANES):
                along[lane] -= (highs[branch, j, lane] - centre) * slope
    for lane in range(LANES):
        reach[lane] = min(reach[lane], records.largest_norms[branch, lane] + beyond + 2 * along[lane])
