"""Regressions from noisy data, against those of the original file and against closed forms."""

from itertools import product

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata, Schema
from sfumato.errors import DataError, ParameterError
from sfumato.masking import AdditiveNoise, CorrelatedNoise, MixtureNoise, corrected_regression
from sfumato.masking.noise._corrected_regression import unbiased_product

N = 20_000
_rng = np.random.default_rng(4)
AGE = _rng.normal(5, 1, N)
INCOME = 2 + 0.8 * AGE + _rng.normal(0, 1, N)
SEX = _rng.choice(["f", "m"], N)
TAX = 1 + 0.5 * INCOME - 0.2 * AGE + 0.1 * INCOME * AGE + 0.7 * (SEX == "m") + _rng.normal(0, 0.5, N)
DATA = Microdata(pl.DataFrame({"age": AGE, "income": INCOME, "sex": SEX, "tax": TAX}))
TERMS = ["income", "age", "income:age", "sex"]

every_noise = pytest.mark.parametrize(
    "noise",
    [
        noise.replace(rescaled=rescaled)
        for rescaled in (False, True)
        for noise in (
            AdditiveNoise(columns=("income", "age", "tax"), scale=0.4),
            CorrelatedNoise(columns=("income", "age", "tax"), variance_ratio=0.15),
        )
    ],
    ids=str,
)


def of_the_original(*columns: np.ndarray) -> np.ndarray:
    return np.asarray(np.linalg.lstsq(np.column_stack([np.ones(N), *columns]), TAX, rcond=None)[0])


@every_noise
def test_coefficients_and_interactions_of_the_original_file_come_out(noise: AdditiveNoise | CorrelatedNoise) -> None:
    masked = noise.mask(DATA, np.random.default_rng(8))
    found = corrected_regression(masked, noise, response="tax", terms=TERMS)
    exact = of_the_original(INCOME, AGE, INCOME * AGE, SEX == "m")
    assert found.terms == ("intercept", "income", "age", "income:age", "sex[m]")
    assert (np.abs(found.coefficients - exact) < 4 * found.standard_errors).all()
    assert abs(found.uncorrected[3] - exact[3]) > 3 * found.standard_errors[3]  # the interaction of noisy data is off
    assert found.n == N


@pytest.mark.parametrize("terms", [["income", "age"], ["income", "age", "income:age"]])
def test_standard_errors_are_the_deviations_over_samples_and_draws(terms: list[str]) -> None:
    noise = CorrelatedNoise(columns=("income", "age"), variance_ratio=0.2)
    runs = [
        corrected_regression(
            noise.mask(DATA.take_rows(np.arange(start, start + 400)), np.random.default_rng(start)),
            noise,
            response="tax",
            terms=terms,
        )
        for start in range(0, N, 400)
    ]
    ratio = np.std([run.coefficients for run in runs], axis=0) / np.mean([run.standard_errors for run in runs], axis=0)
    assert ratio == pytest.approx(1.0, abs=0.35)  # 50 runs: a deviation has an error of a tenth


@pytest.mark.parametrize("scale", [0.3, 0.5])
def test_slopes_on_whole_numbers_bear_that_noise_was_rounded(scale: float) -> None:
    rng = np.random.default_rng(2)
    rooms, other = rng.poisson(1.5, N), rng.normal(0, 1, N)
    rent = 1 + rooms + other + 0.5 * rooms * other + rng.normal(0, 0.3, N)
    frame = pl.DataFrame({"rooms": rooms, "other": other, "rent": rent})
    noise = AdditiveNoise(columns=("rooms",), scale=scale)
    masked = noise.mask(Microdata(frame, Schema.infer(frame).with_kinds(continuous=["rooms"])), rng)
    found = corrected_regression(masked, noise, response="rent", terms=["rooms", "other", "rooms:other"])
    assert (np.abs(found.coefficients - [1, 1, 1, 0.5]) < 3.5 * found.standard_errors).all()
    assert found.standard_errors[1] < 0.01  # rounding alone would draw the slope down by 0.03


def test_a_single_slope_is_the_covariance_over_the_variance_less_that_of_the_noise() -> None:
    noise = AdditiveNoise(columns=("income",), scale=0.5)
    masked = noise.mask(DATA, np.random.default_rng(1))
    noisy = masked.values("income")
    slope = np.cov(noisy, TAX, bias=True)[0, 1] / (noisy.var() - noisy.var(ddof=1) * 0.25 / 1.25)
    found = corrected_regression(masked, noise, response="tax", terms=["income"])
    assert found.coefficients[1] == pytest.approx(slope)
    assert found.uncorrected[1] == pytest.approx(np.polyfit(noisy, TAX, 1)[0])


@pytest.mark.parametrize("factors", [(0, 0), (0, 1), (0, 0, 1), (0, 1, 0, 1), (1, 1, 1, 0), (0, 0, 0, 0)])
def test_products_have_the_original_product_as_their_mean_over_all_noise(factors: tuple[int, ...]) -> None:
    original, covariance = np.array([1.5, -0.7]), np.array([[0.9, 0.4], [0.4, 0.6]])
    points, weights = np.polynomial.hermite_e.hermegauss(9)
    root = np.linalg.cholesky(covariance)
    noisy = np.array([original + root @ pair for pair in product(points, repeat=2)])
    chances = np.array([a * b for a, b in product(weights, repeat=2)]) / weights.sum() ** 2
    mean = float(chances @ unbiased_product(factors, noisy, covariance))
    assert mean == pytest.approx(np.prod(original[list(factors)]))


def test_mixture_noise_is_corrected_without_interactions() -> None:
    noise = MixtureNoise(columns=("income", "age"), variance_ratio=0.2)
    masked = noise.mask(DATA, np.random.default_rng(2))
    found = corrected_regression(masked, noise, response="tax", terms=["income", "age"])
    assert (np.abs(found.coefficients - of_the_original(INCOME, AGE)) < 4 * found.standard_errors).all()
    with pytest.raises(DataError, match="the fourth moments of mixture noise are not those of normal noise"):
        corrected_regression(masked, noise, response="tax", terms=TERMS)


def test_records_with_gaps_are_left_out() -> None:
    noise = AdditiveNoise(columns=("income",), scale=0.3)
    masked = noise.mask(DATA, np.random.default_rng(1))
    holes = Microdata(masked.frame.with_columns(sex=pl.when(pl.int_range(N) < 100).then(None).otherwise(pl.col("sex"))))
    assert corrected_regression(holes, noise, response="tax", terms=["income", "sex"]).n == N - 100


@pytest.mark.parametrize(
    ("response", "terms", "message"),
    [
        ("tax", [], "terms must name at least one column; got none"),
        ("tax", ["incme"], "there is no column 'incme'; did you mean 'income'"),
        ("sex", ["income"], "response must be a column of numbers; 'sex' has categories"),
        ("tax", ["income", "income"], "terms must name each term once"),
        ("tax", ["income", "tax:income:age:age"], "must have at most 3 factors"),
        ("tax", ["income", "age", "double"], "the columns determine each other"),
    ],
)
def test_refuses_what_cannot_be_estimated(response: str, terms: list[str], message: str) -> None:
    data = Microdata(DATA.frame.head(500).with_columns(double=2 * pl.col("age")))
    noise = AdditiveNoise(columns=("income",), scale=0.3)
    with pytest.raises((DataError, ParameterError), match=message):
        corrected_regression(data, noise, response=response, terms=terms)
