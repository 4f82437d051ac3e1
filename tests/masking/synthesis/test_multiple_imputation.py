import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata
from sfumato.execution import run_step
from sfumato.masking.synthesis.multiple_imputation import MultipleImputation, normal_draw
from tests.masking.ipso import X, Y, close, fit, people


def run(method: MultipleImputation, data: Microdata, seed: int = 3) -> Microdata:
    return run_step(method, data, seed=seed, step=0)


def test_keeps_the_regression_in_expectation() -> None:
    data = people(1, 2000)
    coefficients, covariance = fit(data)
    files = [fit(run(MultipleImputation(columns=Y, given=X), data, seed)) for seed in range(60)]
    found = np.array([drawn for drawn, _ in files])
    error = found.std(axis=0) / np.sqrt(60)
    assert (np.abs(found.mean(axis=0) - coefficients) < 5 * error + 1e-9).all()
    assert np.allclose(np.mean([residual for _, residual in files], axis=0), covariance, atol=0.02 * covariance.max())


def test_a_total_after_its_parts_stays_their_sum() -> None:
    masked = run(MultipleImputation(columns=Y, given=X), people(2))
    assert close(masked.values("income"), masked.values("wages") + masked.values("profits"))


def test_a_total_before_its_parts_makes_the_last_part_what_is_left() -> None:
    masked = run(MultipleImputation(columns=("income", "wages", "profits"), given=X), people(2))
    assert close(masked.values("profits"), masked.values("income") - masked.values("wages"))


def test_collinear_given_columns_change_nothing_but_the_draws() -> None:
    data = people(4, 3000)
    plain, more = (fit(run(MultipleImputation(columns=Y, given=g), data))[1] for g in (X, (*X, "costs")))
    error = np.sqrt(2 * np.outer(np.diag(plain), np.diag(plain)) / data.n)  # of the difference of two covariances
    assert (np.abs(plain - more) < 5 * error).all()


def test_a_draw_is_the_fitted_line_plus_errors_of_the_residual_size() -> None:
    rng = np.random.default_rng(7)
    x = np.vstack([np.ones(20_000), rng.normal(size=20_000)])
    y = 3 + 2 * x[1] + 0.5 * rng.normal(size=20_000)
    asked = np.vstack([np.ones(20_000), np.full(20_000, 10.0)])
    drawn = normal_draw(y, x, asked, rng)
    assert drawn.mean() == pytest.approx(23, abs=0.2)
    assert drawn.std() == pytest.approx(0.5, rel=0.03)


def test_draws_differ_by_the_uncertainty_of_the_parameters_too() -> None:
    rng, constant = np.random.default_rng(8), np.ones((1, 25))
    x = rng.normal(size=25)
    means = np.array([normal_draw(x, constant, constant, rng).mean() for _ in range(4000)])
    variance = x.var(ddof=1) * 24 / 22  # of an error, its variance drawn too
    assert means.var() == pytest.approx(2 * variance / 25, rel=0.15)  # the drawn mean, and the mean of the errors


def test_integer_columns_get_rounded_values() -> None:
    data = people(9).frame.with_columns((pl.col("wages") * 10).cast(pl.Int64))
    masked = run(MultipleImputation(columns=("wages",), given=X), Microdata(data))
    assert masked.frame["wages"].dtype == pl.Int64
