"""The finer digits of a few records do not show in the file, and dates keep their days."""

from datetime import date, datetime, timedelta

import numpy as np
import polars as pl
import pytest

from sfumato.data import Kind, Microdata, Schema
from sfumato.execution import run_step
from sfumato.masking import HouseholdSynthesis, SequentialSynthesis
from sfumato.masking.synthesis._grids.grids import DATE_GRIDS, DecimalGrid, find_grid
from sfumato.masking.synthesis._grids.step_grid import StepGrid
from tests.masking.synthesis.made_households import COLUMNS, households

MODELS = ("tree", "forest", "linear", "pmm", "normal")


@pytest.mark.parametrize(("finer", "step"), [(0, 100), (1, 100), (4, 100), (5, 1)])
def test_what_fewer_than_min_leaf_records_tell_more_finely_is_not_told_so_by_any_model(finer: int, step: int) -> None:
    rng = np.random.default_rng(3)
    pay = (rng.lognormal(7.5, 0.5, 300) / 100).round() * 100
    pay[:finer] += 1
    born = [datetime(1950 + int(years), int(month), 1) for years, month in rng.integers((0, 1), (50, 13), (300, 2))]
    born = [day + timedelta(days=9, hours=7) if place < finer else day for place, day in enumerate(born)]
    data = Microdata(pl.DataFrame({"born": born, **dict.fromkeys(MODELS, pay)}))
    method = SequentialSynthesis(columns=data.schema.names, models={name: name for name in MODELS}, size=300)
    made = run_step(method, data, seed=1, step=0)
    for name in MODELS:
        assert bool((made.values(name) % step == 0).all())
        assert bool((made.values(name) % 100 == 0).all()) == (step == 100)
    days = made.frame["born"]
    assert ((days.dt.day() == 1).all(), bool((days.dt.hour() == 0).all())) == (step == 100, step == 100)
    assert bool((days.dt.minute() == 0).all())


def test_what_one_household_tells_more_finely_is_not_told_so_though_it_has_many_members() -> None:
    frame = households(150).frame
    large = frame.group_by("home").len().sort("len", descending=True)["home"][0]
    is_large = pl.col("home") == large
    finer = frame.with_columns(
        pl.col("age") + 0.5 * is_large, pl.col("rooms") + 0.5 * is_large, pl.col("income") + 0.5 * is_large
    )
    method = HouseholdSynthesis(columns=COLUMNS, relation="relation", age="age")
    made = run_step(method, Microdata(finer, households(150).schema), seed=1, step=0).frame
    assert all(bool((made[name] % 1 == 0).all()) for name in ("age", "rooms", "income"))


def test_numbers_that_many_have_keep_their_digits_among_coarser_ones() -> None:
    rng = np.random.default_rng(4)
    pay = np.where(rng.random(300) < 0.3, 451.25, rng.integers(5, 90, 300) * 100.0)
    made = run_step(SequentialSynthesis(columns=("pay",)), Microdata(pl.DataFrame({"pay": pay})), seed=1, step=0)
    others = made.values("pay")[made.values("pay") != 451.25]
    assert 0 < others.size < 300
    assert np.array_equal(others % 100, np.zeros(others.size))


def test_dates_are_rounded_to_the_nearest_of_their_grid() -> None:
    first, later = ((date(2024, *day) - date(1970, 1, 1)).days for day in ((1, 1), (2, 10)))
    told = [float(grid.round(np.array([later + 0.5301]))[0]) - first for grid in DATE_GRIDS]
    minutes = [40 + minute / 1440 for minute in (780, 750, 765, 760, 765, 763)]
    assert told == pytest.approx([0, 31, 41, *minutes, 40 + 45801 / 86400])
    moments = np.arange(20) / 1440 + first
    assert find_grid(moments, Kind.DATE, 5) == DATE_GRIDS[-2]


STEPS = {"fives": 5.0, "quarters": 0.25, "eighths": 0.125, "dozens": 12.0, "hundreds": 250.0}


@pytest.mark.parametrize("off_grid", [0, 4, 5])
def test_numbers_in_any_steps_stay_in_them_unless_min_leaf_records_do_not(off_grid: int) -> None:
    rng = np.random.default_rng(6)
    counts = np.rint(rng.gamma(4.0, 8.0, (300, len(STEPS)))) + 1
    numbers = counts * np.array(list(STEPS.values()))
    numbers[:off_grid] += 0.0625
    data = Microdata(pl.DataFrame(dict(zip(STEPS, numbers.T, strict=True))))
    made = run_step(SequentialSynthesis(columns=data.schema.names, size=300), data, seed=1, step=0)
    for name, step in STEPS.items():
        drawn = made.values(name)
        assert bool((drawn % step == 0).all()) == (off_grid < 5)
        assert drawn.min() >= 0
        assert np.unique(drawn).size > 20


@pytest.mark.parametrize("model", MODELS)
def test_the_middles_of_classes_stay_the_middles_by_every_model(model: str) -> None:
    ages = 2.0 + 5 * np.rint(np.random.default_rng(7).triangular(0, 6, 18, 400))
    data = Microdata(pl.DataFrame({"age": ages}), Schema.from_yaml("variables: {age: {kind: continuous}}"))
    made = run_step(SequentialSynthesis(columns=("age",), models={"age": model}, size=400), data, seed=2, step=0)
    assert bool((made.values("age") % 5 == 2).all())
    assert model == "normal" or made.values("age").min() >= 2


def test_mondays_stay_mondays_and_quarters_of_an_hour_quarters() -> None:
    rng = np.random.default_rng(8)
    weeks, hours = rng.integers(0, 200, 300), rng.integers(0, 96, 300)
    frame = pl.DataFrame(
        {
            "week": [date(2020, 1, 6) + timedelta(weeks=int(week)) for week in weeks],
            "time": [
                datetime(2020, 1, 1) + timedelta(days=int(d), minutes=15 * int(q))
                for d, q in zip(weeks, hours, strict=True)
            ],
        }
    )
    made = run_step(SequentialSynthesis(columns=("week", "time"), size=300), Microdata(frame), seed=3, step=0).frame
    assert made["week"].dt.weekday().unique().to_list() == [1]
    assert made["week"].n_unique() > 50
    assert set(made["time"].dt.minute().unique().to_list()) == {0, 15, 30, 45}


def test_few_different_numbers_that_happen_to_be_even_are_no_grid() -> None:
    assert find_grid(np.array([2.0, 4.0, 8.0, 14.0, 22.0] * 20), Kind.CONTINUOUS, 5) == DecimalGrid(0)
    assert find_grid(np.array([*range(0, 40, 2), 3.0, 5.0]), Kind.CONTINUOUS, 2) == DecimalGrid(0)
    assert find_grid(np.array([*range(0, 40, 2), 3.0]), Kind.CONTINUOUS, 2) == StepGrid(0, 2, 0, (0.0, 40.0))
