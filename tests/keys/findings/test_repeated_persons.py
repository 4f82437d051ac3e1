"""k counts persons where some have several records, and gaps that tell their value count against it."""

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.assessment.release_notes import PERSONS_REPEATED
from sfumato.data import Role
from sfumato.keys.findings.repeated_persons import REPEATED, repeated_persons
from sfumato.keys.gaps.suppressed_values import gap_exposure
from sfumato.keys.persons import person_column, person_columns
from sfumato.keys.units.told_households import household_columns

KEYS = ("ward", "sex")


def stays() -> sf.Microdata:
    """Return the stays of patients of whom some were there several times."""
    rng = np.random.default_rng(4)
    patient = np.repeat(np.arange(120), rng.choice([1, 2, 4], 120))
    frame = pl.DataFrame(
        {
            "PatientenNr": patient + 1000,
            "ward": rng.choice([*"abcdefghijklmnop"], 120)[patient],
            "sex": rng.choice(["f", "m"], 120)[patient],
            "cost": rng.lognormal(6, 1, patient.size).round(2),
        }
    )
    schema = sf.Schema.infer(frame).with_kinds(nominal=["PatientenNr"])
    return sf.Microdata(frame, schema.with_roles(key=KEYS, identifier=["PatientenNr"], household=[]))


def persons_by_hand(data: sf.Microdata, masked: sf.Microdata) -> list[int]:
    """Return how many patients fit what each record shows, who would show what they are if nothing were suppressed."""
    before, shown = ([*zip(*(one.frame[key].to_list() for key in KEYS), strict=True)] for one in (data, masked))
    became = [
        dict(zip(a, b, strict=True)) for a, b in zip(zip(*before, strict=True), zip(*shown, strict=True), strict=True)
    ]
    for place, names in enumerate(became):
        names.update({row[place]: it[place] for row, it in zip(before, shown, strict=True) if it[place] is not None})
    would_show = [tuple(names[value] for names, value in zip(became, row, strict=True)) for row in before]
    who = data.frame["PatientenNr"].to_list()

    def fits(row: tuple[str | None, ...], other: tuple[str | None, ...]) -> bool:
        return all(a is None or a == b for a, b in zip(row, other, strict=True))

    return [len({one for one, other in zip(who, would_show, strict=True) if fits(row, other)}) for row in shown]


def test_groups_of_fewer_than_k_persons_are_counted_and_fail_the_limit() -> None:
    data = stays()
    found = sf.protect(data, k=3, limits=["k=3"], seed=1, number_steps=())
    by_hand = persons_by_hand(data, found.data)
    assert min(by_hand) < 3
    [limit] = found.after.limits
    assert (limit.figure, limit.is_met) == (min(by_hand), False)
    told = f"at least {sum(count < 3 for count in by_hand)} are in groups that fewer than 3 persons fit"
    assert any(remark.startswith(REPEATED) and told in remark for remark in found.remarks)
    assert PERSONS_REPEATED in " ".join(str(found).partition("Note")[0].split())
    assessed = sf.assess(data, found.data, methods=found.recipe.steps, worst_case=False, same_order=True)
    assert PERSONS_REPEATED in assessed.alarms
    report = sf.risk_report(data, k=3, limits=["k=2"])
    assert report.remarks[0].startswith(REPEATED)
    assert report.limits[0].figure == min(persons_by_hand(data, data))


def test_equal_records_of_one_person_fail_a_strict_promise() -> None:
    data = stays()
    found = sf.protect(data, k=3, strict=True, limits=["strict_k=3"], seed=1, number_steps=())
    shown = list(zip(*(found.data.frame[key].to_list() for key in KEYS), strict=True))
    who = data.frame["PatientenNr"].to_list()
    persons = [len({one for one, other in zip(who, shown, strict=True) if other == row}) for row in shown]
    few = sum(count < 3 for count in persons)
    assert few > 0
    assert any(f"and {few} in groups of 3 or more equal records" in remark for remark in found.remarks)
    assert found.after.limits[0].figure == min(persons)
    assert not found.after.meets_limits


def test_lists_of_categories_count_each_person_once() -> None:
    frame = stays().frame.with_columns(born=pl.col("PatientenNr") % 40 + 1950)
    often = frame.filter(pl.col("PatientenNr") == frame["PatientenNr"][0]).with_columns(born=pl.lit(1901, pl.Int64))
    frame = pl.concat([frame, *[often] * 5])
    schema = sf.Schema.infer(frame).with_kinds(nominal=["PatientenNr", "born"])
    data = sf.Microdata(frame, schema.with_roles(key=("born", "sex"), identifier=["PatientenNr"], household=[]))
    report = sf.risk_report(data, k=3)
    shown = {str(row.category) for row in report.categories if row.key == "born"}
    holders = {str(year): who for year, who in frame.group_by("born").agg(pl.col("PatientenNr").n_unique()).rows()}
    assert holders["1901"] == 1 < 3 <= frame["born"].eq(1901).sum()
    assert shown
    assert all(holders[year] >= 3 for year in shown)


