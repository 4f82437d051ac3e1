"""Nearest points, checked against a plain double loop."""

import os
from collections.abc import Iterator
from math import inf, isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sfumato.kernels.neighbours import search_parts as parts
from sfumato.kernels.neighbours.nearest import (
    TIE,
    _near,
    distances_apart,
    is_nearest,
    nearest_rows,
    nearest_share,
)
from sfumato.kernels.neighbours.search_parts import search_parts
from sfumato.kernels.neighbours.threads import PIECE
from sfumato.kernels.neighbours.tiled_search import TILE
from sfumato.numerics.arrays import Floats, Integers

Case = tuple[Floats, Floats, list[int]]


def near_rows(points: Floats, queries: Floats, count: int, power: int = 2) -> tuple[Integers, Floats]:
    """Return the rows of several nearest points and their distances: what MDAV asks of the same loops."""
    return _near(search_parts(points, queries), queries, count, power)


def plain_distance(point: Floats, query: Floats, power: int = 2) -> float:
    total, compared = 0.0, 0
    for a, b in zip(point.tolist(), query.tolist(), strict=True):
        if not isnan(a) and not isnan(b):
            total += abs(a - b) ** power
            compared += 1
    return total * len(point) / compared if compared else inf


def check(points: Floats, queries: Floats, rows: list[int], power: int = 2) -> None:
    """Hold every answer about the nearest points against the definition."""
    distances = [[plain_distance(point, query, power) for point in points] for query in queries]
    shortest = [min(found) for found in distances]
    nearest = [
        [row for row, distance in enumerate(found) if distance <= least * (1 + TIE) and distance < inf]
        for found, least in zip(distances, shortest, strict=True)
    ]
    assert nearest_rows(points, queries, power).tolist() == [found[0] if found else -1 for found in nearest]
    linked = is_nearest(points, queries, np.array(rows, dtype=np.int64), power)
    assert linked.tolist() == [row in found for row, found in zip(rows, nearest, strict=True)]
    shares = nearest_share(points, queries, np.array(rows, dtype=np.int64), power)
    tied = [  # as near as the point in question: almost equal distances are equal two by two, and not all together
        sum(distance <= found[row] * (1 + TIE) for distance in found)
        for row, found in zip(rows, distances, strict=True)
    ]
    wanted = [1 / count if row in found else 0.0 for row, found, count in zip(rows, nearest, tied, strict=True)]
    assert shares.tolist() == pytest.approx(wanted)
    check_near(points, queries, distances, power)


def check_near(points: Floats, queries: Floats, distances: list[list[float]], power: int, count: int = 3) -> None:
    """Hold the few nearest points against the sorted distances; rounding may exchange almost equal ones."""
    found, near = near_rows(points, queries, count, power)
    assert found.shape == near.shape == (len(queries), count)
    for rows, there, plain in zip(found.tolist(), near.tolist(), distances, strict=True):
        least = sorted(plain)[:count] + [inf] * (count - len(plain))
        assert there == pytest.approx(least)
        assert [row < 0 for row in rows] == [distance == inf for distance in least]
        reached = [row for row in rows if row >= 0]
        assert len(set(reached)) == len(reached)
        assert [plain[row] for row in reached] == pytest.approx(least[: len(reached)])
        assert list(zip(there, rows, strict=True))[: len(reached)] == sorted(zip(there, reached, strict=False))


@pytest.fixture(scope="module", autouse=True)
def trees_for_few_queries() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "FEW", 0)
        yield


@st.composite
def lattices(draw: st.DrawFn) -> Case:
    """Few points with many ties, repeated points and missing values."""
    d = draw(st.integers(1, 3))
    value = st.sampled_from([0.0, 1.0, 2.0, 3.0, float("nan")] if draw(st.booleans()) else [0.0, 1.0, 2.0, 3.0])
    points = draw(arrays(np.float64, (draw(st.integers(1, 12)), d), elements=value))
    queries = draw(arrays(np.float64, (draw(st.integers(1, 8)), d), elements=value))
    rows = draw(st.lists(st.integers(0, len(points) - 1), min_size=len(queries), max_size=len(queries)))
    return points, queries, rows


