"""A folder is described as the same records in memory are, and init proposes its schema from rows of each part."""

from pathlib import Path

import polars as pl
import pytest

from sfumato.data import summary
from sfumato.errors import FileError, ParameterError, SchemaError
from sfumato.files import ReadOptions
from sfumato.jobs import _column_doubts
from sfumato.jobs.describe import describe
from sfumato.jobs.init import init
from tests.files.folders.parts import write_parts
from tests.masking.survey import SCHEMA, survey

N = 3000
OPTIONS = ReadOptions(schema=SCHEMA)


@pytest.fixture
def people(tmp_path: Path) -> Path:
    write_parts(survey(N), tmp_path / "people", [11, 1700])
    return tmp_path / "people"


def test_a_folder_is_described_as_memory_is(people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summary, "ROWS_PER_PIECE", 500)
    survey(N).write_parquet(tmp_path / "people.parquet")
    wanted, found = describe(tmp_path / "people.parquet", options=OPTIONS), describe(people, options=OPTIONS)
    assert found.columns == wanted.columns
    assert found.columns[0].distinct == N
    assert found.notices == wanted.notices
    with pytest.raises(ParameterError, match="fit into memory"):
        describe(people, options=OPTIONS, columns_at_a_time=2)


def test_init_proposes_the_schema_of_a_folder_beside_it(people: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SchemaError, match="write one with `sfumato init`"):
        describe(people)
    assert not any("Only" in notice for notice in init(people, people.with_name("all.yaml")).notices)
    monkeypatch.setattr(_column_doubts, "ROWS_TO_GUESS", 300)
    written = init(people)
    assert written.output.name == "people.schema.yaml"
    assert written.schema.names == SCHEMA.names
    assert any("Only 211 records were looked at" in notice for notice in written.notices)
    assert pl.read_parquet(people / "people-0.parquet").height == 11  # of which all were


def test_the_schema_of_a_glob_needs_a_name(people: Path, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"init\.output must tell where"):
        init(people / "*.parquet")
    assert init(people / "*.parquet", tmp_path / "some.yaml").schema.names == SCHEMA.names
    with pytest.raises(FileError, match=r"no file that ends in \.parquet"):
        init(people / "*.csv", tmp_path / "other.yaml")
