import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Microdata, Schema, Variable
from sfumato.errors import DataError, ParameterError
from sfumato.execution import run_step
from sfumato.masking import RankSwapping
from sfumato.masking.swapping.rank_swapping import swap_ranks


@given(
    values=st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60), reach=st.integers(0, 60), seed=st.integers(0, 99)
)
def test_keeps_the_marginal_exactly(values: list[float], reach: int, seed: int) -> None:
    swapped = swap_ranks(np.array(values), reach, np.random.default_rng(seed))
    assert sorted(swapped.tolist()) == sorted(values)


@given(n=st.integers(1, 80), reach=st.integers(0, 80), seed=st.integers(0, 99))
def test_moves_no_rank_further_than_the_window(n: int, reach: int, seed: int) -> None:
    ranks = np.random.default_rng(seed).permutation(n).astype(float)
    assert np.abs(swap_ranks(ranks, reach, np.random.default_rng(seed)) - ranks).max() <= reach


def test_reach_below_one_record_changes_nothing() -> None:
    assert swap_ranks(np.arange(50.0), 0, np.random.default_rng(0)).tolist() == list(range(50))


def test_refuses_a_window_below_one_record_rather_than_release_the_column_as_it_is() -> None:
    data = Microdata(pl.DataFrame({"x": np.linspace(0.5, 9, 50)}))
    with pytest.raises(DataError, match=r"reaches less than one record in 'x'.*1\.9 % of 50 values"):
        RankSwapping(columns=("x",), window=1.9).mask(data, np.random.default_rng(0))


def test_refuses_a_stratum_so_small_that_nothing_would_be_swapped_in_it() -> None:
    data = Microdata(pl.DataFrame({"x": np.linspace(0.5, 9, 50), "g": ["a"] * 45 + ["b"] * 5}))
    with pytest.raises(DataError, match="10 % of 5 values"):
        run_step(RankSwapping(columns=("x",), window=10, within=("g",)), data, seed=1, step=0)


def test_percent_means_percent_of_the_observed_values() -> None:
    assert RankSwapping(columns=("x",), window=5).reach(1000) == 50


def test_wider_window_weakens_correlation_more() -> None:
    rng = np.random.default_rng(4)
    x = rng.normal(size=3000)
    data = Microdata(pl.DataFrame({"x": x, "y": x + 0.3 * rng.normal(size=3000)}))

    def correlation(window: float) -> float:
        masked = RankSwapping(columns=("x", "y"), window=window).mask(data, np.random.default_rng(5))
        return float(np.corrcoef(masked.values("x"), masked.values("y"))[0, 1])

    assert correlation(2) > correlation(10) > correlation(30) > correlation(80)


def test_refuses_a_window_over_one_hundred_percent() -> None:
    with pytest.raises(ParameterError, match=r"^RankSwapping.window must be in \(0, 100\]; got 101$"):
        RankSwapping(columns=("x",), window=101)


def test_swaps_ordinal_categories_by_their_order() -> None:
    levels = ["low", "mid", "high"]
    frame = pl.DataFrame({"level": (["low"] * 40) + (["mid"] * 40) + (["high"] * 40)})
    schema = Schema(variables=(Variable(name="level", kind="ordinal", categories=levels),))
    masked = run_step(RankSwapping(columns=("level",), window=20), Microdata(frame, schema), seed=1, step=0)
    pairs = set(zip(frame["level"], masked.frame["level"], strict=True))
    assert {("low", "mid"), ("mid", "low")} <= pairs
    assert ("low", "high") not in pairs  # 24 ranks reach only the neighbouring level
    assert sorted(masked.frame["level"]) == sorted(frame["level"])


def test_swaps_only_inside_strata() -> None:
    frame = pl.DataFrame({"x": np.arange(400.0), "half": ["a"] * 200 + ["b"] * 200})
    masked = run_step(RankSwapping(columns=("x",), window=50, within=("half",)), Microdata(frame), seed=1, step=0)
    assert sorted(masked.frame["x"][:200]) == frame["x"][:200].to_list()
    assert masked.frame["x"][:200].to_list() != frame["x"][:200].to_list()
