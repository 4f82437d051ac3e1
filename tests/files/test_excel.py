from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path

import fastexcel
import polars as pl
import pytest
import xlsxwriter

from sfumato.data import Microdata
from sfumato.errors import FileError
from sfumato.files import excel, read, write


def workbook(path: Path, **sheets: Sequence[Sequence[object]]) -> Path:
    with xlsxwriter.Workbook(path) as book:
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for row, cells in enumerate(rows):
                sheet.write_row(row, 0, cells)
    return path


def test_the_first_sheet_is_read_unless_another_is_named(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", one=[["x"], [1]], two=[["y"], [2]])
    assert read(path).schema.names == ("x",)
    assert read(path, sheet="two").schema.names == ("y",)


def test_a_sheet_that_is_not_there_is_told_with_the_nearest(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", people=[["x"], [1]], firms=[["y"], [2]])
    with pytest.raises(FileError, match=r"a\.xlsx has no sheet 'peple'; did you mean 'people'"):
        read(path, sheet="peple")
    with pytest.raises(FileError, match="has no sheet 'zzz'; its sheets are: 'people', 'firms'"):
        read(path, sheet="zzz")


def test_text_far_down_a_column_of_numbers_makes_it_text(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", one=[["x"], *[[place] for place in range(3_000)], ["text"]])
    frame = read(path).frame
    assert frame["x"].to_list()[-2:] == ["2999", "text"]
    assert frame["x"].null_count() == 0


def test_postal_codes_that_are_text_stay_text(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", one=[["x", "y"], ["007", 1.5], ["01234", 2]])
    assert read(path).frame.rows() == [("007", 1.5), ("01234", 2.0)]


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (["a", "b", "a"], "column names must be unique; repeated: 'a'"),
        (["a", "", "c"], "the first row gives no name for column 2"),
        ([7777, 7777, 1], "does the first line hold a record instead of names"),
    ],
)
def test_a_row_of_names_that_is_none_is_refused(tmp_path: Path, header: list[object], message: str) -> None:
    path = workbook(tmp_path / "a.xlsx", one=[header, [1, 2, 3]])
    with pytest.raises(FileError, match=message) as error:
        read(path)
    assert "7777" not in str(error.value)


def test_an_empty_sheet_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"a\.xlsx is empty: the sheet has no row with column names"):
        read(workbook(tmp_path / "a.xlsx", one=[]))


def test_a_sheet_with_names_only_has_no_records(tmp_path: Path) -> None:
    data = read(workbook(tmp_path / "a.xlsx", one=[["a", "b"]]))
    assert (data.n, data.schema.names) == (0, ("a", "b"))


def test_text_is_never_a_formula_or_a_link(tmp_path: Path) -> None:
    frame = pl.DataFrame({"=x": ["=1+1", "{=1}", "http://example.org", "+5", "@x"]})
    write(Microdata(frame), tmp_path / "a.xlsx")
    assert read(tmp_path / "a.xlsx").frame.equals(frame)


def test_records_without_any_value_stay(tmp_path: Path) -> None:
    frame = pl.DataFrame({"x": [None, 1, None, None], "y": [None, "a", None, None]})
    write(Microdata(frame), tmp_path / "a.xlsx")
    assert read(tmp_path / "a.xlsx").frame.equals(frame)


def test_date_times_at_midnight_are_dates(tmp_path: Path) -> None:
    midnight, noon = datetime(2020, 1, 1), datetime(2020, 1, 1, 12)
    write(Microdata(pl.DataFrame({"x": [midnight, midnight], "y": [midnight, noon]})), tmp_path / "a.xlsx")
    assert read(tmp_path / "a.xlsx").frame.row(0) == (date(2020, 1, 1), midnight)


def test_zoned_date_times_keep_what_the_clock_shows(tmp_path: Path) -> None:
    moment = datetime(2020, 7, 1, 12)
    frame = pl.DataFrame({"x": [moment]}).with_columns(pl.col("x").dt.replace_time_zone("Europe/Berlin"))
    for suffix in (".xlsx", ".sav", ".dta"):
        write(Microdata(frame), tmp_path / f"a{suffix}")
        assert read(tmp_path / f"a{suffix}").frame["x"].to_list() == [moment]


def test_dates_before_1900_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="column 'x' holds dates before 1900"):
        write(Microdata(pl.DataFrame({"x": [date(1899, 12, 31)]})), tmp_path / "a.xlsx")
    write(Microdata(pl.DataFrame({"x": [date(1900, 1, 1), date(1900, 3, 1)]})), tmp_path / "a.xlsx")
    assert read(tmp_path / "a.xlsx").frame["x"].to_list() == [date(1900, 1, 1), date(1900, 3, 1)]


def test_text_beyond_what_a_cell_can_hold_is_refused(tmp_path: Path) -> None:
    longest = pl.DataFrame({"x": ["ü" * 32_767]})
    write(Microdata(longest), tmp_path / "a.xlsx")
    assert read(tmp_path / "a.xlsx").frame.equals(longest)
    with pytest.raises(FileError, match="column 'x' holds text of more than 32767 characters"):
        write(Microdata(pl.DataFrame({"x": ["ü" * 32_768]})), tmp_path / "a.xlsx")


def test_more_records_than_a_sheet_can_hold_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(excel, "MAX_ROWS", 2)
    write(Microdata(pl.DataFrame({"x": [1, 2]})), tmp_path / "a.xlsx")
    with pytest.raises(
        FileError, match="an Excel sheet holds at most 2 records and 16384 columns; the data have 3 and 1"
    ):
        write(Microdata(pl.DataFrame({"x": [1, 2, 3]})), tmp_path / "b.xlsx")


def test_the_file_says_what_another_reader_sees(tmp_path: Path) -> None:
    write(Microdata(pl.DataFrame({"x": [1, 2], "t": ["a", "b"]})), tmp_path / "a.xlsx")
    assert fastexcel.read_excel(tmp_path / "a.xlsx").load_sheet(0).to_polars().rows() == [(1.0, "a"), (2.0, "b")]
