"""A picture of a comparison: both confidence intervals of each coefficient, in standard errors of the original."""

from typing import TYPE_CHECKING

import numpy as np

from sfumato.display.figure import StyledFigure, new_figure
from sfumato.display.figure_style import COLOURS, GREY, LINE_WIDTH, MARK_SIZE, TEXT_SIZE, draw_frame, draw_title

if TYPE_CHECKING:
    from sfumato.regression.comparison import FitComparison

WIDTH, ROW_HEIGHT, MARGIN = 7.0, 0.34, 1.2  # inches
APART = 0.14  # of the two intervals of a coefficient, in rows


def plot_intervals(comparison: "FitComparison") -> StyledFigure:
    """Return the figure: a row a coefficient, the original's estimate at 0, so that all scales are one."""
    rows = comparison.coefficients
    figure = new_figure(WIDTH, MARGIN + ROW_HEIGHT * len(rows))
    axes = figure.subplots()
    centre = np.array([one.original for one in rows])
    unit = np.array([one.original_error for one in rows])
    drawn = (
        ("original", comparison.original_intervals, centre, GREY, -APART),
        ("synthetic", comparison.synthetic_intervals, np.array([one.synthetic for one in rows]), COLOURS[0], APART),
    )
    for label, intervals, estimates, colour, shift in drawn:
        places = np.arange(len(rows)) + shift
        left, right = ((intervals[:, side] - centre) / unit for side in (0, 1))
        axes.hlines(places, left, right, color=colour, linewidth=LINE_WIDTH)
        axes.plot((estimates - centre) / unit, places, "o", color=colour, markersize=MARK_SIZE - 1, label=label)
    axes.set_yticks(range(len(rows)), [one.name for one in rows], fontsize=TEXT_SIZE, parse_math=False)
    axes.invert_yaxis()
    draw_frame(axes, "standard errors of the original, from its estimate", grid="x")
    draw_title(axes, comparison.regression.formula)
    figure.legend(loc="outside upper right", ncols=2, frameon=False, fontsize=TEXT_SIZE)
    return figure
