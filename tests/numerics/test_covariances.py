"""Covariances of complete records."""

import numpy as np
import pytest

from sfumato.numerics.covariances import complete_covariances


def test_are_those_of_the_records_with_every_value() -> None:
    rng = np.random.default_rng(0)
    matrix = rng.normal(1000, 3, size=(60, 3))
    matrix[rng.random(matrix.shape) < 0.2] = np.nan
    complete = matrix[~np.isnan(matrix).any(axis=1)]
    assert complete_covariances(matrix) == pytest.approx(np.cov(complete, rowvar=False))


def test_fewer_than_two_complete_records_have_none() -> None:
    assert np.isnan(complete_covariances(np.array([[1.0, 2.0], [np.nan, 3.0]]))).all()