@st.composite
def clouds(draw: st.DrawFn) -> Case:
    """Points of several leaves in 1 to 15 dimensions: rounded, repeated, constant, missing or almost tied."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, d = draw(st.integers(1, 300)), draw(st.integers(1, 15))
    points = rng.normal(size=(n, d))
    if draw(st.booleans()):
        points = np.rint(points * draw(st.sampled_from([0.5, 1.0, 2.0])))
    if draw(st.booleans()):
        points = points[rng.integers(draw(st.integers(1, n)), size=n)]
    if draw(st.booleans()):
        points[:, rng.integers(d)] = 0.1
    rows = rng.integers(n, size=20)
    queries = points[rows] + draw(st.sampled_from([0.0, 0.3, 1.0, 3.0])) * rng.normal(size=(20, d))
    if draw(st.booleans()):
        queries[:, 0] = np.rint(queries[:, 0]) + 0.5
    points = points * (1 + draw(st.sampled_from([0.0, 1e-15, 1e-5])) * rng.normal(size=(n, 1)))
    missing = draw(st.sampled_from([0.0, 0.0, 0.05, 0.5]))
    points[rng.random(points.shape) < missing] = np.nan
    queries[rng.random(queries.shape) < missing] = np.nan
    return points, queries, rows.tolist()


@given(case=lattices(), power=st.sampled_from([1, 2]))
def test_equals_a_plain_double_loop_with_ties_and_missing_values(case: Case, power: int) -> None:
    check(*case, power)


@given(case=clouds(), power=st.sampled_from([1, 2]))
def test_equals_a_plain_double_loop_in_many_dimensions(case: Case, power: int) -> None:
    check(*case, power)


@given(case=lattices(), power=st.sampled_from([1, 2]))
def test_a_tree_for_each_set_of_gaps_equals_a_plain_double_loop(case: Case, power: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "MANY", 0)
        check(*case, power)


@given(case=clouds(), many=st.sampled_from([0, 100, 2_000]))
def test_trees_beside_loops_equal_a_plain_double_loop(case: Case, many: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "MANY", many)
        check(*case)


@given(case=clouds(), power=st.sampled_from([1, 2]), few=st.sampled_from([0, 8, 64]))
def test_a_first_look_at_some_points_equals_a_plain_double_loop(case: Case, power: int, few: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "FIRST_LOOK", 3)
        patch.setattr(parts, "MUCH_MORE", 1)
        patch.setattr(parts, "FEW", few)
        check(*case, power)


def test_points_are_tied_that_are_as_near_as_the_point_in_question() -> None:
    points = np.array([[1.0], [1.0 + 0.9 * TIE], [1.0 + 1.8 * TIE]])
    assert nearest_share(points, np.zeros((3, 1)), np.array([0, 1, 2]), power=1).tolist() == [1 / 2, 1 / 3, 0]


def test_equal_queries_with_other_own_points_are_told_apart() -> None:
    points, queries = np.array([[0.0], [1.0], [0.0], [5.0]]), np.zeros((5, 1))
    assert nearest_share(points, queries, np.array([0, 1, 2, 3, 0])).tolist() == [0.5, 0.0, 0.5, 0.0, 0.5]


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("missing", [0.0, 0.1, 0.6])
def test_equals_a_plain_double_loop_on_continuous_points(missing: float, power: int) -> None:
    rng = np.random.default_rng(4)
    points = rng.normal(size=(150, 4))
    queries = points[:90] + 0.3 * rng.normal(size=(90, 4))
    points[rng.random(points.shape) < missing] = np.nan
    queries[rng.random(queries.shape) < missing] = np.nan
    check(points, queries, list(range(90)), power)


@pytest.mark.parametrize(("power", "order"), [(1, 1), (2, 2)])
def test_finds_the_neighbours_that_scipy_finds(power: int, order: int) -> None:
    from scipy.spatial import cKDTree

    rng = np.random.default_rng(7)
    points, queries = rng.normal(size=(5000, 6)), rng.normal(size=(300, 6))
    distances, rows = cKDTree(points).query(queries, k=20, p=order)
    found, near = near_rows(points, queries, 20, power)
    assert np.array_equal(found, rows)
    assert near == pytest.approx(distances**power)


def test_the_number_of_threads_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(8)
    points = np.rint(5 * rng.normal(size=(3 * PIECE, 3)))
    queries = points + np.rint(2 * rng.normal(size=points.shape)) / 2
    queries[rng.random(queries.shape) < 0.001] = np.nan
    answers = []
    for processors in (1, 2, 5):
        monkeypatch.setattr(os, "sched_getaffinity", lambda process, count=processors: set(range(count)), raising=False)
        answers.append((nearest_share(points, queries, np.arange(len(points))), nearest_rows(points, queries)))
    for shares, rows in answers[1:]:
        assert np.array_equal(shares, answers[0][0])
        assert np.array_equal(rows, answers[0][1])


def test_fewer_points_than_asked_for_are_filled_up() -> None:
    rows, near = near_rows(np.array([[1.0], [np.nan], [4.0]]), np.array([[2.0], [np.nan]]), 3)
    assert rows.tolist() == [[0, 2, -1], [-1, -1, -1]]
    assert near.tolist() == [[1.0, 4.0, inf], [inf, inf, inf]]


def test_the_lowest_rows_of_equal_points_come_first() -> None:
    points = np.repeat([[3.0, 0.0], [0.0, 0.0]], 500, axis=0)[np.random.default_rng(3).permutation(1000)]
    rows, _ = near_rows(points, np.zeros((1, 2)), 7)
    assert rows[0].tolist() == np.flatnonzero(points[:, 0] == 0)[:7].tolist()


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
    assert nearest_share(points, points, np.arange(20_000))[[0, 7]].tolist() == [1 / 19_999, 1.0]


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
    assert distances_apart(points, queries, power=2).tolist() == [inf]


def test_nothing_is_near_without_coordinates() -> None:
    assert nearest_rows(np.empty((3, 0)), np.empty((2, 0))).tolist() == [-1, -1]
    assert not is_nearest(np.empty((3, 0)), np.empty((2, 0)), np.array([0, 1])).any()


def test_distances_over_fewer_coordinates_are_scaled_up() -> None:
    points = np.array([[0.0, 0.0, 0.0, 0.0]])
    queries = np.array([[1.0, np.nan, np.nan, 2.0]])
    assert distances_apart(points, queries, power=2).tolist() == [(1 + 4) * 4 / 2]
