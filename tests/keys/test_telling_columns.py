"""Columns that tell a key are found, those that seem to by chance are not, and who is exposed is counted."""

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest

from sfumato.assessment import assess
from sfumato.assessment.release_notes import K_FAILS
from sfumato.data import Microdata, Schema
from sfumato.keys.findings.exposure import READABLE, telling_exposure
from sfumato.keys.telling_columns import telling_columns
from sfumato.masking import LocalSuppression
from sfumato.protection import protect
from sfumato.recipe import Recipe
from sfumato.reports import risk_report

N = 400


def people(**more: object) -> Microdata:
    rng = np.random.default_rng(4)
    home = np.sort(rng.integers(0, 170, N))
    born = [date(1940, 1, 1) + timedelta(days=int(day)) for day in rng.integers(0, 25_000, N)]
    region = rng.choice(["north", "south", "east", "isles"], 170, p=[0.4, 0.3, 0.25, 0.05])[home]
    frame = pl.DataFrame(
        {
            "home": home,
            "size": np.bincount(home)[home],
            "region": region,
            "age": [2025 - day.year for day in born],
            "sex": rng.choice(["f", "m"], N),
            "income": rng.lognormal(8, 1, N),
            "born": born,
            "postcode": [f"{place[0]}{number}" for place, number in zip(region, rng.integers(0, 9, N), strict=True)],
            "decade": [f"{day.year // 10}0s" for day in born],
            "colour": rng.choice(["red", "green", "blue"], N),
            "number": rng.permutation(N) + 1000,
            **more,
        }
    )
    schema = Schema.infer(frame).with_kinds(nominal=["home"], continuous=["age", "number", "income"])
    schema = schema.with_kinds(ordinal=["size"])
    return Microdata(frame, schema.with_roles(household=["home"], key=["size", "region", "age", "sex"], identifier=[]))


def pairs(data: Microdata) -> set[tuple[str, str]]:
    return {(one.key, one.column) for one in telling_columns(data, ("size", "region", "age", "sex"))}


def test_what_tells_a_key_is_found_and_what_only_tells_records_apart_is_not() -> None:
    members = ("size", "the number of records of a household")
    assert pairs(people()) == {members, ("region", "postcode"), ("age", "born")}


def test_a_member_count_is_not_known_where_the_household_is_not_released() -> None:
    data = people()
    kept = tuple(name for name in data.schema.names if name not in {"home", "born", "postcode"})
    assert pairs(data.take_columns(kept)) == set()


@pytest.mark.parametrize("seed", range(5))
def test_independent_columns_tell_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame({f"c{values}": rng.integers(0, values, N) for values in (2, 3, 20, 150, 300, 5000)})
    data = Microdata(frame.with_columns(rare=pl.Series(rng.random(N) < 0.02)))
    assert telling_columns(data, (*data.schema.names[:3], "rare")) == []


def test_whom_a_birth_date_exposes_is_counted_against_the_exact_age() -> None:
    data = people().take_columns(("region", "age", "sex", "born"))
    data = data.with_schema(data.schema.with_roles(key=["region", "age", "sex"]))
    found = protect(data, limits=["k=3"], keep=["born"], seed=1)
    shown, exact = pl.DataFrame(found.data.frame), pl.DataFrame(data.frame)
    becomes = {old: new for old, new in zip(exact["region"], shown["region"], strict=True) if new is not None}
    persons = list(zip(map(becomes.get, exact["region"]), exact["age"], exact["sex"], strict=True))
    rows = list(zip(shown["region"], exact["age"], shown["sex"], strict=True))
    fits = [
        sum(all(a is None or a == b for a, b in zip(row, person, strict=True)) for person in persons) for row in rows
    ]
    exposed = sum(count < 3 for count in fits)
    assert exposed > 10
    told = f"{READABLE}: born (age). Whoever does that finds at least {exposed} of 400 records"
    assert found.remarks[1].startswith(told)
    [limit] = found.after.limits
    assert (limit.figure, limit.is_met) == (min(fits), False)
    assert "NOT MET against whoever reads a key, or a part of it, off other columns" in str(found)
    without = protect(data.take_columns(("region", "age", "sex")), limits=["k=3"], seed=1)
    assert K_FAILS in found.alarms
    assert K_FAILS not in without.alarms
    assert without.after.meets_limits
    assert "K DOES NOT HOLD for whoever reads a key, or a part of it, off other columns" in " ".join(str(found).split())
    assert any(remark.startswith(told) for remark in assess(data, found.data, methods=found.recipe.steps).remarks)


