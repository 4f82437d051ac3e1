"""The categories with the highest mean risk as a figure."""

from typing import TYPE_CHECKING

from sfumato.display.figure import StyledFigure, new_figure
from sfumato.display.figure_style import COLOURS, SMALL_SIZE, draw_frame, draw_title

if TYPE_CHECKING:
    from sfumato.reports.risk_report import RiskReport

SHOWN = 12  # categories
LONGEST = 40  # characters of a name


def draw_categories(report: "RiskReport") -> StyledFigure:
    """Return bars of the mean risk of the categories with the highest one; no category of fewer records than k."""
    rows = list(report.categories)[:SHOWN][::-1]
    figure = new_figure(7.2, 0.8 + 0.26 * max(len(rows), 1))
    axes = figure.subplots()
    axes.barh(range(len(rows)), [row.mean_risk for row in rows], color=COLOURS[0], height=0.7)
    names = [_shorten(f"{row.key}: {row.category}") for row in rows]
    axes.set_yticks(range(len(rows)), names, fontsize=SMALL_SIZE, parse_math=False)
    draw_frame(axes, "mean risk of its records, %", grid="x")
    draw_title(axes, "Categories with the highest mean risk")
    return figure


def _shorten(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
