"""Least squares, checked against numpy, scipy and the closed form."""

import numpy as np
import pytest
from scipy.stats import linregress

from sfumato.loss.analyses._slope_estimates import SlopeEstimates, estimate_slopes
from sfumato.numerics.row_blocks import BLOCK


def fitted(*columns: np.ndarray) -> SlopeEstimates:
    table = np.column_stack(columns)
    return estimate_slopes(lambda rows: table[rows], len(table))


def test_equals_scipy_for_one_predictor() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(1000, 3, size=40)
    y = 2 * x + rng.normal(size=40)
    expected = linregress(x, y)
    found = fitted(x, y)
    assert found.slopes[0] == pytest.approx(expected.slope)
    assert found.errors[0] == pytest.approx(expected.stderr)
    assert found.freedom == 38
    assert found.units[0] == pytest.approx(y.std() / x.std())


def test_equals_the_inverse_of_the_whole_design_over_several_blocks() -> None:
    rng = np.random.default_rng(1)
    n = BLOCK + 500
    x = rng.normal(size=(n, 3)) @ rng.normal(size=(3, 3)) * [1.0, 1000.0, 0.01] + [5.0, 0.0, -3.0]
    y = x @ [1.0, 0.002, -40.0] + rng.standard_t(5, size=n)
    design = np.column_stack([np.ones(n), x])
    coefficients = np.linalg.lstsq(design, y, rcond=None)[0]
    residuals = y - design @ coefficients
    covariance = np.linalg.inv(design.T @ design) * (residuals @ residuals) / (n - 4)
    found = fitted(x, y)
    assert found.slopes == pytest.approx(coefficients[1:], rel=1e-8)
    assert found.errors == pytest.approx(np.sqrt(np.diag(covariance))[1:], rel=1e-8)


def test_constant_and_dependent_predictors_have_no_slope() -> None:
    rng = np.random.default_rng(0)
    one, other, y = rng.normal(size=(3, 30))
    found = fitted(np.full(30, 0.1), one, other, one + other, y)
    assert np.isnan(found.slopes).tolist() == [True, False, False, True]
    assert found.slopes[1:3] == pytest.approx(fitted(one, other, y).slopes)
    assert found.freedom == 27


def test_an_exact_fit_has_no_error_to_speak_of() -> None:
    x = np.random.default_rng(0).normal(size=50)
    found = fitted(x, 3 * x + 1)
    assert found.slopes == pytest.approx([3.0])
    assert found.errors == pytest.approx([0.0], abs=1e-7)


def test_tells_whether_the_target_varies() -> None:
    x = np.arange(5.0)
    assert fitted(x, x**2).varies
    assert not fitted(x, np.full(5, 0.3)).varies
