"""The nearest and the only point in a box, checked against a plain double loop."""

from math import inf, isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sfumato.kernels.linkage.boxes import BLOCK, Boxes, only_in_box, place_points, share_in_box
from sfumato.kernels.neighbours.nearest import TIE
from sfumato.numerics.arrays import Floats

NAN = float("nan")


def plain_order(point: list[float], query: list[float], low: list[float], high: list[float]) -> tuple[int, float]:
    """Return the coordinates that the point lacks and its squared distance; infinite outside the box or without any."""
    total, compared = 0.0, 0
    for a, b, least, most in zip(point, query, low, high, strict=True):
        if a < least or a > most:
            return len(point), inf
        if not isnan(a - b):
            total, compared = total + (a - b) ** 2, compared + 1
    return (len(point) - compared, total) if compared else (len(point), inf)


def plain_share(points: Floats, boxes: Boxes, rows: list[int]) -> list[float]:
    answer = []
    for row, query, low, high in zip(rows, *(ends.tolist() for ends in boxes), strict=True):
        found = [plain_order(point, query, low, high) for point in points.tolist()]
        lacking, shortest = min(found)
        first = [i for i, (lacks, far) in enumerate(found) if lacks == lacking and far <= shortest * (1 + TIE) < inf]
        answer.append(1 / len(first) if row in first else 0.0)
    return answer


def plain_only(points: Floats, boxes: Boxes) -> list[int]:
    answer = []
    for query, low, high in zip(*(ends.tolist() for ends in boxes), strict=True):
        inside = [
            row
            for row, point in enumerate(points.tolist())
            if not any(a < least or a > most for a, least, most in zip(point, low, high, strict=True))
        ]
        has_common = len(inside) == 1 and plain_order(points[inside[0]].tolist(), query, low, high)[1] < inf
        answer.append(inside[0] if has_common else -1)
    return answer


def check(points: Floats, boxes: Boxes, rows: list[int]) -> None:
    found = share_in_box(place_points(points), boxes, np.array(rows, dtype=np.int64))
    assert found.tolist() == pytest.approx(plain_share(points, boxes, rows))
    assert only_in_box(place_points(points), boxes).tolist() == plain_only(points, boxes)


@st.composite
def lattices(draw: st.DrawFn) -> tuple[Floats, Boxes, list[int]]:
    """Points with many ties, repeated points, missing values and boxes that may be empty or open."""
    d = draw(st.integers(1, 3))
    value = st.sampled_from([0.0, 1.0, 2.0, 3.0, NAN] if draw(st.booleans()) else [0.0, 1.0, 2.0, 3.0])
    points = draw(arrays(np.float64, (draw(st.integers(1, 12)), d), elements=value))
    shape = (draw(st.integers(1, 8)), d)
    queries = draw(arrays(np.float64, shape, elements=value))
    lowest = draw(arrays(np.float64, shape, elements=st.sampled_from([-1.0, 0.0, 1.0, NAN])))
    highest = draw(arrays(np.float64, shape, elements=st.sampled_from([0.0, 1.0, 2.0, 3.0, NAN])))
    rows = draw(st.lists(st.integers(0, len(points) - 1), min_size=shape[0], max_size=shape[0]))
    return points, Boxes(queries, lowest, highest), rows


@given(case=lattices())
def test_equals_a_plain_double_loop_with_ties_and_missing_values(case: tuple[Floats, Boxes, list[int]]) -> None:
    check(*case)


def many(n: int, d: int, missing: float, width: float = 0.8) -> tuple[Floats, Boxes]:
    """Return points over several blocks, and boxes around moved points, most of which hold them."""
    rng = np.random.default_rng(4)
    points = rng.normal(size=(n, d))
    queries = points + 0.3 * rng.normal(size=(n, d))
    middle = queries + 0.2 * rng.normal(size=(n, d))
    points[rng.random((n, d)) < missing] = NAN
    unknown = rng.random((n, d)) < missing
    ends = [np.where(unknown, NAN, matrix) for matrix in (queries, middle - width, middle + width)]
    return points, Boxes(*ends)


@pytest.mark.parametrize("missing", [0.0, 0.1, 0.6])
@pytest.mark.parametrize("d", [1, 3])
def test_equals_a_plain_double_loop_over_several_blocks(missing: float, d: int) -> None:
    points, boxes = many(3 * BLOCK, d, missing)
    some = list(range(0, 3 * BLOCK, 11))
    check(points, Boxes(*(ends[some] for ends in boxes)), some)
    assert 0 < share_in_box(place_points(points), boxes, np.arange(len(points))).mean() < 1


def test_a_point_outside_the_box_is_not_found_however_near() -> None:
    points, query = np.array([[1.0], [5.0]]), np.array([[1.5]])
    box = Boxes(query, np.array([[2.0]]), np.array([[6.0]]))
    assert share_in_box(place_points(points), box, np.array([0])).tolist() == [0.0]
    assert share_in_box(place_points(points), box, np.array([1])).tolist() == [1.0]


def test_the_ends_of_a_box_are_inside() -> None:
    points = np.array([[1.0], [2.0]])
    box = Boxes(np.array([[1.9]]), np.array([[1.0]]), np.array([[1.0]]))
    assert share_in_box(place_points(points), box, np.array([0])).tolist() == [1.0]


def test_equal_points_share_although_they_are_kept_once() -> None:
    points = np.repeat([[0.0, 1.0], [4.0, 4.0]], [5000, 1], axis=0)
    box = Boxes(*(np.array([ends]) for ends in ([1.0, 1.0], [NAN, NAN], [NAN, NAN])))
    assert share_in_box(place_points(points), box, np.array([77])).tolist() == [1 / 5000]


def test_a_box_without_bounds_holds_everything() -> None:
    points, boxes = many(200, 3, 0.0)
    unbounded = Boxes(boxes.queries, np.full((200, 3), NAN), np.full((200, 3), NAN))
    check(points, unbounded, list(range(200)))


def test_without_a_coordinate_nothing_is_near() -> None:
    nothing = np.empty((4, 0))
    assert share_in_box(place_points(nothing), Boxes(nothing, nothing, nothing), np.arange(4)).tolist() == [0.0] * 4
    assert only_in_box(place_points(nothing), Boxes(nothing, nothing, nothing)).tolist() == [-1] * 4


def test_the_way_a_matrix_lies_in_memory_changes_nothing() -> None:
    points, boxes = many(300, 3, 0.1)
    across = Boxes(*(np.asfortranarray(ends) for ends in boxes))
    rows = np.arange(300)
    found = share_in_box(place_points(np.asfortranarray(points)), across, rows)
    assert np.array_equal(found, share_in_box(place_points(points), boxes, rows))
