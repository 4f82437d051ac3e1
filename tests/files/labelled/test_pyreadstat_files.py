"""What SPSS and Stata files have in common."""

from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import polars as pl
import pyreadstat
import pytest

from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.errors import FileError
from sfumato.files import read, write
from sfumato.files.labelled import pyreadstat_files as shared
from tests.files.examples import without_schema, written

BOTH = (".sav", ".zsav", ".dta")


@pytest.mark.parametrize(("suffix", "longest"), [(".sav", 255), (".dta", 80)])
def test_labels_that_are_too_long_stay_whole_in_the_second_file(tmp_path: Path, suffix: str, longest: int) -> None:
    schema = Schema(variables=(Variable(name="x", kind=Kind.CONTINUOUS, label="x" * 400),))
    write(Microdata(pl.DataFrame({"x": [1.5, 2.5]}), schema), tmp_path / f"a{suffix}")
    assert read(tmp_path / f"a{suffix}").schema == schema
    assert without_schema(tmp_path / f"a{suffix}").schema["x"].label == "x" * longest


def test_labels_of_codes_of_another_type_than_the_column_go_into_the_second_file_only(tmp_path: Path) -> None:
    schema = Schema(
        variables=(Variable(name="x", kind=Kind.NOMINAL, value_labels={"1": "one"}, missing_codes=("DK",)),)
    )
    for suffix in BOTH:
        write(Microdata(pl.DataFrame({"x": [1, 2]}), schema), tmp_path / f"a{suffix}")
        assert read(tmp_path / f"a{suffix}").schema == schema


def test_dates_with_letters_or_user_missing_values_are_missing(tmp_path: Path) -> None:
    days = pl.DataFrame({"x": pl.Series([21_915.0, "a"], dtype=pl.Object)})
    pyreadstat.write_dta(days, tmp_path / "a.dta", missing_user_values={"x": ["a"]}, variable_format={"x": "%td"})
    assert read(tmp_path / "a.dta").frame["x"].to_list() == [date(2020, 1, 1), None]
    seconds = pl.DataFrame({"x": [13_797_216_000.0, 99.0]})
    pyreadstat.write_sav(seconds, tmp_path / "a.sav", missing_ranges={"x": [99.0]}, variable_format={"x": "DATE11"})
    assert read(tmp_path / "a.sav").frame["x"].to_list() == [date(2020, 1, 1), None]


@pytest.mark.parametrize(
    ("suffix", "number", "display", "expected"),
    [
        (".sav", 13_797_216_000.0, "ADATE10", date(2020, 1, 1)),
        (".sav", 13_797_216_000.0, "EDATE10", date(2020, 1, 1)),
        (".sav", 13_797_216_000.0, "MOYR8", date(2020, 1, 1)),
        (".sav", 13_797_219_600.0, "DATE11", datetime(2020, 1, 1, 1)),
        (".sav", 13_797_219_600.5, "DATETIME20", datetime(2020, 1, 1, 1, 0, 0, 500_000)),
        (".sav", 3_723.0, "TIME8", time(1, 2, 3)),
        (".sav", 90_000.0, "DTIME12", 90_000.0),
        (".sav", 5.0, "F8.2", 5.0),
        (".sav", 5.0, "F8.0", 5),
        (".dta", 21_915.0, "%td", date(2020, 1, 1)),
        (".dta", 21_915.0, "%tdDD/NN/CCYY", date(2020, 1, 1)),
        (".dta", 21_915.0, "%d", date(2020, 1, 1)),
        (".dta", -25_442.0, "%td", date(1890, 5, 5)),
        (".dta", 1_893_459_600_000.0, "%tc", datetime(2020, 1, 1, 1)),
        (".dta", 3_723_000.0, "%tcHH:MM:SS", time(1, 2, 3)),
        (".dta", 720.0, "%tm", 720.0),
        (".dta", 99_999_999.0, "%td", 99_999_999.0),
        (".dta", 1e300, "%tc", 1e300),
        (".sav", 1e300, "DATE11", 1e300),
        (".dta", 2_936_549.0, "%td", date(9999, 12, 31)),
        (".sav", -49_916_217_600.0, "DATE11", date(1, 1, 1)),
        (".sav", -49_916_304_000.0, "DATE11", -49_916_304_000.0),
        (".dta", 5.0, "%9.2f", 5.0),
    ],
)
def test_numbers_are_read_as_their_display_format_says(
    tmp_path: Path, suffix: str, number: float, display: str, expected: object
) -> None:
    frame, path = pl.DataFrame({"x": [number, None]}), tmp_path / f"a{suffix}"
    writer = pyreadstat.write_sav if suffix == ".sav" else pyreadstat.write_dta
    writer(frame, path, variable_format={"x": display})
    found = read(path).frame["x"].to_list()
    assert found == [expected, None]
    assert type(found[0]) is type(expected)


