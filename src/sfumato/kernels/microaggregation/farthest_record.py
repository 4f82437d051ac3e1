"""Find the remaining record that is farthest from a place.

The answer is that of a loop over all records, ties included: the distance from the farthest corner of a box is added
up as those from points are, so that rounding never puts a point out of bounds; where boxes lie along other axes, what
rounding may do is added.
"""

from math import sqrt

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.microaggregation.remaining_records import RemainingRecords, largest, on_axes
from sfumato.kernels.neighbours.kd_tree import LANES, LEAF
from sfumato.kernels.neighbours.tree_distances import measure_leaf
from sfumato.kernels.neighbours.tree_search import MAX_STACK, push
from sfumato.numerics.arrays import Floats

ROUNDING = 2.0**-52


@compiled
def farthest_record(records: RemainingRecords, query: Floats) -> int:
    """Return the row of the record farthest from `query`, shape (1, d), the lowest of equally far ones."""
    tree, values, axes, centre, norms = (
        records.tree,
        records.values,
        records.axes,
        records.centre,
        records.largest_norms,
    )
    _, rows_of, starts, sizes, children, parents, held, first_rows, lows, highs = tree
    slack, branches = axes.slack, len(children)
    top, stack, bounds = 1, np.zeros(MAX_STACK, dtype=np.int64), np.full(MAX_STACK, np.inf)
    reach, along, distances = np.empty(LANES), np.empty(LANES), np.empty(LEAF)
    place = on_axes(axes, query)
    offset = place[0] - centre[0]
    beyond = _beyond(norms[0], offset)
    best, found, limit = -1.0, len(rows_of), -1.0
    while top > 0:
        top -= 1
        node, bound = stack[top], bounds[top]
        branch = parents[node]
        lane = node - children[branch]
        is_tie = bound == best and slack == 0.0
        if bound < limit or (is_tie and first_rows[branch, lane] > found):
            continue
        if node < branches:
            _bound_distances(lows, highs, norms, centre, node, place, offset, beyond, reach, along)
            bottom = top
            for i in range(LANES):
                if held[node, i] > 0 and reach[i] >= limit:
                    push(stack, bounds, bottom, top, children[node] + i, reach[i])
                    top += 1
            continue
        leaf, left = node - branches, held[branch, lane]
        start, size = starts[leaf], sizes[leaf]
        measure_leaf(values, start, size, left, 2, query, 0, np.inf, distances)
        for i in range(left):
            if distances[i] > best or (distances[i] == best and rows_of[start + i] < found):
                best, found = distances[i], rows_of[start + i]
        limit = best if slack == 0.0 else max(sqrt(best) - slack, 0.0) ** 2
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
    lows: Floats,
    highs: Floats,
    norms: Floats,
    centre: Floats,
    branch: int,
    query: Floats,
    offset: Floats,
    beyond: float,
    reach: Floats,
    along: Floats,
) -> None:
    """Put into `reach` what the squared distance of a query q from the points x of each lane cannot exceed.

    It is the lesser of that from the farthest corner of the box, and of |x - c|^2 + |q - c|^2 - 2 (x - c) (q - c) with
    the largest of the `norms` and the largest product over the box. `along` is room for the latter, both of shape (8,).
    """
    reach[:], along[:] = 0.0, 0.0
    for j in range(offset.size):
        origin, slope, middle = query[0, j], offset[j], centre[0, j]
        for lane in range(LANES):
            far = max(origin - lows[branch, j, lane], highs[branch, j, lane] - origin)
            reach[lane] += far * far
        if slope > 0:
            for lane in range(LANES):
                along[lane] -= (lows[branch, j, lane] - middle) * slope
        else:
            for lane in range(LANES):
                along[lane] -= (highs[branch, j, lane] - middle) * slope
    for lane in range(LANES):
        reach[lane] = min(reach[lane], norms[branch, lane] + beyond + 2 * along[lane])
