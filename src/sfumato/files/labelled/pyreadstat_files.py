"""What SPSS, Stata and SAS files have in common: numbers and text with labels, read and written by pyreadstat."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.data import Category
from sfumato.data.columns import LARGEST_EXACT_INTEGER
from sfumato.files.labelled.calendars import Calendar, as_dates
from sfumato.files.library_errors import translate_read_errors, translate_write_errors

if TYPE_CHECKING:
    import polars as pl

ROWS_AT_ONCE = 200_000
WITHOUT_DECIMALS = re.compile(r"F\d+(\.0)?|%-?\d+\.0f")  # SPSS' and Stata's formats for whole numbers

LETTERS = "abcdefghijklmnopqrstuvwxyz"
FIRST_LETTER_CODE = 2_147_483_622
LETTER_CODES = {letter: FIRST_LETTER_CODE + place for place, letter in enumerate(LETTERS)}
"""The missing values .a to .z as numbers: those by which Stata itself stores them in its type long."""


def load_columns(
    path: Path, name: str, reader: Callable[..., tuple[Any, Any]], calendar: Calendar, encoding: str | None
) -> tuple["pl.DataFrame", Any]:
    """Read a labelled file in pieces of rows.

    Parameters
    ----------
    path, name
        The file, and what it should be.
    reader
        The function of pyreadstat for this format.
    calendar
        How the program counts time.
    encoding
        The encoding of its text; None for what the file states.

    Returns
    -------
    tuple
        The columns, with dates as dates, empty text as missing and lettered missing values as their numbers; and what
        pyreadstat tells of the labels.
    """
    import polars as pl

    pieces: list[pl.DataFrame] = []
    letters: dict[str, set[str]] = {}
    while not pieces or pieces[-1].height == ROWS_AT_ONCE:
        with translate_read_errors(path, name):
            columns, metadata = reader(
                path,
                output_format="dict",
                disable_datetime_conversion=True,
                encoding=encoding,
                row_offset=ROWS_AT_ONCE * len(pieces),
                row_limit=ROWS_AT_ONCE,
            )
            pieces.append(
                pl.DataFrame([_series(column, values, metadata, calendar) for column, values in columns.items()])
            )
        for column, found in metadata.missing_user_values.items():
            letters.setdefault(column, set()).update(found)
    metadata.missing_user_values = {column: sorted(found) for column, found in letters.items()}
    frame = pl.concat(pieces)
    return pl.DataFrame([_infer_type(series, metadata, calendar) for series in frame.iter_columns()]), metadata


def codes_in_type_of(series: "pl.Series", value_labels: Mapping[Any, str]) -> dict[Category, str]:
    """Return value labels with their codes in the type of the column; letters become their numbers."""
    if series.dtype.is_temporal():
        return {}
    if not series.dtype.is_numeric():
        return {str(code): text for code, text in value_labels.items()}
    numbers = {letter_code(code): text for code, text in value_labels.items()}
    return {whole_if_exact(code): text for code, text in numbers.items() if code is not None}


def letter_code(value: Any) -> Any:
    """Return the number that stands for a lettered missing value (SAS writes capitals), and a number as it is."""
    return LETTER_CODES.get(value.lower()) if isinstance(value, str) else value


def whole_if_exact(code: float) -> int | float:
    """Return 3 for 3.0 and 3.5 for 3.5."""
    return int(code) if float(code).is_integer() and abs(code) < LARGEST_EXACT_INTEGER else code


def check_complete(path: Path, name: str, reader: Callable[..., tuple[Any, Any]], rows: int) -> None:
    """Read the last row of a file just written: pyreadstat does not notice every write that fails for want of room."""
    with translate_write_errors(name):
        columns, _ = reader(path, output_format="dict", row_offset=max(rows - 1, 0), row_limit=1)
        if rows and not all(len(values) == 1 for values in columns.values()):
            raise EOFError


def _series(name: str, values: Any, metadata: Any, calendar: Calendar) -> "pl.Series":
    import polars as pl

    stored = metadata.readstat_variable_types[name]
    if stored == "string":
        return pl.Series(name, values, dtype=pl.String)
    if name in metadata.missing_user_values:
        is_time = calendar.counts(_display_format(name, metadata))
        values = [None if is_time and isinstance(value, str) else letter_code(value) for value in values]
    return pl.Series(name, values, dtype=pl.Float64 if stored in ("float", "double") else pl.Int64, strict=False)


def _infer_type(series: "pl.Series", metadata: Any, calendar: Calendar) -> "pl.Series":
    """Return a column in the type that its values stand for; user-missing dates are missing."""
    import polars as pl

    display_format = _display_format(series.name, metadata)
    if series.dtype == pl.String:
        return series
    if calendar.counts(display_format):
        return as_dates(_without_user_missing(series, metadata), display_format, calendar)
    is_code = bool(WITHOUT_DECIMALS.fullmatch(display_format)) or series.name in metadata.variable_value_labels
    return series.cast(pl.Int64) if is_code and _is_whole(series) else series


def _without_user_missing(series: "pl.Series", metadata: Any) -> "pl.Series":
    for each in metadata.missing_ranges.get(series.name, []):
        series = series.set(series.is_between(each["lo"], each["hi"]), None)
    return series


def decimal_formats(frame: "pl.DataFrame", metadata: Any) -> dict[str, str] | None:
    """Return how the columns with decimals are shown; None where there are none."""
    formats = {series.name: _display_format(series.name, metadata) for series in frame if series.dtype.is_float()}
    return {name: each for name, each in formats.items() if each} or None


def fitting_formats(
    frame: "pl.DataFrame", formats: Mapping[str, str] | None, pattern: re.Pattern[str]
) -> dict[str, str]:
    """Return how columns with decimals are to be shown, of the formats that the program knows."""
    floats = [name for name, dtype in frame.schema.items() if dtype.is_float()]
    return {name: formats[name] for name in floats if formats and pattern.fullmatch(formats.get(name, ""))}


def _display_format(name: str, metadata: Any) -> str:
    return metadata.original_variable_types.get(name) or ""


def _is_whole(series: "pl.Series") -> bool:
    observed = series.drop_nulls()
    return bool(((observed == observed.floor()) & (observed.abs() < LARGEST_EXACT_INTEGER)).all())
