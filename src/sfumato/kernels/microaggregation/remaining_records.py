"""A kd-tree of the records that have no group yet: those that get one are taken out, and its boxes shrink with them.

The boxes may lie along other axes than the columns: around records whose columns go together, boxes along their
principal axes are much smaller. Where a box leaves it open by rounding whether it holds the record that is looked for,
it is searched, so that the axes decide how long a search takes, and never what it finds.
"""

from typing import NamedTuple

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.neighbours.kd_tree import LANES, Tree, enclose_branch, enclose_leaf, grow_tree, lane_of
from sfumato.kernels.neighbours.tree_distances import measure_leaf
from sfumato.numerics.arrays import Floats, Integers


class Axes(NamedTuple):
    """The axes along which boxes lie.

    Parameters
    ----------
    directions
        One axis a column, each orthogonal to the others and of length one, shape (d, d).
    origin
        Where they meet, shape (d,).
    slack
        How much less or more than the distance of two records that of their places on the axes may be, by rounding; 0
        where the axes are the columns.
    """

    directions: Floats
    origin: Floats
    slack: float


class RemainingRecords(NamedTuple):
    """Records in a kd-tree, where each of them lies in it, and how far from a centre.

    Parameters
    ----------
    tree
        The places on the axes of the records that remain.
    values
        The records themselves, in the order of `tree.values`.
    axes
        The axes.
    places, leaves
        For each row its place in `tree.rows` and its leaf, a node, shape (n,).
    norms
        The squared distance of each place in `tree.rows` from `centre`, shape (n,).
    largest_norms
        For each branch and lane the largest norm of the points that remain, shape (branches, 8); -inf without points.
    centre
        The place on the axes that norms are measured from, shape (1, d).
    """

    tree: Tree
    values: Floats
    axes: Axes
    places: Integers
    leaves: Integers
    norms: Floats
    largest_norms: Floats
    centre: Floats


@compiled
def hold_records(points: Floats, axes: Axes, centre: Floats) -> RemainingRecords:
    """Return all `points`, shape (n, d), n >= 1, every value there and rows contiguous; norms are from `centre`."""
    n, d = points.shape
    tree = grow_tree(on_axes(axes, points))
    branches = len(tree.children)
    places, leaves = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    values = tree.values if axes.slack == 0.0 else np.empty(n * d)
    for leaf in range(len(tree.starts)):
        start, size = tree.starts[leaf], tree.sizes[leaf]
        for place in range(start, start + size):
            row = tree.rows[place]
            places[row], leaves[row] = place, branches + leaf
            for j in range(d):
                values[start * d + j * size + place - start] = points[row, j]
    largest_norms = np.full((branches, LANES), -np.inf)
    records = RemainingRecords(tree, values, axes, places, leaves, np.zeros(n), largest_norms, np.empty((1, d)))
    recentre(records, centre)
    return records


@compiled
def on_axes(axes: Axes, points: Floats) -> Floats:
    """Return where points, shape (n, d), lie on the axes."""
    if axes.slack == 0.0:
        return points
    n, d = points.shape
    places = np.zeros((n, d))
    for i in range(n):
        for j in range(d):
            away = points[i, j] - axes.origin[j]
            for axis in range(d):
                places[i, axis] += away * axes.directions[j, axis]
    return places


@compiled
def recentre(records: RemainingRecords, centre: Floats) -> None:
    """Measure the norms of the remaining points from another record, shape (d,) (output: records)."""
    tree, norms, largest_norms = records.tree, records.norms, records.largest_norms
    branches = len(tree.children)
    place = on_axes(records.axes, centre.copy().reshape(1, -1))
    for j in range(centre.size):
        records.centre[0, j] = place[0, j]
    for node in range(branches, len(tree.parents)):
        leaf, branch, lane = node - branches, tree.parents[node], lane_of(tree, node)
        start, size, left = tree.starts[leaf], tree.sizes[leaf], tree.counts[branch, lane]
        measure_leaf(tree.values, start, size, left, 2, records.centre, 0, np.inf, norms[start : start + left])
        largest_norms[branch, lane] = largest(norms[start : start + left])
    for node in range(branches - 1, 0, -1):
        largest_norms[tree.parents[node], lane_of(tree, node)] = largest(largest_norms[node])


@compiled
def largest(norms: Floats) -> float:
    """Return the largest of some norms, -inf of none."""
    found = -np.inf
    for norm in norms:
        found = max(found, norm)
    return found


@compiled
def remove_record(records: RemainingRecords, row: int) -> None:
    """Take the record of a row, which must still be there, out of the tree (output: records)."""
    tree, norms, largest_norms = records.tree, records.norms, records.largest_norms
    node, place = records.leaves[row], records.places[row]
    branch, lane = tree.parents[node], lane_of(tree, node)
    leaf, d = node - len(tree.children), tree.lows.shape[1]
    start, size = tree.starts[leaf], tree.sizes[leaf]
    tree.counts[branch, lane] -= 1
    last = tree.counts[branch, lane]
    is_at_border = last == 0 or tree.first_rows[branch, lane] == row or norms[place] == largest_norms[branch, lane]
    tree.rows[place], norms[place] = tree.rows[start + last], norms[start + last]
    records.places[tree.rows[place]] = place
    for j in range(d):
        first = start * d + j * size
        value = tree.values[first + place - start]
        is_at_border |= value == tree.lows[branch, j, lane] or value == tree.highs[branch, j, lane]
        tree.values[first + place - start] = tree.values[first + last]
        records.values[first + place - start] = records.values[first + last]
    if is_at_border:
        enclose_leaf(tree, node)
        largest_norms[branch, lane] = largest(norms[start : start + last])
    while branch > 0:
        above, lane = tree.parents[branch], lane_of(tree, branch)
        if is_at_border:
            enclose_branch(tree, branch)
            largest_norms[above, lane] = largest(largest_norms[branch])
        else:
            tree.counts[above, lane] -= 1
        branch = above
