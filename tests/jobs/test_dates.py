"""Dates in files: recognised in text, asked where they can be read in two ways, kept in their format."""

from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import polars as pl
import pytest

import sfumato as sf
from sfumato.data import Kind, Role
from sfumato.data.periods import Period
from sfumato.errors import DocumentError, ParameterError, SchemaError
from sfumato.files import ReadOptions, read
from sfumato.jobs._column_doubts import Question
from sfumato.jobs._file_pair import read_pair
from sfumato.jobs.assess import assess
from sfumato.jobs.describe import describe
from sfumato.jobs.init import init
from sfumato.jobs.mask import mask
from sfumato.jobs.protect import protect
from sfumato.jobs.verify import verify
from tests.cli.commands import Ran
from tests.cli.conftest import sfumato

__all__ = ["sfumato"]  # a fixture

DAYS = [date(1950, 1, 1) + timedelta(days=97 * number) for number in range(80)]
EARLY_DAYS = [day.replace(day=day.day % 12 + 1) for day in DAYS]


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """A file with dates as text, in two formats; those of interviews can be read in two ways."""
    frame = pl.DataFrame(
        {
            "birth_date": [f"{day:%d/%m/%Y}" for day in DAYS],
            "interview": [f"{day:%d.%m.%Y}" for day in EARLY_DAYS],
            "sex": [1, 2] * 40,
            "income": [1000.5 + 10 * number for number in range(80)],
        }
    )
    frame.write_csv(tmp_path / "people.csv")
    return tmp_path / "people.csv"


def test_describe_shows_dates_in_text_with_their_format_and_says_what_to_write(people: Path) -> None:
    described = describe(people)
    born, interview, *_ = described.columns
    assert (born.kind, born.date_format, born.earliest) == ("date", "dd/mm/yyyy", "1950-01-01")
    assert born.content == f"1950-01-01 to {max(DAYS).isoformat()}, written as dd/mm/yyyy"
    assert (interview.kind, interview.content) == ("date", "")
    assert any("date_format: dd.mm.yyyy, or the other" in notice for notice in described.notices)


def test_fewer_dates_than_can_be_shown_are_not(tmp_path: Path) -> None:
    (tmp_path / "few.csv").write_text("x\n31/01/1990\n15/02/1991\n")
    (column,) = describe(tmp_path / "few.csv").columns
    assert (column.kind, column.earliest, column.too_few) == ("date", None, True)


def test_a_key_whose_dates_can_be_read_in_two_ways_stops_mask_and_protect(people: Path) -> None:
    options = ReadOptions(key=("interview", "sex"))
    recipe = sf.Recipe(steps=[sf.RankSwapping(columns=("income",))])
    with pytest.raises(DocumentError, match=r"date_format: dd\.mm\.yyyy"):
        mask(people, recipe, people.with_name("masked.csv"), options=options)
    with pytest.raises(ParameterError, match=r"date_format: dd\.mm\.yyyy"):
        protect(people, people.with_name("safe.csv"), options=options)


def test_one_cell_that_is_no_date_stops_mask_and_protect_and_no_format_hides_it(people: Path) -> None:
    frame = pl.read_csv(people, infer_schema=False)
    bad = people.with_name("bad.csv")
    frame.with_columns(birth_date=pl.Series(["31/02/1980", *frame["birth_date"][1:]])).write_csv(bad)
    options = ReadOptions(key=("birth_date", "sex"))
    recipe = sf.Recipe(steps=[sf.RankSwapping(columns=("income",))])
    assert any("1 cell that is no date in that format" in notice for notice in describe(bad).notices)
    with pytest.raises(DocumentError, match="dd/mm/yyyy, and 1 cell that is no date"):
        mask(bad, recipe, bad.with_name("masked.csv"), options=options)
    with pytest.raises(ParameterError, match="dd/mm/yyyy, and 1 cell that is no date"):
        protect(bad, bad.with_name("safe.csv"), options=options)
    with pytest.raises(SchemaError, match="is a date written as dd/mm/yyyy, but 1 of its"):
        describe(bad, options=ReadOptions(date_format="dd/mm/yyyy"))
    assert "some cells are no dates" in init(bad).output.read_text(encoding="utf-8")


def test_protect_releases_a_date_as_periods_that_enough_share_and_assess_sees_it(people: Path) -> None:
    safe = people.with_name("safe.csv")
    protect(people, safe, options=ReadOptions(key=("birth_date", "sex")), k=3)
    released = pl.read_csv(safe, infer_schema=False)
    assert "birth_date" in released.columns
    shown = released.filter(pl.all_horizontal(pl.col("birth_date", "sex").is_not_null()))
    assert shown.group_by("birth_date", "sex").len()["len"].min() >= 3  # type: ignore[operator]
    assert not set(released["birth_date"]) & {f"{day:%d/%m/%Y}" for day in DAYS}
    back = read(safe).schema["birth_date"]
    assert (back.kind, back.role, back.date_format) == (Kind.ORDINAL, Role.KEY, "")
    found = assess(people, safe, options=ReadOptions(key=("birth_date", "sex"), date_format="dd.mm.yyyy"))
    (worst,) = [each for each in found.assessment.measures if each.name() == "worst_case_linkage"]
    assert "birth_date" in worst.columns


