"""What jobs return: the same texts and tables as text, in a notebook and on the command line."""

from pathlib import Path

import polars as pl
import pytest

import sfumato as sf
from sfumato.display import Table
from sfumato.jobs.describe import describe, describe_data
from sfumato.jobs.mask import mask
from sfumato.jobs.methods import methods
from sfumato.jobs.result import JobResult
from tests.protection.surveys import survey


@pytest.fixture
def file(tmp_path: Path) -> Path:
    sf.write(survey(), tmp_path / "survey.csv")
    return tmp_path / "survey.csv"


@pytest.fixture(params=["describe", "methods", "one method", "mask"])
def result(request: pytest.FixtureRequest, file: Path) -> JobResult:
    if request.param == "describe":
        return describe(file)
    if request.param == "mask":
        recipe = sf.Recipe(steps=[sf.DropIdentifiers(), sf.Mdav(columns=["tax"])], seed=7)
        return mask(file, recipe, file.with_name("masked.csv"))
    return methods("mdav" if request.param == "one method" else None)


def test_text_and_notebook_show_the_same_parts(result: JobResult) -> None:
    parts, text, page = list(result.parts()), str(result), result._repr_html_()
    assert parts
    for part in parts:
        assert (part.to_text() if isinstance(part, Table) else part) in text
    assert page.count("<table") == sum(isinstance(part, Table) for part in parts)
    assert page.count("<pre") == sum(isinstance(part, str) for part in parts)


def test_a_description_has_a_row_for_each_column_and_no_record(file: Path) -> None:
    table = describe(file).to_table()
    assert [row[0] for row in table.rows] == list(sf.read(file).schema.names)
    assert table.title == f"survey.csv: {survey().n} records, {len(table.rows)} columns"


def test_a_category_of_less_than_one_percent_is_counted_and_not_named() -> None:
    jobs = sf.Microdata(pl.DataFrame({"job": ["clerk"] * 500 + ["nurse"] * 490 + ["bishop"] * 4 + ["abbot"]}))
    (job,) = describe_data(jobs, "jobs").columns
    assert job.content == "4 categories: clerk (50 %), nurse (49 %) and 2 more"


def test_a_step_is_described_by_its_method() -> None:
    assert sf.Mdav(columns=["tax"], k=4).detail() == "groups of 4"
    assert sf.RankSwapping(columns=["tax"]).detail() == ""
