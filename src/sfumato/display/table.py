"""A table as a value: its content, not its look. The other modules of the room render it."""

from dataclasses import dataclass, replace
from enum import StrEnum

from sfumato.display.numbers import format_cell


class ColumnKind(StrEnum):
    """How a column is set."""

    NUMBER = "number"
    """To the right."""
    TEXT = "text"
    """To the left."""
    HEADER = "header"
    """To the left: it names the row."""
    DETAIL = "detail"
    """Prose about the row; in plain text it stands below the row."""


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Parameters
    ----------
    title
        What its cells hold.
    kind
        How they are set.
    unit
        The unit of its numbers, which is written behind the title.
    hint
        What the title means, for a reader who points at it.
    indent
        How many totals stand above a column that is a part of another.
    """

    title: str = ""
    kind: ColumnKind = ColumnKind.NUMBER
    unit: str = ""
    hint: str = ""
    indent: int = 0

    @property
    def heading(self) -> str:
        """The title with the unit."""
        return f"{self.title}, {self.unit}" if self.unit else self.title


def text_column(title: str = "") -> Column:
    """Return a column of text."""
    return Column(title, ColumnKind.TEXT)


def header_column(title: str = "") -> Column:
    """Return a column that names the rows."""
    return Column(title, ColumnKind.HEADER)


def detail_column(title: str = "") -> Column:
    """Return a column of prose about the rows."""
    return Column(title, ColumnKind.DETAIL)


@dataclass(frozen=True)
class Cell:
    """A cell that is more than its text.

    Parameters
    ----------
    text
        What it shows.
    hint
        What it means, for a reader who points at it.
    style
        Names of the page's style for it, such as `good` or `bad`.
    indent
        How many totals stand above it.
    bar
        The percent that a bar in place of the text stands for.
    parts
        What the cell is made of, shown on demand.
    link
        The place on the page that explains it, such as `#term-k`.
    below
        What stands on a line of its own below the text, less visible.
    """

    text: str = ""
    hint: str = ""
    style: str = ""
    indent: int = 0
    bar: float | None = None
    parts: tuple[str, ...] = ()
    link: str = ""
    below: str = ""


CellValue = Cell | str | float | None
"""What a row holds in a column; numbers are shown with two decimals, and nothing known as a dash."""
Row = tuple[CellValue, ...] | str
"""A row, or a heading above the rows that follow."""


@dataclass(frozen=True)
class Table:
    """A table.

    Parameters
    ----------
    columns
        The columns.
    rows
        The rows, and headings of groups of rows.
    title
        What the table is about.
    spanner
        A heading above all columns of numbers.
    totals
        The numbers of the rows, from 0, that are totals.
    notes
        Sentences to be read with the table.
    """

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    title: str = ""
    spanner: str = ""
    totals: frozenset[int] = frozenset()
    notes: tuple[str, ...] = ()

    @property
    def has_headings(self) -> bool:
        """Whether any column has a title."""
        return any(column.heading for column in self.columns)

    def first(self, count: int) -> "Table":
        """Return the table with its first rows, and a note about how many there are beyond them."""
        left = len(self.rows) - count
        if left <= 0:
            return self
        more = "and 1 more row" if left == 1 else f"and {left:,} more rows"
        return replace(self, rows=self.rows[:count], notes=(more, *self.notes))

    def take_columns(self, places: list[int]) -> "Table":
        """Return the table with some of its columns."""
        rows = tuple(row if isinstance(row, str) else tuple(row[place] for place in places) for row in self.rows)
        return replace(self, columns=tuple(self.columns[place] for place in places), rows=rows)

    def to_text(self, *, width: int | None = None, max_rows: int | None = None) -> str:
        """Return the table as plain text.

        Parameters
        ----------
        width
            How many characters a line may have: further columns go into blocks of their own. No limit if None.
        max_rows
            How many rows to show at most.
        """
        from sfumato.display.text import render_text

        return render_text(self, width=width, max_rows=max_rows)

    def to_html(self) -> str:
        """Return the table as a part of a page."""
        from sfumato.display.html import render_html

        return render_html(self)

    def to_markdown(self) -> str:
        """Return the table as Markdown."""
        from sfumato.display.markdown import render_markdown

        return render_markdown(self)


def as_cell(value: CellValue) -> Cell:
    """Return what a row holds in a column as a cell."""
    return value if isinstance(value, Cell) else Cell(format_cell(value))
