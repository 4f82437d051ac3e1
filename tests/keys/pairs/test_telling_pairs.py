"""Two columns whose sum or difference tells a key are found in days and in years, and counted as brute force does."""

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest

from sfumato.assessment import assess
from sfumato.assessment.release_notes import K_FAILS, LEARNT_FOUND, PERSONS_FOUND
from sfumato.data import Microdata, Schema
from sfumato.keys.findings.exposure import READABLE, telling_exposure
from sfumato.keys.pairs.telling_pairs import columns_made_of_two_keys
from sfumato.protection import protect
from tests.keys.learning.planted_files import pupils

N = 300


def patients(longest: int) -> Microdata:
    rng = np.random.default_rng(2)
    arrival, stay = rng.integers(0, 400, N), rng.integers(1, longest, N)
    begin = date(2022, 1, 1)
    frame = pl.DataFrame(
        {
            "ward": rng.choice([*"AB"], N),
            "arrival": [begin + timedelta(days=int(day)) for day in arrival],
            "leaving": [begin + timedelta(days=int(day)) for day in arrival + stay],
            "stay": stay,
        }
    )
    schema = Schema.infer(frame).with_kinds(continuous=["stay"]).with_roles(key=["ward", "arrival"], other=["stay"])
    return Microdata(frame, schema)


@pytest.mark.parametrize("longest", [10, 300])
def test_a_date_less_a_number_of_days_gives_back_a_date_that_was_rounded(longest: int) -> None:
    data = patients(longest)  # after short stays the leaving date tells the quarter of the arrival by itself
    found = protect(data, k=3, limits=["k=3"], keep=["leaving", "stay"], seed=1)
    wards, days = found.data.frame["ward"].to_list(), data.frame["arrival"].to_list()
    people = list(zip(data.frame["ward"].to_list(), days, strict=True))
    fitting = [
        sum(day == when and shown in {ward, None} for ward, when in people)
        for shown, day in zip(wards, days, strict=True)
    ]
    assert min(fitting) == 1
    shown = zip(*(found.data.frame[name].is_not_null().to_list() for name in ("leaving", "stay")), strict=True)
    few = sum(count < 3 for count, is_read in zip(fitting, map(all, shown), strict=True) if is_read)
    told = [one for one in found.remarks if one.startswith(READABLE)]
    assert f"finds at least {few} of 300 records" in told[0]
    assert "leaving and stay together (arrival)" in told[0]
    [limit] = found.after.limits
    assert (limit.figure, limit.is_met) == (1, False)
    for steps in (found.recipe.steps, ()):  # also to whom nobody says how the file was masked
        assessed = assess(data, found.data, methods=steps, worst_case=False, same_order=True)
        of_persons = () if longest == 10 else (PERSONS_FOUND,)  # whom the months tell is hidden by further gaps
        assert assessed.alarms == found.alarms == (K_FAILS, *of_persons, LEARNT_FOUND)
        assert f"{told[0]}." in assessed.remarks


