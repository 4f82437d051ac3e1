"""Principal components, checked against those of another package."""

import numpy as np
import pytest
from sklearn.decomposition import PCA

from sfumato.loss.values._principal_components import Components, alike, components
from sfumato.numerics.arrays import FloatMatrix


def correlations(seed: int = 1) -> tuple[FloatMatrix, FloatMatrix]:
    rng = np.random.default_rng(seed)
    matrix = rng.normal(size=(80, 5)) @ rng.normal(size=(5, 5))
    return matrix, np.asarray(np.corrcoef(matrix, rowvar=False))


def test_variances_shares_and_directions_are_those_of_another_package() -> None:
    matrix, correlation = correlations()
    expected = PCA().fit((matrix - matrix.mean(axis=0)) / matrix.std(axis=0, ddof=1))
    found = components(correlation)
    assert found.variances == pytest.approx(expected.explained_variance_)
    assert found.shares == pytest.approx(expected.explained_variance_ratio_)
    assert np.abs(found.directions) == pytest.approx(np.abs(expected.components_.T))


def test_loadings_give_the_correlations_back() -> None:
    _, correlation = correlations()
    loadings = components(correlation).loadings
    assert loadings @ loadings.T == pytest.approx(correlation)
    assert (loadings**2).sum(axis=1) == pytest.approx(np.ones(5))
    assert components(correlation).communalities == pytest.approx(loadings[:, 0] ** 2)


def test_directions_of_other_signs_are_turned_back() -> None:
    found = components(correlations()[1])
    flipped = Components(found.variances, found.directions * np.array([1.0, -1.0, -1.0, 1.0, -1.0]))
    before, after = alike(found, flipped)
    assert after.directions == pytest.approx(before.directions)


def test_directions_of_equal_variance_are_turned_among_themselves_only() -> None:
    angle = 0.7
    turn = np.eye(3)
    turn[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    equal, different = np.array([1.4, 1.4, 0.2]), np.array([1.5, 1.3, 0.2])
    for variances, others in ((equal, different), (different, equal), (equal, equal)):
        before, after = alike(Components(variances, np.eye(3)), Components(others, turn))
        assert after.directions == pytest.approx(before.directions)
    before, after = alike(Components(different, np.eye(3)), Components(different, turn))
    assert after.directions == pytest.approx(turn)


def test_a_matrix_without_variance_has_no_shares() -> None:
    assert components(np.zeros((2, 2))).shares.tolist() == [0.0, 0.0]


def test_variances_are_not_negative_where_the_correlations_fit_no_records() -> None:
    impossible = np.array([[1.0, 0.9, -0.9], [0.9, 1.0, 0.9], [-0.9, 0.9, 1.0]])  # as missing values may make them
    assert components(impossible).variances.min() == 0.0
