"""`sfumato init`: a schema to begin with, proposed or asked for column by column."""

import json
import sys
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pyreadstat
import pytest

from sfumato.data import Kind, Role
from sfumato.errors import FileError, ParameterError
from sfumato.files import ReadOptions, read
from sfumato.files.sidecar import load_schema
from sfumato.jobs._column_doubts import Question, take_proposal
from sfumato.jobs.describe import describe
from sfumato.jobs.init import LEFT_APART, LEFT_AS_OTHER, init
from tests.cli.commands import Ran
from tests.cli.conftest import sfumato

__all__ = ["sfumato"]  # a fixture


@pytest.fixture
def people(tmp_path: Path) -> Path:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame(
        {
            "person_id": np.arange(400),
            "age": np.r_[rng.integers(18, 80, 380), np.full(20, 99)],
            "REGION": rng.integers(1, 90, 400),
            "rooms": rng.integers(1, 7, 400),
            "income": rng.lognormal(8, 1, 400).round(2),
            "weight": rng.uniform(1, 9, 400),
        }
    )
    frame.write_csv(tmp_path / "people.csv")
    return tmp_path / "people.csv"


def test_the_proposal_is_a_schema_that_is_found_when_the_file_is_read(people: Path) -> None:
    result = init(people)
    assert result.output == people.with_name("people.schema.yaml")
    schema = read(people).schema
    assert schema == result.schema == load_schema(result.output)
    assert {variable.name: (variable.kind, variable.role) for variable in schema.variables} == {
        "person_id": (Kind.CONTINUOUS, Role.IDENTIFIER),
        "age": (Kind.CONTINUOUS, Role.KEY),
        "REGION": (Kind.NOMINAL, Role.KEY),
        "rooms": (Kind.NOMINAL, Role.OTHER),
        "income": (Kind.CONTINUOUS, Role.CONFIDENTIAL),
        "weight": (Kind.CONTINUOUS, Role.WEIGHT),
    }
    assert schema["age"].missing_codes == (99,)
    assert not [notice for notice in describe(people).notices if "weight_rounding" not in notice]
    assert not any(column.doubt for column in describe(people).columns)


def test_the_written_schema_lists_the_choices_writes_every_role_out_and_marks_doubts(people: Path) -> None:
    text = init(people).output.read_text(encoding="utf-8")
    assert "# kind: continuous | ordinal | nominal | date" in text
    assert "  rooms: {kind: nominal, role: other}" in text
    lines = text.splitlines()
    place = lines.index("  rooms: {kind: nominal, role: other}")
    assert "# guessed nominal, because its whole numbers have only 6 different values" in lines[place - 2]
    assert (
        "# left as other, which is released as it is, unless the file is synthesised: say role: key" in lines[place - 1]
    )
    assert '# 99 in 20 records, far above every other value: taken as "no answer"' in text


def test_answers_decide_and_only_what_is_in_doubt_is_asked_beside_the_roles(people: Path) -> None:
    asked: list[Question] = []
    answers = {"age: 99": "values", "rooms: guessed": "continuous", "rooms (": "confidential"}

    def answer(question: Question) -> str:
        asked.append(question)
        return next((given for start, given in answers.items() if question.text.startswith(start)), question.proposed)

    schema = init(people, people.with_name("own.yaml"), ask=answer).schema
    assert (schema["rooms"].kind, schema["rooms"].role) == (Kind.CONTINUOUS, Role.CONFIDENTIAL)
    assert (schema["age"].valid_codes, schema["age"].missing_codes) == ((99,), ())
    kinds = [question.column for question in asked if question.text.endswith("Kind?")]
    assert kinds == ["REGION", "rooms"]
    assert len([question for question in asked if question.text.endswith("Role?")]) == len(schema.names)


def test_a_schema_that_is_there_and_a_data_file_are_left_alone(people: Path) -> None:
    before = people.read_bytes()
    init(people)
    with pytest.raises(FileError, match="is there already; correct it, remove it, or choose another name"):
        init(people)
    with pytest.raises(FileError, match=r"ends in \.yaml"):
        init(people, people)
    assert people.read_bytes() == before


def test_an_answer_that_is_no_choice_is_refused(people: Path) -> None:
    with pytest.raises(ParameterError, match=r"must be one of identifier, key, .*; got 'quasi'"):
        init(people, ask=lambda question: "quasi")
    assert not people.with_name("people.schema.yaml").exists()


def test_without_a_terminal_yes_is_asked_for(sfumato: Callable[..., Ran], people: Path) -> None:
    ran = sfumato("init", people)
    assert ran.code == 1
    assert "add --yes" in ran.err
    ran = sfumato("init", people, "--yes", "--json", "--identifier", "rooms")
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["schema"]["variables"]["rooms"]["role"] == "identifier"
    assert "Read the remarks in it" in ran.err


