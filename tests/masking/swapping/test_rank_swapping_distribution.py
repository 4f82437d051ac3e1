import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata
from sfumato.errors import ParameterError
from sfumato.execution import run_step
from sfumato.masking import RankSwapping, RankSwappingDistribution
from sfumato.masking.swapping.rank_swapping_distribution import swap_by_distance

N = 20_000


@given(values=st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60), window=st.floats(0, 60), seed=st.integers(0, 99))
def test_keeps_the_marginal_exactly(values: list[float], window: float, seed: int) -> None:
    swapped = swap_by_distance(np.array(values), window, np.random.default_rng(seed))
    assert sorted(swapped.tolist()) == sorted(values)


@given(n=st.integers(1, 80), window=st.floats(0, 80), seed=st.integers(0, 99))
def test_every_value_but_at_most_one_is_swapped(n: int, window: float, seed: int) -> None:
    ranks = np.random.default_rng(seed).permutation(n).astype(float)
    swapped = swap_by_distance(ranks, window, np.random.default_rng(seed))
    assert (swapped == ranks).sum() == n % 2


def test_distances_go_beyond_the_window_and_rarely_beyond_three_times_it() -> None:
    data = Microdata(pl.DataFrame({"x": np.arange(float(N))}))
    masked = RankSwappingDistribution(columns=("x",), window=5).mask(data, np.random.default_rng(0))
    distances = np.abs(masked.values("x") - np.arange(N))
    beyond = (distances > 0.05 * N).mean()
    assert 0.05 < beyond < 0.25  # 16 % of the draws lie more than a standard deviation above the mean
    assert (distances > 0.15 * N).mean() < 0.001
    assert distances.mean() / N == pytest.approx(0.025, rel=0.3)


def test_wider_window_weakens_correlation_more() -> None:
    rng = np.random.default_rng(4)
    x = rng.normal(size=3000)
    data = Microdata(pl.DataFrame({"x": x, "y": x + 0.3 * rng.normal(size=3000)}))

    def correlation(window: float) -> float:
        masked = RankSwappingDistribution(columns=("x", "y"), window=window).mask(data, np.random.default_rng(5))
        return float(np.corrcoef(masked.values("x"), masked.values("y"))[0, 1])

    assert correlation(2) > correlation(10) > correlation(30) > correlation(80)


def test_an_intruder_who_intersects_windows_of_ranks_loses_the_true_record() -> None:
    names = ("a", "b", "c", "d", "e")
    ranks = np.random.default_rng(3).permuted(np.tile(np.arange(2000.0), (5, 1)), axis=1).T
    data = Microdata(pl.DataFrame(ranks, schema=list(names)))

    def kept(method: MaskingMethod) -> float:
        masked = method.mask(data, np.random.default_rng(4)).matrix(names)
        return float((np.abs(masked - ranks) <= 100).all(axis=1).mean())  # 5 % of the ranks

    assert kept(RankSwapping(columns=names, window=5)) == 1.0
    assert kept(RankSwappingDistribution(columns=names, window=5)) < 0.6


def test_swaps_only_inside_strata() -> None:
    frame = pl.DataFrame({"x": np.arange(400.0), "half": ["a"] * 200 + ["b"] * 200})
    method = RankSwappingDistribution(columns=("x",), window=50, within=("half",))
    masked = run_step(method, Microdata(frame), seed=1, step=0)
    assert sorted(masked.frame["x"][:200]) == frame["x"][:200].to_list()
    assert masked.frame["x"][:200].to_list() != frame["x"][:200].to_list()


def test_refuses_a_window_over_one_hundred_percent() -> None:
    with pytest.raises(ParameterError, match=r"^RankSwappingDistribution.window must be in \(0, 100\]; got 101$"):
        RankSwappingDistribution(columns=("x",), window=101)
