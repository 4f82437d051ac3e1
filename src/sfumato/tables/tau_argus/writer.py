"""Write a table as the files of tau-Argus: cells (.tab), what their fields are (.rda), and hierarchies (.hrc)."""

import csv
from io import StringIO
from pathlib import Path

import numpy as np

from sfumato.data import Hierarchy
from sfumato.data.hierarchy_files import lines_of_hierarchy
from sfumato.errors import DataError, FileError, ParameterError
from sfumato.numerics.arrays import FloatColumn
from sfumato.storage.atomic import write_text
from sfumato.tables.cells.dimension import Dimension
from sfumato.tables.cells.table import Table
from sfumato.tables.tau_argus.metadata import Field, Metadata, Part, format_metadata, is_separator
from sfumato.tables.tau_argus.reader import ArgusStatus, ArgusTable

COUNT, SHADOW, STATUS, COST, LOWER, UPPER = "freq", "shadow", "status", "cost", "lpl", "upl"
MAX_DECIMALS = 9
LETTERS = (ArgusStatus.SAFE, ArgusStatus.UNSAFE, ArgusStatus.PROTECTED)


def write_tau_argus(given: Table | ArgusTable, path: Path | str, *, separator: str = ",", lead: str = "@") -> None:
    """Write a table as `path` (.tab), with its metadata (.rda) and a hierarchy file (.hrc) for each deep dimension.

    Parameters
    ----------
    given
        The table, with statuses, costs and protection levels where there are any. tau-Argus takes safe, unsafe and
        protected cells: other statuses are refused, except of empty cells, which are safe.
    path
        The file of the cells; the others are written beside it.
    separator
        What to put between fields.
    lead
        The mark of levels in hierarchy files.
    """
    if not is_separator(separator):
        raise ParameterError([f"write_tau_argus.separator must be one character, such as a comma; got {separator!r}"])
    argus = given if isinstance(given, ArgusTable) else ArgusTable(given)
    target = Path(path)
    if not target.parent.is_dir():
        raise FileError(f"{path} cannot be written: there is no folder {target.parent}; make it first")
    trees = {dimension.name: _tree(dimension) for dimension in argus.table.dimensions}
    deep = {name: tree for name, tree in trees.items() if tree.depth > 1}
    fields, columns = zip(*_columns(argus, target.stem, deep, lead), strict=True)
    text = StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\n").writerows(zip(*columns, strict=True))
    for name, tree in deep.items():
        write_text(target.with_name(_hierarchy_file(target.stem, name)), lines_of_hierarchy(tree, lead=lead))
    write_text(target.with_suffix(".rda"), format_metadata(Metadata(tuple(fields), separator)))
    write_text(target, text.getvalue())


def _columns(argus: ArgusTable, stem: str, deep: dict[str, Hierarchy], lead: str) -> list[tuple[Field, list[str]]]:
    """Return the fields with what each line has in them."""
    table, columns = argus.table, []
    for place, dimension in enumerate(table.dimensions):
        file = _hierarchy_file(stem, dimension.name) if dimension.name in deep else ""
        field = Field(dimension.name, Part.DIMENSION, str(dimension.codes[0]), file, lead)
        columns.append((field, [str(dimension.codes[code]) for code in table.codes[:, place]]))
    if table.value_name is not None:
        columns.append(_numeric(table.value_name, Part.VALUE, table.values))
    if not np.isnan(table.counts).any():
        columns.append(_numeric(COUNT, Part.COUNT, table.counts))
    if table.contributions is not None and (table.contributions.weights == 1).all():  # the format has no weights
        for rank, amounts in enumerate(table.contributions.amounts.T, start=1):
            columns.append(_numeric(f"top{rank}", Part.LARGEST, amounts))
        columns.append(_numeric(SHADOW, Part.SHADOW, table.contributions.totals))
    for name, part, numbers in (
        (COST, Part.COST, argus.costs),
        (LOWER, Part.LOWER_LEVEL, argus.lower_levels),
        (UPPER, Part.UPPER_LEVEL, argus.upper_levels),
    ):
        if numbers is not None:
            columns.append(_numeric(name, part, numbers))
    if argus.statuses is not None:
        columns.append((Field(STATUS, Part.STATUS), [_letter(status) for status in argus.statuses]))
    names = [field.name for field, _ in columns]
    bad = [name for place, name in enumerate(names) if name in names[:place] or len(name.split()) != 1]
    if bad:
        raise ParameterError(
            [f"write_tau_argus: each field needs a name of its own, in one word; rename '{bad[0]}' in the table"]
        )
    return columns


def _numeric(name: str, part: Part, numbers: FloatColumn) -> tuple[Field, list[str]]:
    """Return a field of numbers with as few decimals as hold them all, nine at most."""
    decimals = 0
    while decimals < MAX_DECIMALS and not np.allclose(numbers, np.round(numbers, decimals), rtol=1e-15, atol=1e-10):
        decimals += 1
    return Field(name, part, decimals=decimals), [f"{number:.{decimals}f}" for number in numbers.tolist()]


def _letter(status: ArgusStatus) -> str:
    if status is ArgusStatus.EMPTY:
        return ArgusStatus.SAFE.value
    if status not in LETTERS:
        raise ParameterError(
            ["write_tau_argus: tau-Argus reads no secondary cells; give the statuses before secondary suppression"]
        )
    return status.value


def _tree(dimension: Dimension) -> Hierarchy:
    """Return the only grouping of a dimension."""
    parts = [part for _, under in dimension.sums for part in under]
    if len(set(parts)) < len(parts):  # a leaf of two groupings has two codes directly above it
        raise DataError(
            f"dimension '{dimension.name}' has several groupings, and tau-Argus knows one; write a table for each"
        )
    codes = dimension.codes
    return Hierarchy.from_pairs([(codes[total], codes[part]) for total, under in dimension.sums for part in under])


def _hierarchy_file(stem: str, name: str) -> str:
    return f"{stem}_{name}.hrc"
