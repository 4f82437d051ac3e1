"""Persons of a panel that nothing numbers: told from what stays the same of them, and from nothing in other surveys."""

from collections import Counter
from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.assessment.release_notes import PERSONS_REPEATED
from sfumato.datasets import demo
from sfumato.datasets.reference import reference
from sfumato.keys.findings.counted_units import ASSUMED, counted_as
from sfumato.keys.persons import persons_of
from sfumato.keys.units.panel_persons import find_panel


def panel(persons: int = 300, waves: int = 3, seed: int = 0) -> pl.DataFrame:
    """Return persons asked once in each wave, without a number; the true person stands beside."""
    rng = np.random.default_rng(seed)
    rows = []
    for person in range(persons):
        region, sex, age, school = (int(rng.integers(*ends)) for ends in ((0, 8), (1, 3), (16, 85), (1, 6)))
        married = int(rng.integers(1, 5))
        for wave in range(1, waves + 1):
            status = married if rng.random() < 0.97 else int(rng.integers(1, 5))
            rows.append((wave, region, age + wave, sex, school, status, round(float(rng.lognormal(9, 0.6)), 2), person))
    names = ["wave", "region", "age", "sex", "education", "marital", "income", "person"]
    return pl.DataFrame(rows, schema=names, orient="row").sample(fraction=1, shuffle=True, seed=seed)


def microdata(frame: pl.DataFrame) -> sf.Microdata:
    schema = sf.Schema.infer(frame).with_kinds(continuous=["age", "income"])
    return sf.Microdata(frame, schema.with_roles(key=["region", "age", "sex", "education"], confidential=["income"]))


def fits(row: tuple[object, ...], other: tuple[object, ...]) -> bool:
    return all(a is None or b is None or a == b for a, b in zip(row, other, strict=True))


def other_survey(seed: int) -> sf.Microdata:
    """Return a survey of different persons, of one of several designs, with periods of several kinds."""
    rng, n = np.random.default_rng(seed), int([300, 1_000, 3_000][seed % 3])
    home = np.repeat(np.arange(n), rng.integers(1, 5, n))[:n]
    region, sex, wave = rng.integers(0, 9, n), rng.integers(1, 3, n), rng.integers(1, 5, n)
    match seed % 4:
        case 1:  # households are asked at one time, and live in one region
            region, wave = region[home], wave[home]
        case 2:  # some regions are asked in the first wave alone
            wave = np.where(region < 4, 1, wave)
        case 3:  # quotas: as many of each region and sex in each wave
            cells = np.array([(r, s, w) for r in range(9) for s in (1, 2) for w in range(1, 5)]).repeat(n // 60, axis=0)
            region, sex, wave = cells.T
            n, home = len(cells), np.arange(len(cells))
    days = rng.integers(0, 900, n)[home]
    frame = pl.DataFrame(
        {
            "hid": home + 500,
            "wave": wave,
            "interview": [date(2020, 1, 1) + timedelta(days=int(day)) for day in days],
            "region": region,
            "sex": sex,
            "age": rng.integers(0, 95, n),
            "education": rng.integers(1, 6, n),
            "year_of_arrival": rng.integers(1960, 2020, n),
            "income": rng.lognormal(9, 0.5, n).round(2),
        }
    )
    return sf.Microdata(frame)


@pytest.mark.parametrize("dropped", [(), ("age",), ("marital", "education")])
def test_records_that_agree_in_what_stays_and_differ_in_the_wave_are_of_one_person(dropped: tuple[str, ...]) -> None:
    frame = panel(120).drop(dropped)
    found = find_panel(sf.Microdata(frame.drop("person")))
    assert found is not None
    assert found.period == "wave"
    together = Counter(zip(found.number.tolist(), frame["person"].to_list(), strict=True))
    assert sum(count == 3 for count in together.values()) >= 0.5 * 120  # most persons have one number
    in_one_wave = Counter(zip(found.number.tolist(), frame["wave"].to_list(), strict=True))
    assert max(in_one_wave.values()) == 1  # those of one wave are different persons


def test_dates_of_interview_tell_waves_too() -> None:
    frame = panel().with_columns(pl.date(2018 + pl.col("wave"), 5, 1 + pl.col("person") % 28).alias("interview"))
    found = find_panel(sf.Microdata(frame.drop("wave", "person")))
    assert found is not None
    assert found.period == "interview"


@pytest.mark.parametrize("seed", range(24))
def test_surveys_of_different_persons_are_not_taken_for_panels(seed: int) -> None:
    assert find_panel(other_survey(seed)) is None


@pytest.mark.parametrize("n", [300, 1_000, 10_000])
def test_the_demo_surveys_are_not_taken_for_panels(n: int) -> None:
    survey = demo(n)
    assert find_panel(survey) is None
    assert counted_as(survey) == ASSUMED


@pytest.mark.reference
def test_the_household_survey_is_not_taken_for_a_panel() -> None:
    assert find_panel(reference("household_survey")) is None


def test_a_limit_on_k_is_not_met_by_the_waves_of_a_panel_without_numbers() -> None:
    frame = panel()
    found = sf.protect(microdata(frame.drop("person")), k=3, limits=["k=3"], number_steps=(), seed=1)
    shown = pl.DataFrame(found.data.frame).select("region", "age", "sex", "education")
    rows = [*zip(shown.rows(), frame["person"].to_list(), strict=True)]
    fewest = min(len({who for other, who in rows if fits(row, other)}) for row in set(shown.rows()))
    [limit] = found.after.limits
    assert not limit.is_met
    assert limit.figure <= fewest  # a gap of others fits every value here, which is never fewer
    assert PERSONS_REPEATED in found.alarms
    assert "differ in wave far more often than by chance" in found.after.counted_as
    assert found.after.counted_as in " ".join(str(found).split())


def test_a_column_that_is_said_to_number_persons_decides() -> None:
    frame = panel()
    waves = microdata(frame)
    said = waves.with_schema(waves.schema.with_persons("person"))
    persons = persons_of(said)
    assert persons is not None
    assert (persons.count, persons.is_said, persons.period) == (300, True, "")
    assert counted_as(said) == "Counted as persons: the 900 records are of 300 persons, by person."
    running = microdata(frame.with_columns(person=pl.int_range(pl.len())))
    own = running.with_schema(running.schema.with_persons("person"))
    report = sf.risk_report(own, limits=["k=2"])
    assert "each of the 900 records is of another person" in report.counted_as
    assert not any("SEVERAL RECORDS" in remark for remark in report.remarks)


def test_one_column_at_most_numbers_persons() -> None:
    schema = sf.Schema.infer(panel())
    moved = schema.with_persons("person").with_persons("wave")
    assert moved.person == "wave"
    assert sf.Schema.from_yaml(moved.to_yaml()).person == "wave"
    with pytest.raises(sf.errors.SchemaError, match="one column at most numbers persons"):
        moved.with_variables(moved["person"].replace(numbers_persons=True))


def test_persons_come_again_whatever_columns_stand_before_those_that_tell_it() -> None:
    frame, rng = panel(), np.random.default_rng(3)
    harmless = {f"q{place:02d}": rng.choice([*"abcde"], frame.height) for place in range(20)}
    own = pl.Series("school", frame["person"].to_numpy() % 97).cast(pl.String)  # says nothing by its name
    frame = pl.DataFrame(harmless).hstack(frame.drop("person", "age", "income").with_columns(own))
    schema = sf.Schema.infer(frame).with_roles(key=["region", "sex"], other=[*harmless, "school"])
    found = find_panel(sf.Microdata(frame, schema))
    assert found is not None
    assert "school" in found.columns
