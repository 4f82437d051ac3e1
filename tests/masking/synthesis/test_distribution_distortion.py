import numpy as np
import polars as pl
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Microdata, Schema, Variable
from sfumato.errors import DataError, ParameterError
from sfumato.execution import run_step
from sfumato.masking.synthesis._distribution_fitting import FITTERS
from sfumato.masking.synthesis.distribution_distortion import DistributionDistortion, distort, with_frequencies

ALL = tuple(FITTERS)
TWO_HEAPS = np.r_[np.linspace(0, 1, 500), np.linspace(9, 10, 300)]  # no distribution of the set has two heaps


@given(seed=st.integers(0, 999), n=st.integers(2, 60))
def test_keeps_the_order_of_the_records(seed: int, n: int) -> None:
    column = np.random.default_rng(seed).normal(size=n)
    masked = distort(column, ("normal", "uniform"), 0.05, None, np.random.default_rng(seed))
    assert np.array_equal(np.argsort(masked), np.argsort(column))


def test_draws_from_the_distribution_that_fits() -> None:
    column = np.random.default_rng(1).gamma(2.0, 500.0, 4000)
    masked = distort(column, ALL, 0.05, None, np.random.default_rng(2))
    assert scipy.stats.kstest(masked, scipy.stats.gamma(2, 0, 500).cdf).pvalue > 1e-3
    assert not np.isin(masked, column).any()


@given(seed=st.integers(0, 99), intervals=st.integers(8, 20))
def test_imposes_the_frequencies_where_no_distribution_fits(seed: int, intervals: int) -> None:
    masked = distort(TWO_HEAPS, ALL, 0.05, intervals, np.random.default_rng(seed))
    edges = np.linspace(0, 10, intervals + 1)
    assert np.array_equal(np.histogram(masked, edges)[0], np.histogram(TWO_HEAPS, edges)[0])
    assert not np.array_equal(masked, TWO_HEAPS)


def test_imposed_frequencies_are_what_discarding_the_overflow_gives() -> None:
    column = np.r_[np.zeros(10), np.full(20, 5.0), 8.0]
    edges, counts = np.linspace(0, 8, 9), np.array([10, 0, 0, 0, 0, 20, 0, 1])
    rng = np.random.default_rng(3)
    filled: list[list[float]] = [[] for _ in counts]
    while any(len(found) < count for found, count in zip(filled, counts, strict=True)):
        draw = rng.uniform(0, 8)
        place = int(draw)
        if len(filled[place]) < counts[place]:
            filled[place].append(draw)
    drawn = with_frequencies(column, 8, np.random.default_rng(4))
    assert np.array_equal(np.histogram(drawn, edges)[0], [len(found) for found in filled])


def test_a_higher_level_rejects_more() -> None:
    column = np.random.default_rng(5).exponential(1.0, 300)
    gentle, strict = (distort(column, ("normal",), level, 8, np.random.default_rng(0)) for level in (1e-12, 0.99))
    assert gentle.min() < column.min()  # normal draws fall below 0
    assert strict.min() >= column.min()


def test_strata_have_distributions_of_their_own() -> None:
    frame = pl.DataFrame(
        {"x": np.r_[np.linspace(0, 1, 50), np.linspace(1000, 1001, 50)], "half": ["a"] * 50 + ["b"] * 50}
    )
    method = DistributionDistortion(columns=("x",), distributions=("uniform",), within=("half",))
    masked = run_step(method, Microdata(frame), seed=1, step=0).frame["x"]
    assert masked[:50].max() <= 1.0
    assert masked[50:].min() >= 1000.0


def test_refuses_a_constant_column() -> None:
    data = Microdata(pl.DataFrame({"x": [2.5, 2.5, None]}))
    with pytest.raises(DataError, match=r"^DistributionDistortion.columns: 'x' has equal values only"):
        DistributionDistortion(columns=("x",)).mask(data, np.random.default_rng(0))


def test_refuses_draws_that_no_float_can_hold() -> None:
    data = Microdata(pl.DataFrame({"x": np.exp(np.linspace(0, 172, 300))}))
    with pytest.raises(
        DataError, match=r"^DistributionDistortion.distributions: the one fitted to 'x' gives values too"
    ):
        DistributionDistortion(columns=("x",), distributions=("log_normal",), significance=1e-9).mask(
            data, np.random.default_rng(0)
        )


def test_refuses_a_distribution_that_it_does_not_know() -> None:
    with pytest.raises(
        ParameterError, match=r"DistributionDistortion.distributions.0 must be 'normal', .*; got 'norm'"
    ):
        DistributionDistortion(columns=("x",), distributions=("norm",))


@pytest.mark.parametrize("intervals", [7, 21])
def test_refuses_fewer_than_8_or_more_than_20_intervals(intervals: int) -> None:
    with pytest.raises(ParameterError, match=r"DistributionDistortion.intervals must be in \[8, 20\]; got"):
        DistributionDistortion(columns=("x",), intervals=intervals)


def test_refuses_whole_numbers_that_would_come_out_as_they_were() -> None:
    codes = np.random.default_rng(1).integers(0, 5, 5000)
    schema = Schema(variables=(Variable(name="x", kind="continuous"),))
    with pytest.raises(DataError, match="most would come out as they were; use invariant_pram"):
        DistributionDistortion(columns=("x",)).mask(
            Microdata(pl.DataFrame({"x": codes}), schema), np.random.default_rng(0)
        )


@pytest.mark.parametrize("spread", [4, 8, 12, 40])
def test_what_is_refused_does_not_depend_on_the_draws(spread: int) -> None:
    values = np.random.default_rng(2).integers(0, spread, 300)
    schema = Schema(variables=(Variable(name="x", kind="continuous"),))
    data, refused = Microdata(pl.DataFrame({"x": values}), schema), set()
    for seed in range(6):
        try:
            DistributionDistortion(columns=("x",)).mask(data, np.random.default_rng(seed))
            refused.add(False)
        except DataError:
            refused.add(True)
    assert refused == {spread < 40}


def test_whole_numbers_too_large_for_counts_are_not_drawn_as_counts() -> None:
    assert FITTERS["poisson"](np.array([1e19, 3e19])) is None
