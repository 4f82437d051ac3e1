"""Points in the order of a kd-tree."""

import time

import numpy as np
import pytest

from sfumato.kernels.neighbours.kd_halving import halve_points
from tests.kernels.neighbours.clouds import cloud


@pytest.mark.parametrize("leaves", [1, 2, 8, 64])
@pytest.mark.parametrize("is_rounded", [False, True])
def test_parts_hold_every_row_once_and_are_of_one_size(leaves: int, is_rounded: bool) -> None:
    rows, starts, sizes = halve_points(cloud(777, 3, seed=leaves, is_rounded=is_rounded), leaves)
    assert sorted(rows.tolist()) == list(range(777))
    assert np.array_equal(starts, np.concatenate([[0], np.cumsum(sizes)[:-1]]))
    assert sizes.sum() == 777
    assert sizes.max() - sizes.min() <= 1


def test_a_part_is_cut_at_the_median_of_its_longest_side() -> None:
    points = np.array([[0.0, 9.0], [1.0, 1.0], [0.5, 5.0], [0.2, 7.0]])
    rows, _, _ = halve_points(points, 2)
    assert set(rows[:2].tolist()) == {1, 2}


@pytest.mark.parametrize("order", ["rising", "up and down", "equal", "two values"])
def test_no_usual_order_of_the_points_is_slow(order: str) -> None:
    n = 100_000
    columns = {
        "rising": np.arange(n),
        "up and down": np.minimum(np.arange(n), np.arange(n)[::-1]),
        "equal": np.zeros(n),
        "two values": np.arange(n) % 2,
    }
    points = columns[order].astype(np.float64)[:, None].repeat(2, axis=1)
    halve_points(points[:10].copy(), 2)
    start = time.process_time()
    halve_points(points, 2048)
    assert time.process_time() - start < 2  # 0.03 s, where a quadratic one would take minutes
