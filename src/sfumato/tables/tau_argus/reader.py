"""Tables in the files of tau-Argus: cells (.tab), what their fields are (.rda), and hierarchies (.hrc)."""

import csv
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.data import Category, Hierarchy
from sfumato.data.hierarchy_files import read_hrc, text_of_file
from sfumato.errors import DataError, FileError
from sfumato.numerics.arrays import FloatColumn
from sfumato.tables.cells.groupings import Groupings
from sfumato.tables.cells.repair import compute_totals
from sfumato.tables.cells.table import Table
from sfumato.tables.tau_argus.metadata import Field, Metadata, Part, is_separator, parse_metadata
from sfumato.tables.tau_argus.numbers import decimal_sign, parse_numbers


class ArgusStatus(StrEnum):
    """What tau-Argus says of a cell, by its letter."""

    SAFE = "S"
    UNSAFE = "U"
    """Primary: unsafe by a rule, by request or by hand."""
    PROTECTED = "P"
    """May not be suppressed to protect others."""
    SECONDARY = "M"
    """Suppressed to protect others."""
    EMPTY = "Z"
    """Without records."""


NUMBERS = (  # the numbers that tau-Argus writes for statuses, from 1 on
    *(ArgusStatus.SAFE,) * 2,
    *(ArgusStatus.UNSAFE,) * 7,
    ArgusStatus.PROTECTED,
    *(ArgusStatus.SECONDARY,) * 2,
    *(ArgusStatus.EMPTY,) * 2,
)
EMPTY_LETTERS = ("E", "Z")


@dataclass(frozen=True, eq=False)
class ArgusTable:
    """A table as tau-Argus knows it.

    Parameters
    ----------
    table
        The cells.
    statuses
        What is said of each cell; None where nothing is.
    costs, lower_levels, upper_levels
        The cost of suppressing each cell and its protection levels; None where they are not given.
    """

    table: Table
    statuses: tuple[ArgusStatus, ...] | None = None
    costs: FloatColumn | None = None
    lower_levels: FloatColumn | None = None
    upper_levels: FloatColumn | None = None


def read_tau_argus(
    path: Path | str,
    metadata: Path | str | None = None,
    *,
    tolerance: float | None = None,
    repair: bool = False,
    computes_totals: bool = False,
) -> ArgusTable:
    """Read a table of tau-Argus with all its totals.

    Parameters
    ----------
    path
        The cells (.tab).
    metadata
        What the fields are (.rda); the file beside, with that ending, when not given. Hierarchy files that it names are
        looked for where it says, then beside it.
    tolerance, repair
        See `Table.from_cells`.
    computes_totals
        Whether to compute every total anew from its parts, whatever the file says of it.
    """
    import polars as pl

    described = Path(path).with_suffix(".rda") if metadata is None else Path(metadata)
    known = parse_metadata(text_of_file(described), str(described))
    names = [field.name for field in known.fields]
    separator = known.separator.replace("\\t", "\t")
    if not is_separator(separator):
        raise FileError(f"{described}: <SEPARATOR> must be one character, such as a comma; got {separator!r}")
    rows = _rows(Path(path), known, separator)
    content: dict[str, list[Any]] = {name: [row[place].strip() for row in rows] for place, name in enumerate(names)}
    numeric = [field.name for field in known.fields if field.part not in (Part.DIMENSION, Part.STATUS)]
    sign = decimal_sign((word for name in numeric for word in content[name]), separator)
    content |= {name: parse_numbers(content[name], name, path, sign=sign) for name in numeric}
    by = {field.name: _groupings(field, content, described) for field in known.fields if field.part is Part.DIMENSION}
    values, counts, shadows = (known.names_of(part) for part in (Part.VALUE, Part.COUNT, Part.SHADOW))
    if len(values) > 1:
        raise FileError(f"{described}: one variable must be <NUMERIC> alone; got {', '.join(values)}")
    table = Table.from_cells(
        pl.DataFrame(content),
        by,
        values[0] if values else None,
        count=counts[0] if counts else None,
        largest=known.names_of(Part.LARGEST),
        shadow=shadows[0] if shadows else None,
        tolerance=math.inf if computes_totals else tolerance,
        repair=repair,
    )
    if computes_totals:
        table = replace(table, values=compute_totals(table.values, table.relations))
    statuses = [content[name] for name in known.names_of(Part.STATUS)]
    return ArgusTable(
        table,
        statuses_of(statuses[0], known) if statuses else None,
        *(_column(content, known.names_of(part)) for part in (Part.COST, Part.LOWER_LEVEL, Part.UPPER_LEVEL)),
    )


