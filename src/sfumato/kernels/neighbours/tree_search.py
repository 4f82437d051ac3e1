"""Search a kd-tree for the points near each query; every value is there.

The nearest of the children of a branch is searched first, and one whose box lies too far is not searched at all. So
the answers are those of a loop over all points that remain, ties included. Queries that are near each other should
come one after another.
"""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.neighbours.kd_tree import LANES, LEAF, Tree
from sfumato.kernels.neighbours.tree_distances import measure_gaps, measure_leaf, measure_reaches
from sfumato.numerics.arrays import Floats, Integers

MAX_STACK = 256  # more nodes than can be left for later: seven on each level and the last eight


@compiled
def count_ties(tree: Tree, power: int, queries: Floats, lower: Floats, upper: Floats, counts: Integers) -> None:
    """Count the points up to the distance `upper` from each query, unless one is nearer than `lower`.

    Parameters
    ----------
    tree, power
        The points; distances are sums of |difference| ** power.
    queries
        Coordinates, shape (m, d).
    lower, upper
        Distances, shape (m,).
    counts
        Output, shape (m,): the number of points is added, or -1 put in where one is nearer than `lower`.

    Notes
    -----
    A box wholly between the two is counted without a search: thousands of equal points are one look.
    """
    values, _, starts, sizes, children, parents, held, _, lows, highs = tree  # a whole tree handed on would be slow
    branches = len(children)
    stack, bounds = np.empty(MAX_STACK, dtype=np.int64), np.empty(MAX_STACK)
    gaps, reaches, distances = np.empty(LANES), np.empty(LANES), np.empty(LEAF)
    for query in range(len(queries)):
        low, high = lower[query], upper[query]
        top = 1
        stack[0] = 0
        while top > 0:
            top -= 1
            node = stack[top]
            if node >= branches:
                leaf, branch = node - branches, parents[node]
                left = held[branch, node - children[branch]]
                within = measure_leaf(values, starts[leaf], sizes[leaf], left, power, queries, query, high, distances)
                if within and _any_below(distances[:left], low):
                    counts[query] = -1
                    break
                counts[query] += within
                continue
            measure_gaps(lows, highs, node, power, queries, query, gaps)
            if _any_between(gaps, low, high):
                measure_reaches(lows, highs, node, power, queries, query, reaches)
            else:
                reaches[:] = np.inf
            bottom = top
            for lane in range(LANES):
                if held[node, lane] == 0 or gaps[lane] > high:
                    continue
                if gaps[lane] >= low and reaches[lane] <= high:
                    counts[query] += held[node, lane]
                else:
                    push(stack, bounds, bottom, top, children[node] + lane, -gaps[lane])
                    top += 1


@compiled
def _any_below(distances: Floats, low: float) -> bool:
    """Tell whether a distance is below another; numba's own minimum compiles five times as slowly."""
    found = False
    for distance in distances:
        found |= distance < low
    return found


@compiled
def _any_between(gaps: Floats, low: float, high: float) -> bool:
    """Tell whether the gap of a lane is between two distances."""
    found = False
    for gap in gaps:
        found |= low <= gap <= high
    return found


@compiled
def find_first(tree: Tree, power: int, queries: Floats, upper: Floats, rows: Integers) -> None:
    """Lower `rows` (output, one per query) to the first row of a point up to the distance `upper` from the query."""
    values, rows_of, starts, sizes, children, parents, held, first_rows, lows, highs = tree
    branches = len(children)
    stack, gaps, reaches, distances = (
        np.empty(MAX_STACK, dtype=np.int64),
        np.empty(LANES),
        np.empty(LANES),
        np.empty(LEAF),
    )
    for query in range(len(queries)):
        top = 1
        stack[0] = 0
        while top > 0:
            top -= 1
            node = stack[top]
            if node < branches:
                measure_gaps(lows, highs, node, power, queries, query, gaps)
                measure_reaches(lows, highs, node, power, queries, query, reaches)
                for lane in range(LANES):
                    if first_rows[node, lane] >= rows[query] or gaps[lane] > upper[query]:
                        continue
                    if reaches[lane] <= upper[query]:
                        rows[query] = first_rows[node, lane]
                    else:
                        stack[top] = children[node] + lane
                        top += 1
                continue
            leaf, branch = node - branches, parents[node]
            lane = node - children[branch]
            if first_rows[branch, lane] >= rows[query]:
                continue
            start, left = starts[leaf], held[branch, lane]
            if measure_leaf(values, start, sizes[leaf], left, power, queries, query, upper[query], distances):
                for i in range(left):
                    if distances[i] <= upper[query]:
                        rows[query] = min(rows[query], rows_of[start + i])


@compiled
def find_near(tree: Tree, power: int, queries: Floats, rows: Integers, near: Floats) -> None:
    """Find the nearest points of each query, nearest first and the lowest row first of equally near ones.

    Parameters
    ----------
    tree, power, queries
        As for `count_ties`.
    rows, near
        Outputs, shape (m, count): rows and distances of the nearest points so far; those not yet found at infinity,
        with the row `NO_ROW`.
    """
    values, rows_of, starts, sizes, children, parents, held, first_rows, lows, highs = tree
    branches, last = len(children), near.shape[1] - 1
    stack, bounds = np.empty(MAX_STACK, dtype=np.int64), np.empty(MAX_STACK)
    gaps, distances = np.empty(LANES), np.empty(LEAF)
    for query in range(len(queries)):
        top = 1
        stack[0], bounds[0] = 0, np.inf
        while top > 0:
            top -= 1
            node, gap, worst = stack[top], -bounds[top], near[query, last]
            branch = parents[node]
            lane = node - children[branch]
            if gap > worst or (gap == worst and first_rows[branch, lane] > rows[query, last]):
                continue
            if node >= branches:
                start, left = starts[node - branches], held[branch, lane]
                size = sizes[node - branches]
                if measure_leaf(values, start, size, left, power, queries, query, worst, distances):
                    for i in range(left):
                        if distances[i] <= near[query, last]:
                            insert(rows, near, query, rows_of[start + i], distances[i])
                continue
            measure_gaps(lows, highs, node, power, queries, query, gaps)
            bottom = top
            for i in range(LANES):
                if held[node, i] > 0 and gaps[i] <= worst:
                    push(stack, bounds, bottom, top, children[node] + i, -gaps[i])
                    top += 1


@compiled
def push(stack: Integers, bounds: Floats, bottom: int, top: int, node: int, bound: float) -> None:
    """Put a node among those from place `bottom` on (outputs: stack, bounds), the largest bound on top."""
    place = top
    while place > bottom and bounds[place - 1] > bound:
        stack[place], bounds[place] = stack[place - 1], bounds[place - 1]
        place -= 1
    stack[place], bounds[place] = node, bound


@compiled
def insert(rows: Integers, near: Floats, query: int, row: int, distance: float) -> None:
    """Put a point into its place among the nearest of a query so far (outputs: rows, near), if it is one of them."""
    place = last = near.shape[1] - 1
    if distance > near[query, last] or (distance == near[query, last] and row >= rows[query, last]):
        return
    while place > 0 and (
        distance < near[query, place - 1] or (distance == near[query, place - 1] and row < rows[query, place - 1])
    ):
        rows[query, place], near[query, place] = rows[query, place - 1], near[query, place - 1]
        place -= 1
    rows[query, place], near[query, place] = row, distance
