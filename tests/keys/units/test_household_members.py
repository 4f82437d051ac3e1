"""Persons of a household panel are counted by the number of the household and what tells its members apart."""

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.assessment.release_notes import PERSONS_REPEATED
from sfumato.keys.persons import person_columns

KEYS = ["region", "age", "sex", "education"]
WAVES = 3


def panel(waves: int = WAVES) -> pl.DataFrame:
    """Return the persons of households in several waves, under the number of the household and one within it."""
    rng = np.random.default_rng(7)
    rows = []
    for home in range(90):
        region = rng.choice([*"ABCDEF"])
        for member in range(int(rng.integers(1, 5))):
            age, sex = int(rng.integers(18, 80)), rng.choice([*"mf"])
            education, income = rng.choice(["low", "middle", "high"]), float(rng.lognormal(7, 0.5))
            for wave in range(1, waves + 1):
                paid = round(income * (1 + 0.01 * rng.normal()), 2)
                born = date(1930, 1, 1) + timedelta(days=365 * (80 - age) + 7 * member + home)
                rows.append((500 + 3 * home, member + 1, wave, region, age + wave, sex, education, born, paid))
    names = ["home", "pnr", "wave", "region", "age", "sex", "education", "birth_date", "income"]
    return pl.DataFrame(rows, schema=names, orient="row")


def microdata(frame: pl.DataFrame) -> sf.Microdata:
    schema = sf.Schema.infer(frame).with_kinds(continuous=["age", "income"])
    return sf.Microdata(frame, schema.with_roles(household=["home"], key=KEYS, confidential=["income"]))


def fewest_persons(original: pl.DataFrame, released: pl.DataFrame, keys: list[str]) -> int:
    """Return how many persons the smallest group of equal records holds."""
    who = released.select(keys).with_columns(pl.struct(original["home"], original["pnr"]).alias("person"))
    counts: list[int] = who.group_by(keys).agg(pl.col("person").n_unique())["person"].to_list()
    return min(counts)


@pytest.mark.parametrize("number", ["pnr", "x7"])
def test_records_of_one_household_and_one_number_in_it_are_of_one_person(number: str) -> None:
    frame = panel().drop("birth_date").rename({"pnr": number})
    assert person_columns(microdata(frame)) == ("home", number)


def test_a_household_with_sex_and_birth_that_come_again_tells_persons() -> None:
    frame = panel().drop("pnr")
    assert person_columns(microdata(frame)) == ("home", "sex", "birth_date")


def test_members_who_come_once_are_persons_of_one_record() -> None:
    assert person_columns(microdata(panel(waves=1))) == ()
    heads = panel(waves=1).with_columns(pl.col("birth_date").first().over("home"))
    assert person_columns(microdata(heads)) == ()  # entered for the head


def test_an_education_that_siblings_share_numbers_no_members() -> None:
    frame = panel().drop("pnr", "birth_date", "wave")
    assert person_columns(microdata(frame)) == ()


@pytest.mark.parametrize("whole", [False, True])
def test_a_limit_on_k_is_met_by_the_persons_of_a_panel_and_not_by_their_waves(whole: bool) -> None:
    frame = panel().drop("birth_date")
    data = microdata(frame)
    number_steps = None if whole else ()
    found = sf.protect(data, k=3, whole_records=whole, limits=["strict_k=3"], seed=1, number_steps=number_steps)
    released = pl.DataFrame(found.data.frame)
    fewest = fewest_persons(frame, released, KEYS)
    [limit] = found.after.limits
    assert (limit.figure, limit.is_met) == (fewest, fewest >= 3)
    if whole:
        assert fewest_persons(frame, released, released.columns) >= 3
        return
    assert fewest < 3
    assert PERSONS_REPEATED in found.alarms
    assert any("by home and pnr" in remark for remark in found.remarks)
    assessed = sf.assess(data, found.data, methods=found.recipe.steps, worst_case=False, same_order=True)
    assert PERSONS_REPEATED in assessed.alarms
    assert sf.risk_report(data, limits=["k=2"]).limits[0].figure == fewest_persons(frame, frame, KEYS)


