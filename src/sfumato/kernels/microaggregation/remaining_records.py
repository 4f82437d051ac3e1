"""A kd-tree of the records that have no group yet: those that get one are taken out, and its boxes shrink with them."""

from typing import NamedTuple

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.neighbours.kd_tree import LANES, Tree, enclose_branch, enclose_leaf, grow_tree, lane_of
from sfumato.kernels.neighbours.tree_distances import measure_leaf
from sfumato.numerics.arrays import Floats, Integers


class RemainingRecords(NamedTuple):
    """Records in a kd-tree, where each of them lies in it, and how far from a centre.

    Parameters
    ----------
    tree
        The records that remain.
    places, leaves
        For each row its place in `tree.rows` and its leaf, a node, shape (n,).
    norms
        The squared distance of each point in `tree.rows` from `centre`, shape (n,).
    largest_norms
        For each branch and lane the largest norm of the points that remain, shape (branches, 8); -inf without points.
    centre
        The place that norms are measured from, shape (1, d).
    """

    tree: Tree
    places: Integers
    leaves: Integers
    norms: Floats
    largest_norms: Floats
    centre: Floats


@compiled
def hold_records(points: Floats, centre: Floats) -> RemainingRecords:
    """Return all `points`, shape (n, d), n >= 1, every value there and rows contiguous; norms are from `centre`."""
    n, d = points.shape
    tree = grow_tree(points)
    branches = len(tree.children)
    places, leaves = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
    for leaf in range(len(tree.starts)):
        for place in range(tree.starts[leaf], tree.starts[leaf] + tree.sizes[leaf]):
            places[tree.rows[place]], leaves[tree.rows[place]] = place, branches + leaf
    largest_norms = np.full((branches, LANES), -np.inf)
    records = RemainingRecords(tree, places, leaves, np.zeros(n), largest_norms, np.empty((1, d)))
    recentre(records, centre)
    return records


@compiled
def recentre(records: RemainingRecords, centre: Floats) -> None:
    """Measure the norms of the remaining points from another place, shape (d,) (output: records)."""
    tree, norms, largest_norms = records.tree, records.norms, records.largest_norms
    branches = len(tree.children)
    for j in range(centre.size):
        records.centre[0, j] = centre[j]
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
    tree.rows[place], norms[place] = tree.rows[start + last], norms[start + last]
    records.places[tree.rows[place]] = place
    for j in range(d):
        first = start * d + j * size
        tree.values[first + place - start] = tree.values[first + last]
    enclose_leaf(tree, node)
    largest_norms[branch, lane] = largest(norms[start : start + last])
    while branch > 0:
        enclose_branch(tree, branch)
        largest_norms[tree.parents[branch], lane_of(tree, branch)] = largest(largest_norms[branch])
        branch = tree.parents[branch]
