"""The charts of a release report as figures; only what a chart holds is drawn."""

from collections.abc import Callable, Mapping, Sequence
from textwrap import wrap
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from sfumato.data.dates import day_words
from sfumato.display import format_number
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


class Panel(NamedTuple):
    """A small picture: the variable, what it holds and in which unit, and shares; None for what is not in it."""

    title: str
    about: str
    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None


ACROSS = 3  # small pictures in a row
ON_A_SHEET = 12
PICTURE_WIDTH, PICTURE_HEIGHT = 2.7, 1.9  # inches
LONGEST = 20  # characters of a line of a category beside a bar
MAX_LINES = 4  # of it
LINE_HEIGHT = 0.13  # inches of a bar for each line of its category
LONGEST_TITLE = 34
LONGEST_ABOUT = 80
LINE = 44  # characters of a label below a picture, before it goes on in the next line
WITH_NUMBERS = 20  # variables of a map of correlations whose cells show their number, also for print in black
BEFORE: dict[str, Any] = {"color": GREY, "label": "original", "hatch": "////", "edgecolor": "white", "linewidth": 0}
AFTER: dict[str, Any] = {"color": COLOURS[0], "label": "released"}
MAPS = {"before": "original", "after": "released"}


def draw_chart(chart: Chart) -> list[StyledFigure]:
    """Return the figures of a chart as a page shows them: one, a map for each file, or a picture for each variable."""
    if chart.kind is ChartKind.COLUMNS:
        return [_small(panel) for panel in _panels(chart.data)]
    if chart.kind is ChartKind.CORRELATIONS:
        return [_correlation_maps(chart.data, (when,)) for when in MAPS]
    return [DRAWINGS[chart.kind](chart.data)]


def draw_whole(chart: Chart) -> StyledFigure:
    """Return a chart as one figure; of many small pictures those that a sheet of paper holds."""
    return DRAWINGS[chart.kind](chart.data)


def panel_titles(chart: Chart) -> list[str]:
    """Return what the small pictures of a chart show, in the order in which they are drawn; none of other charts."""
    if chart.kind is ChartKind.CORRELATIONS:
        return [*MAPS.values()]
    if chart.kind is not ChartKind.COLUMNS:
        return []
    return [f"{panel.title}{': ' if panel.about else ''}{panel.about}" for panel in _panels(chart.data)]


def panel_notes(chart: Chart) -> list[str]:
    """Return for each small picture which values are in none of its bars, and how many records have them."""
    if chart.kind is not ChartKind.COLUMNS:
        return []
    return [_beside_bars(panel) for panel in _panels(chart.data)]


def _classes(data: Mapping[str, Any]) -> StyledFigure:
    """Draw bars of shares in classes, before and after."""
    figure = new_figure(6.4, 2.6)
    axes = figure.subplots()
    places = np.arange(len(data["labels"]))
    width = 0.4 if "before" in data else 0.7
    if "before" in data:
        axes.bar(places - width / 2, _known(data["before"]), width, **BEFORE)
    offset = width / 2 if "before" in data else 0.0
    axes.bar(places + offset, _known(data["after"]), width, **AFTER)
    axes.set_xticks(places, [label.rpartition(" ")[2] for label in data["labels"]])
    draw_frame(axes, "individual risk, up to so many %", "% of the records", grid="y")
    figure.legend(loc="outside upper right", ncols=2, frameon=False, fontsize=TEXT_SIZE)
    return figure


def _panels(data: Mapping[str, Any]) -> list[Panel]:
    """Return a small picture for each variable; two where it is in other classes than before."""
    panels: list[Panel] = []
    for picture in data["pictures"]:
        name, about = _shorten(picture["name"], LONGEST_TITLE), _about(picture)
        if picture.get("is_recoded"):
            panels += [Panel(f"{name}, before", about, picture["before"], None)]
            panels += [Panel(f"{name}, after", about, None, picture["after"])]
        else:
            panels.append(Panel(name, about, picture.get("before"), picture["after"]))
    return panels


def _about(picture: Mapping[str, Any]) -> str:
    """Return the label of a variable and its unit, as far as they are known."""
    return ", ".join(filter(None, (_shorten(picture["label"], LONGEST_ABOUT), picture["unit"])))


def _small(panel: Panel) -> StyledFigure:
    """Draw a small picture."""
    shown = panel.before or panel.after or {"labels": (), "edges": ()}
    lines = 0 if len(shown["edges"]) else sum(_wrapped(label).count("\n") + 1.4 for label in shown["labels"])
    figure = new_figure(PICTURE_WIDTH, max(PICTURE_HEIGHT, 0.8 + LINE_HEIGHT * lines))
    axes = figure.subplots()
    _draw_panel(axes, panel, panel.about)
    if panel.before is not None and panel.after is not None:
        figure.legend(loc="outside upper right", ncols=2, frameon=False, fontsize=SMALL_SIZE, handlelength=1.2)
    return figure


