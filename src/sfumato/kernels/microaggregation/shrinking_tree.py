"""A kd-tree from which points are taken away: every box is that of the points still there.

A branch of the tree holds what is known of its eight nodes side by side, one lane for each, so that all eight are
compared with a query at once. Nodes are numbered level by level: the branches first, then the leaves.
"""

from typing import NamedTuple

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.neighbours.kd_tree import grow_tree
from sfumato.numerics.arrays import Floats, Integers

LANES = 8
HALVINGS = 3  # that make eight lanes


class ShrinkingTree(NamedTuple):
    """Points in the order of a kd-tree, and the boxes around those that remain.

    Parameters
    ----------
    values
        The points of one leaf after another, each leaf column by column, shape (n d,).
    rows, norms
        The row of each point and its squared distance from `centre`, leaf by leaf, those that remain first, shape (n,).
    places, homes
        For each row its place in `rows` and its leaf, a node, shape (n,).
    starts, sizes
        For each leaf where its points start in `rows` and how many there were at first, shape (leaves,).
    lanes
        For each branch the number of its first node, shape (branches,).
    above
        For each node the branch that holds it, shape (branches + leaves,).
    left, first_rows, norm
        For each branch and lane how many points remain, the lowest of their rows and the largest of their norms, shape
        (branches, 8). A lane without points has the row n and the norm -inf.
    lows, highs
        For each branch and lane the corners of the box, shape (branches, d, 8); inf and -inf without points.
    centre
        The place that norms are measured from, shape (d,).
    """

    values: Floats
    rows: Integers
    norms: Floats
    places: Integers
    homes: Integers
    starts: Integers
    sizes: Integers
    lanes: Integers
    above: Integers
    left: Integers
    first_rows: Integers
    norm: Floats
    lows: Floats
    highs: Floats
    centre: Floats


@compiled
def plant(points: Floats, centre: Floats) -> ShrinkingTree:
    """Return the tree of `points`, shape (n, d), n >= 1, every value there and rows contiguous; norms from `centre`."""
    n, d = points.shape
    halved = grow_tree(points)
    leaves = len(halved.sizes) - len(halved.sizes) // 2
    lanes, above = _levels(leaves)
    branches = len(lanes)
    places, homes = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    tree = ShrinkingTree(
        halved.values,
        halved.rows,
        np.zeros(n),
        places,
        homes,
        halved.starts[leaves - 1 :].copy(),
        halved.sizes[leaves - 1 :].copy(),
        lanes,
        above,
        np.zeros((branches, LANES), dtype=np.int64),
        np.full((branches, LANES), n),
        np.full((branches, LANES), -np.inf),
        np.full((branches, d, LANES), np.inf),
        np.full((branches, d, LANES), -np.inf),
        centre.copy(),
    )
    for leaf in range(leaves):
        node = branches + leaf
        for place in range(tree.starts[leaf], tree.starts[leaf] + tree.sizes[leaf]):
            places[tree.rows[place]], homes[tree.rows[place]] = place, node
        tree.left[above[node], lane_of(tree, node)] = tree.sizes[leaf]
        _enclose_leaf(tree, node)
    for node in range(branches - 1, 0, -1):
        _enclose_branch(tree, node)
    recentre(tree, centre)
    return tree


