from pathlib import Path

import polars as pl
import pytest

from sfumato.data import Schema
from sfumato.errors import FileError, SchemaError, UnknownColumnError
from sfumato.files import ReadOptions
from sfumato.files.folders import open_folder
from tests.files.folders.parts import write_parts
from tests.masking.survey import SCHEMA, survey

FRAME = survey(60)
OPTIONS = ReadOptions(schema=SCHEMA)


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    write_parts(FRAME, tmp_path / "people", [7, 40])
    return tmp_path / "people"


def test_a_folder_a_glob_and_a_single_file_give_the_same_records(parts: Path, tmp_path: Path) -> None:
    FRAME.write_parquet(tmp_path / "one.parquet")
    (parts / "readme.txt").write_text("not a part")
    for name in (parts, f"{parts}/people-*.parquet", tmp_path / "one.parquet"):
        assert open_folder(name, OPTIONS).read(0, 60).frame.equals(FRAME)


def test_the_schema_beside_a_folder_is_found_and_options_describe_columns(parts: Path) -> None:
    parts.with_name("people.schema.yaml").write_text(SCHEMA.to_yaml(), encoding="utf-8")
    assert open_folder(parts, ReadOptions(key=("region",))).schema["region"].role == "key"


def test_a_schema_must_describe_every_column_and_no_other(parts: Path) -> None:
    with pytest.raises(SchemaError, match="needs a schema that describes every column"):
        open_folder(parts, ReadOptions())
    with pytest.raises(SchemaError, match=r"does not describe these columns of .*: tax"):
        open_folder(parts, ReadOptions(schema=SCHEMA.subset(tuple(n for n in SCHEMA.names if n != "tax"))))
    other = Schema(variables=(*SCHEMA.variables, SCHEMA["tax"].replace(name="wealth")))
    with pytest.raises(UnknownColumnError, match="'wealth'"):
        open_folder(parts, ReadOptions(schema=other))


def test_text_that_stands_for_numbers_or_for_dates_without_a_format_is_refused(parts: Path) -> None:
    with pytest.raises(SchemaError, match="'admitted' holds dates as text"):
        open_folder(parts, ReadOptions(schema=SCHEMA.with_variables(SCHEMA["admitted"].replace(date_format=""))))
    with pytest.raises(SchemaError, match="'region' holds text, but is to be continuous"):
        open_folder(parts, ReadOptions(schema=SCHEMA.with_variables(SCHEMA["region"].replace(kind="continuous"))))


def test_parts_with_other_columns_or_types_are_refused(parts: Path) -> None:
    FRAME.with_columns(pl.col("tax").cast(pl.Float64)).write_parquet(parts / "people-9.parquet")
    with pytest.raises(FileError, match=r"column 'tax' has the type Float64 in people-9.parquet and Int64"):
        open_folder(parts, OPTIONS)
    for frame, differs in (
        (FRAME.drop("tax"), "lacks the column 'tax', which people-0.parquet has"),
        (FRAME.with_columns(wealth=1), "has the column 'wealth', which people-0.parquet lacks"),
        (FRAME.select(reversed(FRAME.columns)), "has the columns in another order than people-0.parquet: "),
    ):
        frame.write_parquet(parts / "people-9.parquet")
        with pytest.raises(FileError, match=f"people-9.parquet {differs}"):
            open_folder(parts, OPTIONS)


def test_what_holds_no_parquet_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"no file that ends in .parquet"):
        open_folder(tmp_path, OPTIONS)
    (tmp_path / "people.sav").write_text("x\n1\n")
    with pytest.raises(FileError, match=r"people.sav is neither Parquet nor text"):
        open_folder(tmp_path / "people.sav", OPTIONS)
