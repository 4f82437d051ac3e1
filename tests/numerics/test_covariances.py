"""Covariances of complete records, and estimated ones of all."""

import numpy as np
import pytest

from sfumato.numerics.covariances import complete_covariances, estimated_covariances


def test_are_those_of_the_records_with_every_value() -> None:
    rng = np.random.default_rng(0)
    matrix = rng.normal(1000, 3, size=(60, 3))
    matrix[rng.random(matrix.shape) < 0.2] = np.nan
    complete = matrix[~np.isnan(matrix).any(axis=1)]
    assert complete_covariances(matrix) == pytest.approx(np.cov(complete, rowvar=False))


def test_fewer_than_two_complete_records_have_none() -> None:
    assert np.isnan(complete_covariances(np.array([[1.0, 2.0], [np.nan, 3.0]]))).all()


def with_a_total(n: int = 400) -> np.ndarray:
    rng = np.random.default_rng(1)
    parts = rng.gamma(2.0, 1000.0, size=(n, 3)) @ rng.normal(size=(3, 3))
    return np.column_stack([parts, parts.sum(axis=1)])


def without(matrix: np.ndarray, share: float) -> np.ndarray:
    gaps = np.random.default_rng(2).random(matrix.shape) < share
    gaps[:, 0] &= ~gaps.all(axis=1)
    return np.where(gaps, np.nan, matrix)


def test_columns_without_gaps_have_the_covariances_that_they_have_alone() -> None:
    matrix = with_a_total()[:, :3]
    matrix[::4, 2] = np.nan
    found = estimated_covariances(matrix)
    assert found[:2, :2] == pytest.approx(np.cov(matrix[:, :2], rowvar=False))


def test_a_column_with_gaps_has_the_variance_that_its_regression_gives() -> None:
    matrix = with_a_total()[:, :2]
    matrix[matrix[:, 0] > np.median(matrix[:, 0]), 1] = np.nan
    x, y = matrix[~np.isnan(matrix[:, 1])].T
    slope = np.cov(x, y)[0, 1] / x.var(ddof=1)
    left = (y - slope * x).var(ddof=1)
    variance = matrix[:, 0].var(ddof=1)
    wanted = [[variance, slope * variance], [slope * variance, slope**2 * variance + left]]
    assert estimated_covariances(matrix) == pytest.approx(np.array(wanted))


def test_values_missing_by_chance_change_little() -> None:
    matrix = with_a_total(20_000)
    wanted = np.cov(matrix, rowvar=False)
    scale = np.sqrt(np.outer(np.diag(wanted), np.diag(wanted)))
    assert (np.abs(estimated_covariances(without(matrix, 0.2)) - wanted) / scale).max() < 0.05


@pytest.mark.parametrize("share", [0.02, 0.3, 0.6])
def test_a_total_whose_parts_are_missing_here_and_there_stays_their_sum(share: float) -> None:
    found = estimated_covariances(without(with_a_total(), share))
    relation = np.array([1.0, 1.0, 1.0, -1.0])
    assert abs(relation @ found @ relation) < 1e-12 * np.diag(found).max()


def test_a_relation_that_only_complete_records_keep_is_none() -> None:
    rng = np.random.default_rng(3)
    matrix = rng.normal(size=(300, 3))
    matrix[:100, 1], matrix[100:, 2] = matrix[:100, 0], np.nan
    found = estimated_covariances(matrix)
    relation = np.array([1.0, -1.0, 0.0])
    assert relation @ found @ relation == pytest.approx((matrix[:, 0] - matrix[:, 1]).var(ddof=1))


def test_a_column_of_few_values_keeps_its_scale() -> None:
    matrix = np.random.default_rng(4).normal(size=(1000, 3))
    matrix[7:, 2], matrix[2:7, 1] = np.nan, np.nan
    own = matrix[:7, 2].var(ddof=1)
    assert own / 2 < estimated_covariances(matrix)[2, 2] < own * 2


def test_a_constant_column_has_no_variance() -> None:
    matrix = without(with_a_total(), 0.2)
    matrix[:, 1] = np.where(np.isnan(matrix[:, 1]), np.nan, 0.1)
    assert (estimated_covariances(matrix)[1] == 0.0).all()
