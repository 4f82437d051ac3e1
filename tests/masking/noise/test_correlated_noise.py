import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Microdata, numeric
from sfumato.errors import DataError
from sfumato.execution import run_step
from sfumato.masking import CorrelatedNoise, MixtureNoise
from sfumato.numerics.normal_draws import correlated_normals, square_root
from tests.matrices import microdata, names_of

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


def with_gaps(n: int = 4000) -> Microdata:
    """Return parts and their total, without gaps, and savings with gaps that leave the others unlike all records."""
    rng = np.random.default_rng(7)
    wage, rent = rng.gamma(2.0, 1000.0, n), rng.gamma(1.0, 300.0, n)
    savings = np.where((rng.random(n) < 0.3) | (rent > 1200), np.nan, rng.gamma(1.0, 5000.0, n) + wage)
    return microdata(np.column_stack([wage, rent, wage + rent, savings]))


@pytest.mark.parametrize("rescaled", [False, True])
@pytest.mark.parametrize("method", [CorrelatedNoise, MixtureNoise])
def test_gaps_in_another_column_neither_break_a_sum_nor_bare_a_direction(
    method: type[CorrelatedNoise] | type[MixtureNoise], rescaled: bool
) -> None:
    data = with_gaps()
    names = data.schema.names
    noise = method(columns=names, variance_ratio=0.5, rescaled=rescaled)
    before, after = (file.matrix(names)[:, :3] for file in (data, run_step(noise, data, seed=1, step=0)))
    assert np.abs(after @ [1, 1, -1]).max() < 1e-6 * before.max()
    parts = before[:, :2] - before[:, :2].mean(axis=0)
    undone = (after[:, :2] - before[:, :2].mean(axis=0)) * (np.sqrt(1.5) if rescaled else 1.0) - parts
    # the variance of the noise along every direction of the two parts, as a multiple of that of the data
    ratios = np.linalg.eigvals(np.linalg.solve(np.cov(parts, rowvar=False), np.cov(undone, rowvar=False)))
    assert ratios.real == pytest.approx(0.5, abs=5 * 0.5 * np.sqrt(2 / len(parts)))


@pytest.mark.parametrize("method", [CorrelatedNoise, MixtureNoise])
def test_a_total_with_gaps_stays_the_sum_of_its_parts(method: type[CorrelatedNoise] | type[MixtureNoise]) -> None:
    matrix = with_gaps().matrix(names_of(np.empty((0, 4))))
    matrix[::5, 0], matrix[1::7, 2] = np.nan, np.nan
    data = microdata(matrix)
    after = run_step(method(columns=data.schema.names), data, seed=1, step=0).matrix(data.schema.names)
    assert np.nanmax(np.abs(after[:, 0] + after[:, 1] - after[:, 2])) < 1e-6 * np.nanmax(matrix)


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
