"""A table of figures that may be shown, with nothing in it that may not; as a dataframe, as text, as CSV."""

from dataclasses import dataclass
from typing import Any

from sfumato.display import Cell, Row, Table, format_compact, header_column
from sfumato.display.table import Column

HIDDEN = "hidden"
Figure = float | int | None
"""A shown figure; None where it is hidden."""


@dataclass(frozen=True)
class ShownTable:
    """Rows by columns of figures.

    Parameters
    ----------
    row_names
        The names of the columns that label the rows.
    rows
        For each row its labels.
    columns
        What each column of figures is called.
    figures
        For each row its figures; None where one is hidden or there is none.
    column_name
        What the labels of the columns are categories of; empty for nothing.
    """

    row_names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    columns: tuple[str, ...]
    figures: tuple[tuple[Figure, ...], ...]
    column_name: str = ""

    def to_frame(self, backend: str = "polars") -> Any:
        """Return a dataframe: of pandas with the labels as its index, of polars or pyarrow with columns for them."""
        if backend == "pandas":
            return self._to_pandas()
        import polars as pl

        labels = {name: [row[place] for row in self.rows] for place, name in enumerate(self.row_names)}
        figures = {name: [row[place] for row in self.figures] for place, name in enumerate(self.columns)}
        frame = pl.DataFrame({**labels, **figures}, strict=False)
        return frame.to_arrow() if backend == "pyarrow" else frame

    def _to_pandas(self) -> Any:
        import pandas as pd

        index = (
            pd.Index([row[0] for row in self.rows], name=self.row_names[0])
            if len(self.row_names) == 1
            else pd.MultiIndex.from_tuples(self.rows, names=self.row_names)
        )
        columns = pd.Index(self.columns, name=self.column_name or None)
        figures = {
            place: pd.Series([row[place] for row in self.figures], index=index, dtype=self._dtype(place))
            for place in range(len(self.columns))
        }
        frame = pd.DataFrame(figures, index=index)
        frame.columns = columns
        return frame

    def _dtype(self, place: int) -> str:
        is_whole = all(row[place] is None or isinstance(row[place], int) for row in self.figures)
        return "Int64" if is_whole else "Float64"

    def to_display(self, title: str) -> Table:
        """Return a table for people."""
        columns = (*(header_column(name) for name in self.row_names), *(Column(name) for name in self.columns))
        body: tuple[Row, ...] = tuple(
            (*labels, *(_display_cell(figure) for figure in figures))
            for labels, figures in zip(self.rows, self.figures, strict=True)
        )
        return Table(columns, body, title=title, spanner=self.column_name)

    def to_csv(self) -> str:
        """Return the table as CSV; hidden figures are empty."""
        return str(self.to_frame().write_csv())

    def to_dict(self) -> dict[str, Any]:
        """Return the table as plain lists."""
        return {
            "row_names": list(self.row_names),
            "rows": [list(row) for row in self.rows],
            "columns": list(self.columns),
            "figures": [list(row) for row in self.figures],
            "column_name": self.column_name,
        }

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> "ShownTable":
        """Return a table from plain lists."""
        return cls(
            tuple(plain["row_names"]),
            tuple(map(tuple, plain["rows"])),
            tuple(plain["columns"]),
            tuple(map(tuple, plain["figures"])),
            plain["column_name"],
        )


def _display_cell(figure: Figure) -> Cell:
    return Cell("—", hint=HIDDEN) if figure is None else Cell(format_compact(figure))
