"""Draw the trace of an improvement: how E and IL1 went, step by step."""

from collections.abc import Mapping
from io import BytesIO
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import FileError
from sfumato.storage.atomic import replace_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# no date, so that the same figure gives the same bytes
METADATA: dict[str, dict[str, None]] = {"svg": {"Date": None}, "png": {}, "pdf": {"CreationDate": None}}
WIDTH, HEIGHT = 6.4, 2.2  # inches; the height is that of one panel
DOTS_PER_INCH = 200
INK, MUTED, GRID = "#222222", "#666666", "#E4E4E4"
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")  # of Okabe and Ito, told apart by the colour-blind
FEW_POINTS = 12  # up to so many are marked
WIDE = 20.0  # E is shown by its logarithm where the largest is more than so many times the smallest


def draw_trace(
    name: str, steps: Any, errors: Any, losses: Any, aim: float | None, figures: Mapping[str, Any]
) -> "Figure":
    """Return a figure with E above, IL1 in percent below, and further figures in percent beneath, over the steps.

    `aim` is the IL1 to come near to, if there is one.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    count = 3 if figures else 2
    figure = Figure(figsize=(WIDTH, HEIGHT * count), dpi=DOTS_PER_INCH, layout="constrained", facecolor="white")
    FigureCanvasAgg(figure)
    panels = figure.subplots(count, 1, sharex=True)
    for panel, title in zip(panels, ("E", "IL1 (%)", "Other figures (%)"), strict=False):
        _frame(panel, title)
    _line(panels[0], steps, errors, COLOURS[0])
    if np.min(errors) > 0 and np.max(errors) > WIDE * np.min(errors):
        panels[0].set_yscale("log")
    _line(panels[1], steps, losses, COLOURS[1])
    if aim is not None:
        _draw_aim(panels[1], losses, aim)
    for colour, (symbol, values) in zip(cycle(COLOURS), figures.items(), strict=False):
        _line(panels[2], steps, values, colour, symbol)
    if figures:
        panels[2].legend(frameon=False, fontsize=8, labelcolor=INK, ncols=len(figures), loc="upper right")
        panels[2].set_ylim(0, 1.3 * max(float(np.max(values)) for values in figures.values()) or 1.0)
    panels[-1].set_xlabel("Steps", fontsize=9, color=INK)
    panels[-1].set_xlim(0, max(int(steps[-1]), 1))
    panels[-1].xaxis.set_major_locator(MaxNLocator(integer=True))
    panels[-1].xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    panels[0].set_title(name.replace("_", " ").capitalize(), loc="left", fontsize=10, color=INK)
    figure.align_ylabels()
    return figure


def save(figure: "Figure", path: Path) -> None:
    """Write the figure into a file whose name ends in .svg, .png or .pdf, whole or not at all."""
    content = _rendered(figure, path)
    with replace_file(path) as unfinished:
        unfinished.write_bytes(content)


def _rendered(figure: "Figure", path: Path) -> bytes:
    from matplotlib import rc_context

    kind = path.suffix.lower().removeprefix(".")
    if kind not in METADATA:
        raise FileError(f"a trace is drawn as .svg, .png or .pdf; got '{path.name}'")
    content = BytesIO()
    with rc_context({"svg.hashsalt": "sfumato"}):
        figure.savefig(content, format=kind, metadata=METADATA[kind])
    return content.getvalue()


def _line(axes: "Axes", steps: Any, values: Any, colour: str, label: str = "") -> None:
    marker = "o" if len(steps) <= FEW_POINTS else None
    axes.plot(
        steps, values, color=colour, label=label, linewidth=1.4, marker=marker, markersize=3.5, clip_on=False, zorder=3
    )


def _draw_aim(axes: "Axes", losses: Any, aim: float) -> None:
    """Draw the IL1 to come near to as a dashed line, its name on the side where the last IL1 is not."""
    low, high = min(float(np.min(losses)), aim), max(float(np.max(losses)), aim)
    margin = 0.14 * (high - low) or 1.0
    axes.set_ylim(low - margin, high + margin)
    axes.axhline(aim, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))
    is_above = losses[-1] <= aim
    axes.annotate(
        f"aimed at {aim:.4g}",
        xy=(1.0, aim),
        xycoords=axes.get_yaxis_transform(),
        xytext=(-2, 3 if is_above else -3),
        textcoords="offset points",
        horizontalalignment="right",
        verticalalignment="bottom" if is_above else "top",
        fontsize=7.5,
        color=INK,
    )


def _frame(axes: "Axes", title: str) -> None:
    axes.set_ylabel(title, fontsize=9, color=INK)
    axes.tick_params(labelsize=8, colors=MUTED, length=3, width=0.6)
    axes.grid(True, color=GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(MUTED)
        spine.set_linewidth(0.6)