def test_persons_whose_whole_records_were_made_equal_are_as_many_as_their_records() -> None:
    rng = np.random.default_rng(5)
    days = rng.integers(0, 30_000, 600)
    frame = pl.DataFrame(
        {
            "sex": rng.choice([*"mf"], 600),
            "birth_date": [date(1930, 1, 1) + timedelta(days=int(day)) for day in days],
            "region": rng.choice([*"ABCDEFGH"], 600),
            "income": rng.lognormal(7, 1, 600).round(0),
        }
    )
    schema = sf.Schema.infer(frame).with_roles(key=["sex", "birth_date", "region"], confidential=["income"])
    found = sf.protect(sf.Microdata(frame, schema), k=3, whole_records=True, limits=["k=3"], seed=1)
    assert found.after.meets_limits
    released = pl.DataFrame(found.data.frame)
    assert min(released.group_by(released.columns).len()["len"].to_list()) >= 3
    received = sf.risk_report(sf.Microdata(released, found.data.schema), limits=["k=3"])
    assert received.meets_limits
    assert not [remark for remark in received.remarks if "ONE PERSON" in remark]


def test_firms_of_several_years_under_any_identifier_are_counted_once() -> None:
    rng = np.random.default_rng(3)
    firms = pl.DataFrame(
        {
            "firm": rng.permutation(9_000)[:200],
            "nace": rng.choice([*"ABCDE"], 200),
            "state": rng.choice([*"uvwxyz"], 200),
            "turnover": rng.lognormal(9, 1, 200).round(0),
        }
    )
    years = firms.join(pl.DataFrame({"year": [2021, 2022, 2023]}), how="cross")
    grown = years.with_columns((pl.col("turnover") * (1 + 0.02 * (pl.col("year") - 2021))).round(0))
    schema = sf.Schema.infer(grown).with_kinds(nominal=["firm"])
    data = sf.Microdata(grown, schema.with_roles(identifier=["firm"], key=["nace", "state"], confidential=["turnover"]))
    assert person_columns(data) == ("firm",)
    found = sf.protect(data, whole_records=True, limits=["k=3"], seed=1)
    groups = found.data.frame.with_columns(grown["firm"]).group_by("nace", "state").agg(pl.col("firm").n_unique())
    assert found.after.limits[0].figure == groups["firm"].min()


def test_amounts_that_coincide_number_no_persons() -> None:
    rng = np.random.default_rng(8)
    n = 600
    units = np.where(rng.random(n) < 0.3, 0.0, rng.integers(1, 90, n) / 100)
    frame = pl.DataFrame(
        {
            "units": units,
            "whole_units": np.floor(200 * units) * (rng.random(n) < 0.8),
            "holder_year_of_birth": rng.integers(1945, 2000, n),
            "holder_sex": rng.choice(["f", "m"], n),
            "region": rng.choice([*"ABCDE"], n),
        }
    )
    keys = ["region", "holder_year_of_birth", "holder_sex"]
    for identifiers in (["units"], ["whole_units"], ["units", "whole_units"]):
        schema = sf.Schema.infer(frame).with_kinds(continuous=["units", "whole_units", "holder_year_of_birth"])
        assert person_columns(sf.Microdata(frame, schema.with_roles(key=keys, identifier=identifiers))) == ()


def test_a_number_within_which_births_agree_by_chance_is_of_no_household() -> None:
    rng = np.random.default_rng(9)
    frame = pl.DataFrame(
        {
            "lot": rng.integers(1, 12, 900),  # of a shipment: persons of one lot are strangers
            "birth_year": rng.integers(1950, 1990, 900),
            "sex": rng.choice(["f", "m"], 900),
        }
    )
    schema = sf.Schema.infer(frame).with_kinds(nominal=["lot"], continuous=["birth_year"])
    assert person_columns(sf.Microdata(frame, schema.with_roles(key=["birth_year", "sex"], identifier=["lot"]))) == ()
