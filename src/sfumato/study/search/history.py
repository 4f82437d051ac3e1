"""The history of a search: what each trial gave, who keeps to the limits, and the best so far."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.display.figure_style import COLOURS, GREY, LINE_WIDTH, MARK_SIZE, MUTED, TEXT_SIZE, draw_frame, draw_title
from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.parameters.limits import format_limits

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from sfumato.display.figure import StyledFigure
    from sfumato.study.search.results import Search

WIDTH, HEIGHT = 7.2, 3.6  # inches of one panel
MEETING, MISSING, BEST = COLOURS[0], GREY, COLOURS[1]
REACH = 1.2  # times the range of those that keep to the limits; what lies beyond is drawn at the edge
MAX_GRID_CANDIDATES, LARGE = 0.6 * MARK_SIZE, 0.8 * MARK_SIZE


def draw_history(search: "Search", *, title: str | None = None) -> "StyledFigure":
    """Return the history as a figure, one panel per figure that is minimised."""
    from sfumato.display.figure import new_figure

    symbols, table = search.objective.minimise, search.to_frame()
    figure = new_figure(WIDTH, HEIGHT * len(symbols))
    panels = figure.subplots(len(symbols), 1, sharex=True, squeeze=False)[:, 0]
    meets = table["meets"].to_numpy()
    has_arrows = False
    for axes, symbol in zip(panels, symbols, strict=True):
        values = table[symbol].fill_null(np.nan).to_numpy()
        has_arrows |= _draw_panel(axes, values, meets)
        is_last = symbol == symbols[-1]
        draw_frame(axes, "Trial" if is_last else "", search.study.titles.get(symbol, symbol))
    if title is not None:
        draw_title(panels[0], title)
    _draw_legend(figure, search, bool(meets.any()), has_arrows)
    return figure


def best_so_far(values: FloatColumn, meets: Booleans) -> FloatColumn:
    """Return for each trial the lowest figure of those until then that keep to the limits; NaN before the first.

    Examples
    --------
    >>> best_so_far(np.array([1.0, 5.0, 7.0, 4.0]), np.array([False, True, True, True]))
    array([nan,  5.,  5.,  4.])
    """
    return np.asarray(np.fmin.accumulate(np.where(meets, values, np.nan)))


def axis_ends(values: FloatColumn, meets: Booleans) -> tuple[float, float]:
    """Return the ends of the axis: all that keeps to the limits, and of the others what is not far beyond."""
    known = values[np.isfinite(values)]
    inner = values[meets & np.isfinite(values)] if meets.any() else known
    best, worst = float(inner.min()), float(inner.max())
    beyond = REACH * max(worst - best, 0.05 * abs(best), 1e-9)
    low, high = max(float(known.min()), best - beyond), min(float(known.max()), best + beyond)
    margin = 0.06 * (high - low) or 0.1 * abs(high) or 1.0
    return (0.0 if 0 <= low <= 0.25 * high else low - margin), high + margin


def _draw_panel(axes: "Axes", values: FloatColumn, meets: Booleans) -> bool:
    """Draw the trials of one figure, those beyond the panel as arrows at its edge; tell whether there are such."""
    trials, known = np.arange(1.0, values.size + 1), np.isfinite(values)
    low, high = axis_ends(values, meets)
    axes.set_ylim(low, high)
    axes.set_xlim(0, values.size + 1)
    inside = known & (values >= low) & (values <= high)
    _draw_marks(axes, trials[inside & ~meets], values[inside & ~meets], "o", MAX_GRID_CANDIDATES, MISSING, "white")
    _draw_marks(axes, trials[inside & meets], values[inside & meets], "o", LARGE, MEETING, MEETING)
    _draw_marks(axes, trials[known & (values > high)], [high], "^", MAX_GRID_CANDIDATES, MISSING, "white")
    _draw_marks(axes, trials[known & (values < low)], [low], "v", MAX_GRID_CANDIDATES, MISSING, "white")
    best = best_so_far(values, meets)
    axes.step(trials, best, where="post", color=BEST, linewidth=LINE_WIDTH, zorder=2.2)
    return bool((known & ~inside).any())


def _draw_marks(
    axes: "Axes", x: FloatColumn, y: Sequence[float] | FloatColumn, shape: str, size: float, colour: str, inside: str
) -> None:
    if not len(x):  # marks of nothing would still be given room
        return
    heights = np.broadcast_to(np.asarray(y, dtype=np.float64), np.shape(x))
    looks: dict[str, Any] = {"marker": shape, "markersize": size, "markeredgecolor": colour, "markeredgewidth": 0.8}
    axes.plot(x, heights, linestyle="none", markerfacecolor=inside, clip_on=False, zorder=2.5, **looks)


def _draw_legend(figure: "Figure", search: "Search", has_best: bool, has_arrows: bool) -> None:
    from matplotlib.lines import Line2D

    def mark(colour: str, inside: str, label: str) -> Line2D:
        looks: dict[str, Any] = {
            "marker": "o",
            "markersize": LARGE,
            "markeredgecolor": colour,
            "markerfacecolor": inside,
        }
        return Line2D([], [], linestyle="none", label=label, **looks)

    limits = format_limits(search.objective.limits).replace("<=", "≤")
    handles = [mark(MEETING, MEETING, f"within {limits}" if limits else "tried")]
    if limits:
        handles.append(mark(MISSING, "white", "not within" + ("; an arrow: beyond the picture" if has_arrows else "")))
    if has_best:
        handles.append(Line2D([], [], color=BEST, linewidth=LINE_WIDTH, label="best so far"))
    failed = sum(candidate.error is not None for candidate in search.study.candidates)
    if failed:
        handles.append(Line2D([], [], linestyle="none", label=f"not shown: {failed} failed"))
    figure.legend(
        handles=handles,
        loc="outside lower left",
        ncols=len(handles),
        fontsize=TEXT_SIZE,
        frameon=False,
        labelcolor=MUTED,
    )
