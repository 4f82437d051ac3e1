"""SPSS: .sav, and .zsav, its compressed form."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from sys import float_info
from typing import TYPE_CHECKING, Any

from sfumato.data import Category, Kind, Schema
from sfumato.files.column_names import check_spss_names
from sfumato.files.format import Content
from sfumato.files.labelled.calendars import SPSS
from sfumato.files.labelled.pyreadstat_files import (
    check_complete,
    codes_in_type_of,
    decimal_formats,
    fitting_formats,
    load_columns,
    whole_if_exact,
)
from sfumato.files.labelled.stored_types import to_stored_types
from sfumato.files.labels import Labels, labels_of
from sfumato.files.library_errors import translate_write_errors
from sfumato.files.limits import check_flat, check_numbers, check_text
from sfumato.files.read_options import ReadOptions
from sfumato.files.write_options import WriteOptions

if TYPE_CHECKING:
    import polars as pl

NAME = "an SPSS file"
MAX_TEXT_LENGTH = 32_767  # bytes, as all lengths here
MAX_FILE_LABEL_LENGTH = 64
MAX_LABEL_LENGTH = 255
MAX_VALUE_LABEL_LENGTH = 120
MAX_MISSING_TEXT_LENGTH = 8
MAX_MISSING_CODES = 3
DECIMAL_FORMAT = re.compile(r"(F|COMMA|DOT)\d{1,2}\.[1-9]\d?")
KINDS = {"nominal": Kind.NOMINAL, "ordinal": Kind.ORDINAL, "scale": Kind.CONTINUOUS}
MEASURES = {kind: measure for measure, kind in KINDS.items()}


def read(path: Path, options: ReadOptions) -> Content:
    """Read an SPSS file with its labels, user-missing values and levels of measurement."""
    import pyreadstat

    reader = partial(pyreadstat.read_sav, user_missing=True)
    frame, metadata = load_columns(path, NAME, reader, SPSS, options.encoding)
    labels = {series.name: _labels(series, metadata) for series in frame.iter_columns()}
    shown = decimal_formats(frame, metadata)
    return Content(
        frame, labels, WriteOptions(options.format, file_label=metadata.file_label or None, display_formats=shown)
    )


def write(frame: "pl.DataFrame", schema: Schema, path: Path, options: WriteOptions) -> None:
    """Write an SPSS file; truth values become 0 and 1, and text loses spaces at its end, as SPSS has it."""
    _write(frame, schema, path, options, is_compressed=False)


def write_compressed(frame: "pl.DataFrame", schema: Schema, path: Path, options: WriteOptions) -> None:
    """Write a compressed SPSS file."""
    _write(frame, schema, path, options, is_compressed=True)


def stored_labels(schema: Schema) -> Mapping[str, Labels]:
    """Return what an SPSS file can hold of the schema.

    Labels up to 255 bytes, value labels up to 120, and three missing codes or one code and one range per column.
    Roles and the order of text categories have no place in it.
    """
    return {variable.name: _fit_labels(labels_of(variable)) for variable in schema.variables}


def _labels(series: "pl.Series", metadata: Any) -> Labels:
    ranges = [(each["lo"], each["hi"]) for each in metadata.missing_ranges.get(series.name, [])]
    if series.dtype.is_temporal():
        ranges = []
    return Labels(
        label=metadata.column_names_to_labels.get(series.name) or "",
        value_labels=codes_in_type_of(series, metadata.variable_value_labels.get(series.name, {})),
        missing_codes=tuple(
            low if isinstance(low, str) else whole_if_exact(low) for low, high in ranges if low == high != ""
        ),
        missing_ranges=tuple((_finite(low), _finite(high)) for low, high in ranges if low != high),
        measure=KINDS.get(metadata.variable_measure.get(series.name)),
    )


def _finite(bound: float) -> float:
    """Return a bound, with SPSS' LOWEST and HIGHEST as the largest numbers there are."""
    return max(-float_info.max, min(float_info.max, bound))