@pytest.mark.parametrize("suffix", [".csv", ".sav", ".dta"])
def test_the_intruder_reads_periods_whatever_the_format_keeps_them_as(tmp_path: Path, suffix: str) -> None:
    original, masked = (tmp_path / f"{name}{suffix}" for name in ("people", "masked"))
    days = [date(1950, 1, 1) + timedelta(days=37 * number) for number in range(300)]
    sf.write(sf.Microdata(pl.DataFrame({"born": days, "sex": [1, 2] * 150})), original)
    recipe = sf.Recipe(steps=[sf.DateRounding(columns=("born",), to=Period.YEAR)])
    mask(original, recipe, masked)
    pair = read_pair(original, masked, ReadOptions())
    linkage = sf.LikelihoodLinkage(columns=("born", "sex"))
    found = sf.assess(pair.original, pair.masked, [linkage], methods=pair.parts).measurements[0]
    groups = {(day.year, number % 2) for number, day in enumerate(days)}
    assert found.parts["row by row"] == pytest.approx(100 * len(groups) / len(days))
    assert "which is proven" in found.remark


def test_the_option_says_how_dates_are_written_and_the_manifest_keeps_that_as_a_schema(people: Path) -> None:
    options = ReadOptions(key=("interview", "sex"), date_format="mm.dd.yyyy")
    recipe = sf.Recipe(steps=[sf.RankSwapping(columns=("income",))])
    masked = people.with_name("masked.csv")
    manifest = mask(people, recipe, masked, options=options).manifest
    assert "  interview: {kind: date, role: key, date_format: mm.dd.yyyy}" in manifest.input_schema
    assert verify(masked.with_name("masked.csv.manifest.json")).passed
    released = pl.read_csv(masked, infer_schema=False)
    assert sorted(released["birth_date"]) == sorted(f"{day:%d/%m/%Y}" for day in DAYS)
    assert sorted(released["interview"]) == sorted(f"{day:%d.%m.%Y}" for day in EARLY_DAYS)
    back = read(masked).schema
    assert (back["interview"].date_format, back["birth_date"].date_format) == ("mm.dd.yyyy", "dd/mm/yyyy")


def test_the_command_line_takes_the_format_and_refuses_one_that_is_none(
    sfumato: Callable[..., Ran], people: Path
) -> None:
    ran = sfumato("describe", people, "--date-format", "dd.mm.yyyy")
    assert ran.code == 0, ran.err
    assert "written as dd.mm.yyyy" in " ".join(ran.out.split())
    ran = sfumato("describe", people, "--date-format", "%d.%m.%Y")
    assert ran.code == 1
    assert "--date-format must be such as dd/mm/yyyy" in ran.err


def test_init_asks_for_the_format_and_leaves_it_open_where_nobody_knows(people: Path) -> None:
    asked: list[Question] = []

    def answer(question: Question) -> str:
        asked.append(question)
        return "mm.dd.yyyy" if question.text.startswith("interview: dates") else question.proposed

    schema = init(people, people.with_name("own.yaml"), ask=answer).schema
    assert schema["interview"].date_format == "mm.dd.yyyy"
    assert schema["birth_date"].role is Role.KEY
    (question,) = [question for question in asked if "can be read as" in question.text]
    assert question.choices == ("dd.mm.yyyy", "mm.dd.yyyy", "unknown")
    result = init(people)
    assert result.schema["interview"].date_format == ""
    assert "write date_format: dd.mm.yyyy, or mm.dd.yyyy" in result.output.read_text(encoding="utf-8")


def test_a_kind_of_date_that_the_text_does_not_bear_out_is_refused_when_the_file_is_read(people: Path) -> None:
    schema = people.with_name("people.schema.yaml")
    schema.write_text("variables: {birth_date: {kind: date, date_format: mm/dd/yyyy}}\n")
    with pytest.raises(SchemaError, match="of its 80 different values are none"):
        read(people)
    schema.write_text("variables: {income: {kind: date}}\n")
    with pytest.raises(SchemaError, match="'income' is to be a date"):
        read(people)


@pytest.mark.parametrize("suffix", [".sav", ".dta", ".parquet", ".xlsx", ".csv"])
def test_dates_and_dates_in_text_come_back_as_such_in_every_format(tmp_path: Path, suffix: str) -> None:
    frame = pl.DataFrame({"typed": DAYS, "text": [f"{day:%d/%m/%Y}" for day in DAYS]})
    sf.write(sf.Microdata(frame), tmp_path / f"people{suffix}")
    back = read(tmp_path / f"people{suffix}")
    assert [variable.kind for variable in back.schema.variables] == [Kind.DATE, Kind.DATE]
    assert back.schema["text"].date_format == "dd/mm/yyyy"
    assert back.table["text"].to_list() == frame["text"].to_list()
    for name in ("typed", "text"):
        assert back.values(name).tolist() == [(day - date(1970, 1, 1)).days for day in DAYS]
