"""A share or a mean beside its denominator, which is a key, leaves k units that could have it."""

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.datasets import demo
from sfumato.keys.number_codes import has_numbers, numbers_of
from sfumato.keys.pairs.fractions import ruled_out_by_fraction

N = 400


def firms(decimals: int) -> pl.DataFrame:
    rng = np.random.default_rng(3)
    employees = np.maximum(1, rng.lognormal(2.2, 1.1, N).round())
    women = rng.binomial(employees.astype(int), 0.45)
    towns = rng.choice([*"ABCDE"], N, p=[0.4, 0.3, 0.15, 0.1, 0.05])
    share = np.round(100 * women / employees, decimals)
    return pl.DataFrame({"town": towns, "employees": employees, "share": share})


@pytest.mark.parametrize("decimals", [0, 1, 2])
def test_a_share_of_employees_leaves_k_firms_that_could_have_it(decimals: int) -> None:
    frame = firms(decimals)
    schema = sf.Schema.infer(frame).with_kinds(continuous=["employees", "share"])
    data = sf.Microdata(frame, schema.with_roles(key=["town", "employees"], other=["share"]))
    found = sf.protect(data, k=3, limits=["k=3"], number_steps=(), keep=["share"], seed=1)
    shown = pl.DataFrame(found.data.frame)
    town, size = (
        {old: new for old, new in zip(frame[name], shown[name], strict=True) if new is not None}
        for name in ("town", "employees")
    )
    ends = {
        label: (min(old for old in size if size[old] == label), max(old for old in size if size[old] == label))
        for label in set(size.values())
    }
    people = [*zip(map(town.get, frame["town"]), frame["employees"], strict=True)]
    rounding = 0.5 * 10.0**-decimals / 100
    fitting = [
        sum(
            shown_where in {None, where}
            and (label is None or ends[label][0] <= one <= ends[label][1])
            and (share is None or abs(share * one / 100 - round(share * one / 100)) <= rounding * one * 1.01 + 1e-9)
            for where, one in people
        )
        for shown_where, label, share in shown.rows()
    ]
    assert min(fitting) >= 3
    assert found.after.meets_limits


def test_only_what_was_released_as_it_was_rules_something_out() -> None:
    frame = firms(1)
    key, share = frame["employees"].to_numpy(), frame["share"].to_numpy()
    released = np.where(np.arange(N) < 100, share + 0.3, share)
    ruled = ruled_out_by_fraction(key, share, released)
    assert ruled is not None
    assert ruled.allowed[ruled.kinds[:100]].all()
    left = ruled.allowed[ruled.kinds[100:]]
    assert left[np.arange(300), ruled.categories[100:]].all()  # the right number is never ruled out
    assert left.mean() < 0.7


def test_numbers_that_are_no_shares_rule_nothing_out() -> None:
    rng = np.random.default_rng(1)
    key = rng.integers(1, 60, N).astype(float)
    for column in (rng.lognormal(3, 1, N).round(1), rng.integers(0, 100, N).astype(float), key / 10):
        assert ruled_out_by_fraction(key, column, column) is None


@pytest.mark.parametrize("n", [300, 1_000, 10_000])
def test_the_demo_surveys_have_no_shares_of_a_key(n: int) -> None:
    data = demo(n)
    numbers = [numbers_of(data, one) for one in data.schema.names if has_numbers(data, one)]
    ages = numbers_of(data, "age")
    assert all(ruled_out_by_fraction(ages, one, one) is None for one in numbers)
