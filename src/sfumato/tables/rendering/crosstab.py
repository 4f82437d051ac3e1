"""Tables laid out for the eye: codes down and across, and in each place what is shown of the cell."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.tables.cells.dimension import Dimension
from sfumato.tables.cells.table import Table
from sfumato.tables.suppress import CellStatus

MOST_DECIMALS = 6
GAP = 2  # characters between columns
INDENT = "  "
MARKS = {CellStatus.PRIMARY: "[p]", CellStatus.SECONDARY: "[s]", CellStatus.HIDDEN: "[h]"}
UNTOLD = "x"  # a hidden cell where nothing is said of the reason


@dataclass(frozen=True)
class Label:
    """A code in the margin: its text and how many totals stand above it."""

    text: str
    level: int

    @property
    def indented(self) -> str:
        """The code, the further to the right the more totals stand above it."""
        return INDENT * self.level + self.text


@dataclass(frozen=True)
class Shown:
    """What is shown of a cell.

    Parameters
    ----------
    text
        The figure, or the mark of a hidden cell.
    status
        What became of the cell; None where that is not told.
    is_hidden
        Whether the figure is hidden.
    hint
        Why.
    """

    text: str
    status: CellStatus | None = None
    is_hidden: bool = False
    hint: str = ""


@dataclass(frozen=True)
class Crosstab:
    """A table laid out.

    Parameters
    ----------
    title
        What the cells hold.
    down
        The names of the dimensions whose codes stand in the rows.
    across
        The name of the dimension whose codes stand in the columns; empty for a table of one dimension.
    rows
        The codes of each row, one for each dimension.
    columns
        The code of each column.
    cells
        For each row what is shown in each column; None where there is no cell.
    """

    title: str
    down: tuple[str, ...]
    across: str
    rows: tuple[tuple[Label, ...], ...]
    columns: tuple[Label, ...]
    cells: tuple[tuple[Shown | None, ...], ...]


def crosstab(table: Table, shown: Sequence[Shown]) -> Crosstab:
    """Lay out a table: the codes of its last dimension across, those of all others down.

    Parameters
    ----------
    table
        The table.
    shown
        What to show of each of its cells.

    Examples
    --------
    >>> import polars as pl
    >>> table = Table.from_records(pl.DataFrame({"town": ["A", "B", "B"], "ill": ["y", "y", "n"]}), ["town", "ill"])
    >>> laid = crosstab(table, [Shown(figure) for figure in figures(table.values)])
    >>> [[cell.text if cell else "" for cell in row] for row in laid.cells]
    [['3', '1', '2'], ['1', '', '1'], ['2', '1', '1']]
    """
    title = "counts" if table.value_name is None else table.value_name
    *before, last = range(len(table.dimensions))
    down = before or [last]
    keys = [tuple(row) for row in table.codes[:, down].tolist()]
    across = table.codes[:, last].tolist() if before else [0] * table.size
    row_of = {key: number for number, key in enumerate(sorted(set(keys)))}
    column_of = {place: number for number, place in enumerate(sorted(set(across)))}
    cells: list[list[Shown | None]] = [[None] * len(column_of) for _ in row_of]
    for key, place, cell in zip(keys, across, shown, strict=True):
        cells[row_of[key]][column_of[place]] = cell
    dimensions = [table.dimensions[position] for position in down]
    return Crosstab(
        title,
        tuple(dimension.name for dimension in dimensions),
        table.dimensions[last].name if before else "",
        tuple(tuple(map(_label, dimensions, key)) for key in row_of),
        tuple(_label(table.dimensions[last], place) for place in column_of) if before else (Label(title, 0),),
        tuple(map(tuple, cells)),
    )


def in_blocks(laid: Crosstab, width: int) -> tuple[Crosstab, ...]:
    """Cut a laid-out table into blocks of columns, each with all rows, that take no more than a width.

    Parameters
    ----------
    laid
        The table.
    width
        How many characters a row may take; a block has one column at least.
    """
    stub = sum(
        max([len(name), *(len(label.indented) for label in labels)]) + GAP
        for name, labels in zip(laid.down, zip(*laid.rows, strict=True), strict=True)
    )
    wide = [
        max([len(label.indented), *(len(cell.text) for cell in column if cell is not None)]) + GAP
        for label, column in zip(laid.columns, zip(*laid.cells, strict=True), strict=True)
    ]
    blocks: list[list[int]] = [[]]
    used = stub
    for place, more in enumerate(wide):
        if blocks[-1] and used + more > width:
            blocks.append([])
            used = stub
        blocks[-1].append(place)
        used += more
    return tuple(
        replace(
            laid,
            columns=tuple(laid.columns[place] for place in block),
            cells=tuple(tuple(row[place] for place in block) for row in laid.cells),
        )
        for block in blocks
    )


def figures(values: FloatColumn, hidden: Booleans | None = None) -> list[str]:
    """Return values as text with as few decimals as show all of them that are not hidden, and six at most.

    Examples
    --------
    >>> figures(np.array([1200.0, 3.5, 0.123]), np.array([False, False, True]))
    ['1,200.0', '3.5', '']
    """
    is_hidden = np.zeros(values.size, dtype=np.bool_) if hidden is None else hidden
    known = values[~is_hidden]
    decimals = 0
    while decimals < MOST_DECIMALS and not np.allclose(known, np.round(known, decimals), rtol=1e-12, atol=1e-9):
        decimals += 1
    return [
        "" if is_away else f"{value:,.{decimals}f}"
        for value, is_away in zip(values.tolist(), is_hidden.tolist(), strict=True)
    ]


def shown_for_publication(values: FloatColumn, hidden: Booleans) -> list[Shown]:
    """Return what is shown of cells in public: nothing that tells one hidden cell from another."""
    return [
        Shown(UNTOLD, is_hidden=True) if is_away else Shown(figure)
        for figure, is_away in zip(figures(values, hidden), hidden.tolist(), strict=True)
    ]


def shown_for_review(values: FloatColumn, statuses: Sequence[CellStatus], reasons: Sequence[str]) -> list[Shown]:
    """Return what is shown of cells to those who review the protection: also what became of each and why."""
    hidden = np.array([status is not CellStatus.PUBLISHED for status in statuses], dtype=np.bool_)
    return [
        Shown(MARKS.get(status, figure), status, status in MARKS, reason)
        for figure, status, reason in zip(figures(values, hidden), statuses, reasons, strict=True)
    ]


def _label(dimension: Dimension, place: int) -> Label:
    return Label(str(dimension.codes[place]), int(dimension.levels[place]))