@compiled
def _levels(leaves: int) -> tuple[Integers, Integers]:
    """Return `lanes` and `above` for a number of leaves that is a power of two; only the root may have free lanes."""
    halvings = 0
    while 2**halvings < leaves:
        halvings += 1
    levels = max((halvings + HALVINGS - 1) // HALVINGS, 1)
    in_root = 2 ** (halvings - HALVINGS * (levels - 1))
    branches, wide = 1, in_root
    for _ in range(levels - 1):
        branches, wide = branches + wide, wide * LANES
    lanes, above = np.ones(branches, dtype=np.int64), np.zeros(branches + leaves, dtype=np.int64)
    for branch in range(1, branches):
        lanes[branch] = 1 + in_root + (branch - 1) * LANES
    for branch in range(1, branches):
        for lane in range(LANES):
            above[lanes[branch] + lane] = branch
    return lanes, above


@compiled
def lane_of(tree: ShrinkingTree, node: int) -> int:
    """Return the lane of a node in the branch above it."""
    return int(node - tree.lanes[tree.above[node]])


@compiled
def recentre(tree: ShrinkingTree, centre: Floats) -> None:
    """Measure the norms of the remaining points from another place (output: tree)."""
    branches, d = len(tree.lanes), centre.size
    tree.centre[:] = centre
    for node in range(branches, len(tree.above)):
        leaf, branch, lane = node - branches, tree.above[node], lane_of(tree, node)
        start, size, left = tree.starts[leaf], tree.sizes[leaf], tree.left[branch, lane]
        measure_leaf(tree.values, start * d, size, left, centre, tree.norms[start : start + left])
        tree.norm[branch, lane] = largest(tree.norms[start : start + left])
    for node in range(branches - 1, 0, -1):
        tree.norm[tree.above[node], lane_of(tree, node)] = largest(tree.norm[node])


@compiled
def largest(norms: Floats) -> float:
    """Return the largest of some norms, -inf of none."""
    found = -np.inf
    for norm in norms:
        found = max(found, norm)
    return found


@compiled
def measure_leaf(values: Floats, begin: int, size: int, left: int, query: Floats, distances: Floats) -> None:
    """Put the squared distances of the first `left` of `size` points of a leaf from a query into `distances`.

    The leaf begins at the place `begin` of the tree's values. Squares are added up column by column, as in a loop over
    all points.
    """
    distances[:left] = 0.0
    for j in range(query.size):
        first, origin = begin + j * size, query[j]
        for i in range(left):
            difference = values[first + i] - origin
            distances[i] += difference * difference


@compiled
def remove(tree: ShrinkingTree, row: int) -> None:
    """Take the point of a row out of the tree (output), which must hold it."""
    node, place = tree.homes[row], tree.places[row]
    branch = tree.above[node]
    leaf, d = node - len(tree.lanes), tree.lows.shape[1]
    start, size = tree.starts[leaf], tree.sizes[leaf]
    tree.left[branch, lane_of(tree, node)] -= 1
    last = tree.left[branch, lane_of(tree, node)]
    tree.rows[place], tree.norms[place] = tree.rows[start + last], tree.norms[start + last]
    tree.places[tree.rows[place]] = place
    for j in range(d):
        first = start * d + j * size
        tree.values[first + place - start] = tree.values[first + last]
    _enclose_leaf(tree, node)
    while branch > 0:
        _enclose_branch(tree, branch)
        branch = tree.above[branch]


@compiled
def _enclose_leaf(tree: ShrinkingTree, node: int) -> None:
    """Tell the branch above a leaf of its box, first row and largest norm (output: tree)."""
    branch, lane = tree.above[node], lane_of(tree, node)
    leaf, d = node - len(tree.lanes), tree.lows.shape[1]
    start, size, left = tree.starts[leaf], tree.sizes[leaf], tree.left[branch, lane]
    for j in range(d):
        low, high, first = np.inf, -np.inf, start * d + j * size
        for i in range(first, first + left):
            low, high = min(low, tree.values[i]), max(high, tree.values[i])
        tree.lows[branch, j, lane], tree.highs[branch, j, lane] = low, high
    row = len(tree.rows)
    for place in range(start, start + left):
        row = min(row, tree.rows[place])
    tree.first_rows[branch, lane] = row
    tree.norm[branch, lane] = largest(tree.norms[start : start + left])


@compiled
def _enclose_branch(tree: ShrinkingTree, node: int) -> None:
    """Tell the branch above another of what its lanes hold together (output: tree)."""
    branch, lane = tree.above[node], lane_of(tree, node)
    for j in range(tree.lows.shape[1]):
        low, high = np.inf, -np.inf
        for i in range(LANES):
            low, high = min(low, tree.lows[node, j, i]), max(high, tree.highs[node, j, i])
        tree.lows[branch, j, lane], tree.highs[branch, j, lane] = low, high
    left, row = 0, len(tree.rows)
    for i in range(LANES):
        left, row = left + tree.left[node, i], min(row, tree.first_rows[node, i])
    tree.left[branch, lane], tree.first_rows[branch, lane] = left, row
    tree.norm[branch, lane] = largest(tree.norm[node])
