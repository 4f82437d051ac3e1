"""Moments of the observed values, checked against numpy on the records that have both columns."""

import numpy as np
import pytest

from sfumato.loss.values._moments import moments

NAN = float("nan")


def test_complete_columns_have_the_usual_moments() -> None:
    matrix = np.random.default_rng(1).normal(3, 2, size=(50, 4))
    found = moments(matrix)
    assert found.means == pytest.approx(matrix.mean(axis=0))
    assert found.covariances == pytest.approx(np.cov(matrix, rowvar=False))
    assert found.variances == pytest.approx(matrix.var(axis=0, ddof=1))
    assert found.correlations == pytest.approx(np.corrcoef(matrix, rowvar=False))


def test_two_columns_are_compared_over_the_records_that_have_both() -> None:
    rng = np.random.default_rng(1)
    matrix = rng.normal(1000, 2, size=(60, 3))
    matrix[rng.random(matrix.shape) < 0.3] = NAN
    found = moments(matrix)
    for j in range(3):
        for k in range(3):
            both = matrix[~np.isnan(matrix[:, [j, k]]).any(axis=1)]
            assert found.covariances[j, k] == pytest.approx(np.cov(both[:, j], both[:, k])[0, 1])
            assert found.correlations[j, k] == pytest.approx(np.corrcoef(both[:, j], both[:, k])[0, 1])


def test_a_constant_column_has_no_variance_even_when_its_mean_is_rounded() -> None:
    found = moments(np.column_stack([np.full(3, 0.1), [1.0, 2.0, 4.0]]))
    assert found.variances[0] == 0.0
    assert found.correlations[0].tolist() == [0.0, 0.0]


def test_a_column_that_is_constant_where_the_other_is_known_has_no_correlation_with_it() -> None:
    matrix = np.array([[0.1, 1.0], [0.1, 2.0], [0.1, 4.0], [5.7, NAN]])
    found = moments(matrix)
    assert found.correlations[0, 1] == 0.0
    assert found.variances[0] > 0


def test_columns_never_known_together_have_no_covariance() -> None:
    found = moments(np.array([[1.0, NAN], [2.0, NAN], [NAN, 3.0], [NAN, 5.0], [7.0, 4.0]]))
    assert found.covariances[0, 1] == 0.0
    assert not np.isnan(found.correlations).any()
