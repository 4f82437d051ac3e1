"""Excel workbooks: .xlsx, one sheet with the column names in its first row."""

import logging
from datetime import date, datetime
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.data import Schema
from sfumato.data.columns import LARGEST_EXACT_INTEGER
from sfumato.errors import FileError, did_you_mean
from sfumato.files.column_names import check_unique
from sfumato.files.format import Content
from sfumato.files.frames import text_without_types
from sfumato.files.library_errors import translate_read_errors, translate_write_errors
from sfumato.files.limits import check_flat, check_numbers, check_text
from sfumato.files.read_options import ReadOptions
from sfumato.files.write_options import WriteOptions

if TYPE_CHECKING:
    import polars as pl

NAME = "an Excel file"
MAX_ROWS = 1_048_575  # below the row of names
MAX_COLUMNS = 16_384
MAX_TEXT_LENGTH = 32_767
FIRST_DAY = date(1900, 1, 1)
DAY_OF_TIMES = date(1899, 12, 31)  # the day on which a cell stands that holds a time of day only
CREATED = datetime(2000, 1, 1)  # a fixed date, so that the same data give the same bytes
CELL_FORMATS = {"date": "yyyy-mm-dd", "datetime": "yyyy-mm-dd hh:mm:ss.000", "time": "hh:mm:ss.000"}


def read(path: Path, options: ReadOptions) -> Content:
    """Read one sheet: the named one, or the first.

    A workbook knows no integers, dates or times of day: whole numbers are read as integers, date-times that are all
    at midnight as dates.
    """
    import fastexcel
    import polars as pl

    logging.getLogger("fastexcel").setLevel(logging.ERROR)  # it warns of every column without values
    with translate_read_errors(path, NAME):
        workbook = fastexcel.read_excel(path)
    sheet = _choose_sheet(path, options.sheet, workbook.sheet_names)
    with translate_read_errors(path, NAME):
        first_row = workbook.load_sheet(sheet, header_row=None, n_rows=1, dtypes="string").to_polars()
        _check_names(path, first_row.row(0) if first_row.height else ())
        frame: pl.DataFrame = workbook.load_sheet(sheet, schema_sample_rows=None).to_polars()
    return Content(frame.select(_infer_type(series) for series in frame.iter_columns()))


def write(frame: "pl.DataFrame", schema: Schema, path: Path, options: WriteOptions) -> None:
    """Write a workbook of one sheet; text is never taken for a formula or a link."""
    import xlsxwriter

    check_flat(frame, NAME)
    check_numbers(frame, NAME)
    _check_size(frame)
    cells = _local_times(text_without_types(frame))
    check_text(cells, NAME, MAX_TEXT_LENGTH, in_bytes=False)
    _check_days(cells)
    settings = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    content = BytesIO()
    with translate_write_errors(NAME), xlsxwriter.Workbook(content, settings) as workbook:
        workbook.set_properties({"created": CREATED})
        _write_cells(workbook, cells)
    path.write_bytes(content.getbuffer())


def stored_frame(frame: "pl.DataFrame", options: WriteOptions) -> "pl.DataFrame":
    """Return the frame as it would come back."""
    return text_without_types(frame)


def _write_cells(workbook: Any, frame: "pl.DataFrame") -> None:
    sheet = workbook.add_worksheet()
    formats = {name: workbook.add_format({"num_format": pattern}) for name, pattern in CELL_FORMATS.items()}
    for column, name in enumerate(frame.columns):
        sheet.write_string(0, column, name)
    for row, values in enumerate(frame.iter_rows(), start=1):
        for column, value in enumerate(values):
            if value is None:
                continue
            if type(value).__name__ in formats:
                sheet.write_datetime(row, column, value, formats[type(value).__name__])
            else:
                sheet.write(row, column, value)
    if frame.height and all(value is None for value in frame.row(-1)):
        sheet.write_formula(frame.height, 0, "=NA()", None, "#N/A")  # a row without a cell would not be there


def _choose_sheet(path: Path, sheet: str | None, names: list[str]) -> str:
    if not names:
        raise FileError(f"{path} is empty: it has no sheet")
    if sheet is None:
        return names[0]
    if sheet not in names:
        listed = ", ".join(map(repr, names))
        raise FileError(f"{path} has no sheet '{sheet}'{did_you_mean(sheet, names) or f'; its sheets are: {listed}'}")
    return sheet


def _check_names(path: Path, names: tuple[str | None, ...]) -> None:
    if not any(names):
        raise FileError(f"{path} is empty: the sheet has no row with column names")
    nameless = [str(place) for place, name in enumerate(names, start=1) if not name]
    if nameless:
        raise FileError(f"{path}: the first row gives no name for column {', '.join(nameless)}; name each column")
    check_unique(path, [name for name in names if name])


def _infer_type(series: "pl.Series") -> "pl.Series":
    """Return a column in the type that its cells stand for."""
    import polars as pl

    observed = series.drop_nulls()
    if series.dtype == pl.Null:
        return series.cast(pl.String)
    if (
        series.dtype == pl.Float64
        and observed.len()
        and ((observed == observed.floor()) & (observed.abs() < LARGEST_EXACT_INTEGER)).all()
    ):
        return series.cast(pl.Int64)
    if series.dtype == pl.Datetime and observed.len():
        if (observed.dt.date() == DAY_OF_TIMES).all():
            return series.dt.time()
        is_midnight = (observed.dt.date().cast(observed.dtype) == observed).all()
        return series.dt.date() if is_midnight else series.cast(pl.Datetime("us"))
    return series


def _local_times(frame: "pl.DataFrame") -> "pl.DataFrame":
    """Return the frame with date-times as the clock shows them, without a time zone."""
    import polars as pl

    return frame.with_columns(
        series.dt.replace_time_zone(None)
        for series in frame.iter_columns()
        if isinstance(series.dtype, pl.Datetime) and series.dtype.time_zone
    )


def _check_size(frame: "pl.DataFrame") -> None:
    if frame.height > MAX_ROWS or frame.width > MAX_COLUMNS:
        raise FileError(
            f"an Excel sheet holds at most {MAX_ROWS} records and {MAX_COLUMNS} columns; the data have "
            f"{frame.height} and {frame.width}; write .csv or .parquet"
        )


def _check_days(frame: "pl.DataFrame") -> None:
    import polars as pl

    for series in frame.select(pl.col(pl.Date, pl.Datetime)).iter_columns():
        if (series.cast(pl.Date) < FIRST_DAY).any():
            raise FileError(
                f"column '{series.name}' holds dates before 1900, which an Excel file cannot hold; make it text first"
            )
