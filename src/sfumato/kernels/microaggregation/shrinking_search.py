"""Search a shrinking tree for the point farthest from a query, and for those nearest to it.

The answers are those of a loop over all points, ties included. The distance of a query from the nearest place in a box
and from its farthest corner are added up as those from points are, so that rounding never puts a point out of bounds.
"""

from math import sqrt

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.microaggregation.shrinking_tree import LANES, ShrinkingTree, lane_of, largest, measure_leaf
from sfumato.kernels.neighbours.kd_tree import LEAF
from sfumato.numerics.arrays import Floats, Integers

MOST_WAITING = 256  # more nodes than can wait: seven on each level and the last eight
ROUNDING = 2.0**-52


@compiled
def farthest(tree: ShrinkingTree, query: Floats) -> int:
    """Return the row of the point farthest from `query`, shape (d,), the lowest of equally far ones."""
    branches, d = len(tree.lanes), query.size
    waiting, nodes, bounds = 1, np.zeros(MOST_WAITING, dtype=np.int64), np.full(MOST_WAITING, np.inf)
    reach, along, distances = np.empty(LANES), np.empty(LANES), np.empty(LEAF)
    offset = query - tree.centre
    beyond = _beyond(tree, offset)
    best, found = -1.0, len(tree.rows)
    while waiting > 0:
        waiting -= 1
        node, bound = nodes[waiting], bounds[waiting]
        if bound < best or (bound == best and tree.first_rows[tree.above[node], lane_of(tree, node)] > found):
            continue
        if node < branches:
            _measure_reach(tree, node, query, offset, beyond, reach, along)
            before = waiting
            for lane in range(LANES):
                if tree.left[node, lane] > 0 and reach[lane] >= best:
                    _put(nodes, bounds, before, waiting, tree.lanes[node] + lane, reach[lane])
                    waiting += 1
            continue
        leaf, left = node - branches, tree.left[tree.above[node], lane_of(tree, node)]
        start, size = tree.starts[leaf], tree.sizes[leaf]
        measure_leaf(tree.values, start * d, size, left, query, distances)
        for i in range(left):
            if distances[i] > best or (distances[i] == best and tree.rows[start + i] < found):
                best, found = distances[i], tree.rows[start + i]
    return found


@compiled
def nearest(tree: ShrinkingTree, query: Floats, rows: Integers, near: Floats) -> None:
    """Find the points nearest to `query`, shape (d,), nearest first and the lowest row first of equally near ones.

    Outputs are their `rows` and squared distances `near`, shape (count,); at least so many points remain.
    """
    branches, d, last = len(tree.lanes), query.size, near.size - 1
    waiting, nodes, bounds = 1, np.zeros(MOST_WAITING, dtype=np.int64), np.full(MOST_WAITING, -np.inf)
    gaps, distances = np.empty(LANES), np.empty(LEAF)
    near[:], rows[:] = np.inf, len(tree.rows)
    while waiting > 0:
        waiting -= 1
        node, gap = nodes[waiting], -bounds[waiting]
        if gap > near[last] or (
            gap == near[last] and tree.first_rows[tree.above[node], lane_of(tree, node)] > rows[last]
        ):
            continue
        if node < branches:
            _measure_gaps(tree, node, query, gaps)
            before = waiting
            for lane in range(LANES):
                if tree.left[node, lane] > 0 and gaps[lane] <= near[last]:
                    _put(nodes, bounds, before, waiting, tree.lanes[node] + lane, -gaps[lane])
                    waiting += 1
            continue
        leaf, left = node - branches, tree.left[tree.above[node], lane_of(tree, node)]
        start, size = tree.starts[leaf], tree.sizes[leaf]
        measure_leaf(tree.values, start * d, size, left, query, distances)
        for i in range(left):
            if distances[i] <= near[last]:
                _insert(rows, near, tree.rows[start + i], distances[i])


@compiled
def _put(nodes: Integers, bounds: Floats, before: int, waiting: int, node: int, bound: float) -> None:
    """Put a node among those from place `before` on that wait (outputs: nodes, bounds), the largest bound last."""
    place = waiting
    while place > before and bounds[place - 1] > bound:
        nodes[place], bounds[place] = nodes[place - 1], bounds[place - 1]
        place -= 1
    nodes[place], bounds[place] = node, bound


@compiled
def _insert(rows: Integers, near: Floats, row: int, distance: float) -> None:
    """Put a point into its place among the nearest so far (outputs: rows, near), if it is one of them."""
    place = near.size
    while place > 0 and (distance < near[place - 1] or (distance == near[place - 1] and row < rows[place - 1])):
        place -= 1
    for later in range(near.size - 1, place, -1):
        rows[later], near[later] = rows[later - 1], near[later - 1]
    if place < near.size:
        rows[place], near[place] = row, distance


@compiled
def _beyond(tree: ShrinkingTree, offset: Floats) -> float:
    """Return |q - c|^2 for the offset q - c of a query from the centre, and what rounding may add to a bound by norms.

    Each of its sums of d terms is off by less than (d + 4) / 2^52 of the sum of their absolute values; no coordinate
    of a box is farther from the centre than its farthest point.
    """
    squared, norm = 0.0, max(largest(tree.norm[0]), 0.0)
    for j in range(offset.size):
        squared += offset[j] * offset[j]
    size = norm + squared + sqrt(offset.size * norm * squared)
    return squared + 4 * (offset.size + 4) * ROUNDING * size


@compiled
def _measure_reach(
    tree: ShrinkingTree, branch: int, query: Floats, offset: Floats, beyond: float, reach: Floats, along: Floats
) -> None:
    """Put into `reach` what the squared distance of a query q from the points x of each lane cannot exceed.

    It is the lesser of that from the farthest corner of the box, and of |x - c|^2 + |q - c|^2 - 2 (x - c) (q - c) with
    the largest norm and the largest product over the box. `along` is room for the latter; both have shape (8,).
    """
    reach[:], along[:] = 0.0, 0.0
    for j in range(query.size):
        origin, slope, centre = query[j], offset[j], tree.centre[j]
        for lane in range(LANES):
            far = max(origin - tree.lows[branch, j, lane], tree.highs[branch, j, lane] - origin)
            reach[lane] += far * far
        if slope > 0:
            for lane in range(LANES):
                along[lane] -= (tree.lows[branch, j, lane] - centre) * slope
        else:
            for lane in range(LANES):
                along[lane] -= (tree.highs[branch, j, lane] - centre) * slope
    for lane in range(LANES):
        reach[lane] = min(reach[lane], tree.norm[branch, lane] + beyond + 2 * along[lane])


@compiled
def _measure_gaps(tree: ShrinkingTree, branch: int, query: Floats, gaps: Floats) -> None:
    """Put the squared distance of a query from the nearest place in the box of each lane into `gaps`, shape (8,)."""
    gaps[:] = 0.0
    for j in range(query.size):
        origin = query[j]
        for lane in range(LANES):
            outside = max(max(tree.lows[branch, j, lane] - origin, origin - tree.highs[branch, j, lane]), 0.0)
            gaps[lane] += outside * outside
