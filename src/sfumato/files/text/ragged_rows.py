"""Whether a delimited file is regular, and a regular copy of one that is not.

Regular is a file in which every line has as many fields as the first, and every quotation mark stands at the edge of
a field or doubled inside quotes. Only then do all readers agree on what the file says.
"""

import codecs
import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from sfumato.errors import FileError
from sfumato.numerics.arrays import Booleans, Bytes

CHUNK = 1 << 16  # small enough to stay in the processor's cache
TAIL = 4_096
LINE_ENDS = re.compile(rb"(\r?\n)+\Z")
NEWLINE, RETURN, QUOTE = (ord(mark) for mark in '\n\r"')


@dataclass(frozen=True)
class Place:
    """Where in the file a chunk begins: the byte before it, and what that byte left open."""

    before: int = NEWLINE
    after_closing_quote: bool = False
    is_quoted: bool = False
    lines: int = 0
    separators: int = 0
    """Separators since the line began."""


def header_of(path: Path, shown: Path, separator: str) -> list[str]:
    """Return the names in the first line that is not blank; none for a file without such a line.

    Parameters
    ----------
    path, shown
        The file, and the name by which the user knows it.
    separator
        What separates the names.
    """
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return next((record for _, record in _records(stream, shown, separator) if record), [])


def count_rows(path: Path, separator: str, width: int) -> int | None:
    """Return the number of records below the header of a regular file, None for a file that is not regular.

    Blank lines at the end do not count, others are not regular. In a file with one column, though, a blank line is a
    missing value. A lone carriage return is not regular.
    """
    place, left = Place(), _length(path, with_blank_end=width == 1)
    with path.open("rb") as stream:
        if stream.read(len(codecs.BOM_UTF8)) == codecs.BOM_UTF8:
            left -= len(codecs.BOM_UTF8)
        else:
            stream.seek(0)
        while left > 0 and (chunk := stream.read(min(CHUNK, left))):
            is_plain = not place.is_quoted and not place.after_closing_quote and place.before != RETURN
            look = _after_plain if is_plain and b'"' not in chunk and b"\r" not in chunk else _after
            following = look(np.frombuffer(chunk, np.uint8), place, ord(separator), width)
            if following is None:
                return None
            place, left = following, left - len(chunk)
    has_open_line = place.before != NEWLINE
    if place.is_quoted or place.before == RETURN or (has_open_line and place.separators != width - 1):
        return None
    return place.lines + has_open_line - 1


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
    width = len(header_of(path, shown, separator))
    with (
        path.open(encoding="utf-8-sig", newline="") as source,
        copy.open("w", encoding="utf-8", newline="") as target,
    ):
        writer = csv.writer(target, delimiter=separator, lineterminator="\n", quoting=csv.QUOTE_ALL)
        for line, record in _records(source, shown, separator):
            if not record and (width > 1 or target.tell() == 0):
                continue
            fields = record or [""]  # a blank line of a single column is a missing value
            if len(fields) != width:
                raise _ragged_error(shown, line, len(fields), width, separator)
            writer.writerow(fields)
    return copy


def _length(path: Path, *, with_blank_end: bool) -> int:
    """Return the length of a file in bytes, with or without the line ends at its end."""
    size = path.stat().st_size
    if with_blank_end:
        return size
    with path.open("rb") as stream:
        stream.seek(max(size - TAIL, 0))
        tail = stream.read()
    return size - len(tail) + len(LINE_ENDS.sub(b"", tail))


def _records(lines: Iterator[str], shown: Path, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Give each record with the number of the line on which it begins."""
    reader = csv.reader(lines, delimiter=separator)
    line = 1
    try:
        for record in reader:
            yield line, record
            line = reader.line_num + 1
    except csv.Error:
        raise FileError(
            f"{shown}: line {line} cannot be read; a quotation mark may be open there, or a cell be longer than "
            f"{csv.field_size_limit()} characters"
        ) from None


def _ragged_error(shown: Path, line: int, found: int, width: int, separator: str) -> FileError:
    name = "a tab" if separator == "\t" else f"'{separator}'"
    return FileError(
        f"{shown}: line {line} has {found} fields where the first line has {width}; "
        f"mend that line, or put text that holds {name} in quotes"
    )


def _after(block: Bytes, place: Place, separator: int, width: int) -> Place | None:
    """Return the place after a chunk, None if the chunk is not regular."""
    before = np.concatenate([np.array([place.before], np.uint8), block[:-1]])
    quotes = block == QUOTE
    inside = _inside_quotes(quotes, place)
    closing = quotes & ~inside
    has_lone_return = ((before == RETURN) & (block != NEWLINE) & ~inside).any()
    if has_lone_return or not _quotes_at_edges(block, before, quotes & inside, closing, place, separator):
        return None
    following = _after_lines((block == NEWLINE) & ~inside, (block == separator) & ~inside, place, width)
    if following is None:
        return None
    return replace(
        following,
        before=int(block[-1]),
        after_closing_quote=bool(closing[-1]),
        is_quoted=bool(inside[-1]),
    )


def _after_plain(block: Bytes, place: Place, separator: int, width: int) -> Place | None:
    """Return the place after a chunk without quotation marks and carriage returns, None if it is not regular."""
    following = _after_lines(block == NEWLINE, block == separator, place, width)
    return None if following is None else replace(following, before=int(block[-1]))


def _after_lines(is_end: Booleans, is_mark: Booleans, place: Place, width: int) -> Place | None:
    """Return how many lines end up to the end of a chunk, None if one has too many or too few separators."""
    ends_field = np.flatnonzero(is_end | is_mark)
    ends_line = is_end[ends_field]
    lines, first = int(np.count_nonzero(ends_line)), width - 1 - place.separators
    if first < 0 or np.count_nonzero(ends_line[first::width]) != lines or lines != len(ends_line[first::width]):
        return None  # in a regular file exactly every last field of a line is followed by its end
    return Place(lines=place.lines + lines, separators=place.separators + ends_line.size - lines * width)


def _inside_quotes(quotes: Booleans, place: Place) -> Booleans:
    """Tell for each byte whether an odd number of quotation marks stands up to and including it."""
    if not quotes.any():
        return np.full(quotes.size, place.is_quoted)
    odd = np.bitwise_xor.accumulate(quotes.view(np.uint8)).view(np.bool_)
    return ~odd if place.is_quoted else odd


def _quotes_at_edges(
    block: Bytes, before: Bytes, opening: Booleans, closing: Booleans, place: Place, separator: int
) -> bool:
    """Tell whether each opening quote begins a field and each closing one ends it; a doubled quote closes and opens."""
    after_closing = np.concatenate([np.array([place.after_closing_quote]), closing[:-1]])
    if not opening.any() and not after_closing.any():
        return True
    begins = (before == separator) | (before == NEWLINE) | (before == QUOTE)
    ends = (block == separator) | (block == NEWLINE) | (block == RETURN) | (block == QUOTE)
    return not ((opening & ~begins) | (after_closing & ~ends)).any()
