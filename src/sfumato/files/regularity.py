"""Whether a delimited file is regular, and a regular copy of one that is not.

Regular is a file in which every line has as many fields as the first, and every quotation mark stands at the edge of a field or
doubled inside quotes. Only then do all readers agree on what the file says.
"""

import csv
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import FileError

Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]

CHUNK = 1 << 23
NEWLINE, RETURN, QUOTE = (ord(mark) for mark in '\n\r"')


@dataclass(frozen=True)
class Place:
    """Where in the file a chunk begins: the byte before it, and what that byte left open."""

    before: int = NEWLINE
    after_closing_quote: bool = False
    is_quoted: bool = False
    separators: int = 0
    """Separators since the line began."""


def header_of(path: Path, separator: str) -> list[str]:
    """Return the names in the first line that is not blank; none for a file without such a line."""
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return next((record for record in csv.reader(stream, delimiter=separator) if record), [])


def is_regular(path: Path, separator: str, width: int) -> bool:
    """Tell whether all lines have `width` fields, no line is blank and all quotation marks are where they belong.

    A blank line of a file with one column is a missing value. A lone carriage return is not regular.
    """
    place = Place()
    with path.open("rb") as stream:
        while chunk := stream.read(CHUNK):
            following = _after(np.frombuffer(chunk, np.uint8), place, ord(separator), width)
            if following is None:
                return False
            place = following
    is_last_line_whole = place.before == NEWLINE or place.separators == width - 1
    return is_last_line_whole and place.before != RETURN and not place.is_quoted


def regular_copy(path: Path, shown: Path, separator: str, copy: Path) -> Path:
    """Write a regular copy without blank lines, refusing a line that has too many or too few fields.

    Parameters
    ----------
    path, shown
        The file, and the name by which the user knows it.
    separator
        The separator of both.
    copy
        Where to write.
    """
    width = len(header_of(path, separator))
    with (
        path.open(encoding="utf-8-sig", newline="") as source,
        copy.open("w", encoding="utf-8", newline="") as target,
    ):
        reader, writer = csv.reader(source, delimiter=separator), csv.writer(target, delimiter=separator, lineterminator="\n")
        written = 0
        for _ in count():
            line = reader.line_num + 1
            record = _next_record(reader, shown, line)
            if record is None:
                break
            if not record and (width > 1 or not written):
                continue
            fields = record or [""]
            if len(fields) != width:
                raise FileError(
                    f"{shown}: line {line} has {len(fields)} fields, the first line has {width}; "
                    f"mend the line, or put text that holds '{_named(separator)}' in quotes"
                )
            writer.writerow(fields)
            written += 1
    return copy


def _next_record(reader: "csv._reader", shown: Path, line: int) -> list[str] | None:
    try:
        return next(reader, None)
    except csv.Error:
        raise FileError(
            f"{shown}: line {line} cannot be read; a quotation mark may be open there, or a cell be longer than "
            f"{csv.field_size_limit()} characters"
        ) from None


def _after(block: Bytes, place: Place, separator: int, width: int) -> Place | None:
    """Return the place after a chunk, None if the chunk is not regular."""
    before = np.concatenate([np.array([place.before], np.uint8), block[:-1]])
    if ((before == RETURN) & (block != NEWLINE)).any():
        return None
    inside, closing = _quoting(block, place)
    if inside is not None and not _quotes_at_edges(block, before, inside, closing, place, separator):
        return None
    ends = _outside(block == NEWLINE, inside)
    marks = _outside(block == separator, inside)
    marks_before_end = np.searchsorted(marks, ends)
    if (np.diff(marks_before_end, prepend=-place.separators) != width - 1).any():
        return None
    return Place(
        before=int(block[-1]),
        after_closing_quote=closing is not None and bool(closing[-1]),
        is_quoted=inside is not None and bool(inside[-1]),
        separators=marks.size - int(marks_before_end[-1]) if ends.size else place.separators + marks.size,
    )


def _quoting(block: Bytes, place: Place) -> tuple[Flags, Flags] | tuple[None, None]:
    """Return which bytes stand inside quotes, and which are closing quotes; None for a chunk that quotes do not touch."""
    quotes = block == QUOTE
    if not place.is_quoted and not place.after_closing_quote and not quotes.any():
        return None, None
    inside = (np.bitwise_xor.accumulate(quotes.view(np.uint8)) ^ place.is_quoted).view(np.bool_)
    return inside, quotes & ~inside


def _quotes_at_edges(
    block: Bytes, before: Bytes, inside: Flags, closing: Flags | None, place: Place, separator: int
) -> bool:
    """Tell whether each opening quote begins a field and each closing one ends it; a doubled quote closes and opens."""
    assert closing is not None  # noqa: S101
    opening = (block == QUOTE) & inside
    opens_well = (before == separator) | (before == NEWLINE) | (before == QUOTE)
    after_closing = np.concatenate([np.array([place.after_closing_quote]), closing[:-1]])
    closes_well = (block == separator) | (block == NEWLINE) | (block == RETURN) | (block == QUOTE)
    return not ((opening & ~opens_well) | (after_closing & ~closes_well)).any()


def _outside(marks: Flags, inside: Flags | None) -> NDArray[np.int64]:
    return np.flatnonzero(marks if inside is None else marks & ~inside)


def _named(separator: str) -> str:
    return "tab" if separator == "\t" else separator