@pytest.mark.parametrize("days", [1, 7])
def test_the_days_and_weeks_between_two_keys_count_as_known_to_whoever_knows_both(days: int) -> None:
    data = patients(60)
    names = ("ward", "arrival", "leaving")
    data = data.with_schema(data.schema.with_roles(key=names))
    data = data.with_frame(data.frame.with_columns(stay=pl.col("stay") // days))
    found = protect(data, k=3, limits=["k=3"], seed=1)
    shown = list(zip(*(found.data.frame[name].to_list() for name in names), strict=True))
    persons = list(zip(*(data.frame[name].to_list() for name in names), strict=True))
    recoded = [
        {person[key]: record[key] for person, record in zip(persons, shown, strict=True) if record[key] is not None}
        for key in range(len(names))
    ]
    stay = data.frame["stay"].to_list()
    fitting = [
        sum(
            length == other and all(value in {None, recoded[key].get(person[key])} for key, value in enumerate(record))
            for other, person in zip(stay, persons, strict=True)
        )
        for record, length in zip(shown, stay, strict=True)
    ]
    told = [remark for remark in found.remarks if remark.startswith(READABLE)]
    exposed, counted = sum(count < 3 for count in fitting), int(told[0].split("finds at least ")[1].split()[0])
    assert exposed - 3 <= counted <= exposed  # what a day becomes that nobody shows is not known above
    assert exposed > 200
    assert "stay (arrival); stay (leaving)" in told[0]
    [limit] = found.after.limits
    assert not limit.is_met


def test_a_school_year_and_the_years_behind_give_an_age_of_codes() -> None:
    data = pupils()
    data = data.with_schema(data.schema.with_roles(key=["age", "sex", "town"], other=["school_year"]))
    found = protect(data, k=3, limits=["k=3"], seed=1)
    names, before, after = ("age", "sex", "town"), data.frame.to_dicts(), found.data.frame.to_dicts()
    became = {
        name: {one[name]: two[name] for one, two in zip(before, after, strict=True) if two[name]} for name in names
    }
    fitting = [
        sum(
            person["age"] == record["school_year"] + 5 + record["years_behind"]
            and all(record[name] in {None, became[name].get(person[name], object())} for name in names)
            for person in before
        )
        for record in after
    ]
    exposed = sum(count < 3 for count in fitting)
    told = [remark for remark in found.remarks if remark.startswith(READABLE)]
    assert f"finds at least {exposed} of {data.n} records" in told[0]
    assert "school_year and years_behind together (age)" in told[0]
    assert not found.after.meets_limits


def test_an_amount_that_only_goes_with_two_keys_is_not_taken_for_one_that_was_made_of_them() -> None:
    rng = np.random.default_rng(8)
    age, hours = rng.integers(18, 80, N), rng.integers(5, 60, N)
    frame = pl.DataFrame({"age": age, "hours": hours, "wage": 50.0 * hours + 9 * age + rng.normal(0, 400, N)})
    data = Microdata(frame, Schema.infer(frame).with_roles(key=["age", "hours"], other=["wage"]))
    assert not any(one.column == "wage" for one in telling_exposure(data, ("age", "hours"), 3, data).found)


def test_a_date_less_an_age_tells_the_year_of_birth_and_no_more() -> None:
    rng = np.random.default_rng(3)
    born, asked = rng.integers(0, 25_000, N), rng.integers(30_000, 34_000, N)
    begin = date(1930, 1, 1)
    frame = pl.DataFrame(
        {
            "born": [begin + timedelta(days=int(day)) for day in born],
            "asked": [begin + timedelta(days=int(day)) for day in asked],
            "age": (asked - born) // 365.25,
        }
    )
    data = Microdata(frame, Schema.infer(frame).with_kinds(continuous=["age"]).with_roles(key=["born"], other=["age"]))
    masked = data.with_frame(frame.with_columns(born=pl.lit(date(1930, 1, 1))))
    found = telling_exposure(masked, ("born",), 20, data)
    assert [(one.words, one.key) for one in found.found] == [("asked and age together", "born")]
    width = 2 * 0.9 * 365.25  # nine of ten are told to that, and ranges twice as wide are counted
    classes = np.bincount((born // width).astype(int))
    assert found.records is not None
    assert abs(found.records - classes[classes < 20].sum()) < 0.15 * N
    nobody = masked.with_frame(masked.frame.with_columns(age=pl.Series(rng.permutation(frame["age"].to_numpy()))))
    assert telling_exposure(nobody, ("born",), 20, data).found == ()


@pytest.mark.parametrize("seed", [12, 14, 16, 22])
def test_a_column_in_which_nearly_all_have_one_answer_is_made_of_no_two_keys(seed: int) -> None:
    rng = np.random.default_rng(seed)
    keys = {
        "region": rng.choice([11, 12, 24, 36, 47, 59], 800),
        "age": rng.integers(16, 92, 800),
        "sex": rng.integers(1, 3, 800),
        "status": rng.integers(1, 5, 800),
    }
    frame = pl.DataFrame({**keys, "victim": np.where(rng.random(800) < 0.03, 1, 2)})
    schema = Schema.infer(frame).with_kinds(nominal=["region", "sex", "status", "victim"], continuous=["age"])
    data = Microdata(frame, schema.with_roles(key=[*keys], confidential=["victim"]))
    assert columns_made_of_two_keys(data, (*keys,), [], data, np.arange(data.n)) == []
