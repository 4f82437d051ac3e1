"""A small table about risk that can be read, shown in a notebook, and taken on as a dataframe."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sfumato.display import Column, Table, render_notebook, text_column
from sfumato.display.tabular_result import TabularResult

if TYPE_CHECKING:
    import polars

Row = TypeVar("Row", bound=tuple[Any, ...])

MAX_ROWS = 30  # rows that a reader looks through; the dataframe has them all


@dataclass(frozen=True)
class RiskTable(TabularResult, Generic[Row]):
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

    def to_dict(self) -> dict[str, Any]:
        """Return the table as plain dicts and lists, ready for JSON."""
        names = [name for name, _ in self.fields]
        rows = [dict(zip(names, row, strict=True)) for row in self.rows]
        return {"title": self.title, "rows": rows, "remark": self.remark}

    def __str__(self) -> str:
        return self.to_table().to_text()

    def _repr_html_(self) -> str:
        return render_notebook([self.to_table().to_html()])

    def to_table(self, max_rows: int = MAX_ROWS) -> Table:
        """Return the first rows as a table to be shown; a column without anything is left out."""
        rows = self.rows[:max_rows]
        cut = f"{len(rows):,} of {len(self.rows):,} shown; the report as JSON has them all"
        table = Table(
            columns=tuple(_column(name, kind) for name, kind in self.fields),
            rows=tuple(tuple(row) for row in rows),
            title=self.title,
            notes=tuple(filter(None, [cut if len(rows) < len(self.rows) else "", self.remark])),
        )
        return table.take_columns(
            [place for place in range(len(self.fields)) if not rows or any(row[place] != "" for row in rows)]
        )


def _column(name: str, kind: type) -> Column:
    title = name.replace("_", " ")
    return text_column(title) if kind is str else Column(title)
