"""Delimited text: .csv, .tsv, .txt and .csv.gz."""

import gzip
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, TYPE_CHECKING, cast

from sfumato.data import Schema
from sfumato.errors import FileError
from sfumato.files.column_names import check_unique
from sfumato.files.format import Content, WritingOptions
from sfumato.files.frames import text_without_types
from sfumato.files.library_errors import translate_read_errors, translate_write_errors
from sfumato.files.limits import check_flat
from sfumato.files.read_options import ReadOptions
from sfumato.files.text.column_types import infer_types
from sfumato.files.text.detection import detect_separator
from sfumato.files.text.ragged_rows import count_rows, header_of, regular_copy
from sfumato.files.text.utf8_copy import utf8_copy

if TYPE_CHECKING:
    import polars as pl

NAME = "a text file"


def read(path: Path, options: ReadOptions) -> Content:
    """Read delimited text, streaming; what the options leave open is found out."""
    is_packed = options.format == "csv.gz"
    with (
        utf8_copy(path, options.encoding, is_packed=is_packed) as text,
        TemporaryDirectory(prefix="sfumato-") as folder,
    ):
        separator = options.separator or detect_separator(text, "\t" if options.format == "tsv" else ",")
        names = _check_names(path, header_of(text, path, separator))
        rows = count_rows(text, separator, len(names))
        if rows is None:
            text = regular_copy(text, path, separator, Path(folder) / "regular")
        decimal = options.decimal or ("." if separator == "," else None)
        with translate_read_errors(path, NAME):
            lazy = _scan(text, separator, names) if rows != 0 else _empty_frame(names)
            frame = infer_types(lazy, decimal=decimal, text_columns=options.text_columns)
    return Content(frame if rows is None else frame.head(rows))  # without blank lines at the end


def write(frame: "pl.DataFrame", schema: Schema, path: Path, options: WritingOptions) -> None:
    """Write delimited text in UTF-8: dates in ISO form, missing values as empty cells, quotes where they are needed."""
    check_flat(frame, NAME)
    with path.open("wb") as stream:
        _write_to(stream, frame, options)


def write_packed(frame: "pl.DataFrame", schema: Schema, path: Path, options: WritingOptions) -> None:
    """Write delimited text packed with gzip, without a time stamp, so that the same data give the same bytes."""
    check_flat(frame, NAME)
    with path.open("wb") as target, gzip.GzipFile("", "wb", fileobj=target, mtime=0) as stream:
        _write_to(cast(IO[bytes], stream), frame, options)


def stored_frame(frame: "pl.DataFrame", options: WritingOptions) -> "pl.DataFrame":
    """Return the frame as it would come back: text that looks like numbers or dates comes back as such."""
    import polars as pl

    plain = text_without_types(frame)
    text = plain.select(pl.col(pl.String))
    return plain.with_columns(infer_types(text.lazy(), decimal=options.decimal))


def _scan(path: Path, separator: str, names: list[str]) -> "pl.LazyFrame":
    import polars as pl

    return pl.scan_csv(
        path,
        separator=separator,
        has_header=False,  # polars would compare the names with those in the file, which it does not free of quotes
        skip_rows=1,
        schema=dict.fromkeys(names, pl.String),
        glob=False,
        raise_if_empty=False,
    )


def _empty_frame(names: list[str]) -> "pl.LazyFrame":
    import polars as pl

    return pl.LazyFrame(schema=dict.fromkeys(names, pl.String))


def _write_to(stream: IO[bytes], frame: "pl.DataFrame", options: WritingOptions) -> None:
    with translate_write_errors(NAME):
        frame.write_csv(
            stream,
            separator=options.separator,
            decimal_comma=options.decimal == ",",
            line_terminator="\n",
            quote_style="necessary",
        )


def _check_names(path: Path, names: list[str]) -> list[str]:
    if not names:
        raise FileError(f"{path} is empty: it has no line with column names")
    nameless = [str(place) for place, name in enumerate(names, start=1) if not name]
    if nameless:
        raise FileError(f"{path}: the first line gives no name for column {', '.join(nameless)}; name each column")
    check_unique(path, names)
    return names
