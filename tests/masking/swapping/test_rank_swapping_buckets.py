import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata
from sfumato.errors import ParameterError
from sfumato.execution import run_step
from sfumato.masking import RankSwapping, RankSwappingBuckets
from sfumato.masking.swapping.rank_swapping_buckets import swap_by_buckets

N = 20_000


@given(
    values=st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60), buckets=st.integers(1, 70), seed=st.integers(0, 99)
)
def test_keeps_the_marginal_exactly(values: list[float], buckets: int, seed: int) -> None:
    swapped = swap_by_buckets(np.array(values), buckets, np.random.default_rng(seed))
    assert sorted(swapped.tolist()) == sorted(values)


@given(n=st.integers(1, 80), buckets=st.integers(1, 90), seed=st.integers(0, 99))
def test_every_value_but_at_most_one_is_swapped(n: int, buckets: int, seed: int) -> None:
    ranks = np.random.default_rng(seed).permutation(n).astype(float)
    assert (swap_by_buckets(ranks, buckets, np.random.default_rng(seed)) == ranks).sum() == n % 2


def test_the_first_bucket_goes_to_later_ones_with_halving_probability() -> None:
    swapped = swap_by_buckets(np.arange(float(N)), 20, np.random.default_rng(2))
    lowest = swapped[: N // 200].astype(int) // (N // 20)  # so few that all buckets still have nearly all their values
    shares = np.bincount(lowest, minlength=20) / lowest.size
    wanted = 2.0 ** -np.arange(1, 21)
    assert np.abs(shares - wanted / wanted.sum()).max() < 5 * 0.5 / np.sqrt(lowest.size)


def test_one_bucket_is_a_random_pairing_of_all() -> None:
    swapped = swap_by_buckets(np.arange(float(N)), 1, np.random.default_rng(2))
    assert abs(np.corrcoef(swapped, np.arange(N))[0, 1]) < 5 / np.sqrt(N / 2)


def test_fewer_buckets_weaken_correlation_more() -> None:
    rng = np.random.default_rng(4)
    x = rng.normal(size=3000)
    data = Microdata(pl.DataFrame({"x": x, "y": x + 0.3 * rng.normal(size=3000)}))

    def correlation(buckets: int) -> float:
        masked = RankSwappingBuckets(columns=("x", "y"), buckets=buckets).mask(data, np.random.default_rng(5))
        return float(np.corrcoef(masked.values("x"), masked.values("y"))[0, 1])

    assert correlation(300) > correlation(50) > correlation(10) > correlation(2)


def test_an_intruder_who_intersects_windows_of_ranks_loses_the_true_record() -> None:
    names = ("a", "b", "c", "d", "e")
    ranks = np.random.default_rng(3).permuted(np.tile(np.arange(2000.0), (5, 1)), axis=1).T
    data = Microdata(pl.DataFrame(ranks, schema=list(names)))

    def kept(method: MaskingMethod) -> float:
        masked = method.mask(data, np.random.default_rng(4)).matrix(names)
        return float((np.abs(masked - ranks) <= 100).all(axis=1).mean())  # 5 % of the ranks

    assert kept(RankSwapping(columns=names, window=5)) == 1.0
    assert kept(RankSwappingBuckets(columns=names, buckets=20)) < 0.6


def test_swaps_only_inside_strata() -> None:
    frame = pl.DataFrame({"x": np.arange(400.0), "half": ["a"] * 200 + ["b"] * 200})
    masked = run_step(
        RankSwappingBuckets(columns=("x",), buckets=3, within=("half",)), Microdata(frame), seed=1, step=0
    )
    assert sorted(masked.frame["x"][:200]) == frame["x"][:200].to_list()
    assert masked.frame["x"][:200].to_list() != frame["x"][:200].to_list()


def test_refuses_no_bucket() -> None:
    with pytest.raises(ParameterError, match=r"^RankSwappingBuckets.buckets must be in \[1, 1000000\]; got 0$"):
        RankSwappingBuckets(columns=("x",), buckets=0)
