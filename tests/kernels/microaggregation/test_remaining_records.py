"""A tree from which records are taken out answers as a loop over those that remain."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.kernels.microaggregation.farthest_record import farthest_record
from sfumato.kernels.microaggregation.mdav_tree import choose_axes
from sfumato.kernels.microaggregation.near_records import near_records
from sfumato.kernels.microaggregation.remaining_records import (
    Axes,
    RemainingRecords,
    hold_records,
    on_axes,
    recentre,
    remove_record,
)
from sfumato.kernels.neighbours.kd_tree import NO_ROW


def along_columns(d: int) -> Axes:
    return Axes(np.eye(d), np.zeros(d), 0.0)


def squared(points: np.ndarray, query: np.ndarray) -> list[float]:
    """Squared distances, added up column by column."""
    sums = []
    for point in points.tolist():
        total = 0.0
        for value, origin in zip(point, query.tolist(), strict=True):
            total += (value - origin) ** 2
        sums.append(total)
    return sums


def near_rows(records: RemainingRecords, query: np.ndarray, count: int) -> list[int]:
    rows, near = np.full((1, count), NO_ROW), np.full((1, count), np.inf)
    near_records(records, query[None, :], rows, near)
    return [int(row) for row in rows[0]]


@given(
    seed=st.integers(0, 10_000),
    n=st.integers(1, 600),
    d=st.integers(1, 5),
    share=st.floats(0, 0.95),
    is_tied=st.booleans(),
    is_recentred=st.booleans(),
    is_turned=st.booleans(),
    far=st.sampled_from([0.0, 1e6]),
)
def test_searches_find_what_a_loop_finds(
    seed: int, n: int, d: int, share: float, is_tied: bool, is_recentred: bool, is_turned: bool, far: float
) -> None:
    rng = np.random.default_rng(seed)
    points = far + (rng.integers(0, 4, (n, d)).astype(float) if is_tied else rng.lognormal(size=(n, d)))
    axes = choose_axes(points, max_equal=1.0) if is_turned else along_columns(d)
    records = hold_records(points, axes, points.mean(axis=0))
    gone = rng.permutation(n)[: int(share * n)]
    for row in gone:
        remove_record(records, row)
    remaining = sorted(set(range(n)) - set(gone.tolist()))
    if is_recentred:
        recentre(records, points[remaining].mean(axis=0))
    for query in (points[rng.integers(n)], points[remaining].mean(axis=0), far + rng.normal(3, 5, d)):
        distances = squared(points, query)
        assert farthest_record(records, query[None, :]) == max(remaining, key=lambda row: (distances[row], -row))
        near_first = sorted(remaining, key=lambda row: (distances[row], row))
        assert near_rows(records, query, min(5, len(remaining))) == near_first[:5]


@pytest.mark.parametrize("n", [1, 31, 33, 300, 3000])
def test_boxes_hold_the_points_that_remain_and_no_more(n: int) -> None:
    points = np.random.default_rng(n).normal(size=(n, 3))
    records = hold_records(points, along_columns(3), np.zeros(3))
    remaining = np.arange(n) % 3 == 0
    for row in np.flatnonzero(~remaining):
        remove_record(records, int(row))
    tree = records.tree
    assert np.array_equal(tree.lows[0].min(axis=1), points[remaining].min(axis=0))
    assert np.array_equal(tree.highs[0].max(axis=1), points[remaining].max(axis=0))
    assert tree.counts[0].sum() == remaining.sum()
    assert tree.first_rows[0].min() == 0
    assert records.largest_norms[0].max() == pytest.approx((points[remaining] ** 2).sum(axis=1).max())


def test_the_last_point_can_be_found() -> None:
    points = np.random.default_rng(5).normal(size=(100, 2))
    records = hold_records(points, choose_axes(points), points.mean(axis=0))
    for row in range(99):
        remove_record(records, row)
    assert farthest_record(records, points[:1]) == 99
    assert near_rows(records, points[0], 1) == [99]


def test_axes_follow_the_records_unless_many_are_equal() -> None:
    points = np.random.default_rng(6).normal(size=(300, 1)) @ np.array([[1.0, 2.0, -2.0]])
    axes = choose_axes(points)
    assert np.allclose(np.abs(axes.directions[:, -1]), [1 / 3, 2 / 3, 2 / 3])
    assert axes.slack > 0
    assert choose_axes(points[np.arange(300) % 200]).slack == 0
    assert choose_axes(np.zeros((1, 2))).slack == 0


@pytest.mark.parametrize("d", [2, 9, 40])
def test_places_on_axes_are_as_far_apart_as_records(d: int) -> None:
    points = 1e3 + np.random.default_rng(d).lognormal(sigma=2, size=(400, d))
    axes = choose_axes(points)
    places = on_axes(axes, points)
    between = [np.sqrt(((held - np.roll(held, 7, axis=0)) ** 2).sum(axis=1)) for held in (points, places)]
    assert np.abs(between[0] - between[1]).max() < axes.slack / 5
