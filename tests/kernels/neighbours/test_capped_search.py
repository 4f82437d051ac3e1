"""Distances whose cells are at most 1 apart, against plain loops over all points."""

import numpy as np
import pytest

from sfumato.kernels.neighbours.capped_search import common_nearest, guesses_by_nearest, nearest_distances
from sfumato.numerics.arrays import Floats


def cloud(n: int, seed: int) -> Floats:
    """Return numbers between 0 and 1 with ties, categories as even numbers, and some missing far below."""
    rng = np.random.default_rng(seed)
    points = np.column_stack(
        [rng.integers(0, 5, n) / 4, rng.random(n), 2.0 * rng.integers(0, 3, n), rng.random(n).round(1)]
    )
    return np.where(rng.random(points.shape) < 0.1, -2.0 * rng.integers(1, 3, points.shape), points)


def apart(points: Floats, queries: Floats) -> Floats:
    return np.minimum(np.abs(queries[:, None, :] - points[None, :, :]), 1.0)


def test_the_nearest_distances_are_those_of_a_plain_search() -> None:
    points, queries = cloud(600, 1), cloud(70, 2)
    expected = np.sort(apart(points, queries).sum(axis=2), axis=1)[:, :5]
    assert nearest_distances(points, queries, 5) == pytest.approx(expected)


def test_beyond_the_number_of_points_distances_are_infinite() -> None:
    assert np.isinf(nearest_distances(cloud(3, 1), cloud(2, 2), 5)[:, 3:]).all()


def test_guesses_are_shared_by_the_points_that_are_equally_near_in_all_other_columns() -> None:
    points, queries, secrets = cloud(600, 3), cloud(50, 4), np.array([0, 2])
    low, high = queries[:, secrets] - 0.3, queries[:, secrets] + 0.3
    found = guesses_by_nearest(points, queries, secrets, np.ascontiguousarray(points[:, secrets].T), low, high)
    for place, secret in enumerate(secrets):
        distances = np.delete(apart(points, queries), secret, axis=2).sum(axis=2)
        nearest = distances <= distances.min(axis=1, keepdims=True) + 1e-9
        right = (low[:, [place]] <= points[:, secret]) & (points[:, secret] <= high[:, [place]])
        assert found[:, place] == pytest.approx((nearest & right).sum(axis=1) / nearest.sum(axis=1))


def test_the_chance_of_a_common_nearest_point_is_that_of_two_draws() -> None:
    points, queries = cloud(600, 5)[:, [0, 2, 3]], cloud(80, 6)[:, [0, 2, 3]]
    distances = apart(points, queries)
    halves = [distances[:, :, :1].sum(axis=2), distances[:, :, 1:].sum(axis=2)]
    first, second = (half <= half.min(axis=1, keepdims=True) + 1e-9 for half in halves)
    expected = (first & second).sum(axis=1) / (first.sum(axis=1) * second.sum(axis=1))
    assert common_nearest(points, queries, 1) == pytest.approx(expected)
    assert expected.max() > 0
