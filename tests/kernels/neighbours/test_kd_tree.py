"""The kd-tree that the search for nearest points stands on."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.kernels.neighbours.kd_tree import LEAF, Tree, from_box, from_far_corner, grow_tree, measure_leaf
from sfumato.numerics.arrays import Floats


def leaf_points(tree: Tree, leaf: int) -> Floats:
    d, start, size = tree.lows.shape[1], tree.starts[leaf], tree.sizes[leaf]
    return tree.values[start * d : (start + size) * d].reshape(d, size).T


def cloud(n: int, d: int, seed: int, is_rounded: bool) -> Floats:
    points = np.random.default_rng(seed).normal(size=(n, d))
    return np.rint(points) if is_rounded else points


@settings(max_examples=60, deadline=None)
@given(n=st.integers(1, 300), d=st.integers(1, 5), seed=st.integers(0, 99), is_rounded=st.booleans())
def test_every_node_holds_its_points_in_its_box(n: int, d: int, seed: int, is_rounded: bool) -> None:
    points = cloud(n, d, seed, is_rounded)
    tree = grow_tree(points)
    assert sorted(tree.rows.tolist()) == list(range(n))
    for node in range(len(tree.sizes)):
        rows = tree.rows[tree.starts[node] : tree.starts[node] + tree.sizes[node]]
        assert tree.first_rows[node] == rows.min()
        assert np.array_equal(tree.lows[node], points[rows].min(axis=0))
        assert np.array_equal(tree.highs[node], points[rows].max(axis=0))
    for leaf in range(len(tree.sizes) // 2, len(tree.sizes)):
        rows = tree.rows[tree.starts[leaf] : tree.starts[leaf] + tree.sizes[leaf]]
        assert np.array_equal(leaf_points(tree, leaf), points[rows])
        assert LEAF / 2 <= tree.sizes[leaf] <= LEAF or n <= LEAF


@settings(max_examples=60, deadline=None)
@given(n=st.integers(1, 200), d=st.integers(1, 12), seed=st.integers(0, 99), power=st.sampled_from([1, 2]))
def test_no_point_is_nearer_than_its_box_or_beyond_its_far_corner(n: int, d: int, seed: int, power: int) -> None:
    points, queries = cloud(n, d, seed, is_rounded=seed % 2 == 0), cloud(5, d, seed + 1, is_rounded=False)
    tree = grow_tree(points)
    distances = np.empty(LEAF)
    for query in range(5):
        for leaf in range(len(tree.sizes) // 2, len(tree.sizes)):
            within = measure_leaf(
                tree.values, tree.starts[leaf], tree.sizes[leaf], power, queries, query, np.inf, distances
            )
            assert within == tree.sizes[leaf]
            plain = (np.abs(leaf_points(tree, leaf) - queries[query]) ** power).sum(axis=1)
            assert distances[:within] == pytest.approx(plain)
            assert (
                from_box(tree.lows, tree.highs, leaf, power, queries, query) <= distances[:within].min()
            )  # rounding included
            assert from_far_corner(tree.lows, tree.highs, leaf, power, queries, query) >= distances[:within].max()


def test_a_leaf_beyond_the_bound_has_no_point_within_it() -> None:
    tree, queries = grow_tree(np.full((5, 20), 3.0)), np.zeros((1, 20))
    assert measure_leaf(tree.values, 0, 5, 2, queries, 0, 20 * 9.0, np.empty(LEAF)) == 5
    assert measure_leaf(tree.values, 0, 5, 2, queries, 0, 20 * 9.0 - 1e-6, np.empty(LEAF)) == 0


@pytest.mark.parametrize("order", ["rising", "up and down", "equal", "two values"])
def test_no_usual_order_of_the_points_makes_a_slow_tree(order: str) -> None:
    n = 100_000
    columns = {
        "rising": np.arange(n),
        "up and down": np.minimum(np.arange(n), np.arange(n)[::-1]),
        "equal": np.zeros(n),
        "two values": np.arange(n) % 2,
    }
    points = columns[order].astype(np.float64)[:, None].repeat(2, axis=1)
    grow_tree(points[:10].copy())
    start = time.process_time()
    grow_tree(points)
    assert time.process_time() - start < 2  # 0.03 s, where a quadratic one would take minutes
