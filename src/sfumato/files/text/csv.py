"""Delimited text: .csv, .tsv, .txt and .csv.gz."""

import gzip
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, TYPE_CHECKING, cast

from sfumato.data import Schema
from sfumato.errors import FileError
from sfumato.files.column_names import check_unique
from sfumato.files.format import Content
from sfumato.files.frames import text_without_types
from sfumato.files.library_errors import translate_read_errors, translate_write_errors
from sfumato.files.limits import check_flat
from sfumato.files.read_options import ReadOptions
from sfumato.files.text.column_types import FALSE, TRUE, columns_with_other_decimal, infer_types
from sfumato.files.text.detection import detect_separator, normalise_encoding
from sfumato.files.text.dialect import find_booleans, find_line_ending, find_quoting
from sfumato.files.text.encoded_stream import EncodedStream, can_encode
from sfumato.files.text.number_cells import find_layouts, laid_out_text, plain_text
from sfumato.files.text.number_forms import OTHER_MARK
from sfumato.files.text.ragged_rows import count_rows, header_of, regular_copy
from sfumato.files.text.utf8_copy import utf8_copy
from sfumato.files.write_options import BooleanStyle, LineEnding, Quoting, WriteOptions

if TYPE_CHECKING:
    import polars as pl
    from polars._typing import CsvQuoteStyle

NAME = "a text file"
QUOTE_STYLES: "Mapping[Quoting, CsvQuoteStyle]" = {
    Quoting.NECESSARY: "necessary",
    Quoting.TEXT: "non_numeric",
    Quoting.ALL: "always",
}
LINE_ENDS = {LineEnding.LF: "\n", LineEnding.CRLF: "\r\n"}
UTF_8 = "utf-8"
HELD_BYTES = 1 << 28  # the cells of a file up to this size are held as text while their types are found


@dataclass(frozen=True)
class OpenText:
    """A text file whose cells can be read, all as text, and how it is written."""

    lazy: "pl.LazyFrame"
    names: list[str]
    size: int
    separator: str
    encoding: str
    quoting: Quoting
    line_ending: LineEnding


@contextmanager
def open_text(path: Path, options: ReadOptions) -> Iterator[OpenText]:
    """Give the cells of delimited text, which can be read while the block lasts."""
    is_packed = options.format == "csv.gz"
    with (
        utf8_copy(path, options.encoding, is_packed=is_packed) as (text, encoding),
        TemporaryDirectory(prefix="sfumato-") as folder,
    ):
        separator = options.separator or detect_separator(text, "\t" if options.format == "tsv" else ",")
        names = _check_names(path, header_of(text, path, separator))
        quoting, line_ending = find_quoting(text, separator), find_line_ending(text)
        rows = count_rows(text, separator, len(names))
        if rows is None:
            text = regular_copy(text, path, separator, Path(folder) / "regular")
        with translate_read_errors(path, NAME):
            lazy = _scan(text, separator, names) if rows != 0 else _empty_frame(names)
            if rows is not None:
                lazy = lazy.head(rows)  # without blank lines at the end
        yield OpenText(lazy, names, text.stat().st_size, separator, encoding, quoting, line_ending)


def read(path: Path, options: ReadOptions) -> Content:
    """Read delimited text, streaming; what the options leave open is found out."""
    with open_text(path, options) as text, translate_read_errors(path, NAME):
        lazy = text.lazy.collect(engine="streaming").lazy() if text.size <= HELD_BYTES else text.lazy
        if options.decimal and text.separator != OTHER_MARK[options.decimal]:
            _check_decimal(path, lazy, options.decimal)
        found = infer_types(lazy, decimal=options.decimal, text_columns=options.text_columns)
        if text.separator != ",":  # where it is, whoever wrote the file had no comma for decimals
            check_unambiguous(path, found.ambiguous)
        booleans = find_booleans(lazy, found.frame)
        numbers = find_layouts(lazy, found.frame, found.decimal, found.thousands)
        numbers |= {name: replace(numbers[name], is_presumed=True) for name in found.ambiguous if name in numbers}
    dialect = WriteOptions(
        options.format,
        text.separator,
        found.decimal,
        text.encoding,
        text.quoting,
        text.line_ending,
        booleans,
        numbers,
    )
    return Content(found.frame, dialect=dialect)


def _check_decimal(path: Path, lazy: "pl.LazyFrame", decimal: str) -> None:
    """Refuse a decimal mark with which columns of numbers would be text."""
    columns = columns_with_other_decimal(lazy, decimal)
    if columns:
        raise FileError(
            f"{path}: with the decimal mark '{decimal}' no column holds decimal numbers, with '{OTHER_MARK[decimal]}' "
            f"{', '.join(columns)}: leave the decimal mark out to have it found"
        )


def check_unambiguous(path: Path, columns: Sequence[str]) -> None:
    """Refuse numbers such as 1.234, which may be a little above 1 or above 1000."""
    if columns:
        raise FileError(
            f"{path}: the numbers of {', '.join(columns)} can be read in two ways, since each has three digits behind "
            f"its mark and no other column tells what that is; say which mark is the decimal one by read.decimal, '.' "
            f"or ',': the other then stands between thousands"
        )


def write(frame: "pl.DataFrame", schema: Schema, path: Path, options: WriteOptions) -> None:
    """Write delimited text: dates in ISO form, missing values as empty cells."""
    check_flat(frame, NAME)
    with path.open("wb") as stream:
        _write_to(stream, frame, options, schema)