def _columns(data: Mapping[str, Any]) -> StyledFigure:
    """Draw as many small pictures as a sheet of paper holds."""
    panels = _panels(data)[:ON_A_SHEET]
    if not panels:
        return new_figure(PICTURE_WIDTH, 0.3)
    across, down = min(ACROSS, len(panels)), -(-len(panels) // ACROSS)
    figure = new_figure(PICTURE_WIDTH * across, PICTURE_HEIGHT * down + 0.3)
    grid = figure.subplots(down, across, squeeze=False).ravel()
    for axes, panel in zip(grid, panels, strict=False):
        _draw_panel(axes, panel, ". ".join(filter(None, (panel.about, _beside_bars(panel)))))
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


def _draw_panel(axes: Axes, panel: Panel, below: str) -> None:
    before, after = panel.before, panel.after
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
        form = (lambda day, _: day_words(day)) if shown["is_date"] else (lambda value, _: f"{value:,.10g}")
        axes.xaxis.set_major_formatter(FuncFormatter(form))
    else:
        _draw_bars(axes, shown["labels"], before, after)
    draw_frame(axes, "", "% of the records" if bins else "", grid="y" if bins else "x")
    axes.yaxis.label.set_fontsize(SMALL_SIZE)
    unit = "" if bins else "% of the records"
    axes.set_xlabel(
        "\n".join(filter(None, (unit, *wrap(below, LINE)))), fontsize=SMALL_SIZE, color=MUTED, parse_math=False
    )
    axes.tick_params(labelsize=SMALL_SIZE)
    draw_title(axes, panel.title, gap=4)


def _draw_bars(
    axes: Axes, labels: Sequence[str], before: Mapping[str, Any] | None, after: Mapping[str, Any] | None
) -> None:
    places, both = np.arange(len(labels)), before is not None and after is not None
    width = 0.38 if both else 0.7
    if before is not None:
        axes.barh(places - (width / 2 if both else 0), _known(before["shares"]), width, **BEFORE)
    if after is not None:
        axes.barh(places + (width / 2 if both else 0), _known(after["shares"]), width, **AFTER)
    axes.set_yticks(places, list(map(_wrapped, labels)), fontsize=SMALL_SIZE, parse_math=False)
    axes.invert_yaxis()  # the first category on top


def _wrapped(label: str) -> str:
    """Return a category in lines of a few words, so that all of it is read; one without end is cut."""
    return "\n".join(wrap(_shorten(label, LONGEST * MAX_LINES), LONGEST, break_on_hyphens=False)) or label


def _beside_bars(panel: Panel) -> str:
    """Return the values that a histogram has no bar for, with their shares: bars would leave no height to the others.

    Zeros and missing values of a number are such; `none or few` stands for a share that is not told.
    """
    sides = {"before": panel.before, "after": panel.after}
    held = {when: side for when, side in sides.items() if side is not None}
    shown = next(iter(held.values()))
    bins = max(len(shown["edges"]) - 1, 0)
    notes = []
    for place, label in enumerate(shown["labels"] if bins else ()):
        shares = {when: side["shares"][bins + place] for when, side in held.items()}
        told = {when: "none or few" if share is None else f"{share:.1f} %" for when, share in shares.items()}
        words = ", ".join(f"{share} {when}" for when, share in told.items()) if len(told) > 1 else told.popitem()[1]
        notes.append(f"{_shorten(label, LONGEST)} in {words}")
    return f"Not drawn: {'; '.join(notes)}." if notes else ""


def _correlations(data: Mapping[str, Any]) -> StyledFigure:
    """Draw two maps side by side."""
    return _correlation_maps(data, tuple(MAPS))


def _correlation_maps(data: Mapping[str, Any], shown: Sequence[str]) -> StyledFigure:
    """Draw the maps of some files side by side, each cell with its number where there is room."""
    names = [_shorten(name, LONGEST) for name in data["names"]]
    size = max(2.6, 0.34 * len(names) + 1.1)
    figure = new_figure(len(shown) * size + 0.6, size + 0.2)
    image = None
    grid = figure.subplots(1, len(shown), squeeze=False).ravel()
    for axes, (title, matrix) in zip(grid, ((MAPS[when], data[when]) for when in shown), strict=True):
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
                axes.text(
                    column, row, format_number(value), ha="center", va="center", fontsize=SMALL_SIZE - 1, color=ink
                )
    if image is not None:
        bar = figure.colorbar(image, ax=figure.axes, shrink=0.8, ticks=[-1, -0.5, 0, 0.5, 1])
        bar.ax.tick_params(labelsize=SMALL_SIZE)
    return figure


def _map(data: Mapping[str, Any]) -> StyledFigure:
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
    return figure


def _known(shares: Sequence[float | None]) -> Any:
    """Return shares with nothing in the place of those that are not told."""
    return np.array([0.0 if share is None else share for share in shares])


def _shorten(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


DRAWINGS: dict[ChartKind, Callable[[Mapping[str, Any]], StyledFigure]] = {
    ChartKind.CLASSES: _classes,
    ChartKind.COLUMNS: _columns,
    ChartKind.CORRELATIONS: _correlations,
    ChartKind.MAP: _map,
}
"""How each kind of chart is drawn as one figure."""
