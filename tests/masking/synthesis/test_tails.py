"""No value at an end of a column or a leaf counts for more than the others let expect."""

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Microdata
from sfumato.execution import run_step
from sfumato.masking import SequentialSynthesis
from sfumato.masking.synthesis._grids.grids import DecimalGrid
from sfumato.masking.synthesis._tails import drawing_bounds, limit_column, limit_leaves


def synthetic(data: Microdata, *columns: str, seed: int = 1, **parameters: object) -> Microdata:
    return run_step(SequentialSynthesis(columns=columns, **parameters), data, seed=seed, step=0)


@given(seed=st.integers(0, 99), fewest=st.integers(2, 8), n=st.integers(20, 60))
def test_less_than_fewest_values_at_either_end_do_not_change_what_comes_out(seed: int, fewest: int, n: int) -> None:
    values = np.sort(np.random.default_rng(seed).normal(size=n))
    fewest = min(fewest, n // 4)
    far, further = values.copy(), values.copy()
    for column, distance in ((far, 1e3), (further, 1e6)):
        column[: fewest - 1] = -distance
        column[n - fewest + 1 :] = distance
    assert np.array_equal(limit_column(far, fewest, None), limit_column(further, fewest, None))
    assert np.abs(limit_column(far, fewest, None)).max() < 1e3 or fewest == 1


@given(seed=st.integers(0, 99), fewest=st.integers(2, 8))
def test_nothing_moves_outwards_and_the_order_stays(seed: int, fewest: int) -> None:
    values = np.sort(np.random.default_rng(seed).standard_cauchy(size=50))
    limited = limit_column(values, fewest, None)
    assert np.all(np.diff(limited) >= 0)
    inner = slice(fewest - 1, 50 - fewest + 1)
    assert np.array_equal(limited[inner], values[inner])
    assert values[0] <= limited[0] <= limited[-1] <= values[-1]


def test_the_limit_is_where_the_largest_of_an_exponential_distribution_is_expected() -> None:
    samples = np.sort(np.random.default_rng(1).exponential(size=(1000, 200)), axis=1)
    expected = samples[:, -4:].mean(axis=0)
    samples[:, -4:] = 1e9
    limited = np.array([limit_column(sample, 5, None)[-4:] for sample in samples])
    assert limited.mean(axis=0) == pytest.approx(expected, rel=0.03)  # errors of both means, about 1 %


def test_shared_ends_and_missing_values_stay() -> None:
    values = np.array([0.0] * 6 + [np.nan] + list(range(1, 20)) + [90.0] * 5)
    assert np.array_equal(limit_column(values, 5, DecimalGrid(0)), values, equal_nan=True)


def test_limits_have_the_decimals_of_the_column() -> None:
    limited = limit_column(np.array([*np.arange(0, 3, 0.1).round(1), 500.0]), 5, DecimalGrid(1))
    assert limited[-1] < 10
    assert np.array_equal(np.round(limited, 1), limited)


def test_leaves_are_limited_each_by_itself() -> None:
    values = np.concatenate([np.arange(20.0), np.arange(20.0) * 1000])
    values[19] = 19_000.0
    limited = limit_leaves(values, np.repeat([0, 1], 20), 5)
    assert limited[19] < 100
    assert np.array_equal(limited[20:], values[20:])


def test_the_means_of_skewed_leaves_are_kept() -> None:
    values = np.sort(np.random.default_rng(2).lognormal(8, 0.6, size=(1000, 40)), axis=1).ravel()
    limited = limit_leaves(values, np.repeat(np.arange(1000), 40), 5)
    assert limited.mean() == pytest.approx(values.mean(), rel=0.005)


@pytest.mark.parametrize("model", ["tree", "forest", "linear", "normal", "pmm"])
def test_how_far_one_number_lies_beyond_all_others_does_not_show(model: str) -> None:
    rng = np.random.default_rng(11)
    age, income = rng.integers(18, 80, 400), rng.lognormal(7, 0.5, 400).round()
    income[0] = income.max() + 1
    drawn = []
    for largest in (income[0], 1e6, 1e9):
        income[0] = largest
        data = Microdata(pl.DataFrame({"age": age, "income": income}))
        drawn.append(synthetic(data, "age", "income", models={"income": model}).values("income"))
    usual, large, larger = drawn
    assert np.array_equal(large, larger)
    assert large.max() < 1.6 * usual.max()
    assert large.mean() == pytest.approx(usual.mean(), rel=0.05)


def test_a_number_that_counts_as_the_commonest_one_is_not_copied() -> None:
    pay = np.repeat([100.0, 50.0], [150, 50])
    pay[0] = 1e6  # as the next largest are 100, models see it as 100
    data = Microdata(pl.DataFrame({"pay": pay}))
    for seed in range(6):
        assert set(synthetic(data, "pay", seed=seed).values("pay")) == {50.0, 100.0}


@pytest.mark.parametrize("model", ["tree", "forest", "linear", "pmm"])
def test_one_number_beyond_a_round_one_lets_no_others_be_drawn_there(model: str) -> None:
    rng = np.random.default_rng(5)
    age, share = rng.integers(18, 80, 200), rng.uniform(0, 100, 200).round(1)
    share[:2] = -1, 101
    made = synthetic(Microdata(pl.DataFrame({"age": age, "share": share})), "age", "share", models={"share": model})
    assert 0 <= made.values("share").min() <= made.values("share").max() <= 100


def test_one_number_does_not_dominate_a_leaf() -> None:
    rng = np.random.default_rng(12)
    region, pay = np.repeat(["a", "b"], [40, 400]), np.round(rng.normal(np.repeat([100, 9000], [40, 400]), 10))
    pay[0] = 9000  # usual in the file, but not in its region
    made = synthetic(Microdata(pl.DataFrame({"region": region, "pay": pay})), "region", "pay").frame
    there = made.filter(pl.col("region") == "a")["pay"]
    assert max(there) < 400


def test_days_stay_inside_the_range_of_the_file_and_ages_end_where_others_let_expect() -> None:
    rng = np.random.default_rng(8)
    frame = pl.DataFrame(
        {
            "age": np.clip(rng.normal(48, 19, 800), 16, 97).astype(int),
            "seen": [date(2021, 1, 4) + timedelta(days=int(day)) for day in rng.integers(0, 180, 800)],
            "pay": np.round(rng.lognormal(7, 1.2, 800)),
        }
    )
    method = SequentialSynthesis(columns=("age", "seen", "pay"), size=4000)
    for seed in range(3):
        made = method.mask(Microdata(frame), np.random.default_rng(seed)).frame
        assert made["age"].min() == 16
        assert made["age"].max() <= drawing_bounds(frame["age"].cast(pl.Float64).to_numpy(), 5)[1]
        assert date(2021, 1, 4) <= made["seen"].min() < made["seen"].max() <= date(2021, 7, 2)


def test_where_a_short_tail_ends_none_of_the_outermost_values_tells() -> None:
    ages = np.sort(np.random.default_rng(9).integers(16, 90, 500).astype(float))
    low, high = drawing_bounds(ages, 5)
    further = ages.copy()
    further[-4:] += 9.0
    assert drawing_bounds(further, 5) == (low, high)
    assert ages[0] <= low < high <= ages[-1]
