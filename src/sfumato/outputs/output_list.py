"""A list of outputs, as a log and a project keep one: what each asks for, its status, and what was decided."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sfumato.display import Column, Table, header_column, render_notebook, text_column
from sfumato.display.tabular_result import TabularResult

if TYPE_CHECKING:
    import polars

MAX_ROWS = 30  # that a notebook shows


class OutputList(TabularResult):
    """Outputs by name; what a notebook shows of them holds no figure."""

    @abstractmethod
    def to_plain(self) -> list[Mapping[str, Any]]:
        """Return the outputs as plain values."""

    def to_frame(self) -> "polars.DataFrame":
        """Return a polars dataframe with a row for each output: name, request, status, hidden cells, exception."""
        import polars

        text = polars.String
        schema = {"name": text, "request": text, "status": text, "hidden": polars.Int64, "exception": text}
        return polars.DataFrame([tuple(one[name] for name in schema) for one in self.to_plain()], schema, orient="row")

    def to_dict(self) -> dict[str, Any]:
        """Return the outputs as plain dicts and lists, ready for JSON: no figure but the shown ones."""
        return {"outputs": [dict(one) for one in self.to_plain()]}

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self.to_plain())} outputs>"

    def _repr_html_(self) -> str:
        columns = (header_column("output"), text_column("request"), text_column("status"), Column("hidden cells"))
        rows = tuple((one["name"], one["request"], one["status"], one["hidden"]) for one in self.to_plain())
        return render_notebook([Table(columns, rows, title=repr(self)).first(MAX_ROWS).to_html()])
