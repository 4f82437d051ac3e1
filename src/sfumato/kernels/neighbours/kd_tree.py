"""A kd-tree in flat arrays: near points lie together, and every branch knows the boxes around those of its children.

A branch holds what is known of its eight children side by side, one lane for each, so that all eight are compared with
a query at once. Nodes are numbered level by level: the branches first, from the root 0 on, then the leaves. Points may
be taken out of a leaf (see `kernels.microaggregation.remaining_records`): every search looks only at those that remain.
"""

from typing import NamedTuple

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.neighbours.kd_halving import halve_points
from sfumato.numerics.arrays import Floats, Integers

LANES = 8
HALVINGS = 3  # that make eight lanes
LEAF = 64  # most points in a leaf: 10^5 x 7, 10^5 x 13, 10^4 x 104 take 0.49, 1.80, 5.9 s; with 32 0.51, 1.99, 7.0 s


class Tree(NamedTuple):
    """Points in the order of a kd-tree, and the boxes around them.

    Parameters
    ----------
    values
        The points of one leaf after another, each leaf column by column, shape (n d,).
    rows
        The row of each point, leaf by leaf, those that remain first, shape (n,).
    starts, sizes
        For each leaf where its points start in `rows` and how many there were at first, shape (leaves,).
    children
        For each branch the number of its first child, shape (branches,).
    parents
        For each node the branch above it, shape (branches + leaves,).
    counts, first_rows
        For each branch and lane how many points remain and the lowest of their rows, shape (branches, 8). A lane
        without points has the row `NO_ROW`.
    lows, highs
        For each branch and lane the corners of the box, shape (branches, d, 8); inf and -inf without points.
    """

    values: Floats
    rows: Integers
    starts: Integers
    sizes: Integers
    children: Integers
    parents: Integers
    counts: Integers
    first_rows: Integers
    lows: Floats
    highs: Floats


NO_ROW = np.iinfo(np.int64).max


@compiled
def grow_tree(points: Floats) -> Tree:
    """Return the kd-tree of `points`, shape (n, d), n >= 1, every value there and rows contiguous."""
    n, d = points.shape
    leaves = 1
    while leaves * LEAF < n:
        leaves *= 2
    rows, starts, sizes = halve_points(points, leaves)
    children, parents = _number_nodes(leaves)
    branches = len(children)
    tree = Tree(
        np.empty(n * d),
        rows,
        starts,
        sizes,
        children,
        parents,
        np.zeros((branches, LANES), dtype=np.int64),
        np.full((branches, LANES), NO_ROW),
        np.full((branches, d, LANES), np.inf),
        np.full((branches, d, LANES), -np.inf),
    )
    for leaf in range(leaves):
        node, start, end = branches + leaf, starts[leaf], starts[leaf] + sizes[leaf]
        _copy_columns(points, rows[start:end], tree.values[start * d : end * d])
        tree.counts[parents[node], lane_of(tree, node)] = sizes[leaf]
        enclose_leaf(tree, node)
    for node in range(branches - 1, 0, -1):
        enclose_branch(tree, node)
    return tree


@compiled
def _number_nodes(leaves: int) -> tuple[Integers, Integers]:
    """Return `children` and `parents` for a number of leaves that is a power of two; only the root has free lanes."""
    halvings = 0
    while 1 << halvings < leaves:
        halvings += 1
    levels = max((halvings + HALVINGS - 1) // HALVINGS, 1)
    in_root = 1 << (halvings - HALVINGS * (levels - 1))
    branches, wide = 1, in_root
    for _ in range(levels - 1):
        branches, wide = branches + wide, wide * LANES
    children, parents = np.ones(branches, dtype=np.int64), np.zeros(branches + leaves, dtype=np.int64)
    for branch in range(1, branches):
        children[branch] = 1 + in_root + (branch - 1) * LANES
        for lane in range(LANES):
            parents[children[branch] + lane] = branch
    return children, parents


@compiled
def _copy_columns(points: Floats, members: Integers, leaf: Floats) -> None:
    """Put some points column by column into `leaf`."""
    for j in range(points.shape[1]):
        for place in range(members.size):
            leaf[j * members.size + place] = points[members[place], j]


@compiled
def lane_of(tree: Tree, node: int) -> int:
    """Return the lane of a node, not the root, in the branch above it."""
    return int(node - tree.children[tree.parents[node]])


@compiled
def enclose_leaf(tree: Tree, node: int) -> None:
    """Tell the branch above a leaf of the box and the first row of the points that remain in it (output: tree)."""
    branch, lane = tree.parents[node], lane_of(tree, node)
    leaf, d = node - len(tree.children), tree.lows.shape[1]
    start, size, left = tree.starts[leaf], tree.sizes[leaf], tree.counts[branch, lane]
    for j in range(d):
        low, high, first = np.inf, -np.inf, start * d + j * size
        for i in range(first, first + left):
            low, high = min(low, tree.values[i]), max(high, tree.values[i])
        tree.lows[branch, j, lane], tree.highs[branch, j, lane] = low, high
    row = NO_ROW
    for place in range(start, start + left):
        row = min(row, tree.rows[place])
    tree.first_rows[branch, lane] = row


@compiled
def enclose_branch(tree: Tree, node: int) -> None:
    """Tell the branch above another of what its lanes hold together (output: tree)."""
    branch, lane = tree.parents[node], lane_of(tree, node)
    for j in range(tree.lows.shape[1]):
        low, high = np.inf, -np.inf
        for i in range(LANES):
            low, high = min(low, tree.lows[node, j, i]), max(high, tree.highs[node, j, i])
        tree.lows[branch, j, lane], tree.highs[branch, j, lane] = low, high
    left, row = 0, NO_ROW
    for i in range(LANES):
        left, row = left + tree.counts[node, i], min(row, tree.first_rows[node, i])
    tree.counts[branch, lane], tree.first_rows[branch, lane] = left, row
