"""Stata: .dta, written in the format of Stata 15."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.data import Category, Schema
from sfumato.files.column_names import check_stata_names
from sfumato.files.format import Content
from sfumato.files.labelled.calendars import STATA
from sfumato.files.labelled.pyreadstat_files import (
    LETTER_CODES,
    check_complete,
    codes_in_type_of,
    decimal_formats,
    fitting_formats,
    letter_code,
    load_columns,
)
from sfumato.files.labelled.stored_types import to_stored_types
from sfumato.files.labels import Labels, labels_of
from sfumato.files.library_errors import translate_write_errors
from sfumato.files.limits import check_flat, check_numbers
from sfumato.files.read_options import ReadOptions
from sfumato.files.write_options import WriteOptions

if TYPE_CHECKING:
    import polars as pl

NAME = "a Stata file"
DECIMAL_FORMAT = re.compile(r"%\d{1,2}\.[1-9]\d?fc?")
MAX_LABEL_LENGTH = 80  # characters
MAX_VALUE_LABEL_LENGTH = 32_000  # bytes
LARGEST_LONG, SMALLEST_LONG = 2_147_483_620, -2_147_483_647  # beyond them Stata's type long holds missing values
LETTERS_OF_CODES: dict[Category, str] = {code: letter for letter, code in LETTER_CODES.items()}


def read(path: Path, options: ReadOptions) -> Content:
    """Read a Stata file with its labels.

    The missing value `.` is missing. The lettered ones, .a to .z, become missing codes, 2147483622 to 2147483647, and
    are written as letters again; in a column of dates they are missing.
    """
    import pyreadstat

    reader = partial(pyreadstat.read_dta, user_missing=True)
    frame, metadata = load_columns(path, NAME, reader, STATA, options.encoding)
    labels = {series.name: _labels(series, metadata) for series in frame.iter_columns()}
    shown = decimal_formats(frame, metadata)
    return Content(
        frame, labels, WriteOptions(options.format, file_label=metadata.file_label or None, display_formats=shown)
    )


def write(frame: "pl.DataFrame", schema: Schema, path: Path, options: WriteOptions) -> None:
    """Write a Stata file; truth values become 0 and 1, and missing codes that are not letters stay numbers."""
    import pyreadstat

    check_flat(frame, NAME)
    check_stata_names(frame.columns)
    check_numbers(frame, NAME)
    stored = to_stored_types(frame)
    labels = stored_labels(schema)
    numeric = [name for name, dtype in stored.schema.items() if dtype.is_numeric()]
    with translate_write_errors(NAME):
        pyreadstat.write_dta(
            stored.select(_to_stata_values(series, labels[series.name]) for series in stored.iter_columns()),
            path,
            version=15,
            file_label=(options.file_label or "")[:MAX_LABEL_LENGTH],
            column_labels={name: each.label for name, each in labels.items() if each.label},
            variable_value_labels={name: texts for name in numeric if (texts := _texts(labels[name]))},
            missing_user_values={name: letters for name in numeric if (letters := _letters(labels[name]))},
            variable_format={
                **fitting_formats(stored, options.display_formats, DECIMAL_FORMAT),
                **{name: "%16.0f" for name in numeric if stored[name].dtype.is_integer()},
            },
        )
    check_complete(path, NAME, pyreadstat.read_dta, stored.height)


def stored_labels(schema: Schema) -> Mapping[str, Labels]:
    """Return what a Stata file can hold of the schema.

    Labels up to 80 characters, labels of whole numbers, lettered missing codes. Kinds, roles and other missing codes
    have no place in it.
    """
    return {variable.name: _fit_labels(labels_of(variable)) for variable in schema.variables}


def _labels(series: "pl.Series", metadata: Any) -> Labels:
    value_labels = codes_in_type_of(series, metadata.variable_value_labels.get(series.name, {}))
    found = {letter_code(letter) for letter in metadata.missing_user_values.get(series.name, [])}
    labelled = {code for code in value_labels if code in LETTERS_OF_CODES}
    return Labels(
        label=metadata.column_names_to_labels.get(series.name) or "",
        value_labels=value_labels,
        missing_codes=() if series.dtype.is_temporal() else tuple(sorted(found | labelled)),
    )


def _fit_labels(labels: Labels) -> Labels:
    return replace(
        labels,
        label=labels.label[:MAX_LABEL_LENGTH],
        value_labels={
            code: _truncate(text) for code, text in labels.value_labels.items() if _can_have_label(code, labels)
        },
        missing_codes=tuple(code for code in labels.missing_codes if code in LETTERS_OF_CODES),
        missing_ranges=(),
        measure=None,
    )


def _can_have_label(code: Category, labels: Labels) -> bool:
    is_letter = code in LETTERS_OF_CODES and code in labels.missing_codes
    return is_letter or (isinstance(code, int) and SMALLEST_LONG <= code <= LARGEST_LONG)


def _truncate(text: str) -> str:
    return text.encode()[:MAX_VALUE_LABEL_LENGTH].decode(errors="ignore")


def _texts(labels: Labels) -> dict[Any, str]:
    return {LETTERS_OF_CODES.get(code) or int(code): text for code, text in labels.value_labels.items()}


def _letters(labels: Labels) -> list[str]:
    return [LETTERS_OF_CODES[code] for code in labels.missing_codes]


def _to_stata_values(series: "pl.Series", labels: Labels) -> "pl.Series":
    """Return a column as pyreadstat takes it: integers that fit into Stata's long as such, other numbers as floats.

    A column with lettered missing values is a mixture of numbers and letters, and so is one with labels of letters that
    no record has.
    """
    import polars as pl

    if not series.dtype.is_numeric():
        return series
    exact, dtype = (int, pl.Int64) if series.dtype.is_integer() else (float, pl.Float64)
    numbers, letters = series.cast(dtype), {exact(code): LETTERS_OF_CODES[code] for code in labels.missing_codes}
    ordinary = numbers.drop_nulls()
    if letters:
        ordinary = ordinary.filter(~ordinary.is_in(list(letters)))
    is_long = dtype == pl.Int64 and ordinary.is_between(SMALLEST_LONG, LARGEST_LONG).all()
    has_labelled_letter = any(code in labels.value_labels for code in labels.missing_codes)
    if ordinary.len() == numbers.count() and not has_labelled_letter:
        return numbers.cast(pl.Int32 if is_long else pl.Float64)
    # as doubles: in a long, pyreadstat reads a missing value that comes after a letter as some number
    mixed = [None if value is None else letters.get(value) or float(value) for value in numbers]
    return pl.Series(series.name, mixed, dtype=pl.Object)
