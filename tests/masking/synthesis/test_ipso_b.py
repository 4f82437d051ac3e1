import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Microdata
from sfumato.masking import IpsoB
from tests.masking.ipso import X, Y, close, fit, people

METHOD = IpsoB(columns=Y, given=X)


@given(seed=st.integers(0, 999), n=st.integers(30, 80), scale=st.sampled_from([1e-6, 1.0, 1e9]))
def test_keeps_the_coefficients_with_collinear_columns_on_both_sides(seed: int, n: int, scale: float) -> None:
    data = people(seed, n, scale)
    masked = METHOD.replace(given=(*X, "costs")).mask(data, np.random.default_rng(seed))
    assert close(fit(masked)[0], fit(data)[0])


@given(seed=st.integers(0, 999))
def test_a_total_stays_the_sum_of_its_parts(seed: int) -> None:
    masked = METHOD.mask(people(seed), np.random.default_rng(seed)).frame
    assert (masked["income"] - masked["wages"] - masked["profits"]).abs().max() < 1e-6


def test_the_residual_covariance_is_kept_on_average_but_not_in_each_draw() -> None:
    data, rng = people(1), np.random.default_rng(2)
    wanted = fit(data)[1]
    draws = np.array([fit(METHOD.mask(data, rng))[1] for _ in range(400)])
    scale = np.sqrt(np.outer(np.diag(wanted), np.diag(wanted)))
    # with f degrees of freedom a variance has a relative standard error of sqrt(2 / f)
    one, average = np.sqrt(2 / 55), np.sqrt(2 / 55 / 400)
    assert (np.abs(draws.mean(axis=0) - wanted) / scale).max() < 5 * average
    assert (np.abs(draws - wanted) / scale).max(axis=(1, 2)).mean() > one / 2


def test_no_masked_value_is_near_its_original() -> None:
    data = people(3, 2000)
    masked = METHOD.mask(data, np.random.default_rng(3))
    near = np.abs(masked.matrix(Y) - data.matrix(Y)) < 0.01 * np.sqrt(np.diag(fit(data)[1]))
    assert near.mean() < 0.02  # noise and residual are apart: less than 2 x 0.01 / sqrt(2 pi) times a little


def test_incomplete_records_get_values_with_noise_of_the_right_size() -> None:
    data = people(4, 20_000)
    frame = data.frame.with_columns(rent=pl.when(pl.int_range(20_000) < 10_000).then(None).otherwise("rent"))
    masked = METHOD.mask(Microdata(frame, data.schema), np.random.default_rng(4))
    before, after = np.cov(data.matrix(Y)[:10_000].T), np.cov(masked.matrix(Y)[:10_000].T)
    scale = np.sqrt(np.outer(np.diag(before), np.diag(before)))
    assert (np.abs(before - after) / scale).max() < 5 * 2 * np.sqrt(2 / 10_000)


def test_complete_records_keep_their_regression_beside_incomplete_ones() -> None:
    data = people(5, 200)
    frame = data.frame.with_columns(age=pl.when(pl.int_range(200) < 40).then(None).otherwise("age"))
    masked = METHOD.mask(Microdata(frame, data.schema), np.random.default_rng(5))
    complete = np.arange(40, 200)
    assert close(fit(masked.take_rows(complete))[0], fit(data.take_rows(complete))[0])
    assert not np.isclose(masked.matrix(Y)[:40], data.matrix(Y)[:40], rtol=1e-6).any()
