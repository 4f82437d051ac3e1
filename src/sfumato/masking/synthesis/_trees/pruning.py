"""Which splits of a tree hold for records that it has not seen."""

from typing import Any

import numpy as np

from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn

Response = FloatColumn | CodeColumn  # numbers for a regression tree, classes from 0 for a classification tree


def prune(
    tree: Any,
    classes: CodeColumn | None,
    ends: CodeColumn,
    response: Response,
    is_held_out: Booleans,
    min_leaf: int,
) -> CodeColumn:
    """Return for each node of a tree the leaf that a record which ends there belongs to.

    A split stays where the means, or shares, of its leaves predict the held-out records better than one mean,
    in squared errors, and where each side keeps `min_leaf` records of all.

    Parameters
    ----------
    tree
        The arrays of a fitted tree of scikit-learn.
    classes
        The classes that it knows; none for a regression tree.
    ends, response, is_held_out
        For each record the node in which it ends, its response, and whether the tree has not seen it.
    min_leaf
        The fewest records in a leaf.
    """
    left, right = tree.children_left.tolist(), tree.children_right.tolist()
    own = _own_errors(tree, classes, ends, response, is_held_out)
    donors = _sum_up(np.bincount(ends, minlength=tree.node_count).astype(np.float64), left, right)
    best = own.copy()
    is_leaf = np.ones(tree.node_count, dtype=np.bool_)
    for node in range(tree.node_count - 1, -1, -1):  # children come after their parents
        below, above = left[node], right[node]
        if below < 0 or min(donors[below], donors[above]) < min_leaf:
            continue
        parts = best[below] + best[above]
        if parts < own[node]:
            is_leaf[node], best[node] = False, parts
    leaf = np.arange(tree.node_count)
    for node in range(tree.node_count):
        if left[node] >= 0 and is_leaf[leaf[node]]:
            leaf[left[node]] = leaf[right[node]] = leaf[node]
    return leaf


def _own_errors(
    tree: Any, classes: CodeColumn | None, ends: CodeColumn, response: Response, is_held_out: Booleans
) -> FloatColumn:
    """Return the sum of squared errors of the held-out records of each node when its mean, or shares, predict them."""
    left, right = tree.children_left.tolist(), tree.children_right.tolist()
    nodes, values = ends[is_held_out], response[is_held_out]
    if classes is None:
        centre = float(tree.value[0, 0, 0])
        means, from_centre = tree.value[:, 0, 0] - centre, values - centre
        counts, sums, squares = (
            _sum_up(np.bincount(nodes, weights=weights, minlength=tree.node_count).astype(np.float64), left, right)
            for weights in (np.ones(nodes.size), from_centre, from_centre**2)
        )
        return np.asarray(squares - 2 * means * sums + counts * means**2, dtype=np.float64)
    shares = tree.value[:, 0, :] / tree.value[:, 0, :].sum(axis=1, keepdims=True)
    place = np.searchsorted(classes, values)
    is_known = classes[np.minimum(place, classes.size - 1)] == values
    cells = np.bincount(nodes[is_known] * classes.size + place[is_known], minlength=tree.node_count * classes.size)
    counts = _sum_up(cells.reshape(tree.node_count, classes.size).astype(np.float64), left, right)
    records = _sum_up(np.bincount(nodes, minlength=tree.node_count).astype(np.float64), left, right)
    hits = np.einsum("nc,nc->n", counts, shares)
    return np.asarray(records * (1 + np.einsum("nc,nc->n", shares, shares)) - 2 * hits, dtype=np.float64)


def _sum_up(of_ends: FloatColumn, left: list[int], right: list[int]) -> FloatColumn:
    """Return for each node the sum over the nodes below it in which records end."""
    sums = of_ends.copy()
    for node in range(len(left) - 1, -1, -1):
        if left[node] >= 0:
            sums[node] = sums[left[node]] + sums[right[node]]
    return sums