def test_an_identifier_that_a_household_shares_is_none_of_a_person() -> None:
    data = stays()
    rng = np.random.default_rng(1)
    homes = data.frame.rename({"PatientenNr": "nr"}).with_columns(sex=rng.choice(["f", "m"], data.n))
    schema = sf.Schema.infer(homes).with_kinds(nominal=["nr"]).with_roles(key=KEYS, identifier=["nr"], household=[])
    assert person_column(sf.Microdata(homes, schema)) == ""
    assert person_column(data) == "PatientenNr"
    assert repeated_persons(sf.Microdata(homes, schema), data, KEYS, 3) is None


def test_the_household_is_told_by_what_groups_records_and_not_by_a_few_equal_names() -> None:
    names = [f"name {place // 2 if place < 6 else place}" for place in range(90)]
    home = np.arange(90) // 3
    frame = pl.DataFrame({"names": names, "hh": home, "x": np.arange(90) % 2, "rooms": home * 7 % 5})
    schema = sf.Schema.infer(frame).with_kinds(nominal=["hh"]).with_roles(identifier=["names", "hh"], household=[])
    assert household_columns(sf.Microdata(frame, schema)) == ("hh",)
    assert household_columns(sf.Microdata(frame, schema).without_columns(("hh",))) == ()


def test_gaps_that_tell_their_value_are_filled_and_the_persons_counted() -> None:
    job = ["cook"] * 40 + ["smith"] * 20 + ["bishop"] * 2
    town = [*"ab" * 31]
    data = sf.Microdata(pl.DataFrame({"job": job, "town": town}))
    masked = data.with_frame(data.frame.with_columns(job=pl.Series([*job[:59], None, None, None])))
    rare = data.with_frame(data.frame.with_columns(job=pl.Series([*job[:60], None, None])))
    assert gap_exposure(data, masked, ("job", "town"), 3)[:2] == (0, 3)  # fewer than nine of ten had one value
    many = sf.Microdata(pl.DataFrame({"job": [*job, "bishop"], "town": [*town, "a"]}))
    shown = many.with_frame(many.frame.with_columns(job=pl.Series([*job[:60], None, None, None])))
    assert gap_exposure(many, shown, ("job", "town"), 3)[:2] == (3, 1)
    assert gap_exposure(data, rare, ("job", "town"), 3)[:2] == (0, 3)  # two gaps are too few to tell


def test_what_the_stays_of_one_patient_share_tells_nothing_of_others() -> None:
    rng = np.random.default_rng(4)
    patients, stays = 150, 6
    patient = np.repeat(np.arange(patients), stays)
    born, height = rng.integers(0, 30_000, patients), rng.normal(170, 9, patients).round()
    frame = pl.DataFrame(
        {
            "patient": [f"K{900_000 + 7 * number}" for number in patient],
            "sex": rng.choice([*"fm"], patients)[patient],
            "birthdate": [date(1930, 1, 1) + timedelta(days=int(day)) for day in born[patient]],
            "height": height[patient],
            "clinic": rng.choice([*"ABC"], patient.size),
        }
    )
    schema = sf.Schema.infer(frame).with_kinds(continuous=["height"]).with_roles(key=["sex", "birthdate", "clinic"])
    assert schema["patient"].role is Role.IDENTIFIER
    found = sf.protect(sf.Microdata(frame, schema), k=3, seed=1)
    assert found.hinted == 0
    assert not [remark for remark in found.remarks if "height" in remark and "OFF OTHER COLUMNS" in remark]


@pytest.mark.parametrize("day", ["birth_date", "born", "foedselsdag"])
def test_records_that_share_a_day_of_birth_and_a_sex_by_no_chance_are_of_one_person(day: str) -> None:
    rng = np.random.default_rng(2)
    who = np.repeat(np.arange(300), rng.choice([1, 2, 5], 300, p=[0.7, 0.2, 0.1]))
    born = [date(1940, 1, 1) + timedelta(days=int(day)) for day in rng.integers(0, 22_000, 300)]
    ward, sex = rng.choice([*map(str, range(60))], 300), rng.choice(["f", "m"], 300)
    frame = pl.DataFrame(
        {
            day: [born[one] for one in who],
            "sex": sex[who],
            "ward": ward[who],
            "cost": rng.normal(9, 1, who.size),
        }
    )
    schema = sf.Schema.infer(frame).with_roles(key=KEYS if day == "birth_date" else [*KEYS, day])
    visits = sf.Microdata(frame, schema)
    assert person_columns(visits) == (day, "sex")
    found = sf.protect(visits, k=3, limits=["k=3"], seed=1)
    assert PERSONS_REPEATED in found.alarms
    assert not found.after.meets_limits
    assert any(one.startswith(f"{REPEATED}, AS IT SEEMS: by {day} and sex") for one in found.remarks)
    patients = sf.Microdata(frame.unique([day, "sex"], keep="first", maintain_order=True), schema)
    alone = sf.protect(patients, k=3, seed=1)
    assert PERSONS_REPEATED not in alone.alarms
    assert person_columns(patients) == ()
    assert "Counted as persons: each record, as no column tells otherwise" in " ".join(str(alone).split())


