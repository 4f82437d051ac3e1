"""Means of the values that are known."""

import numpy as np

from sfumato.numerics.known_means import mean_of_known, row_means

NAN = float("nan")


def test_row_means_are_of_the_known_values() -> None:
    assert np.array_equal(row_means(np.array([[1.0, NAN, 3.0], [NAN, NAN, NAN]])), [2.0, NAN], equal_nan=True)


def test_the_mean_of_no_value_is_0() -> None:
    assert mean_of_known(np.array([NAN, 2.0, 4.0])) == 3.0
    assert mean_of_known(np.array([NAN])) == 0.0
