"""Find out how a text file is written: its encoding and its separator.

The decimal mark is found from all cells, in `sfumato.files.text.column_types`.
"""

import codecs
import csv
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from sfumato.errors import FileError, ParameterError

HEAD = 65_536  # bytes looked at to find the separator
CHUNK = 1 << 22
LINES = 200
HOLD_ASCII = {"ascii", "utf-8", "cp1252"}
SEPARATORS = (",", ";", "\t", "|")
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def detect_encoding(path: Path) -> str:
    """Return the encoding of a text file.

    A byte order mark decides. Without one the file is UTF-16 if every second byte of its head is mostly zero, else
    UTF-8 if all of it can be read so, else Windows' western encoding (cp1252), else Latin-1.
    """
    with path.open("rb") as stream:
        head = stream.read(HEAD)
    for mark, encoding in BYTE_ORDER_MARKS:
        if head.startswith(mark):
            return encoding
    if b"\0" in head:
        return _wide_encoding(path, head)
    return next((encoding for encoding in ("utf-8", "cp1252") if can_decode(path, encoding)), "latin-1")


def normalise_encoding(encoding: str, verb: str = "read") -> str:
    """Return the encoding's usual name, refusing one that does not exist."""
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        raise ParameterError(
            [f"{verb}.encoding must be the name of an encoding, such as utf-8 or cp1252; got '{encoding}'"]
        ) from None


def can_decode(path: Path, encoding: str) -> bool:
    """Tell whether the whole file can be read in the encoding."""
    decoder = codecs.getincrementaldecoder(encoding)()
    holds_ascii = encoding in HOLD_ASCII
    try:
        with path.open("rb") as stream:
            while chunk := stream.read(CHUNK):
                if not (holds_ascii and chunk.isascii() and not decoder.getstate()[0]):  # which says the same, quickly
                    decoder.decode(chunk)
            decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def decode_chunks(path: Path, encoding: str) -> Iterator[str]:
    """Give the text of a file in pieces, so that it need not be held whole."""
    decoder = codecs.getincrementaldecoder(encoding)()
    with path.open("rb") as stream:
        while chunk := stream.read(CHUNK):
            yield decoder.decode(chunk)
        yield decoder.decode(b"", final=True)


def detect_separator(path: Path, preferred: str) -> str:
    """Return the separator of a text file: the one that cuts its first lines into equally many fields, at least two.

    Parameters
    ----------
    path
        The file, in UTF-8.
    preferred
        The separator to take when several fit equally well, or none.
    """
    lines = _first_lines(path)
    candidates = (preferred, *(separator for separator in SEPARATORS if separator != preferred))
    best = max(candidates, key=lambda separator: _fit(lines, separator))
    return best if _fit(lines, best) > (0.0, 0) else preferred


def _first_lines(path: Path) -> list[str]:
    with path.open("rb") as stream:
        head = stream.read(HEAD)
        is_whole = not stream.read(1)
    lines = head.decode("utf-8-sig", errors="ignore").splitlines(keepends=True)
    return lines[:LINES] if is_whole or len(lines) == 1 else lines[:-1][:LINES]


def _fit(lines: list[str], separator: str) -> tuple[float, int]:
    """Return the share of records that have as many fields as the first, and that number; (0, 0) for a single field."""
    records = [record for record in islice(csv.reader(lines, delimiter=separator), LINES) if record]
    if not records or len(records[0]) < 2:
        return 0.0, 0
    width = len(records[0])
    return sum(len(record) == width for record in records) / len(records), width


def _wide_encoding(path: Path, head: bytes) -> str:
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if min(even, odd) * 10 > max(even, odd) or max(even, odd) * 4 < len(head) // 2:
        raise FileError(f"{path} does not hold text: it has zero bytes; check its suffix, or give its encoding")
    return "utf-16-be" if even > odd else "utf-16-le"
