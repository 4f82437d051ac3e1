"""Distances from points and boxes: added up in one way, so that rounding never puts a point out of its box."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.kernels.neighbours.kd_tree import LANES, LEAF, grow_tree, lane_of
from sfumato.kernels.neighbours.tree_distances import measure_gaps, measure_leaf, measure_reaches
from tests.kernels.neighbours.clouds import cloud, leaf_points


@given(n=st.integers(1, 200), d=st.integers(1, 12), seed=st.integers(0, 99), power=st.sampled_from([1, 2]))
def test_no_point_is_nearer_than_its_box_or_beyond_its_far_corner(n: int, d: int, seed: int, power: int) -> None:
    points, queries = cloud(n, d, seed, is_rounded=seed % 2 == 0), cloud(5, d, seed + 1, is_rounded=False)
    tree = grow_tree(points)
    distances, gaps, reaches = np.empty(LEAF), np.empty(LANES), np.empty(LANES)
    for query in range(5):
        for leaf in range(len(tree.sizes)):
            node, size = len(tree.children) + leaf, tree.sizes[leaf]
            bound = np.inf if query else 1e300  # with and without looks at the bound
            within = measure_leaf(tree.values, tree.starts[leaf], size, size, power, queries, query, bound, distances)
            assert within == size
            plain = (np.abs(leaf_points(tree, leaf) - queries[query]) ** power).sum(axis=1)
            assert distances[:within] == pytest.approx(plain)
            branch, lane = tree.parents[node], lane_of(tree, node)
            measure_gaps(tree.lows, tree.highs, branch, power, queries, query, gaps)
            measure_reaches(tree.lows, tree.highs, branch, power, queries, query, reaches)
            assert gaps[lane] <= distances[:within].min()  # rounding included
            assert reaches[lane] >= distances[:within].max()


def test_a_leaf_beyond_the_bound_has_no_point_within_it() -> None:
    tree, queries = grow_tree(np.full((5, 20), 3.0)), np.zeros((1, 20))
    assert measure_leaf(tree.values, 0, 5, 5, 2, queries, 0, 20 * 9.0, np.empty(LEAF)) == 5
    assert measure_leaf(tree.values, 0, 5, 5, 2, queries, 0, 20 * 9.0 - 1e-6, np.empty(LEAF)) == 0


def test_points_that_were_taken_out_are_not_measured() -> None:
    tree, distances = grow_tree(np.arange(6.0).reshape(3, 2)), np.full(LEAF, -1.0)
    assert measure_leaf(tree.values, 0, 3, 2, 2, np.zeros((1, 2)), 0, np.inf, distances) == 2
    assert distances[:3].tolist() == [1.0, 13.0, -1.0]


@pytest.mark.parametrize("power", [1, 2])
def test_a_column_in_which_the_query_has_no_value_is_left_out(power: int) -> None:
    points, query = cloud(40, 3, 5, is_rounded=False), np.array([[0.3, np.nan, -0.2]])
    tree, some = grow_tree(points), grow_tree(np.ascontiguousarray(points[:, [0, 2]]))
    found, gaps, reaches = np.empty(LEAF), np.empty(LANES), np.empty(LANES)
    assert measure_leaf(tree.values, 0, 40, 40, power, query, 0, 1e9, found) == 40
    plain = (np.abs(leaf_points(tree, 0) - query) ** power)[:, [0, 2]].sum(axis=1)
    assert found[:40] == pytest.approx(plain)
    measure_gaps(tree.lows, tree.highs, 0, power, query, 0, gaps)
    measure_reaches(tree.lows, tree.highs, 0, power, query, 0, reaches)
    expected = np.empty(LANES), np.empty(LANES)
    measure_gaps(some.lows, some.highs, 0, power, query[:, [0, 2]].copy(), 0, expected[0])
    measure_reaches(some.lows, some.highs, 0, power, query[:, [0, 2]].copy(), 0, expected[1])
    assert (gaps[0], reaches[0]) == (expected[0][0], expected[1][0])
