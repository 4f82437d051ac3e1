"""Means of the values that are known."""

from typing import Literal

import numpy as np
import pytest

from sfumato.numerics.known_means import known_sums, mean_of_known, row_means

NAN = float("nan")


def test_row_means_are_of_the_known_values() -> None:
    assert np.array_equal(row_means(np.array([[1.0, NAN, 3.0], [NAN, NAN, NAN]])), [2.0, NAN], equal_nan=True)


def test_the_mean_of_no_value_is_0() -> None:
    assert mean_of_known(np.array([NAN, 2.0, 4.0])) == 3.0
    assert mean_of_known(np.array([NAN])) == 0.0


@pytest.mark.parametrize("order", ["C", "F"])
def test_sums_of_columns_without_gaps_are_those_of_columns_with_zeros_in_their_gaps(order: Literal["C", "F"]) -> None:
    values = np.asarray(np.random.default_rng(0).lognormal(0, 9, (1000, 3)), order=order)
    with_gaps = values.copy(order=order)
    values[::7, 1], with_gaps[::7, 1] = 0.0, NAN
    whole, partial = known_sums(values), known_sums(with_gaps)
    assert whole[0].tobytes() == partial[0].tobytes()
    assert (whole[1] - partial[1]).tolist() == [0, 143, 0]