def statuses_of(letters: Sequence[Category], metadata: Metadata | None = None) -> tuple[ArgusStatus, ...]:
    """Return statuses from letters, or from the numbers 1 to 14 that tau-Argus writes in its results.

    Examples
    --------
    >>> statuses_of(["S", 3, "11"])
    (<ArgusStatus.SAFE: 'S'>, <ArgusStatus.UNSAFE: 'U'>, <ArgusStatus.SECONDARY: 'M'>)
    """
    known = {status.value: status for status in ArgusStatus} | dict.fromkeys(EMPTY_LETTERS, ArgusStatus.EMPTY)
    known |= {str(number): status for number, status in enumerate(NUMBERS, start=1)}
    if metadata is not None:
        words = (ArgusStatus.SAFE, ArgusStatus.UNSAFE, ArgusStatus.PROTECTED)
        known |= {letter.upper(): word for letter, word in zip(metadata.letters.values(), words, strict=True)}
    strange = {str(letter).strip().upper() for letter in letters} - set(known)
    if strange:
        raise DataError(f"statuses must be one of {', '.join(known)}; got {sorted(strange)[0]!r}")
    return tuple(known[str(letter).strip().upper()] for letter in letters)


def _rows(path: Path, metadata: Metadata, separator: str) -> list[list[str]]:
    reader = csv.reader(text_of_file(path).splitlines(), delimiter=separator, skipinitialspace=True)
    rows, wanted = [], len(metadata.fields)
    for row in reader:
        if row and len(row) != wanted:
            raise FileError(
                f"{path}, line {reader.line_num}: {wanted} fields are described, parted by {separator!r}; "
                f"got {len(row)}"
            )
        rows += [row] if row else []
    if not rows:
        raise FileError(f"{path} holds no cells")
    return rows


def _groupings(field: Field, content: dict[str, list[Any]], described: Path) -> Groupings:
    """Return the hierarchy of a dimension; without one, a total over the codes that cells have."""
    found = dict.fromkeys(code for code in content[field.name] if code != field.total)
    if field.hierarchy_file:
        named = Path(field.hierarchy_file.replace("\\", "/"))
        path = named if named.is_file() else described.parent / named.name
        return _with_missing(read_hrc(path, root=field.total, lead=field.lead), field, found)
    if field.digits:
        width = sum(field.digits)
        leaves = [code for code in found if len(code) == width and code not in field.missing]
        return _with_missing(Hierarchy.from_digits(leaves, field.digits, root=field.total), field, found)
    return Hierarchy.from_pairs([(field.total, code) for code in found])


def _with_missing(hierarchy: Hierarchy, field: Field, found: Iterable[str]) -> Hierarchy:
    """Return a hierarchy with the code of records without one, which no file has, directly below the total."""
    known = set(hierarchy.codes)
    added = tuple((hierarchy.root, code) for code in found if code in field.missing and code not in known)
    return Hierarchy(hierarchy.root, (*hierarchy.pairs, *added))


def _column(content: dict[str, list[Any]], names: Sequence[str]) -> FloatColumn | None:
    return np.array(content[names[0]], dtype=np.float64) if names else None