def _fit_labels(labels: Labels) -> Labels:
    ranges = labels.missing_ranges[:1]
    return replace(
        labels,
        label=_truncate(labels.label, MAX_LABEL_LENGTH),
        value_labels={code: _truncate(text, MAX_VALUE_LABEL_LENGTH) for code, text in labels.value_labels.items()},
        missing_codes=tuple(filter(_fits, labels.missing_codes))[: 1 if ranges else MAX_MISSING_CODES],
        missing_ranges=ranges,
    )


def _fits(code: Category) -> bool:
    return not isinstance(code, str) or len(code.encode()) <= MAX_MISSING_TEXT_LENGTH


def _truncate(text: str, longest: int) -> str:
    return text.encode()[:longest].decode(errors="ignore")


def _write(frame: "pl.DataFrame", schema: Schema, path: Path, options: WriteOptions, *, is_compressed: bool) -> None:
    import polars as pl
    import pyreadstat

    check_flat(frame, NAME)
    check_spss_names(frame.columns)
    check_numbers(frame, NAME)
    stored = to_stored_types(frame)
    check_text(stored, NAME, MAX_TEXT_LENGTH, in_bytes=True)
    labels = stored_labels(schema)
    whole = [series for series in stored.iter_columns() if series.dtype.is_integer()]
    coded = {name: labels[name] for name, dtype in stored.schema.items() if not dtype.is_temporal()}
    with translate_write_errors(NAME):
        pyreadstat.write_sav(
            stored.with_columns(series.cast(pl.Float64) for series in whole),
            path,
            compress=is_compressed,
            file_label=_truncate(options.file_label or "", MAX_FILE_LABEL_LENGTH),
            column_labels={name: each.label for name, each in labels.items() if each.label},
            variable_value_labels={
                name: texts for name, each in coded.items() if (texts := _texts(stored[name], each))
            },
            missing_ranges={
                name: codes
                for name, each in coded.items()
                if (codes := _missing_ranges(stored[name], each, schema[name].missing_codes))
            },
            variable_measure={name: MEASURES[each.measure] for name, each in labels.items() if each.measure},
            variable_format={
                **fitting_formats(stored, options.display_formats, DECIMAL_FORMAT),
                **{series.name: "F16.0" for series in whole},
            },
        )
    check_complete(path, NAME, pyreadstat.read_sav, stored.height)


def _texts(series: "pl.Series", labels: Labels) -> dict[Any, str]:
    """Return the value labels whose codes are of the column's own type."""
    return {written: text for code, text in labels.value_labels.items() for written in _codes_in_column(series, code)}


def _missing_ranges(series: "pl.Series", labels: Labels, declared: Sequence[Category]) -> list[Any]:
    """Return what SPSS is told to take for missing in a column, of which the schema declares some codes."""
    ranges = labels.missing_ranges if series.dtype.is_numeric() else ()
    if series.dtype.is_numeric() and not ranges and len(declared) > MAX_MISSING_CODES:
        return _as_range(series, sorted(float(code) for code in declared if not isinstance(code, str)))
    codes = [written for code in labels.missing_codes for written in _codes_in_column(series, code)]
    if not series.dtype.is_numeric() and (series == "").any() and len(codes) < MAX_MISSING_CODES:
        codes.append("")  # SPSS has no missing text of its own and would count it as an answer
    return [*({"lo": low, "hi": high} for low, high in ranges), *codes]


def _as_range(series: "pl.Series", codes: list[float]) -> list[Any]:
    """Return a range for more codes than there is room for, and one code beside it; the first where values lie between.

    What lies in the range and is no code must not occur: SPSS would take it for missing too.
    """
    import polars as pl

    numbers = series.cast(pl.Float64)
    values = numbers.filter(~numbers.is_in(codes))
    for inside, beside in ((codes, []), (codes[1:], codes[:1]), (codes[:-1], codes[-1:])):
        if not values.is_between(inside[0], inside[-1]).any():
            return [{"lo": inside[0], "hi": inside[-1]}, *beside]
    return codes[:MAX_MISSING_CODES]


def _codes_in_column(series: "pl.Series", code: Category) -> list[Any]:
    """Return a code as it stands in the column, or nothing for text in a column of numbers and the reverse."""
    if isinstance(code, str):
        return [] if series.dtype.is_numeric() else [code]
    return [float(code)] if series.dtype.is_numeric() else []
