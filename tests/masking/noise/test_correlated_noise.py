import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Microdata, numeric
from sfumato.errors import DataError
from sfumato.execution import run_step
from sfumato.masking import CorrelatedNoise
from sfumato.numerics.normal_draws import correlated_normals, square_root

N = 100_000
_rng = np.random.default_rng(3)
MIXING = _rng.normal(size=(3, 3))
DATA = Microdata(pl.DataFrame(_rng.normal(size=(N, 3)) @ MIXING.T, schema=["a", "b", "c"]))


def test_the_covariance_of_the_noise_is_the_stated_multiple() -> None:
    masked = run_step(CorrelatedNoise(columns=numeric, variance_ratio=0.2), DATA, seed=1, step=0)
    noise = masked.matrix(("a", "b", "c")) - DATA.matrix(("a", "b", "c"))
    wanted = 0.2 * np.cov(DATA.matrix(("a", "b", "c")), rowvar=False)
    scale = np.sqrt(np.outer(np.diag(wanted), np.diag(wanted)))
    # a sample covariance has a standard error of at most sqrt(2/n) of the product of the deviations
    assert (np.abs(np.cov(noise, rowvar=False) - wanted) / scale).max() < 5 * np.sqrt(2 / N)
    assert (np.abs(noise.mean(axis=0)) / np.sqrt(np.diag(wanted))).max() < 5 / np.sqrt(N)


def test_a_total_stays_the_sum_of_its_parts() -> None:
    frame = DATA.frame.head(5000).with_columns(total=pl.col("a") + pl.col("b") + pl.col("c"))
    masked = run_step(CorrelatedNoise(columns=numeric), Microdata(frame), seed=1, step=0).frame
    error = masked["total"] - masked["a"] - masked["b"] - masked["c"]
    assert error.abs().max() < 1e-6


@given(seed=st.integers(0, 999), d=st.integers(1, 5), rank=st.integers(1, 5))
def test_the_square_root_gives_back_the_covariance_singular_or_not(seed: int, d: int, rank: int) -> None:
    factor = np.random.default_rng(seed).normal(size=(d, min(rank, d)))
    covariance = factor @ factor.T
    root = square_root(covariance)
    assert np.allclose(root @ root.T, covariance, atol=1e-9 * max(1.0, np.abs(covariance).max()))


def test_normals_of_a_singular_covariance_lie_in_its_space() -> None:
    noise = correlated_normals(100, np.array([[1.0, 1.0], [1.0, 1.0]]), np.random.default_rng(0))
    assert np.allclose(noise[:, 0], noise[:, 1], atol=1e-7)


def test_one_column_is_enough() -> None:
    masked = run_step(CorrelatedNoise(columns=("a",)), DATA, seed=1, step=0)
    assert not np.array_equal(masked.values("a"), DATA.values("a"))


def test_refuses_a_constant_column() -> None:
    frame = DATA.frame.head(50).with_columns(d=pl.lit(4.5))
    with pytest.raises(DataError, match=r"CorrelatedNoise.columns: 'd' is constant"):
        run_step(CorrelatedNoise(columns=("a", "d")), Microdata(frame), seed=1, step=0)


def test_refuses_a_file_without_two_complete_records() -> None:
    frame = pl.DataFrame({"a": [1.0, None, 3.0], "b": [None, 2.0, 3.5]})
    with pytest.raises(DataError, match="covariances need at least 2 records complete in a, b; there are 1"):
        run_step(CorrelatedNoise(columns=("a", "b")), Microdata(frame), seed=1, step=0)
