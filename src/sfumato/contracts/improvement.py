"""The result of post-masking optimisation: the improved file, and how it came about."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.data import Microdata
from sfumato.display import Column, Table, format_count, header_column, paragraph, render_notebook
from sfumato.display.tabular_result import TabularResult
from sfumato.numerics.arrays import FloatColumn, Rows

if TYPE_CHECKING:
    import polars

    from sfumato.display.figure import StyledFigure


class ImprovementEnding(StrEnum):
    """Why an improver stopped."""

    TARGET = "target"
    """The moments are as near to those of the original as was asked for."""
    LIMIT = "limit"
    """The number of steps that it may take was used up."""
    SETTLED = "settled"
    """No further step of its kind brings the file nearer to what is asked for."""


@dataclass(frozen=True, eq=False)
class Improvement(TabularResult):
    """What an improver made of a masked file.

    Parameters
    ----------
    data
        The improved file.
    name
        The improver's name in recipes.
    ended
        Why it stopped.
    steps, errors, losses
        The trace, from the start on: the number of steps, E (the sum of squared differences between the moments of the
        standardised values) and IL1 in percent.
    aimed_loss
        The IL1 to come near to, in percent, if the improver aims at one.
    records
        How many records have changed.
    remarks
        Sentences to be read with the result.
    figures
        Further columns of the trace by their symbols, in percent, where the improver follows any.
    """

    data: Microdata = field(repr=False)
    name: str
    ended: ImprovementEnding
    steps: Rows = field(repr=False)
    errors: FloatColumn = field(repr=False)
    losses: FloatColumn = field(repr=False)
    aimed_loss: float | None
    records: int
    remarks: tuple[str, ...] = ()
    figures: Mapping[str, FloatColumn] = field(default_factory=dict, repr=False)

    @property
    def error(self) -> float:
        """E of the improved file."""
        return float(self.errors[-1])

    @property
    def loss(self) -> float:
        """IL1 of the improved file in percent, compared with the originals that the improver uses."""
        return float(self.losses[-1])

    def to_frame(self) -> "polars.DataFrame":
        """Return the trace as a table with the columns step, E, IL1 and further figures (in percent)."""
        import polars

        return polars.DataFrame({"step": self.steps, "E": self.errors, "IL1": self.losses, **self.figures})

    def to_dict(self) -> dict[str, Any]:
        """Return how it came about as plain values, ready for JSON; without records."""
        return {
            "name": self.name,
            "ended": str(self.ended),
            "records": self.records,
            "error": self.error,
            "loss": self.loss,
            "aimed_loss": self.aimed_loss,
            "remarks": list(self.remarks),
            "trace": self.to_frame().to_dicts(),
        }

    def _repr_html_(self) -> str:
        facts = f"{self.name}: {format_count(self.records, 'record')} changed; ended: {self.ended}."
        figures = ("E", float(self.errors[0]), self.error), ("IL1, %", float(self.losses[0]), self.loss)
        table = Table((header_column(), Column("before"), Column("after")), figures)
        return render_notebook([paragraph(facts), table.to_html(), *map(paragraph, self.remarks)])

    def figure(self, path: str | Path | None = None) -> "StyledFigure":
        """Draw the trace: E, IL1 and the further figures that the improver followed.

        Parameters
        ----------
        path
            Where to save the figure: a name that ends in .svg, .png or .pdf.
        """
        from sfumato.display.improvement_trace import draw_trace

        figure = draw_trace(self.name, self.steps, self.errors, self.losses, self.aimed_loss, self.figures)
        if path is not None:
            figure.save(path)
        return figure
