import errno
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

from sfumato.data import Kind, Microdata, Role, Schema, Variable
from sfumato.errors import FileError, ParameterError
from sfumato.files import read, write
from sfumato.files.text import csv
from tests.files.examples import AWKWARD, EXACT, LABELLED, TEXT, WRITABLE, labelled, written

FRAME = pl.DataFrame({"x": [1.5, 2.5], "y": ["a", "b"]})


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@contextmanager
def small_disk(size: int) -> Iterator[None]:
    """Let no file grow beyond `size` bytes, as on a disk that is nearly full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("suffix", WRITABLE)
def test_every_dataframe_can_be_written(tmp_path: Path, suffix: str, as_backend: Callable[[pl.DataFrame], Any]) -> None:
    write(Microdata(as_backend(FRAME)), tmp_path / f"a{suffix}")
    assert read(tmp_path / f"a{suffix}").frame.equals(FRAME)


def test_a_guessed_schema_needs_no_second_file(tmp_path: Path) -> None:
    for suffix in WRITABLE:
        write(Microdata(FRAME), tmp_path / f"a{suffix}")
    assert names(tmp_path) == sorted(f"a{suffix}" for suffix in WRITABLE)


@pytest.mark.parametrize(
    "change",
    [
        {"label": "The size of it"},
        {"value_labels": {1: "one"}},
        {"missing_codes": (9,)},
        {"missing_ranges": ((8.0, 9.0),)},
        {"role": Role.KEY},
        {"kind": Kind.NOMINAL},
        {"kind": Kind.ORDINAL, "categories": (2.5, 1.5)},
    ],
)
@pytest.mark.parametrize("suffix", [*TEXT, *EXACT, ".xlsx"])
def test_what_the_file_cannot_hold_goes_into_a_second_file(tmp_path: Path, suffix: str, change: dict[str, Any]) -> None:
    schema = Schema.infer(FRAME)
    schema = schema.with_variables(schema["x"].replace(**change))
    write(Microdata(FRAME, schema), tmp_path / f"a{suffix}")
    assert names(tmp_path) == sorted([f"a{suffix}", "a.schema.yaml"])
    assert read(tmp_path / f"a{suffix}").schema == schema


def test_text_that_would_come_back_as_numbers_keeps_its_kind(tmp_path: Path) -> None:
    frame = pl.DataFrame({"code": [str(100 + place) for place in range(50)]})
    schema = Schema(variables=(Variable(name="code", kind=Kind.NOMINAL),))
    write(Microdata(frame, schema), tmp_path / "a.csv")
    assert read(tmp_path / "a.csv").schema == schema


def test_a_second_file_that_is_there_already_is_renewed(tmp_path: Path) -> None:
    written(tmp_path / "a.schema.yaml", "variables: {x: {kind: nominal, role: key}}")
    write(Microdata(FRAME), tmp_path / "a.csv")
    assert read(tmp_path / "a.csv").schema == Schema.infer(FRAME)


def test_a_second_file_of_other_data_is_not_replaced(tmp_path: Path) -> None:
    other = written(tmp_path / "a.schema.yaml", "variables: {x: {kind: nominal}, z: {kind: date}}").read_bytes()
    with pytest.raises(FileError, match=r"a\.schema\.yaml describes columns that the data do not have \('z'\)"):
        write(Microdata(FRAME), tmp_path / "a.csv")
    assert names(tmp_path) == ["a.schema.yaml"]
    assert (tmp_path / "a.schema.yaml").read_bytes() == other


def test_neither_file_is_replaced_without_leave(tmp_path: Path) -> None:
    write(labelled(), tmp_path / "a.csv")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(FileError, match=r"a\.csv exists already"):
        write(labelled(), tmp_path / "a.csv", overwrite=False)
    (tmp_path / "a.csv").unlink()
    with pytest.raises(FileError, match=r"a\.schema\.yaml exists already"):
        write(labelled(), tmp_path / "a.csv", overwrite=False)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a.schema.yaml": before["a.schema.yaml"]}


def test_a_new_file_may_be_written_without_leave_to_replace(tmp_path: Path) -> None:
    write(labelled(), tmp_path / "a.csv", overwrite=False)
    assert names(tmp_path) == ["a.csv", "a.schema.yaml"]


@pytest.mark.parametrize("suffix", [".sas7bdat", ".xpt"])
def test_sas_files_are_not_written(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(
        FileError, match=r"a SAS .*file can be read, not written; write \.sav, \.dta or \.csv, which SAS can import"
    ):
        write(Microdata(FRAME), tmp_path / f"a{suffix}")


def test_an_unknown_suffix_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"the suffix '\.json' is not known"):
        write(Microdata(FRAME), tmp_path / "a.json")


def test_the_separator_goes_with_the_suffix(tmp_path: Path) -> None:
    for suffix, expected in ((".csv", b"x,y"), (".txt", b"x,y"), (".tsv", b"x\ty")):
        write(Microdata(FRAME), tmp_path / f"a{suffix}")
        assert (tmp_path / f"a{suffix}").read_bytes().startswith(expected)
    write(Microdata(FRAME), tmp_path / "a.tsv", separator="|", decimal=",")
    assert (tmp_path / "a.tsv").read_bytes() == b"x|y\n1,5|a\n2,5|b\n"
    write(Microdata(FRAME), tmp_path / "a.tsv", decimal=",")
    assert (tmp_path / "a.tsv").read_bytes() == b"x\ty\n1,5\ta\n2,5\tb\n"


@pytest.mark.parametrize(
    ("name", "option", "message"),
    [
        ("a.csv", {"decimal": ","}, r"write\.decimal and write\.separator must differ"),
        ("a.tsv", {"decimal": ",", "separator": ","}, r"write\.decimal and write\.separator must differ"),
        ("a.csv", {"decimal": ".", "separator": "."}, r"write\.decimal and write\.separator must differ"),
        ("a.parquet", {"separator": ";"}, r"write\.separator is for \.csv, .*; a\.parquet is a Parquet file"),
        ("a.dta", {"decimal": ","}, r"write\.decimal is for \.csv, .*; a\.dta is a Stata file"),
        ("a.csv", {"separator": "ab"}, r"write\.separator must be one character"),
        ("a.csv", {"decimal": "x"}, r"write\.decimal must be '\.' or ','"),
    ],
)
def test_an_option_that_means_nothing_for_the_file_is_refused(
    tmp_path: Path, name: str, option: dict[str, str], message: str
) -> None:
    with pytest.raises(ParameterError, match=message):
        write(Microdata(FRAME), tmp_path / name, **option)  # type: ignore[arg-type]
    assert names(tmp_path) == []


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"there is no folder .*nowhere; make it first"):
        write(Microdata(FRAME), tmp_path / "nowhere" / "a.csv")


def test_a_folder_where_nothing_may_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(FileError, match=r"a\.csv cannot be written: permission denied"):
        write(Microdata(FRAME), tmp_path / "a.csv")


@pytest.mark.parametrize("suffix", WRITABLE)
def test_a_disk_too_small_for_the_file_leaves_the_older_one_and_nothing_else(tmp_path: Path, suffix: str) -> None:
    write(Microdata(FRAME), tmp_path / f"a{suffix}")
    before = (tmp_path / f"a{suffix}").read_bytes()
    large = Microdata(pl.DataFrame({"x": pl.Series(range(20_000)).shuffle(1) / 7, "y": ["text"] * 20_000}))
    with pytest.raises(FileError, match=r"cannot be written|could not be written completely"), small_disk(20_000):
        write(large, tmp_path / f"a{suffix}")
    assert (tmp_path / f"a{suffix}").read_bytes() == before
    assert names(tmp_path) == [f"a{suffix}"]


def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write_to_full_disk(_stream: object, frame: pl.DataFrame, *_options: object) -> None:
        frame.write_csv("/dev/full")

    monkeypatch.setattr(csv, "_write_to", write_to_full_disk)
    with pytest.raises(FileError, match=r"a\.csv cannot be written: the disk is full; nothing was changed"):
        write(Microdata(pl.concat([AWKWARD] * 1000)), tmp_path / "a.csv")
    assert names(tmp_path) == []


def test_a_second_file_that_cannot_be_written_leaves_no_first_one(tmp_path: Path) -> None:
    (tmp_path / "a.schema.yaml").mkdir()
    with pytest.raises(FileError, match=r"a\.schema\.yaml"):
        write(labelled(), tmp_path / "a.csv")
    assert names(tmp_path) == ["a.schema.yaml"]


@pytest.mark.parametrize("suffix", [*TEXT, ".xlsx", ".sav", ".dta"])
@pytest.mark.parametrize("values", [[[1, 2]], [{"a": 1}], [b"raw"], [timedelta(1)]])
def test_cells_that_are_no_single_values_are_refused(tmp_path: Path, suffix: str, values: list[Any]) -> None:
    frame = pl.DataFrame({"odd": values, "x": [1.5]})
    schema = Schema(variables=(Variable(name="odd", kind=Kind.NOMINAL), Variable(name="x", kind=Kind.CONTINUOUS)))
    with pytest.raises(FileError, match=r"column 'odd' has the type .*, which an? .* cannot hold; convert it first"):
        write(Microdata(frame, schema), tmp_path / f"a{suffix}")
    assert names(tmp_path) == []


@pytest.mark.parametrize("suffix", [".xlsx", ".sav", ".dta"])
@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1.5, float("inf")], "column 'x' holds infinite values"),
        ([2**53 + 1, 0], r"column 'x' holds integers beyond 2\*\*53"),
    ],
)
def test_numbers_that_a_float_cannot_hold_are_refused(
    tmp_path: Path, suffix: str, values: list[Any], message: str
) -> None:
    with pytest.raises(FileError, match=message):
        write(Microdata(pl.DataFrame({"x": values})), tmp_path / f"a{suffix}")
    assert names(tmp_path) == []


def test_data_without_columns_are_refused(tmp_path: Path) -> None:
    for suffix in (".csv", ".xlsx", ".sav", ".dta"):
        with pytest.raises(FileError, match="needs at least one column; the data have none"):
            write(Microdata(pl.DataFrame()), tmp_path / f"a{suffix}")


def test_the_index_of_pandas_stays_behind(tmp_path: Path) -> None:
    write(Microdata(FRAME.to_pandas().set_axis(["r1", "r2"], axis="index")), tmp_path / "a.csv")
    assert read(tmp_path / "a.csv").schema.names == ("x", "y")


def test_a_column_of_mixed_types_is_refused_by_name(tmp_path: Path) -> None:
    frame = pd.DataFrame({"odd": [1, "a", None], "x": [1.5, 2.5, 3.5]})
    with pytest.raises(FileError, match="column 'odd' mixes values of different types"):
        write(Microdata(frame), tmp_path / "a.csv")


def test_what_was_read_is_not_changed_by_writing(tmp_path: Path) -> None:
    data = labelled()
    write(data, tmp_path / "a.dta")
    assert data.frame.equals(LABELLED)
    assert data.schema == labelled().schema


def test_whole_numbers_of_more_than_fifteen_digits_come_back_as_numbers(tmp_path: Path) -> None:
    frame = pl.DataFrame({"debt": [1.5, 1e15, -1e15, 2.0]})
    write(Microdata(frame), tmp_path / "debts.csv")
    assert read(tmp_path / "debts.csv").frame.equals(frame)


def test_a_schema_that_another_format_of_that_name_uses_is_not_replaced(tmp_path: Path) -> None:
    frame = pl.DataFrame({"x": [1.5, 2.5, 3.5], "y": ["a", "b", "c"]})
    schema = Schema.infer(frame)
    write(Microdata(frame, schema.with_roles(key=["y"])), tmp_path / "a.csv")
    before = (tmp_path / "a.schema.yaml").read_bytes()
    write(Microdata(frame, schema.with_roles(key=["y"])), tmp_path / "a.sav")
    with pytest.raises(FileError, match=r"a.schema.yaml is the schema of a.csv too, and would be replaced"):
        write(Microdata(frame, schema.with_roles(key=["x"])), tmp_path / "a.sav")
    assert (tmp_path / "a.schema.yaml").read_bytes() == before
