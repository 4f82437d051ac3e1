"""What keys tell of confidential numbers, against plain loops over records."""

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.data import Microdata, Schema, Variable
from sfumato.reports.release.learnt_numbers import interval_disclosure_by_chance, learnt_numbers

KEYS = ("town", "age")


def people(seed: int, n: int = 60) -> Microdata:
    rng = np.random.default_rng(seed)
    pay = np.where(rng.random(n) < 0.2, 0.0, np.round(rng.lognormal(3, 0.7, n), 1))
    frame = pl.DataFrame(
        {
            "town": [("A", "B", None)[place] for place in rng.integers(0, 3, n)],
            "age": rng.integers(1, 4, n).astype(float),
            "pay": np.where(rng.random(n) < 0.1, np.nan, pay),
        }
    ).with_columns(pl.col("pay").fill_nan(None))
    variables = (
        Variable(name="town", kind="nominal", role="key"),
        Variable(name="age", kind="continuous", role="key"),
        Variable(name="pay", kind="continuous", role="confidential"),
    )
    return Microdata(frame, Schema(variables=variables))


def by_loops(original: Microdata, released: Microdata, *, with_keys: bool, zeros: bool = True) -> float:
    keys = released.frame.select(KEYS).rows()
    truth, shown = original.frame["pay"].to_list(), released.frame["pay"].to_list()
    chances = []
    for person, value in enumerate(truth):
        if value is None or (value == 0 and not zeros):
            continue
        fits = [key == keys[person] or not with_keys for key in keys]
        fitting = [one for one, fit in zip(shown, fits, strict=True) if fit and one is not None]
        near = [one for one in fitting if value - 0.1 * value <= one <= value + 0.1 * value]
        chances.append(len(near) / len(fitting) if fitting else 0.0)
    return 100 * float(np.mean(chances))


@pytest.mark.parametrize("seed", range(5))
def test_the_share_is_that_of_a_plain_loop_with_and_without_the_keys(seed: int) -> None:
    original, released = people(seed), people(seed + 100)
    found = learnt_numbers(original, released, KEYS)
    assert found is not None
    assert found.by_keys == pytest.approx(by_loops(original, released, with_keys=True))
    assert found.by_chance == pytest.approx(by_loops(original, released, with_keys=False))


@pytest.mark.parametrize("seed", range(3))
def test_persons_who_gain_much_are_counted_by_themselves_and_so_is_who_has_the_record(seed: int) -> None:
    original = people(seed)
    gone = [None if place % 4 == 0 else one for place, one in enumerate(original.frame["town"])]
    moved = people(seed + 100).frame["pay"]
    released = Microdata(original.frame.with_columns(pay=moved, town=pl.Series(gone)), original.schema)
    found = learnt_numbers(original, released, KEYS)
    assert found is not None
    (pay,) = found.columns
    known, shown = original.frame.select(KEYS).rows(), released.frame.select(KEYS).rows()
    truth, values = original.frame["pay"].to_list(), released.frame["pay"].to_list()
    gains, own = [], []
    for person, value in enumerate(truth):
        if value is None:
            continue
        near = [one is not None and abs(one - value) <= 0.1 * value for one in values]
        fits = [all(b is None or a == b for a, b in zip(known[person], key, strict=True)) for key in shown]
        drawn = [one for one, fit, pay_shown in zip(near, fits, values, strict=True) if fit and pay_shown is not None]
        by_chance = sum(near) / sum(one is not None for one in values)
        gains.append(bool(drawn) and 100 * (np.mean(drawn) - by_chance) > 10)
        own.append(near[person])
    assert pay.gaining == pytest.approx(100 * np.mean(gains))
    assert pay.of_record == found.of_record == pytest.approx(100 * np.mean(own))


@pytest.mark.parametrize("seed", range(3))
def test_those_who_have_not_0_are_told_apart(seed: int) -> None:
    original, released = people(seed), people(seed + 100)
    found = learnt_numbers(original, released, KEYS)
    assert found is not None
    (pay,) = found.columns
    assert pay.not_zero == sum(1 for one in original.frame["pay"] if one)
    assert pay.not_zero_by_keys == pytest.approx(by_loops(original, released, with_keys=True, zeros=False))
    assert pay.not_zero_by_chance == pytest.approx(by_loops(original, released, with_keys=False, zeros=False))


def test_records_made_equal_in_groups_tell_numbers_although_nobody_stands_out() -> None:
    frame = pl.DataFrame({"town": ["A"] * 10 + ["B"] * 10, "age": [1.0] * 20, "pay": [100.0] * 10 + [300.0] * 10})
    data = Microdata(frame, people(0).schema)
    found = learnt_numbers(data, data, KEYS)
    assert found is not None
    assert (found.by_keys, found.by_chance) == (100, 50)


def test_chance_is_what_the_values_of_other_persons_give() -> None:
    original = people(3)
    released = sf.Recipe(steps=[sf.RankSwapping(columns=("pay",), window=10)], seed=1).run(original)
    measure = sf.IntervalDisclosure(columns=("pay",))
    pay = original.values("pay")
    wanted = []
    for step in (20, 40):  # a third and two thirds of 60 records
        moved = original.with_column(original.schema["pay"], pl.Series("pay", np.roll(pay, step)).fill_nan(None))
        wanted.append(measure.measure(moved, released).value)
    assert interval_disclosure_by_chance(measure, original, released) == pytest.approx(np.mean(wanted))