def test_on_a_terminal_enter_takes_what_is_proposed(
    sfumato: Callable[..., Ran], people: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda *_: "")
    assert sfumato("init", people).code == 0
    assert load_schema(people.with_name("people.schema.yaml")) == init(people, people.with_name("other.yaml")).schema


def test_dates_far_from_today_are_asked_about_with_the_formats_that_fit(tmp_path: Path) -> None:
    (tmp_path / "orders.csv").write_text("due\n01/02/2300\n03/04/2310\n")
    made = init(tmp_path / "orders.csv")
    assert made.remarks["due"][-1].endswith("write date_format: dd/mm/yyyy, or mm/dd/yyyy")


def test_a_doubt_about_the_role_is_asked_with_the_role(people: Path) -> None:
    asked: list[str] = []

    def answer(question: Question) -> str:
        asked.append(question.text)
        return question.proposed

    init(people, ask=answer)
    about_weight = [text for text in asked if text.startswith("weight")]
    assert len(about_weight) == 1
    assert about_weight[0].startswith("weight: guessed weight, because of its name")
    assert about_weight[0].endswith("Role?")


def test_roles_are_proposed_by_names_and_labels_of_other_languages_and_by_dates_of_decades(tmp_path: Path) -> None:
    days = [f"{year}-03-01" for year in range(1941, 2001)]
    frame = pl.DataFrame(
        {"Schulabschluß": ["a", "b"] * 30, "v7": [1, 2, 3] * 20, "Nettoeinkommen": [1.5, 2.0, 9.25] * 20, "d": days}
    )
    frame.with_columns(pl.col("d").str.to_date()).write_parquet(tmp_path / "people.parquet")
    labels = "variables: {v7: {kind: nominal, label: Situation de famille et état civil}}"
    (tmp_path / "people.schema.yaml").write_text(labels, encoding="utf-8")
    made = init(tmp_path / "people.parquet", tmp_path / "own.yaml")
    roles = {variable.name: str(variable.role) for variable in made.schema.variables}
    assert roles == {"Schulabschluß": "key", "v7": "key", "Nettoeinkommen": "confidential", "d": "key"}
    assert made.remarks["v7"][-1] == "proposed as key, because of its label"
    assert "may be one of birth" in made.remarks["d"][-1]


def test_a_second_weight_or_household_is_left_to_the_user_with_a_remark(tmp_path: Path) -> None:
    """The European Social Survey has three weights."""
    frame = pl.DataFrame(
        {"dweight": [0.5, 1.5] * 30, "pspwght": [0.7, 1.3] * 30, "hhid": range(60), "hh_no": range(60)}
    )
    frame.write_csv(tmp_path / "ess.csv")
    made = init(tmp_path / "ess.csv")
    assert {variable.name: variable.role for variable in made.schema.variables} == {
        "dweight": Role.WEIGHT,
        "pspwght": Role.OTHER,
        "hhid": Role.HOUSEHOLD,
        "hh_no": Role.OTHER,
    }
    assert made.remarks["pspwght"] == ("looks like the weight too, but that is dweight; only one column can be it",)


def test_labels_tell_weights_households_and_persons_where_names_do_not(tmp_path: Path) -> None:
    labels: dict[str, str | None] = {
        "v1": "Respondent number",
        "v2": "Haushaltsnummer",
        "v3": "Hochrechnungsfaktor",
        "v4": "Geburtsjahr",
        "poids": "Poids à l'admission (kg)",
    }
    rng = np.random.default_rng(2)
    frame = pl.DataFrame(
        {
            "v1": rng.permutation(900)[:80] * 1.0,
            "v2": np.arange(80) // 2 + 400.0,
            "v3": rng.uniform(2, 9, 80),
            "v4": rng.integers(1930, 2005, 80) * 1.0,
            "poids": rng.integers(45, 120, 80) * 1.0,
        }
    )
    pyreadstat.write_sav(frame, str(tmp_path / "people.sav"), column_labels=labels)
    made = init(tmp_path / "people.sav")
    expected = [Role.IDENTIFIER, Role.HOUSEHOLD, Role.WEIGHT, Role.KEY, Role.OTHER]
    assert [made.schema[name].role for name in labels] == expected


@pytest.mark.parametrize("is_date", [True, False])
def test_an_age_of_99_is_an_age_where_the_person_was_born_99_years_ago(people: Path, is_date: bool) -> None:
    frame = pl.read_csv(people)
    born = 2024 - frame["age"]
    births = pl.Series([f"{year}-03-17" for year in born]).str.to_date() if is_date else born
    frame.with_columns(born=births).write_csv(people)
    schema = init(people).schema
    assert schema["age"].valid_codes == (99,)
    assert schema["age"].missing_codes == ()
    frame.with_columns(born=births.shuffle(seed=1)).write_csv(people)
    people.with_name("people.schema.yaml").unlink()
    assert init(people).schema["age"].missing_codes == (99,)


