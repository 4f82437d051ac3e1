"""Search a kd-tree for the points near each query; every value is there.

The nearer of two nodes is searched first, and a node whose box lies too far is not searched at all. So the answers are
those of a loop over all points, ties included. Queries that are near each other should come one after another.
"""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.neighbours.kd_tree import LEAF, Tree, from_box, from_far_corner, measure_leaf
from sfumato.numerics.arrays import Floats, Integers

DEEPEST = 64  # more levels than a tree in memory can have


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
    """
    values, starts, sizes = tree.values, tree.starts, tree.sizes  # the whole tree handed on to every look would be slow
    lows, highs = tree.lows, tree.highs
    first_leaf = len(sizes) // 2
    stack, distances = np.empty(DEEPEST, dtype=np.int64), np.empty(LEAF)
    for query in range(len(queries)):
        low, high = lower[query], upper[query]
        waiting = 1
        stack[0] = 0
        while waiting > 0:
            waiting -= 1
            node = stack[waiting]
            if node < first_leaf:
                waiting, held = _open(lows, highs, sizes, node, power, queries, query, low, high, stack, waiting)
                counts[query] += held
                continue
            within = measure_leaf(values, starts[node], sizes[node], power, queries, query, high, distances)
            if within and distances[: sizes[node]].min() < low:
                counts[query] = -1
                break
            counts[query] += within


@compiled
def _open(
    lows: Floats,
    highs: Floats,
    sizes: Integers,
    node: int,
    power: int,
    queries: Floats,
    query: int,
    low: float,
    high: float,
    stack: Integers,
    top: int,
) -> tuple[int, int]:
    """Put the nodes below one on the stack, the nearer on top; return where it ends now, and a number of points.

    A node wholly between `low` and `high` is counted without a search: thousands of equal points are one look.
    """
    held = 0
    far, near = 2 * node + 1, 2 * node + 2
    to_far = from_box(lows, highs, far, power, queries, query)
    to_near = from_box(lows, highs, near, power, queries, query)
    if to_far < to_near:
        far, near, to_far, to_near = near, far, to_near, to_far
    for below, distance in ((far, to_far), (near, to_near)):
        if low <= distance <= high and from_far_corner(lows, highs, below, power, queries, query) <= high:
            held += sizes[below]
        elif distance <= high:
            stack[top] = below
            top += 1
    return top, held


@compiled
def find_first(tree: Tree, power: int, queries: Floats, upper: Floats, rows: Integers) -> None:
    """Lower `rows` (output, one per query) to the first row of a point up to the distance `upper` from the query."""
    values, rows_of, starts, sizes, first_rows, lows, highs = tree
    first_leaf = len(sizes) // 2
    stack, distances = np.empty(DEEPEST, dtype=np.int64), np.empty(LEAF)
    for query in range(len(queries)):
        waiting = 1
        stack[0] = 0
        while waiting > 0:
            waiting -= 1
            node = stack[waiting]
            if first_rows[node] >= rows[query] or from_box(lows, highs, node, power, queries, query) > upper[query]:
                continue
            if from_far_corner(lows, highs, node, power, queries, query) <= upper[query]:
                rows[query] = first_rows[node]
            elif node < first_leaf:
                stack[waiting], stack[waiting + 1] = 2 * node + 1, 2 * node + 2
                waiting += 2
            elif measure_leaf(values, starts[node], sizes[node], power, queries, query, upper[query], distances):
                for i in range(sizes[node]):
                    if distances[i] <= upper[query]:
                        rows[query] = min(rows[query], rows_of[starts[node] + i])


@compiled
def find_near(tree: Tree, power: int, queries: Floats, rows: Integers, near: Floats) -> None:
    """Find the nearest points of each query, nearest first and the lowest row first of equally near ones.

    Parameters
    ----------
    tree, power, queries
        As for `count_ties`.
    rows, near
        Outputs, shape (m, count): rows and distances of the nearest points so far; those not yet found at infinity.
    """
    values, rows_of, starts, sizes, first_rows, lows, highs = tree
    first_leaf, last = len(sizes) // 2, near.shape[1] - 1
    stack, away, distances = np.empty(DEEPEST, dtype=np.int64), np.empty(DEEPEST), np.empty(LEAF)
    for query in range(len(queries)):
        waiting = 1
        stack[0], away[0] = 0, 0.0
        while waiting > 0:
            waiting -= 1
            node, worst = stack[waiting], near[query, last]
            if away[waiting] > worst or (away[waiting] == worst and first_rows[node] > rows[query, last]):
                continue
            if node >= first_leaf:
                if measure_leaf(values, starts[node], sizes[node], power, queries, query, worst, distances):
                    for i in range(sizes[node]):
                        insert(rows, near, query, rows_of[starts[node] + i], distances[i])
                continue
            below, other = 2 * node + 1, 2 * node + 2
            to_below = from_box(lows, highs, below, power, queries, query)
            to_other = from_box(lows, highs, other, power, queries, query)
            if to_below < to_other:
                below, other, to_below, to_other = other, below, to_other, to_below
            stack[waiting], stack[waiting + 1] = below, other
            away[waiting], away[waiting + 1] = to_below, to_other
            waiting += 2


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
