import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Microdata, Schema, Variable
from sfumato.errors import DataError
from sfumato.execution import run_step
from sfumato.masking import IpsoC
from tests.masking.ipso import X, Y, close, design, fit, people

METHOD = IpsoC(columns=Y, given=X)


@given(seed=st.integers(0, 999), n=st.integers(30, 80), scale=st.sampled_from([1e-6, 1.0, 1e9]))
def test_keeps_coefficients_and_residual_covariance_with_collinear_columns(seed: int, n: int, scale: float) -> None:
    data = people(seed, n, scale)
    masked = METHOD.replace(given=(*X, "costs")).mask(data, np.random.default_rng(seed))
    for found, wanted in zip(fit(masked), fit(data), strict=True):
        assert close(found, wanted)


@given(seed=st.integers(0, 999))
def test_keeps_all_means_and_covariances(seed: int) -> None:
    data = people(seed)
    names = (*Y, "age", "rent")
    masked = METHOD.mask(data, np.random.default_rng(seed))
    assert close(np.cov(masked.matrix(names).T), np.cov(data.matrix(names).T))
    assert close(masked.matrix(names).mean(axis=0), data.matrix(names).mean(axis=0))


@given(seed=st.integers(0, 999), n=st.integers(3, 30), p=st.integers(1, 6), k=st.integers(1, 6), rank=st.integers(1, 4))
def test_files_of_any_shape_and_rank_keep_their_moments_or_are_refused(
    seed: int, n: int, p: int, k: int, rank: int
) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, min(rank, k))) @ rng.normal(size=(min(rank, k), k))
    y = x @ rng.normal(size=(k, p)) + rng.normal(size=(n, min(rank, p))) @ rng.normal(size=(min(rank, p), p))
    columns = {f"y{j}": y[:, j] for j in range(p)} | {f"x{j}": x[:, j] for j in range(k)}
    data = Microdata(pl.DataFrame(columns), Schema(variables=[Variable(name=c, kind="continuous") for c in columns]))
    method = IpsoC(columns=tuple(columns)[:p], given=tuple(columns)[p:])
    if n - 1 - min(rank, k) <= min(rank, p):  # nothing is left to choose
        with pytest.raises(DataError, match="IpsoC needs more than"):
            method.mask(data, rng)
        return
    about = np.column_stack([np.ones(n), x])
    if (about * np.linalg.pinv(about).T).sum(axis=1).max() >= 0.9:
        with pytest.raises(DataError, match=r"^IpsoC.given: records that decide alone what is fitted to them"):
            method.mask(data, rng)
        return
    masked = method.mask(data, rng)
    assert close(np.cov(masked.matrix(tuple(columns)).T), np.cov(data.matrix(tuple(columns)).T))
    assert not np.isclose(masked.matrix(tuple(columns)[:p]), y, rtol=1e-6).all()


def test_a_total_stays_the_sum_of_its_parts() -> None:
    masked = METHOD.mask(people(3), np.random.default_rng(3)).frame
    assert (masked["income"] - masked["wages"] - masked["profits"]).abs().max() < 1e-6


def test_residuals_are_uncorrelated_with_the_original_ones() -> None:
    data = people(4, 5000)
    masked = METHOD.mask(data, np.random.default_rng(4))
    expected = design(data) @ fit(data)[0]
    before, after = data.matrix(Y) - expected, masked.matrix(Y) - expected
    between = np.corrcoef(before.T, after.T)[:3, 3:]
    assert np.abs(between).max() < 5 / np.sqrt(5000)


def test_integer_columns_get_rounded_values() -> None:
    data = people(5, 5000)
    frame = data.frame.with_columns(pl.col("wages").round().cast(pl.Int64))
    whole = Microdata(frame, data.schema)
    masked = IpsoC(columns=("wages",), given=X).mask(whole, np.random.default_rng(5))
    assert masked.frame["wages"].dtype == pl.Int64
    before, after = whole.values("wages"), masked.values("wages")
    assert after.mean() == pytest.approx(before.mean(), abs=5 * np.sqrt(1 / 12 / 5000))
    assert after.std() == pytest.approx(before.std(), rel=1e-3)


def test_within_strata_each_stratum_keeps_its_moments() -> None:
    data = people(6, 120)
    masked = run_step(IpsoC(columns=Y, given=("age",), within=("region",)), data, seed=1, step=0)
    for region in ("north", "south", "west"):
        rows = np.flatnonzero(data.frame["region"].to_numpy() == region)
        before, after = data.matrix((*Y, "age"))[rows], masked.matrix((*Y, "age"))[rows]
        assert close(np.cov(after.T), np.cov(before.T))


def test_very_large_and_very_small_values_do_not_overflow() -> None:
    for scale in (1e-60, 1e60):
        data = people(7, scale=scale)
        masked = IpsoC(columns=("wages", "profits"), given=("age", "rent")).mask(data, np.random.default_rng(7))
        before, after = data.values("wages") / scale, masked.values("wages") / scale
        assert after.std() == pytest.approx(before.std(), rel=1e-9)
