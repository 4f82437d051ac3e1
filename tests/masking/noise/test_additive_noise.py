import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata
from sfumato.errors import DataError, ParameterError
from sfumato.execution import run_step
from sfumato.masking import AdditiveNoise

N = 200_000
X = np.random.default_rng(1).gamma(2.0, 10.0, N)
DATA = Microdata(pl.DataFrame({"x": X, "y": 2 * X, "half": (np.arange(N) % 2).astype(str)}))


def test_the_noise_has_the_stated_deviation_in_every_block() -> None:
    masked = run_step(AdditiveNoise(columns=("x", "y"), scale=0.3), DATA, seed=1, step=0)
    noise = masked.matrix(("x", "y")) - DATA.matrix(("x", "y"))
    scale = 0.3 * DATA.matrix(("x", "y")).std(axis=0, ddof=1)
    for start in range(0, N, 65_536):
        part = noise[start : start + 65_536] / scale
        tolerance = 5 / np.sqrt(2 * len(part))  # five standard errors of a standard deviation
        assert np.abs(part.std(axis=0) - 1).max() < tolerance
        assert np.abs(part.mean(axis=0)).max() < 5 / np.sqrt(len(part))


def test_the_noise_of_two_columns_is_uncorrelated() -> None:
    masked = run_step(AdditiveNoise(columns=("x", "y"), scale=0.3), DATA, seed=1, step=0)
    noise = masked.matrix(("x", "y")) - DATA.matrix(("x", "y"))
    assert abs(np.corrcoef(*noise.T[:2])[0, 1]) < 5 / np.sqrt(N)


def test_within_strata_the_noise_follows_the_stratum() -> None:
    frame = pl.DataFrame({"x": np.r_[X[:5000], 100 * X[:5000]], "size": ["s"] * 5000 + ["l"] * 5000})
    masked = run_step(AdditiveNoise(columns=("x",), scale=0.1, within=("size",)), Microdata(frame), seed=2, step=0)
    noise = (masked.frame["x"] - frame["x"]).to_numpy()
    assert noise[5000:].std() / noise[:5000].std() == pytest.approx(100, rel=0.1)


def test_refuses_a_constant_column() -> None:
    with pytest.raises(DataError, match=r"AdditiveNoise.columns: 'x' is constant"):
        run_step(AdditiveNoise(columns=("x",)), Microdata(pl.DataFrame({"x": [1.5] * 9})), seed=1, step=0)


def test_refuses_no_noise_at_all() -> None:
    with pytest.raises(ParameterError, match=r"^AdditiveNoise.scale must be in \(0, 1000000\]; got 0"):
        AdditiveNoise(columns=("x",), scale=0)
