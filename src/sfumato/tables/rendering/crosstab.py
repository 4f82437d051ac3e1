"""Cross-tabulations: codes down and across, and in each place what readers see of the cell."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.display import Cell, Column, header_column
from sfumato.display import Table as DisplayTable
from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.tables.cells.dimension import Dimension
from sfumato.tables.cells.table import Table
from sfumato.tables.protected_tables import CellStatus

MAX_DECIMALS = 6
MAX_ROWS = 60  # of a text
MARKS = {CellStatus.PRIMARY: "[p]", CellStatus.SECONDARY: "[s]", CellStatus.SUPPRESSED: "[g]"}
UNEXPLAINED = "x"  # a suppressed cell of which readers do not learn the reason


@dataclass(frozen=True)
class Label:
    """A code in the margin: its text and how many totals stand above it."""

    text: str
    level: int


@dataclass(frozen=True)
class CellView:
    """What readers see of a cell.

    Parameters
    ----------
    text
        The figure, or the mark of a suppressed cell.
    status
        What became of the cell; None where readers do not learn it.
    is_suppressed
        Whether the figure is suppressed.
    hint
        Why.
    """

    text: str
    status: CellStatus | None = None
    is_suppressed: bool = False
    hint: str = ""

    @property
    def is_marked(self) -> bool:
        """Whether readers see a mark, alone or beside the figure."""
        return self.is_suppressed or self.status in MARKS


@dataclass(frozen=True)
class Crosstab:
    """A table with codes down and across.

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
        For each row what readers see in each column; None where there is no cell.
    """

    title: str
    down: tuple[str, ...]
    across: str
    rows: tuple[tuple[Label, ...], ...]
    columns: tuple[Label, ...]
    cells: tuple[tuple[CellView | None, ...], ...]

    @property
    def has_marked_cells(self) -> bool:
        """Whether any cell has a mark."""
        return any(cell is not None and cell.is_marked for row in self.cells for cell in row)

    def to_text(self, *, width: int = 120, max_rows: int = MAX_ROWS) -> str:
        """Return the table as plain text, in blocks of columns where it is wider than so many characters."""
        return self.to_table().to_text(width=width, max_rows=max_rows)

    def to_table(self) -> DisplayTable:
        """Return the table as it is shown."""
        rows = zip(self.rows, self.cells, strict=True)
        return DisplayTable(
            columns=(
                *map(header_column, self.down),
                *(Column(label.text, indent=label.level) for label in self.columns),
            ),
            rows=tuple(
                (*(Cell(label.text, indent=label.level) for label in row), *map(_cell, cells)) for row, cells in rows
            ),
            spanner=self.across,
            totals=frozenset(number for number, row in enumerate(self.rows) if all(label.level == 0 for label in row)),
        )


def crosstab(table: Table, views: Sequence[CellView]) -> Crosstab:
    """Lay out a table: the codes of its last dimension across, those of all others down.

    Parameters
    ----------
    table
        The table.
    views
        What readers see of each of its cells.

    Examples
    --------
    >>> import polars as pl
    >>> table = Table.from_records(pl.DataFrame({"town": ["A", "B", "B"], "ill": ["y", "y", "n"]}), ["town", "ill"])
    >>> laid_out = crosstab(table, [CellView(figure) for figure in format_values(table.values)])
    >>> [[cell.text if cell else "" for cell in row] for row in laid_out.cells]
    [['3', '1', '2'], ['1', '', '1'], ['2', '1', '1']]
    """
    title = "counts" if table.value_name is None else table.value_name
    *before, last = range(len(table.dimensions))
    down = before or [last]
    keys = [tuple(row) for row in table.codes[:, down].tolist()]
    across = table.codes[:, last].tolist() if before else [0] * table.size
    row_of = {key: number for number, key in enumerate(sorted(set(keys)))}
    column_of = {place: number for number, place in enumerate(sorted(set(across)))}
    cells: list[list[CellView | None]] = [[None] * len(column_of) for _ in row_of]
    for key, place, cell in zip(keys, across, views, strict=True):
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


def format_values(values: FloatColumn, suppressed: Booleans | None = None) -> list[str]:
    """Return values as text with as few decimals as show all of them that are not suppressed, and six at most.

    Examples
    --------
    >>> format_values(np.array([1200.0, 3.5, 0.123]), np.array([False, False, True]))
    ['1,200.0', '3.5', '']
    """
    is_suppressed = np.zeros(values.size, dtype=np.bool_) if suppressed is None else suppressed
    known = values[~is_suppressed]
    decimals = 0
    while decimals < MAX_DECIMALS and not np.allclose(known, np.round(known, decimals), rtol=1e-12, atol=1e-9):
        decimals += 1
    return [
        "" if is_away else f"{value:,.{decimals}f}"
        for value, is_away in zip(values.tolist(), is_suppressed.tolist(), strict=True)
    ]


def publication_views(values: FloatColumn, suppressed: Booleans) -> list[CellView]:
    """Return what the public sees of cells: nothing that tells one suppressed cell from another."""
    return [
        CellView(UNEXPLAINED, is_suppressed=True) if is_away else CellView(figure)
        for figure, is_away in zip(format_values(values, suppressed), suppressed.tolist(), strict=True)
    ]


def review_views(values: FloatColumn, statuses: Sequence[CellStatus], reasons: Sequence[str]) -> list[CellView]:
    """Return what those who review the protection see of cells: also what became of each and why.

    Parameters
    ----------
    values
        What is published, NaN where a cell is suppressed.
    statuses, reasons
        What became of each cell, and why.
    """
    suppressed = np.isnan(values)
    figures = format_values(values, suppressed)
    return [
        CellView(f"{figure} {MARKS.get(status, '')}".strip(), status, is_suppressed, reason)
        for figure, status, is_suppressed, reason in zip(figures, statuses, suppressed.tolist(), reasons, strict=True)
    ]


def _label(dimension: Dimension, place: int) -> Label:
    return Label(str(dimension.codes[place]), int(dimension.levels[place]))


def _cell(view: CellView | None) -> Cell:
    if view is None:
        return Cell(style="none")
    return Cell(view.text, hint=view.hint, style=suppressed_style(view.status) if view.is_marked else "")


def suppressed_style(status: CellStatus | None) -> str:
    """Return the names under which the style of pages knows a suppressed cell."""
    kind = "unexplained" if status is None else "given" if status is CellStatus.SUPPRESSED else status.value
    return f"suppressed {kind}"