@pytest.mark.parametrize("suffix", BOTH)
def test_microseconds_are_rounded_to_milliseconds(tmp_path: Path, suffix: str) -> None:
    frame = pl.DataFrame({"x": [datetime(2020, 1, 1, 1, 2, 3, 123_456)], "y": [time(1, 2, 3, 999_600)]})
    write(Microdata(frame), tmp_path / f"a{suffix}")
    assert read(tmp_path / f"a{suffix}").frame.row(0) == (datetime(2020, 1, 1, 1, 2, 3, 123_000), time(1, 2, 4))


@pytest.mark.parametrize("suffix", BOTH)
def test_text_of_any_length_comes_back(tmp_path: Path, suffix: str) -> None:
    frame = pl.DataFrame({"x": ["ü" * 10_000, "short", None, "é" * 300], "y": ["a" * 2_044, "b" * 2_045, "", "c"]})
    write(Microdata(frame), tmp_path / f"a{suffix}")
    assert read(tmp_path / f"a{suffix}").frame.rows() == frame.with_columns(y=pl.col("y").replace("", None)).rows()


@pytest.mark.parametrize("suffix", BOTH)
def test_integers_of_every_size_come_back(tmp_path: Path, suffix: str) -> None:
    frame = pl.DataFrame({"x": [2**53, -(2**53), 0], "y": [2_147_483_647, -5, None], "z": [2_147_483_620, 1, 2]})
    write(Microdata(frame), tmp_path / f"a{suffix}")
    back = read(tmp_path / f"a{suffix}").frame
    assert back.rows() == frame.rows()
    assert back.select("y", "z").schema == frame.select("y", "z").schema


@pytest.mark.parametrize("suffix", BOTH)
def test_every_type_of_number_can_be_written(tmp_path: Path, suffix: str) -> None:
    types: tuple[Any, ...] = (
        pl.Int8,
        pl.Int16,
        pl.Int32,
        pl.Int64,
        pl.UInt8,
        pl.UInt16,
        pl.UInt32,
        pl.UInt64,
        pl.Float32,
        pl.Decimal(10, 2),
    )
    frame = pl.DataFrame([pl.Series(f"c{place}", [1, None, 3], dtype=dtype) for place, dtype in enumerate(types)])
    write(Microdata(frame), tmp_path / f"a{suffix}")
    assert all(column.to_list() == [1, None, 3] for column in read(tmp_path / f"a{suffix}").frame)


@pytest.mark.parametrize("suffix", BOTH)
def test_files_are_read_in_pieces_without_a_seam(tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pl.DataFrame({"x": list(range(25)), "y": [None if place % 7 else f"t{place}" for place in range(25)]})
    write(Microdata(frame), tmp_path / f"a{suffix}")
    for rows in (1, 5, 10, 25, 26):
        monkeypatch.setattr(shared, "ROWS_AT_ONCE", rows)
        assert read(tmp_path / f"a{suffix}").frame.equals(frame)


@pytest.mark.parametrize(
    ("suffix", "name"),
    [
        *((".sav", name) for name in ("a b", "1a", "_a", "ALL", "ü" * 33, "a.", "a-b")),
        *((".dta", name) for name in ("a b", "1a", "a.b", "if", "str5", "ü" * 33, "a-b")),
    ],
)
def test_a_name_that_the_program_cannot_hold_is_refused(tmp_path: Path, suffix: str, name: str) -> None:
    program = "SPSS" if suffix == ".sav" else "Stata"
    with pytest.raises(FileError, match=f"{program} cannot hold these column names: '{name}'; rename them"):
        write(Microdata(pl.DataFrame({name: [1.5], "good": [2.5]})), tmp_path / f"a{suffix}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", [".sav", ".zsav", ".dta", ".sas7bdat", ".xpt"])
@pytest.mark.parametrize("content", [b"nothing of the kind" * 50, b"\x00" * 2_000])
def test_a_file_that_is_something_else_is_refused(tmp_path: Path, suffix: str, content: bytes) -> None:
    with pytest.raises(FileError, match=rf"a{suffix} cannot be read as an? (SPSS|Stata|SAS).* file"):
        read(written(tmp_path / f"a{suffix}", content))


@pytest.mark.parametrize("suffix", BOTH)
def test_a_file_that_was_cut_off_is_refused(tmp_path: Path, suffix: str) -> None:
    write(Microdata(pl.DataFrame({"x": list(range(5_000)), "y": ["text"] * 5_000})), tmp_path / f"a{suffix}")
    whole = (tmp_path / f"a{suffix}").read_bytes()
    with pytest.raises(FileError, match="cannot be read as"):
        read(written(tmp_path / f"a{suffix}", whole[: len(whole) // 2]))
