"""Draw the trace of an improvement: how E and IL1 went, step by step."""

from collections.abc import Mapping
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.display import format_compact
from sfumato.display.figure_style import (
    COLOURS,
    DASHED,
    INK,
    LABEL_SIZE,
    LINE_WIDTH,
    SMALL_SIZE,
    TEXT_SIZE,
    draw_frame,
    draw_title,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from sfumato.display.figure import StyledFigure

WIDTH, HEIGHT = 6.4, 2.2  # inches; the height is that of one panel
MAX_MARKED_POINTS = 12  # up to so many are marked
WIDE = 20.0  # E is drawn by its logarithm where the largest is more than so many times the smallest


def draw_trace(
    name: str, steps: Any, errors: Any, losses: Any, aim: float | None, figures: Mapping[str, Any]
) -> "StyledFigure":
    """Return a figure with E above, IL1 in percent below, and further figures in percent beneath, over the steps.

    `aim` is the IL1 to come near to, if there is one.
    """
    from matplotlib.ticker import MaxNLocator

    from sfumato.display.figure import new_figure

    count = 3 if figures else 2
    figure = new_figure(WIDTH, HEIGHT * count)
    panels = figure.subplots(count, 1, sharex=True)
    for panel, title in zip(panels, ("E", "IL1 (%)", "Other figures (%)"), strict=False):
        draw_frame(panel, y_title=title)
    _draw_line(panels[0], steps, errors, COLOURS[0])
    if np.min(errors) > 0 and np.max(errors) > WIDE * np.min(errors):
        panels[0].set_yscale("log")
    _draw_line(panels[1], steps, losses, COLOURS[1])
    if aim is not None:
        _draw_aim(panels[1], losses, aim)
    for colour, (symbol, values) in zip(cycle(COLOURS), figures.items(), strict=False):
        _draw_line(panels[2], steps, values, colour, symbol)
    if figures:
        panels[2].legend(frameon=False, fontsize=TEXT_SIZE, labelcolor=INK, ncols=len(figures), loc="upper right")
        panels[2].set_ylim(0, 1.3 * max(float(np.max(values)) for values in figures.values()) or 1.0)
    panels[-1].set_xlabel("Steps", fontsize=LABEL_SIZE, color=INK)
    panels[-1].set_xlim(0, max(int(steps[-1]), 1))
    panels[-1].xaxis.set_major_locator(MaxNLocator(integer=True))
    panels[-1].xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    draw_title(panels[0], name.replace("_", " ").capitalize(), gap=6.0)
    figure.align_ylabels()
    return figure


def _draw_line(axes: "Axes", steps: Any, values: Any, colour: str, label: str = "") -> None:
    marker = "o" if len(steps) <= MAX_MARKED_POINTS else None
    axes.plot(
        steps,
        values,
        color=colour,
        label=label,
        linewidth=LINE_WIDTH,
        marker=marker,
        markersize=3.5,
        clip_on=False,
        zorder=3,
    )


def _draw_aim(axes: "Axes", losses: Any, aim: float) -> None:
    """Draw the IL1 to come near to as a dashed line, its name on the side where the last IL1 is not."""
    low, high = min(float(np.min(losses)), aim), max(float(np.max(losses)), aim)
    margin = 0.14 * (high - low) or 1.0
    axes.set_ylim(low - margin, high + margin)
    axes.axhline(aim, color=INK, linewidth=0.9, linestyle=DASHED)
    is_above = losses[-1] <= aim
    axes.annotate(
        f"aimed at {format_compact(aim, 4)}",
        xy=(1.0, aim),
        xycoords=axes.get_yaxis_transform(),
        xytext=(-2, 3 if is_above else -3),
        textcoords="offset points",
        horizontalalignment="right",
        verticalalignment="bottom" if is_above else "top",
        fontsize=SMALL_SIZE,
        color=INK,
    )
