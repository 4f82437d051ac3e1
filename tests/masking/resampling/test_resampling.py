import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Microdata
from sfumato.errors import ParameterError
from sfumato.execution import run_step
from sfumato.masking.resampling.resampling import Resampling, resample
from sfumato.numerics.ranking import shuffled_order


@given(seed=st.integers(0, 999), n=st.integers(1, 50), samples=st.integers(1, 5))
def test_equals_sorting_each_bootstrap_sample(seed: int, n: int, samples: int) -> None:
    column = np.random.default_rng(seed).integers(0, 9, n).astype(float)
    rng = np.random.default_rng(seed + 1)
    order, ascending = shuffled_order(column, rng), np.sort(column)
    drawn = [np.sort(ascending[rng.integers(n, size=n)]) for _ in range(samples)]
    wanted = np.empty(n)
    wanted[order] = np.mean(drawn, axis=0)
    assert np.allclose(resample(column, samples, np.random.default_rng(seed + 1)), wanted)


@given(seed=st.integers(0, 999), n=st.integers(2, 50))
def test_keeps_the_order_of_the_records(seed: int, n: int) -> None:
    column = np.random.default_rng(seed).normal(size=n)
    masked = resample(column, 3, np.random.default_rng(seed))
    assert (np.diff(masked[np.argsort(column)]) >= 0).all()


def test_the_mean_is_kept_in_expectation() -> None:
    x = np.random.default_rng(0).gamma(1.0, 1.0, 2000)
    rng = np.random.default_rng(1)
    means = np.array([resample(x, 3, rng).mean() for _ in range(300)])
    # the mean of an average of 3 bootstrap samples has standard error sd / sqrt(3 n)
    assert abs(means.mean() - x.mean()) < 5 * x.std() / np.sqrt(3 * 2000 * 300)


def test_refuses_no_samples() -> None:
    with pytest.raises(ParameterError, match=r"^Resampling.samples must be in \[1, 10000\]; got 0$"):
        Resampling(columns=("x",), samples=0)


def test_strata_are_resampled_on_their_own() -> None:
    frame = pl.DataFrame({"x": np.r_[np.arange(50.5), np.arange(1000.5, 1050.5)], "half": ["a"] * 51 + ["b"] * 50})
    masked = run_step(Resampling(columns=("x",), within=("half",)), Microdata(frame), seed=1, step=0).frame
    assert masked["x"][:51].max() <= 50.0
    assert masked["x"][51:].min() >= 1000.5