def births(name: str, *, with_age: bool = False) -> sf.Microdata:
    """Return births of mothers of whom some had several, under a number of any name, and the sex of the child."""
    rng = np.random.default_rng(11)
    mother = np.repeat(np.arange(150), rng.choice([1, 1, 2, 3], 150))
    frame = pl.DataFrame(
        {
            name: rng.permutation(9_000)[:150][mother],
            "district": rng.choice([*"abcdef"], 150)[mother],
            "nation": rng.choice([*"uvw"], 150)[mother],
            "child_sex": rng.choice(["f", "m"], mother.size),
            **({"age": rng.integers(0, 90, mother.size)} if with_age else {}),
        }
    )
    schema = sf.Schema.infer(frame).with_kinds(continuous=[name])
    return sf.Microdata(frame, schema.with_roles(key=["district", "nation", "child_sex"], identifier=[name]))


@pytest.mark.parametrize("name", ["mutter_nr", "case_id", "hospital_no", "num_dossier", "expediente", "xyz"])
def test_an_identifier_that_repeats_counts_persons_whatever_its_name(name: str) -> None:
    assert person_column(births(name)) == name
    assert sf.risk_report(births(name), k=3).remarks[0].startswith(REPEATED)


def test_an_identifier_of_unlike_ages_and_an_amount_number_no_persons() -> None:
    assert person_column(births("xyz", with_age=True)) == ""  # a household
    assert person_column(births("income")) == ""


def pupils(number: str) -> pl.DataFrame:
    """Return the marks of pupils in several subjects, in any order, with a number that has gaps."""
    rng = np.random.default_rng(9)
    pupil = rng.permutation(np.repeat(np.arange(150), rng.integers(2, 6, 150)))
    numbers = np.sort(rng.choice(np.arange(4_000, 5_500), 150, replace=False))
    return pl.DataFrame(
        {
            number: numbers[pupil],
            "year_of_birth": rng.integers(2008, 2014, 150)[pupil],
            "sex": rng.choice([*"fm"], 150)[pupil],
            "language": rng.choice([*"abc"], 150, p=[0.7, 0.2, 0.1])[pupil],
            "mark": rng.normal(11, 3, pupil.size).round(1),
        }
    )


@pytest.mark.parametrize("number", ["matricule", "register_col", "x7"])
def test_a_number_of_persons_that_is_released_counts_as_one_whatever_its_role(number: str) -> None:
    frame = pupils(number)
    schema = sf.Schema.infer(frame).with_kinds(nominal=["year_of_birth"])
    data = sf.Microdata(frame, schema.with_roles(key=["year_of_birth", "sex", "language"], other=[number, "mark"]))
    assert person_column(data) == number
    found = sf.protect(data, k=3, limits=["k=3"], seed=1, number_steps=())
    groups = found.data.frame.group_by("year_of_birth", "sex", "language").agg(pl.col(number).n_unique())
    assert groups[number].min() < 3
    assert not found.after.meets_limits
    assert PERSONS_REPEATED in " ".join(str(found).partition("Note")[0].split())
    assert any(f"{number} numbers persons and is released" in remark for remark in found.remarks)


def test_codes_that_persons_of_both_sexes_share_number_no_persons() -> None:
    frame = pupils("school_no")
    rng = np.random.default_rng(3)
    shared = frame.with_columns(sex=pl.Series(rng.choice([*"fm"], frame.height)))
    assert person_column(sf.Microdata(shared, sf.Schema.infer(shared).with_roles(other=["school_no"]))) == ""


def test_hours_that_two_of_one_sex_share_number_no_persons() -> None:
    rng = np.random.default_rng(2)
    sex = rng.choice(["f", "m"], 800)
    minute = np.where(sex == "f", rng.integers(480, 720, 800), rng.integers(780, 1080, 800))
    frame = pl.DataFrame(
        {"sex": sex, "age": rng.integers(18, 90, 800), "hour": [f"{one // 60:02}:{one % 60:02}" for one in minute]}
    )
    schema = sf.Schema.infer(frame).with_kinds(continuous=["age"], nominal=["hour"])
    assert person_columns(sf.Microdata(frame, schema.with_roles(key=["sex", "age"], identifier=["hour"]))) == ()
