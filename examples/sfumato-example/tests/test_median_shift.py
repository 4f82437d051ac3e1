"""Median shift: what it promises."""

import numpy as np
import pytest

import sfumato as sf
from sfumato_example import Jitter, MedianShift
from sfumato_example.median_shift import shift


def test_an_unchanged_file_has_no_shift() -> None:
    data = sf.datasets.demo(200)
    assert MedianShift(columns=sf.numeric).measure(data, data).value == 0


def test_is_the_mean_over_columns() -> None:
    data = sf.datasets.demo(200)
    masked = sf.Recipe(steps=[Jitter(columns=sf.numeric, width=50)], seed=7).run(data)
    found = MedianShift(columns=sf.numeric).measure(data, masked)
    assert found.value == pytest.approx(sum(found.parts.values()) / len(found.parts))
    assert found.value > 0


def test_a_move_as_wide_as_the_quartiles_are_apart_is_a_hundred() -> None:
    assert shift(np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.array([5.0])) == 100


def test_a_column_that_is_mostly_one_value_is_moved_or_not() -> None:
    assert shift(np.ones(9), np.ones(3)) == 0
    assert shift(np.ones(9), np.full(3, 1.5)) == 100
