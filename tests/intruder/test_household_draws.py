"""What a step draws once for all members of a household ties them together, also where their number is not released."""

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest

from sfumato.contracts import Knowledge, MaskingMethod
from sfumato.data import Microdata
from sfumato.intruder import Runs, true_log_densities
from sfumato.intruder.household_draws.moved_households import MovedHouseholds
from sfumato.masking import (
    AdditiveNoise,
    DateRounding,
    DateShift,
    DropIdentifiers,
    Pram,
    RankSwapping,
    RecordSwapping,
    Sampling,
)
from sfumato.risk import LikelihoodLinkage

DROP = DropIdentifiers(columns=("home",))
BLUR = AdditiveNoise(columns=("x",), scale=0.5)


def families() -> Microdata:
    rng = np.random.default_rng(11)
    home = np.repeat(np.arange(100), 3)
    born = [date(1950, 1, 1) + timedelta(days=int(day)) for day in rng.integers(0, 20_000, 300)]
    frame = pl.DataFrame(
        {
            "home": home,
            "born": born,
            "x": rng.normal(size=300),
            "y": rng.normal(size=300),
            "sex": rng.choice(["f", "m"], 300),
            "area": rng.choice(["n", "s", "w"], 100)[home],
        }
    )
    return Microdata(frame, Microdata(frame).schema.with_roles(household=("home",)))


def linked(steps: list[MaskingMethod], names: tuple[str, ...]) -> tuple[dict[str, float], str]:
    original = masked = families()
    rng = np.random.default_rng(5)
    for step in steps:
        masked = step.bound_to(masked).mask(masked, rng)
    measure = LikelihoodLinkage(columns=names).informed_by(Knowledge.of(steps, original))
    found = measure.measure(original, masked)
    parts = {way: value for way, value in found.parts.items() if value is not None}
    assert found.value is not None
    return {**parts, "value": found.value}, found.remark


def test_one_shift_must_lead_from_each_member_to_somebody() -> None:
    parts, remark = linked([DateShift(columns=("born",), max_days=365), DROP, BLUR], ("born", "x"))
    alone, _ = linked([DateShift(columns=("born",), max_days=365, household=()), DROP, BLUR], ("born", "x"))
    assert parts["value"] > alone["value"] + 30
    assert "which is proven" not in remark


def test_one_shift_must_lead_from_each_member_to_somebody_also_where_dates_are_rounded() -> None:
    shift, rounding = DateShift(columns=("born",), max_days=90), DateRounding(columns=("born",), to="month")
    parts, remark = linked([shift, rounding, DROP, BLUR], ("born", "x"))
    assert parts["value"] > 88  # each person by a shift of their own: 76
    assert "does not fit" not in remark
    original = families()
    draws = shift.bound_to(original).drawn_file(original, 10**6)
    assert draws is not None
    assert draws.n == 181 * original.n
    assert draws.take_rows(np.arange(original.n)).values("born") == pytest.approx(original.values("born") - 90)
    assert shift.bound_to(original).drawn_file(original, 1000) is None


def test_households_and_exchanges_together_find_more_than_each() -> None:
    steps = [RankSwapping(columns=("x",), window=25), AdditiveNoise(columns=("y",), scale=1.0)]
    parts, _ = linked([*steps, Pram(columns=("sex",), stay=80)], ("x", "y", "sex"))
    assert parts["households and exchanges"] > max(parts["households"], parts["exchanges"]) + 10


def test_who_lives_with_somebody_in_a_sample_is_in_it_too() -> None:
    steps = [Sampling(columns=(), percent=30, household=("home",)), DROP, AdditiveNoise(columns=("x", "y"), scale=0.1)]
    single = [Sampling(columns=(), percent=30, household=()), *steps[1:]]
    assert linked(steps, ("x", "y"))[0]["value"] > linked(single, ("x", "y"))[0]["value"] + 5


def test_an_area_that_members_share_tells_them_where_their_number_is_dropped_and_counts_once_where_it_is_not() -> None:
    swap = RecordSwapping(columns=("area",), percent=60, key_columns=(), household=("home",))
    blur = AdditiveNoise(columns=("x", "y"), scale=0.2)
    parts, remark = linked([swap, DROP, blur], ("area", "x", "y"))
    alone, _ = linked([swap.replace(household=()), DROP, blur], ("area", "x", "y"))
    assert parts["value"] > alone["value"] + 5
    assert "may find more: measure each" not in remark
    original = families()
    runs = Runs.of(original, original, (swap,), 0)
    moved = MovedHouseholds.of(runs, ("area",), (0,))
    assert moved is not None
    whole, share = (moved.likelihood(original, of_household=of_household) for of_household in (False, True))
    rows = np.arange(original.n)
    members = true_log_densities(share, rows).reshape(100, 3).sum(axis=1)
    assert members == pytest.approx(true_log_densities(whole, rows)[::3])


def test_where_a_household_goes_is_learnt_as_often_as_runs_show_it() -> None:
    swap = RecordSwapping(columns=("area",), percent=60, key_columns=("sex",), household=("home",))
    original = families()
    moved = MovedHouseholds.of(Runs.of(original, original, (swap,), 0), ("area",), (0,))
    assert moved is not None
    before = original.codes("area")[0][::3]
    runs = [swap.bound_to(original).mask(original, np.random.default_rng(number)) for number in range(200)]
    stays = np.mean([run.codes("area")[0][::3] == before for run in runs], axis=0)
    told = moved.chances[np.arange(100), moved.areas(original)[::3]]
    assert np.abs(told - stays).mean() < np.abs(stays - stays.mean()).mean() / 2
