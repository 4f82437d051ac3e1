"""Records in the files of tau-Argus: fields of fixed width or parted by a character, described by metadata (.rda)."""

import csv
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.data import Hierarchy
from sfumato.data.hierarchy_files import read_hrc, text_of_file
from sfumato.errors import FileError, SchemaError
from sfumato.tables.tau_argus.numbers import decimal_sign, parse_numbers

if TYPE_CHECKING:
    import polars as pl

WORD = re.compile(r'"([^"]*)"|(\S+)')
NUMERIC, WEIGHT, HOLDING, REQUEST = "<NUMERIC>", "<WEIGHT>", "<HOLDING>", "<REQUEST>"
RECODEABLE, HIERARCHICAL = "<RECODEABLE>", "<HIERARCHICAL>"


@dataclass
class RecordField:
    """A field of the records.

    Parameters
    ----------
    name
        What it is called.
    start, width
        Where it begins in a line, from 0, and how wide it is, in files of fixed width.
    options
        What the metadata say of it, by keyword.
    missing
        The codes that stand for none.
    """

    name: str
    start: int = 0
    width: int = 0
    options: dict[str, list[str]] = field(default_factory=dict)
    missing: tuple[str, ...] = ()

    @property
    def total(self) -> str:
        """The code of its total."""
        return (self.options.get("<TOTCODE>") or ["Total"])[0]


@dataclass(frozen=True, eq=False)
class ArgusRecords:
    """Records, and what the metadata say of their fields.

    Parameters
    ----------
    frame
        The records: codes as text, numbers as numbers.
    hierarchies
        Of the dimensions that have one, by digits or from a file (.hrc), and of those whose total has another code.
    weight, holding, request
        The fields of weights, holdings and requests for protection; None where there is none.
    total
        The code of totals where there is no hierarchy.
    missing
        The code of records that have none; None where no field has such a code.
    """

    frame: "pl.DataFrame"
    hierarchies: dict[str, Hierarchy]
    weight: str | None
    holding: str | None
    request: str | None
    total: str
    missing: str | None = None


def read_argus_records(path: Path, metadata: Path) -> ArgusRecords:
    """Read records of tau-Argus.

    Parameters
    ----------
    path
        The records (.asc, .csv).
    metadata
        What their fields are (.rda). Hierarchy files that it names are looked for where it says, then beside it.
    """
    import polars as pl

    fields, separator = _fields(metadata)
    rows = _rows(path, fields, separator)
    content: dict[str, Any] = {each.name: [row[place].strip() for row in rows] for place, each in enumerate(fields)}
    numeric = [each.name for each in fields if _is_number(each)]
    sign = decimal_sign((word for name in numeric for word in content[name]), separator)
    content |= {name: parse_numbers(content[name], name, path, sign=sign) for name in numeric}
    roles = {
        role: next((each.name for each in fields if role in each.options), None) for role in (WEIGHT, HOLDING, REQUEST)
    }
    asked = next((each for each in fields if REQUEST in each.options), None)
    if asked is not None:
        asking = set(asked.options[REQUEST]) or {"1"}
        content[asked.name] = [word in asking for word in content[asked.name]]
    dimensions = [each for each in fields if RECODEABLE in each.options or HIERARCHICAL in each.options]
    for each in dimensions:
        content[each.name] = [None if word in each.missing else word for word in content[each.name]]
    frame = pl.DataFrame(content)
    total = dimensions[0].total if dimensions else "Total"
    return ArgusRecords(
        frame,
        {each.name: tree for each in dimensions if (tree := _hierarchy(each, frame, metadata, total)) is not None},
        roles[WEIGHT],
        roles[HOLDING],
        roles[REQUEST],
        total,
        next((code for each in dimensions for code in each.missing), None),
    )


def _fields(metadata: Path) -> tuple[list[RecordField], str]:
    """Return the fields in their order, and what stands between them; nothing where they have fixed places."""
    fields: list[RecordField] = []
    separator = ""
    for line in text_of_file(metadata).splitlines():
        words = [quoted or plain for quoted, plain in WORD.findall(line)]
        if not words:
            continue
        if not words[0].startswith("<"):
            fields.append(_field(words, is_fixed=not separator))
        elif not fields:
            separator = words[1] if words[0].upper() == "<SEPARATOR>" and len(words) > 1 else separator
        else:
            _note(fields[-1], words)
    if not fields:
        raise FileError(f"{metadata} describes no field")
    if not separator:
        lacking = [each.name for each in fields if not each.width]
        if lacking:
            raise FileError(f"{metadata}: field '{lacking[0]}' needs its place and width, or the file a <SEPARATOR>")
    return fields, separator.replace("\\t", "\t")


def _field(words: list[str], *, is_fixed: bool) -> RecordField:
    """Return the field of a line: its name, its place and width, codes of missing values, and keywords behind them."""
    end = next((place for place, word in enumerate(words) if word.startswith("<")), len(words))
    before = words[1:end]
    places = [int(word) for word in before[:2] if word.isdigit()] if is_fixed else []
    start, width = (places[0] - 1, places[1]) if len(places) == 2 else (0, 0)
    described = RecordField(words[0], start, width, missing=tuple(before[len(places) :]))
    _note(described, words[end:])
    return described


def _note(described: RecordField, words: list[str]) -> None:
    values: list[str] = []
    for word in words:
        if word.startswith("<"):
            values = described.options.setdefault(word.upper(), [])
        else:
            values.append(word)


def _rows(path: Path, fields: list[RecordField], separator: str) -> list[list[str]]:
    lines = [line for line in text_of_file(path).splitlines() if line.strip()]
    if not separator:
        return [[line[each.start : each.start + each.width] for each in fields] for line in lines]
    rows = list(csv.reader(lines, delimiter=separator))
    if rows and [word.strip() for word in rows[0]] == [each.name for each in fields]:
        rows = rows[1:]  # a heading
    wrong = next((number for number, row in enumerate(rows, start=1) if len(row) != len(fields)), None)
    if wrong is not None:
        raise FileError(f"{path}, record {wrong}: {len(fields)} fields are described; got {len(rows[wrong - 1])}")
    return rows


def _is_number(each: RecordField) -> bool:
    return (NUMERIC in each.options or WEIGHT in each.options) and REQUEST not in each.options


def _hierarchy(each: RecordField, frame: "pl.DataFrame", metadata: Path, total: str) -> Hierarchy | None:
    """Return the hierarchy of a dimension; without one, its codes under its total where that has a code of its own."""
    files = each.options.get("<HIERCODELIST>")
    if files:
        named = Path(files[0].replace("\\", "/"))
        path = named if named.is_file() else metadata.parent / named.name
        return read_hrc(path, root=each.total, lead=(each.options.get("<HIERLEADSTRING>") or ["@"])[0])
    digits = [int(word) for word in each.options.get("<HIERLEVELS>", []) if int(word) > 0]
    codes = frame[each.name].drop_nulls().unique(maintain_order=True).to_list()
    if len(digits) > 1:
        try:
            return Hierarchy.from_digits(codes, digits, root=each.total)
        except SchemaError as error:
            raise FileError(f"{metadata}, <HIERLEVELS> of '{each.name}': {error}") from None
    return None if each.total == total else Hierarchy(each.total, tuple((each.total, code) for code in sorted(codes)))