def test_a_key_that_another_key_tells_is_no_matter_unless_it_has_gaps() -> None:
    frame = pl.DataFrame({"state": [*"AABBC"] * 20, "town": ["a1", "a2", "b1", "b2", "c1"] * 20})
    data = Microdata(frame)
    assert telling_columns(data, ("state", "town")) == []
    state = pl.when(pl.int_range(100) % 9 == 0).then(None).otherwise(pl.col("state"))
    gaps = Microdata(frame.with_columns(state=state))
    assert [(one.key, one.column) for one in telling_columns(gaps, ("state", "town"))] == [("state", "town")]


def test_a_recoded_copy_of_a_key_is_found_once_the_key_is_made_broader() -> None:
    data = people().take_columns(("age", "sex", "decade"))
    data = data.with_schema(data.schema.with_roles(key=["age", "sex"]))
    assert telling_exposure(data, ("age", "sex"), 3).remarks == ()
    told = "a key can be read off other columns: decade (age); by what was looked for, no"
    assert told in protect(data, k=3, seed=1).remarks[0]


def test_a_report_on_risk_names_the_columns_too() -> None:
    data = people()
    assert risk_report(data).remarks[0].startswith(f"{READABLE}: born (age); postcode (region); the number of records")
    masked = Recipe(steps=[LocalSuppression(columns=("region", "sex"), k=2)], seed=1).run(data)
    found = assess(data, masked, methods=(LocalSuppression(columns=("region", "sex"), k=2),), worst_case=False)
    told = "a key can be read off other columns: postcode (region); by what was looked for, no record is found"
    assert any(remark.startswith(told) for remark in found.remarks)


def test_where_nobody_is_exposed_there_is_no_alarm_and_a_key_is_not_advised_to_become_one() -> None:
    frame = pl.DataFrame({"state": [*"AABBC"] * 20, "town": ["a1", "a2", "b1", "b2", "c1"] * 20})
    before = Microdata(frame)
    gaps = pl.when(pl.int_range(100) % 9 == 0).then(None).otherwise(pl.col("state"))
    after = Microdata(frame.with_columns(state=gaps))
    calm = telling_exposure(after, ("state", "town"), 20, before)
    assert (calm.records, calm.smallest) == (0, 20)
    assert not any(READABLE in remark for remark in calm.remarks)
    alarm = telling_exposure(after, ("state", "town"), 21, before)
    assert alarm.records == 100
    assert alarm.remarks[0].startswith(READABLE)
    assert "role key" not in alarm.remarks[0]


def test_two_columns_that_add_up_to_a_key_tell_it_together_and_others_do_not() -> None:
    rng = np.random.default_rng(1)
    data = people()
    ages = np.asarray(data.frame["age"])
    stay = np.where(rng.random(N) < 0.6, np.nan, rng.integers(0, 15, N))
    more = people(stay=stay, arrived=ages - stay).without_columns(("born", "decade"))
    schema = more.schema.with_kinds(continuous=["stay", "arrived"])
    [alarm] = [one for one in risk_report(more.with_schema(schema)).remarks if one.startswith(READABLE)]
    assert "stay and arrived together (age)" in alarm
    found = protect(more.with_schema(schema), k=3, number_steps=[], seed=1)
    assert any("stay and arrived together (age)" in one for one in found.remarks)
    unrelated = people(stay=stay, arrived=rng.permutation(ages - stay)).without_columns(("born", "decade"))
    assert "arrived together" not in " ".join(risk_report(unrelated.with_schema(schema)).remarks)