def to_bytes(frame: "pl.DataFrame", options: WriteOptions) -> bytes:
    """Return delimited text as the file would hold it."""
    content = BytesIO()
    _write_to(content, frame, options)
    return content.getvalue()


def write_packed(frame: "pl.DataFrame", schema: Schema, path: Path, options: WriteOptions) -> None:
    """Write delimited text packed with gzip, without a time stamp, so that the same data give the same bytes."""
    check_flat(frame, NAME)
    with path.open("wb") as target, gzip.GzipFile("", "wb", fileobj=target, mtime=0) as stream:
        _write_to(cast(IO[bytes], stream), frame, options, schema)


def stored_frame(frame: "pl.DataFrame", options: WriteOptions) -> "pl.DataFrame":
    """Return the frame as it would come back: text that looks like numbers or dates comes back as such."""
    import polars as pl

    plain = text_without_types(frame)
    text = plain.select(pl.col(pl.String))
    return plain.with_columns(infer_types(text.lazy(), decimal=options.decimal or ".").frame)


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


def _write_to(stream: IO[bytes], frame: "pl.DataFrame", options: WriteOptions, schema: Schema | None = None) -> None:
    encoding = normalise_encoding(options.encoding or UTF_8, "write")
    encoded = None if encoding == UTF_8 else EncodedStream(stream, encoding)
    with translate_write_errors(NAME):
        cells = _with_number_cells(frame, options, schema)
        _with_words(cells, options.booleans).write_csv(
            stream if encoded is None else cast(IO[bytes], encoded),
            separator=options.separator or ",",
            decimal_comma=options.decimal == ",",
            line_terminator=LINE_ENDS[options.line_ending or LineEnding.LF],
            quote_style=QUOTE_STYLES[options.quoting or Quoting.NECESSARY],
        )
    if encoded is not None and encoded.lacks_characters:
        raise FileError(
            f"{_unwritable_column(frame, encoding)} holds characters that the encoding {encoding} does not have; "
            f"write the file in utf-8"
        )


def _with_number_cells(frame: "pl.DataFrame", options: WriteOptions, schema: Schema | None) -> "pl.DataFrame":
    """Return the frame with numbers as text, each column as it is to be laid out, and without needless decimals."""
    cells = {
        series.name: _number_cells(series, options, _codes(schema, series.name)) for series in frame.iter_columns()
    }
    return frame.with_columns(cell.alias(name) for name, cell in cells.items() if cell is not None)


def _number_cells(series: "pl.Series", options: WriteOptions, codes: list[float]) -> "pl.Expr | None":
    """Return the cells of a column of numbers; None where they can be written as they are.

    Whole numbers in a column of floats keep a decimal if there are no others: without it they would come back as
    integers. So they do not where the input wrote whole ones without: a decimal would tell that some had them. Where
    text is put in quotes, numbers stay numbers, but for those with marks between thousands.
    """
    import polars as pl

    number, decimal = pl.col(series.name), options.decimal or "."
    is_float = series.dtype in (pl.Float32, pl.Float64)
    layout = (options.numbers or {}).get(series.name)
    if not is_float:
        is_grouped = layout is not None and layout.thousands and series.dtype.is_integer()
        return laid_out_text(number, replace(layout, decimals=0), decimal) if layout and is_grouped else None
    stays_number = options.quoting is Quoting.TEXT
    if layout is None:
        is_plain = decimal != options.separator and not (series != series.floor()).any()
        return None if stays_number or is_plain else plain_text(number, decimal)
    if stays_number and layout.thousands is None:
        return number.round(layout.decimals)
    rounded = series.round(layout.decimals)
    if layout.is_fixed and not (rounded != rounded.floor()).any():
        layout = replace(layout, decimals=max(layout.decimals, 1))
    return laid_out_text(number, layout, decimal, codes)


def _codes(schema: Schema | None, name: str) -> list[float]:
    """Return the numbers that stand for no answer in a column."""
    codes = () if schema is None or name not in schema else schema[name].missing_codes
    return [float(code) for code in codes if not isinstance(code, str)]


def _with_words(frame: "pl.DataFrame", booleans: BooleanStyle | None) -> "pl.DataFrame":
    """Return the frame with truth values in the words that are asked for, where these are not polars' own."""
    import polars as pl

    if booleans in (None, BooleanStyle.LOWER):
        return frame
    place = TRUE.index(booleans)
    words = pl.when(pl.col(pl.Boolean)).then(pl.lit(TRUE[place])).when(~pl.col(pl.Boolean)).then(pl.lit(FALSE[place]))
    return frame.with_columns(words.name.keep())


def _unwritable_column(frame: "pl.DataFrame", encoding: str) -> str:
    """Return which column an encoding cannot write."""
    import polars as pl

    for series in text_without_types(frame).iter_columns():
        texts = series.unique().drop_nulls().to_list() if series.dtype == pl.String else []
        if not all(can_encode(text, encoding) for text in (series.name, *texts)):
            return f"column '{series.name}'"
    return "a column"


def _check_names(path: Path, names: list[str]) -> list[str]:
    if not names:
        raise FileError(f"{path} is empty: it has no line with column names")
    nameless = [str(place) for place, name in enumerate(names, start=1) if not name]
    if nameless:
        raise FileError(f"{path}: the first line gives no name for column {', '.join(nameless)}; name each column")
    check_unique(path, names)
    return names
