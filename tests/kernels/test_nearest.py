"""Nearest points, held against a plain double loop."""

from math import inf, isnan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sfumato.kernels.nearest import TIE, Floats, is_nearest, nearest_rows, nearest_share, squared_distances
from sfumato.kernels.tiled_search import TILE


def plain_distance(point: Floats, query: Floats) -> float:
    total, compared = 0.0, 0
    for a, b in zip(point.tolist(), query.tolist(), strict=True):
        if not isnan(a) and not isnan(b):
            total += (a - b) ** 2
            compared += 1
    return total * len(point) / compared if compared else inf


def plain_nearest(points: Floats, query: Floats) -> list[int]:
    """Return the rows of all equally near points, lowest first."""
    distances = [plain_distance(point, query) for point in points]
    shortest = min(distances, default=inf)
    return [] if shortest == inf else [row for row, found in enumerate(distances) if found <= shortest * (1 + TIE)]


def check(points: Floats, queries: Floats, rows: list[int]) -> None:
    expected = [plain_nearest(points, query) for query in queries]
    assert nearest_rows(points, queries).tolist() == [found[0] if found else -1 for found in expected]
    linked = is_nearest(points, queries, np.array(rows, dtype=np.int64))
    assert linked.tolist() == [row in found for row, found in zip(rows, expected, strict=True)]
    shares = nearest_share(points, queries, np.array(rows, dtype=np.int64))
    wanted = [1 / len(found) if row in found else 0.0 for row, found in zip(rows, expected, strict=True)]
    assert shares.tolist() == pytest.approx(wanted)


@st.composite
def lattices(draw: st.DrawFn) -> tuple[Floats, Floats, list[int]]:
    """Points with many ties, repeated points and missing values."""
    d = draw(st.integers(1, 3))
    value = st.sampled_from([0.0, 1.0, 2.0, 3.0, float("nan")] if draw(st.booleans()) else [0.0, 1.0, 2.0, 3.0])
    points = draw(arrays(np.float64, (draw(st.integers(1, 12)), d), elements=value))
    queries = draw(arrays(np.float64, (draw(st.integers(1, 8)), d), elements=value))
    rows = draw(st.lists(st.integers(0, len(points) - 1), min_size=len(queries), max_size=len(queries)))
    return points, queries, rows


@settings(max_examples=150, deadline=None)
@given(case=lattices())
def test_equals_a_plain_double_loop_with_ties_and_missing_values(case: tuple[Floats, Floats, list[int]]) -> None:
    check(*case)


@pytest.mark.parametrize("missing", [0.0, 0.1, 0.6])
def test_equals_a_plain_double_loop_on_continuous_points(missing: float) -> None:
    rng = np.random.default_rng(4)
    points = rng.normal(size=(150, 4))
    queries = points[:90] + 0.3 * rng.normal(size=(90, 4))
    points[rng.random(points.shape) < missing] = np.nan
    queries[rng.random(queries.shape) < missing] = np.nan
    check(points, queries, list(range(90)))


def test_finds_the_lowest_row_beyond_the_first_tile() -> None:
    points = np.arange(3 * TILE, dtype=np.float64).reshape(-1, 1).repeat(2, axis=1)
    points[0, 0] = np.nan
    queries = np.array([[TILE + 5.2, np.nan], [2.0 * TILE + 7.5, 2.0 * TILE + 7.5], [-4.0, np.nan]])
    assert nearest_rows(points, queries).tolist() == [TILE + 5, 2 * TILE + 7, 1]


def test_the_way_a_matrix_lies_in_memory_changes_nothing() -> None:
    rng = np.random.default_rng(1)
    points, queries = rng.normal(size=(40, 3)), rng.normal(size=(30, 3))
    points[0, 0] = queries[1, 2] = np.nan
    across = np.asfortranarray(points), np.asfortranarray(queries)
    assert np.array_equal(nearest_rows(*across), nearest_rows(points, queries))
    assert np.array_equal(is_nearest(*across, np.arange(30)), is_nearest(points, queries, np.arange(30)))


def test_thousands_of_equal_points_are_one_place() -> None:
    points = np.zeros((20_000, 2))
    points[7] = 1.0
    assert nearest_rows(points, np.array([[0.1, 0.0], [1.0, 1.0]])).tolist() == [0, 7]
    assert is_nearest(points, points, np.arange(20_000)).all()


def test_points_as_near_as_the_nearest_count_as_nearest() -> None:
    points = np.array([[1.0], [3.0], [9.0]])
    assert is_nearest(points, np.array([[2.0], [2.0], [2.0]]), np.array([0, 1, 2])).tolist() == [True, True, False]


def test_rounding_does_not_break_a_tie() -> None:
    points = np.array([[0.1], [0.3]])  # 0.2 - 0.1 and 0.3 - 0.2 differ in the last digit
    assert is_nearest(points, np.array([[0.2], [0.2]]), np.array([0, 1])).all()
    assert nearest_rows(points, np.array([[0.2]])).tolist() == [0]


def test_a_clearly_nearer_point_beats_the_own_one() -> None:
    points = np.array([[0.0], [1.0]])
    assert not is_nearest(points, np.array([[0.5 + 1e-6]]), np.array([0])).any()


def test_nothing_is_near_without_a_common_coordinate() -> None:
    points, queries = np.array([[np.nan, 1.0]]), np.array([[1.0, np.nan]])
    assert nearest_rows(points, queries).tolist() == [-1]
    assert not is_nearest(points, queries, np.array([0])).any()
    assert squared_distances(points, queries).tolist() == [inf]


def test_nothing_is_near_without_coordinates() -> None:
    assert nearest_rows(np.empty((3, 0)), np.empty((2, 0))).tolist() == [-1, -1]
    assert not is_nearest(np.empty((3, 0)), np.empty((2, 0)), np.array([0, 1])).any()


def test_distances_over_fewer_coordinates_are_scaled_up() -> None:
    points = np.array([[0.0, 0.0, 0.0, 0.0]])
    queries = np.array([[1.0, np.nan, np.nan, 2.0]])
    assert squared_distances(points, queries).tolist() == [(1 + 4) * 4 / 2]
