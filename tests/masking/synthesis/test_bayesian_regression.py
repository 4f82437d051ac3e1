"""Regression with coefficients drawn from their posterior."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.masking.synthesis._bayesian_regression import fit_bayesian_regression


@given(seed=st.integers(0, 999), n=st.integers(4, 40), scale=st.sampled_from([1e-3, 1.0, 1e6]))
def test_the_fit_is_that_of_numpy_also_with_collinear_predictors(seed: int, n: int, scale: float) -> None:
    rng = np.random.default_rng(seed)
    x = np.vstack([np.ones(n), rng.normal(size=(2, n))])
    x = np.vstack([x, x[1] + x[2]])
    y = scale * rng.normal(size=n)
    fit = fit_bayesian_regression(y, x)
    wanted, *_ = np.linalg.lstsq(x.T, y, rcond=None)
    assert np.allclose(fit.coefficients, wanted, atol=1e-9 * scale)
    assert fit.residual_sum == pytest.approx(((y - x.T @ wanted) ** 2).sum(), abs=1e-9 * scale**2)
    assert fit.freedom == n - 3
    assert np.allclose(fit.root @ fit.root.T, np.linalg.pinv(x @ x.T))


def test_drawn_parameters_have_their_posterior_moments() -> None:
    rng = np.random.default_rng(1)
    x = np.vstack([np.ones(30), rng.normal(size=30)])
    fit = fit_bayesian_regression(rng.normal(size=30), x)
    draws = [fit.draw(rng) for _ in range(20_000)]
    variances = np.array([deviation**2 for _, deviation in draws])
    wanted = fit.residual_sum / 26  # the mean of an inverse chi-square with 28 degrees of freedom
    assert variances.mean() == pytest.approx(wanted, rel=0.02)
    coefficients = np.array([drawn for drawn, _ in draws])
    covariance = wanted * np.linalg.inv(x @ x.T)
    assert np.abs(coefficients.mean(axis=0) - fit.coefficients).max() < 5 * np.sqrt(covariance.max() / 20_000)
    assert np.allclose(np.cov(coefficients.T), covariance, atol=0.05 * covariance.max())
