from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sfumato.kernels.neighbours.kd_split import MIN_SHARE, kd_blocks

records = hnp.arrays(np.float64, st.tuples(st.integers(1, 200), st.integers(1, 3)), elements=st.integers(-3, 3))


@given(points=records, most=st.integers(1, 50))
def test_every_row_is_in_one_part_of_fitting_size(points: np.ndarray, most: int) -> None:
    parts = list(kd_blocks(points, np.arange(len(points)), most))
    assert sorted(np.concatenate(parts).tolist()) == list(range(len(points)))
    assert all(1 <= len(rows) <= most and np.all(np.diff(rows) > 0) for rows in parts)


@given(seed=st.integers(0, 1000), most=st.integers(64, 500))
def test_no_part_is_smaller_than_the_least_share_of_one_too_large(seed: int, most: int) -> None:
    points = np.random.default_rng(seed).lognormal(sigma=3, size=(1000, 2))
    assert min(map(len, kd_blocks(points, np.arange(1000), most))) >= int(MIN_SHARE * most)


def test_values_before_and_after_a_cut_do_not_mix() -> None:
    points = np.random.default_rng(1).lognormal(size=(1000, 1))
    parts = sorted(kd_blocks(points, np.arange(1000), 100), key=lambda rows: points[rows[0], 0])
    for before, after in pairwise(parts):
        assert points[before].max() <= points[after].min()


def test_a_long_tail_is_cut_off_whole() -> None:
    rng = np.random.default_rng(2)
    points = rng.normal(size=(1000, 3))
    points[:20, 1] += 100
    first = next(part for part in kd_blocks(points, np.arange(1000), 900) if 0 in part)
    assert first.tolist() == list(range(20))


def test_equal_records_are_cut_by_their_rows() -> None:
    assert [len(rows) for rows in kd_blocks(np.ones((4, 2)), np.arange(4), 2)] == [1, 1, 2]


@pytest.mark.parametrize("large", [1e308, -1e308])
def test_the_middle_of_very_large_values_is_found(large: float) -> None:
    points = np.array([[large], [0.0], [large], [0.0]])
    assert sorted(rows.tolist() for rows in kd_blocks(points, np.arange(4), 2)) == [[0, 2], [1, 3]]