def test_a_column_of_text_cannot_be_the_weight(people: Path) -> None:
    with pytest.raises(ParameterError, match=r"weight: 'REGION' is nominal; expected a continuous column"):
        init(people, options=ReadOptions(weight="REGION"))
    assert not people.with_name("people.schema.yaml").exists()


def test_the_only_date_that_spans_decades_is_proposed_as_key_beside_other_dates(tmp_path: Path) -> None:
    days = np.random.default_rng(0).integers(-10_000, 10_000, 60)
    frame = pl.DataFrame({"when": [date(1990, 1, 1) + timedelta(days=int(day)) for day in days]}).with_columns(
        visit=pl.Series([date(2024, 1, 1) + timedelta(days=day) for day in range(60)])
    )
    frame.write_csv(tmp_path / "visits.csv")
    schema = init(tmp_path / "visits.csv").schema
    assert (schema["when"].role, schema["visit"].role) == (Role.KEY, Role.OTHER)


def test_columns_left_as_other_are_pointed_out_whether_records_share_their_values_or_not(tmp_path: Path) -> None:
    frame = pl.DataFrame({"q1": ["a", "b"] * 20, "q2": np.linspace(0.1, 9.7, 40), "q3": ["c"] * 40})
    frame.write_csv(tmp_path / "answers.csv")
    remarks = init(tmp_path / "answers.csv").remarks
    assert {name for name, told in remarks.items() if LEFT_AS_OTHER in told} == {"q1"}
    assert {name for name, told in remarks.items() if LEFT_APART in told} == {"q2"}
    asked = tmp_path / "asked.yaml"
    chosen = init(tmp_path / "answers.csv", asked, ask=lambda one: "key" if one.column == "q1" else take_proposal(one))
    assert chosen.remarks["q1"] == ()


def test_words_of_the_nordic_countries_and_numbers_of_persons_with_several_records_are_known(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    code = [f"{''.join(rng.choice([*'ABCDEFGH'], 6))}{number:02d}X{number + 7:02d}" for number in range(50)]
    frame = pl.DataFrame(
        {
            "v1": [*code, *code[:30]],
            "ålder": rng.integers(18, 90, 80),
            "kön": rng.choice(["man", "kvinna"], 80),
            "kommun": rng.choice(["a", "b", "c"], 80),
            "hushåll": rng.integers(1, 40, 80),
            "inkomst": rng.lognormal(10, 1, 80),
        }
    )
    frame.write_csv(tmp_path / "folk.csv")
    roles = {one.name: str(one.role) for one in init(tmp_path / "folk.csv").schema.variables}
    expected = {"v1": "identifier", "hushåll": "household", "inkomst": "confidential"}
    assert roles == {"ålder": "key", "kön": "key", "kommun": "key", **expected}


def test_ages_and_dates_of_admission_are_no_income_and_czech_keys_are_known(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    days = [date(2020, 1, 1) + timedelta(days=int(day)) for day in rng.integers(0, 900, 300)]
    frame = pl.DataFrame(
        {
            "mutter_nr": rng.integers(1_000, 1_200, 300),
            "edad_ingreso": rng.integers(18, 80, 300),
            "fecha_ingreso": days,
            "ingreso_mensual": rng.lognormal(7, 1, 300).round(2),
            "vek": rng.integers(18, 80, 300),
            "pohlavi": rng.choice(["m", "z"], 300),
            "okres": rng.choice(["Brno", "Praha"], 300),
        }
    )
    frame.write_csv(tmp_path / "people.csv")
    roles = {variable.name: variable.role for variable in init(tmp_path / "people.csv").schema.variables}
    keys = dict.fromkeys(("edad_ingreso", "fecha_ingreso", "vek", "pohlavi", "okres"), Role.KEY)
    assert roles == keys | {"mutter_nr": Role.IDENTIFIER, "ingreso_mensual": Role.CONFIDENTIAL}


def test_a_number_that_records_of_one_person_share_is_proposed_as_identifier(tmp_path: Path) -> None:
    rng = np.random.default_rng(9)
    pupil = rng.permutation(np.repeat(np.arange(100), 4))
    frame = pl.DataFrame(
        {
            "matricule": np.sort(rng.choice(np.arange(4_000, 5_500), 100, replace=False))[pupil],
            "sexe": rng.choice([*"fm"], 100)[pupil],
            "langue": rng.choice([*"abc"], 100)[pupil],
            "note": rng.normal(11, 3, 400).round(1),
        }
    )
    frame.write_csv(tmp_path / "marks.csv")
    assert init(tmp_path / "marks.csv").schema["matricule"].role is Role.IDENTIFIER
