"""The finer digits of a few records do not show in the file, and dates keep their days."""

from datetime import date, datetime, timedelta

import numpy as np
import polars as pl
import pytest

from sfumato.data import Kind, Microdata
from sfumato.execution import run_step
from sfumato.masking import HouseholdSynthesis, SequentialSynthesis
from sfumato.masking.synthesis._grids import DATE_GRIDS, find_grid
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
    assert told == pytest.approx([0, 31, 41, 40 + 13 / 24, 40 + 763 / 1440, 40 + 45801 / 86400])
    moments = np.arange(20) / 1440 + first
    assert find_grid(moments, Kind.DATE, 5) == DATE_GRIDS[4]
