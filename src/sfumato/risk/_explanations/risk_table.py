"""A small table about risk that can be read, shown in a notebook, and taken on as a dataframe."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    import polars

Row = TypeVar("Row", bound=tuple[Any, ...])

MOST_SHOWN = 30  # rows that a reader looks through; the dataframe has them all


@dataclass(frozen=True)
class RiskTable(Generic[Row]):
    """Rows of one kind, with a title and the names of their fields.

    Parameters
    ----------
    title
        What the table tells.
    fields
        The names and types of the fields.
    rows
        The rows, the most telling first.
    remark
        A sentence to be read with the table.
    """

    title: str
    fields: tuple[tuple[str, type], ...]
    rows: tuple[Row, ...]
    remark: str = ""

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def to_frame(self) -> "polars.DataFrame":
        """Return the rows as a polars dataframe."""
        import polars

        types = {str: polars.String, int: polars.Int64, float: polars.Float64}
        schema = {name: types[kind] for name, kind in self.fields}
        return polars.DataFrame([tuple(row) for row in self.rows], schema=schema, orient="row")

    def __str__(self) -> str:
        headings, rows, is_text = self.first()
        left = len(self.rows) - len(rows)
        more = [f"and {left} more: see to_frame()"] if left else []
        return "\n".join([self.title, *aligned(headings, rows, is_text), *more, *filter(None, [self.remark])])

    def _repr_html_(self) -> str:
        caption = ". ".join(filter(None, [self.title, self.remark]))
        return as_html(*self.first(), caption=caption)

    def first(self, most: int = MOST_SHOWN) -> tuple[list[str], list[list[str]], list[bool]]:
        """Return the headings, the first rows and which columns are text; a column without anything is left out."""
        rows = [[as_cell(value) for value in row] for row in self.rows[:most]]
        kept = [place for place in range(len(self.fields)) if not rows or any(row[place] for row in rows)]
        headings = [heading(self.fields[place][0]) for place in kept]
        is_text = [self.fields[place][1] is str for place in kept]
        return headings, [[row[place] for place in kept] for row in rows], is_text


def heading(name: str) -> str:
    """Return the name of a field in words."""
    return name.replace("_", " ")


def as_cell(value: object) -> str:
    """Return a value as tables show it: figures with two decimals, nothing for what is not known.

    Examples
    --------
    >>> as_cell(12.345), as_cell(7), as_cell(None)
    ('12.35', '7', '-')
    """
    if value is None:
        return "-"
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def aligned(headings: Sequence[str], rows: Sequence[Sequence[str]], is_text: Sequence[bool]) -> list[str]:
    """Return the lines of a table, text to the left and figures to the right.

    Examples
    --------
    >>> aligned(["key", "risk"], [["town", "1.50"]], [True, False])
    ['  key   risk', '  town  1.50']
    """
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    lines = []
    for cells in (headings, *rows):
        placed = zip(cells, widths, is_text, strict=True)
        lines.append(
            ("  " + "  ".join(f"{cell:<{w}}" if text else f"{cell:>{w}}" for cell, w, text in placed)).rstrip()
        )
    return lines


def as_html(headings: Sequence[str], rows: Sequence[Sequence[str]], is_text: Sequence[bool], caption: str = "") -> str:
    """Return an HTML table, text to the left and figures to the right; all text is escaped."""
    head = "".join(map(_html_heading, headings, is_text))
    body = "".join(f"<tr>{''.join(map(_html_cell, row, is_text))}</tr>" for row in rows)
    above = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{above}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _html_heading(name: str, is_text: bool) -> str:
    return f'<th style="text-align:{"left" if is_text else "right"}">{escape(name)}</th>'


def _html_cell(cell: str, is_text: bool) -> str:
    return f'<td style="text-align:{"left" if is_text else "right"}">{escape(cell)}</td>'
