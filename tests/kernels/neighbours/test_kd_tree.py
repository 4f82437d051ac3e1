"""The kd-tree that the searches for near and far points stand on."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.kernels.neighbours.kd_tree import LANES, LEAF, NO_ROW, Tree, grow_tree, lane_of
from tests.kernels.neighbours.clouds import cloud, leaf_points


def rows_under(tree: Tree, node: int) -> list[int]:
    """The rows of all points under a node, found by a walk down the tree."""
    branches = len(tree.children)
    if node >= branches:
        start, size = tree.starts[node - branches], tree.sizes[node - branches]
        return [int(row) for row in tree.rows[start : start + size]]
    below = [tree.children[node] + lane for lane in range(LANES) if tree.counts[node, lane]]
    return [row for child in below for row in rows_under(tree, child)]


@given(n=st.integers(1, 3000), d=st.integers(1, 5), seed=st.integers(0, 99), is_rounded=st.booleans())
def test_every_lane_holds_the_points_under_it_in_its_box(n: int, d: int, seed: int, is_rounded: bool) -> None:
    points = cloud(n, d, seed, is_rounded)
    tree = grow_tree(points)
    assert sorted(rows_under(tree, 0)) == list(range(n))
    for node in range(1, len(tree.parents)):
        branch, lane, rows = tree.parents[node], lane_of(tree, node), rows_under(tree, node)
        assert tree.counts[branch, lane] == len(rows)
        assert tree.first_rows[branch, lane] == min(rows)
        assert np.array_equal(tree.lows[branch, :, lane], points[rows].min(axis=0))
        assert np.array_equal(tree.highs[branch, :, lane], points[rows].max(axis=0))


@pytest.mark.parametrize("n", [1, LEAF, LEAF + 1, 5 * LEAF, 100 * LEAF])
def test_leaves_hold_their_points_column_by_column(n: int) -> None:
    points = cloud(n, 3, seed=n, is_rounded=False)
    tree = grow_tree(points)
    for leaf in range(len(tree.sizes)):
        rows = tree.rows[tree.starts[leaf] : tree.starts[leaf] + tree.sizes[leaf]]
        assert np.array_equal(leaf_points(tree, leaf), points[rows])
        assert LEAF / 2 <= tree.sizes[leaf] <= LEAF or n <= LEAF


def test_free_lanes_of_the_root_hold_nothing() -> None:
    tree = grow_tree(cloud(2 * LEAF, 2, seed=1, is_rounded=False))
    assert tree.counts[0].tolist() == [LEAF, LEAF, 0, 0, 0, 0, 0, 0]
    assert (tree.first_rows[0, 2:] == NO_ROW).all()
    assert (tree.lows[0, :, 2:] == np.inf).all()
    assert (tree.highs[0, :, 2:] == -np.inf).all()
