"""The charts of a release report as figures; only what a chart holds is drawn."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from sfumato.data.dates import day_of
from sfumato.display.figure import StyledFigure, new_figure
from sfumato.display.figure_style import (
    COLOURS,
    GREY,
    INK,
    LINE_WIDTH,
    MUTED,
    SMALL_SIZE,
    TEXT_SIZE,
    draw_frame,
    draw_title,
)
from sfumato.reports.release.sections import Chart, ChartKind

Panel = tuple[str, Mapping[str, Any] | None, Mapping[str, Any] | None]
"""The title of a small picture, and the shares before and after; None for what is not in it."""
ACROSS = 3  # small pictures in a row
ON_A_SHEET = 12
PICTURE_WIDTH, PICTURE_HEIGHT = 3.1, 2.1  # inches
LONGEST = 16  # characters of a category below a bar
LONGEST_TITLE = 34
SLANTED_FROM = 4  # bars
WITH_NUMBERS = 9  # variables of a map of correlations whose cells show their number
BEFORE: dict[str, Any] = {"color": GREY, "label": "original"}
AFTER: dict[str, Any] = {"color": COLOURS[0], "label": "released"}


def draw_chart(chart: Chart) -> list[StyledFigure]:
    """Return the figures of a chart: one, or several that each fit on a sheet of paper."""
    return DRAWINGS[chart.kind](chart.data)


def _classes(data: Mapping[str, Any]) -> list[StyledFigure]:
    """Draw bars of shares in classes, before and after."""
    figure = new_figure(8.2, 3.2)
    axes = figure.subplots()
    places = np.arange(len(data["labels"]))
    width = 0.4 if "before" in data else 0.7
    if "before" in data:
        axes.bar(places - width / 2, _known(data["before"]), width, hatch="//", edgecolor="white", **BEFORE)
    offset = width / 2 if "before" in data else 0.0
    axes.bar(places + offset, _known(data["after"]), width, **AFTER)
    axes.set_xticks(places, data["labels"], fontsize=SMALL_SIZE)
    draw_frame(axes, "individual risk, %", "% of the records", grid="y")
    figure.legend(loc="outside upper right", ncols=2, frameon=False, fontsize=TEXT_SIZE)
    return [figure]


def _columns(data: Mapping[str, Any]) -> list[StyledFigure]:
    """Draw a small picture of each variable; two where it is in other classes than before."""
    panels: list[Panel] = []
    for picture in data["pictures"]:
        name = _shorten(picture["label"] or picture["name"], LONGEST_TITLE)
        if picture.get("is_recoded"):
            panels += [(f"{name}: before", picture["before"], None), (f"{name}: after", None, picture["after"])]
        else:
            panels.append((name, picture.get("before"), picture["after"]))
    sheets = [panels[start : start + ON_A_SHEET] for start in range(0, len(panels), ON_A_SHEET)]
    return [_sheet(some) for some in sheets or [[]]]


def _sheet(panels: Sequence[Panel]) -> StyledFigure:
    """Draw some of the small pictures."""
    if not panels:
        return new_figure(PICTURE_WIDTH, 0.3)
    across, down = min(ACROSS, len(panels)), -(-len(panels) // ACROSS)
    figure = new_figure(PICTURE_WIDTH * across, PICTURE_HEIGHT * down + 0.3)
    grid = figure.subplots(down, across, squeeze=False).ravel()
    for axes, (name, before, after) in zip(grid, panels, strict=False):
        _draw_panel(axes, before, after)
        draw_title(axes, name, gap=4)
    for axes in grid[len(panels) :]:
        axes.set_visible(False)
    handles: dict[str, Any] = {}
    for axes in grid[: len(panels)]:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            handles.setdefault(label, handle)
    handles = dict(sorted(handles.items()))  # the original first
    figure.legend(
        handles.values(), handles.keys(), loc="outside upper right", ncols=2, frameon=False, fontsize=TEXT_SIZE
    )
    return figure


def _draw_panel(axes: Axes, before: Mapping[str, Any] | None, after: Mapping[str, Any] | None) -> None:
    shown = before or after or {}
    edges = np.array(shown["edges"])
    bins = max(len(edges) - 1, 0)
    if bins:
        widths = np.diff(edges)
        scale = float(widths.min())  # shares per narrowest bin, so that joined bins do not look fuller
        if before is not None:
            axes.bar(edges[:-1], _known(before["shares"])[:bins] / widths * scale, widths, align="edge", **BEFORE)
        if after is not None:
            axes.stairs(
                _known(after["shares"])[:bins] / widths * scale,
                edges,
                linewidth=LINE_WIDTH,
                fill=before is None,
                alpha=1.0,
                **AFTER,
            )
        axes.xaxis.set_major_locator(MaxNLocator(4))
        form = (lambda day, _: day_of(day).isoformat()) if shown["is_date"] else (lambda value, _: f"{value:,.10g}")
        axes.xaxis.set_major_formatter(FuncFormatter(form))
        _write_missing(axes, before, after, bins)
    else:
        _draw_bars(axes, shown["labels"], before, after)
    draw_frame(axes, "", "%", grid="y")
    axes.tick_params(labelsize=SMALL_SIZE)


def _draw_bars(
    axes: Axes, labels: Sequence[str], before: Mapping[str, Any] | None, after: Mapping[str, Any] | None
) -> None:
    places, both = np.arange(len(labels)), before is not None and after is not None
    width = 0.38 if both else 0.7
    if before is not None:
        axes.bar(places - (width / 2 if both else 0), _known(before["shares"]), width, **BEFORE)
    if after is not None:
        axes.bar(places + (width / 2 if both else 0), _known(after["shares"]), width, **AFTER)
    slanted = len(labels) >= SLANTED_FROM or any(len(label) > LONGEST // 2 for label in labels)
    axes.set_xticks(
        places,
        [_shorten(label, LONGEST) for label in labels],
        rotation=40 if slanted else 0,
        ha="right" if slanted else "center",
        fontsize=SMALL_SIZE,
        parse_math=False,
    )


def _write_missing(axes: Axes, before: Mapping[str, Any] | None, after: Mapping[str, Any] | None, bins: int) -> None:
    """Write the shares of missing values into the histogram: as bars they would leave no height to the others."""
    labels = (before or after or {})["labels"]
    lines = []
    for place, label in enumerate(labels):
        shares = [None if side is None else side["shares"][bins + place] for side in (before, after)]
        told = ["few" if share is None else f"{share:.1f} %" for share in shares if share is not None]
        lines.append(f"{_shorten(label, LONGEST)}: {' to '.join(told) or 'few'}")
    if lines:
        where: dict[str, Any] = {"transform": axes.transAxes, "ha": "right", "va": "top"}
        axes.text(0.99, 0.97, "\n".join(lines), fontsize=SMALL_SIZE - 1, color=INK, parse_math=False, **where)


def _correlations(data: Mapping[str, Any]) -> list[StyledFigure]:
    """Draw two maps side by side, each cell with its number where there is room."""
    names = [_shorten(name, LONGEST) for name in data["names"]]
    size = max(2.6, 0.34 * len(names) + 1.1)
    figure = new_figure(2 * size + 0.6, size + 0.2)
    image = None
    for axes, (title, matrix) in zip(
        figure.subplots(1, 2), (("original", data["before"]), ("released", data["after"])), strict=True
    ):
        values = np.array([[np.nan if value is None else value for value in row] for row in matrix])
        image = axes.imshow(values, cmap="RdBu_r", vmin=-1, vmax=1)
        axes.set_xticks(range(len(names)), names, rotation=50, ha="right", fontsize=SMALL_SIZE, parse_math=False)
        axes.set_yticks(range(len(names)), names, fontsize=SMALL_SIZE, parse_math=False)
        axes.tick_params(length=0)
        for spine in axes.spines.values():
            spine.set_visible(False)
        draw_title(axes, title, gap=6)
        if len(names) <= WITH_NUMBERS:
            for row, column in np.argwhere(~np.isnan(values)).tolist():
                value = values[row, column]
                ink = "white" if abs(value) > 0.65 else INK
                axes.text(column, row, f"{value:.2f}", ha="center", va="center", fontsize=SMALL_SIZE - 1, color=ink)
    if image is not None:
        bar = figure.colorbar(image, ax=figure.axes, shrink=0.8, ticks=[-1, -0.5, 0, 0.5, 1])
        bar.ax.tick_params(labelsize=SMALL_SIZE)
    return [figure]


def _map(data: Mapping[str, Any]) -> list[StyledFigure]:
    """Draw risk against loss, the front as a line, and the release as a star."""
    figure = new_figure(7.2, 4.6)
    axes = figure.subplots()
    alternatives = data["alternatives"]
    others = [one for one in alternatives if not one["is_on_front"]]
    front = sorted((one for one in alternatives if one["is_on_front"]), key=lambda one: one["loss"])
    for group, colour, label in ((others, GREY, "beaten by another"), (front, COLOURS[0], "beaten by none")):
        if group:
            axes.scatter([one["loss"] for one in group], [one["risk"] for one in group], 26, colour, label=label)
    axes.plot([one["loss"] for one in front], [one["risk"] for one in front], color=COLOURS[0], linewidth=LINE_WIDTH)
    for one in front:
        axes.annotate(
            _shorten(one["label"], LONGEST_TITLE),
            (one["loss"], one["risk"]),
            xytext=(4, 4),
            textcoords="offset points",
            fontsize=SMALL_SIZE,
            color=MUTED,
            parse_math=False,
        )
    if data["chosen"]:
        star = data["chosen"]
        axes.scatter([star["loss"]], [star["risk"]], 170, COLOURS[1], marker="*", label="this release", zorder=5)
    draw_frame(axes, data["loss_title"], data["risk_title"])
    figure.legend(loc="outside upper right", ncols=3, frameon=False, fontsize=TEXT_SIZE)
    return [figure]


def _known(shares: Sequence[float | None]) -> Any:
    """Return shares with nothing in the place of those that are not told."""
    return np.array([0.0 if share is None else share for share in shares])


def _shorten(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


DRAWINGS: dict[ChartKind, Callable[[Mapping[str, Any]], list[StyledFigure]]] = {
    ChartKind.CLASSES: _classes,
    ChartKind.COLUMNS: _columns,
    ChartKind.CORRELATIONS: _correlations,
    ChartKind.MAP: _map,
}
"""How each kind of chart is drawn."""
