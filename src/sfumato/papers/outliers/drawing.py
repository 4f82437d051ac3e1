"""Draw the ten pictures of the outliers paper: a section for each family of methods, overall and outliers."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sfumato.display.figure_style import COLOURS, INK, MUTED, TEXT_SIZE, draw_frame, draw_title
from sfumato.numerics.arrays import FloatColumn
from sfumato.papers.outliers.lines import Line, Picture, Pictures
from sfumato.papers.outliers.runs import FAMILIES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from sfumato.display.figure import StyledFigure

INCHES = (8.0, 3.6)
OUTLIERS = COLOURS[1]

TITLES = {
    "IL1": "Information loss IL1 (%)",
    "IL1s": "Standardised information loss IL1s (%)",
    "DLD": "Distance linkage DLD (%)",
    "RID": "Rank interval disclosure RID (%)",
    "SDID": "Deviation interval disclosure SDID (%)",
}
RISKS = ("DLD", "RID", "SDID")
RISK_TOP = 104.0  # risks are shown on one scale, with room for marks at 100

NUMBERED = {
    "J": (10, 25, 50, 75, 100),
    "R": (1, 5, 10, 15, 20),
    "N": (0.02, 0.1, 0.2),
    "RS": (1, 2, 3),
    "M": (3, 10, 15, 20),
}
"""The parameters that have a number along the abscissa; the others have a tick."""

GAP = 4.0
NARROWEST = 9.0
"""Widths in steps: between two sections, and of a section with few parameters, so that its name has room."""


def write_pictures(pictures: Pictures, folder: Path) -> list[Path]:
    """Write each picture as `outliers-NUMBER.svg` into a folder that exists, and return their paths."""
    paths = []
    for number, picture in pictures.items():
        path = folder / f"outliers-{number}.svg"
        draw_picture(number, picture).save(path)
        paths.append(path)
    return paths


def draw_picture(number: int, picture: Picture) -> "StyledFigure":
    """Return a picture as a figure."""
    from sfumato.display.figure import new_figure

    figure = new_figure(*INCHES)
    axes = figure.add_subplot()
    places = sections(picture.lines)
    _draw_sections(axes, places, f"Fig. {number}: {picture.measure}, {picture.file}", TITLES[picture.measure])
    for letter, line in picture.lines.items():
        _draw_line(axes, places[letter], line)
    _name_sections(axes, places)
    axes.set_ylim(0, RISK_TOP if picture.measure in RISKS else None)
    handles, labels = axes.get_legend_handles_labels()
    axes.legend(
        handles[:2], labels[:2], loc="lower right", bbox_to_anchor=(1, 1), ncols=2, frameon=False, fontsize=TEXT_SIZE
    )
    return figure


def sections(lines: Mapping[str, Line]) -> dict[str, FloatColumn]:
    """Return where along the abscissa each parameter of each family stands, a step apart, a gap between families."""
    places, start = {}, 0.0
    for letter, line in lines.items():
        width = max(line.parameters.size - 1.0, NARROWEST)
        places[letter] = start + np.linspace(0.0, width, line.parameters.size)
        start += width + GAP
    return places


def _draw_sections(axes: "Axes", places: Mapping[str, FloatColumn], title: str, measure: str) -> None:
    """Draw the frame, with lines between the families."""
    first, *others = (place[0] for place in places.values())
    axes.set_xlim(first - GAP / 2, max(place[-1] for place in places.values()) + GAP / 2)
    for start in others:
        axes.axvline(start - GAP / 2, color=MUTED, linewidth=0.6, zorder=0)
    draw_title(axes, title, gap=8.0)
    draw_frame(axes, y_title=measure, grid="y")
    axes.tick_params(axis="x", which="minor", length=2, colors=MUTED, width=0.6)


def _draw_line(axes: "Axes", places: FloatColumn, line: Line) -> None:
    """Draw a family: overall dark, joined and filled, outliers coloured, dashed and hollow."""
    axes.plot(places, line.overall, color=INK, linewidth=1.2, marker="o", markersize=2.6, label="overall", zorder=2)
    axes.plot(
        places,
        line.outliers,
        color=OUTLIERS,
        linewidth=1.2,
        linestyle=(0, (3, 1.5)),
        marker="s",
        markersize=3.4,
        markerfacecolor="white",
        markeredgewidth=0.8,
        label="outliers (5 % of records)",
        zorder=3,
    )


def _name_sections(axes: "Axes", places: Mapping[str, FloatColumn]) -> None:
    """Put numbers to some parameters, ticks to all, and the name of each family below."""
    numbered = {
        place: f"{parameter:g}"
        for letter, section in places.items()
        for parameter, place in zip(FAMILIES[letter].parameters, section.tolist(), strict=True)
        if parameter in NUMBERED[letter]
    }
    axes.set_xticks(list(numbered), list(numbered.values()))
    axes.set_xticks(np.concatenate(list(places.values())), minor=True)
    for letter, section in places.items():
        name = f"{letter}: {FAMILIES[letter].name}\n{FAMILIES[letter].parameter}"
        middle = float(section[[0, -1]].mean())
        axes.annotate(
            name,
            (middle, 0),
            (0, -18),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            ha="center",
            va="top",
            fontsize=TEXT_SIZE,
            color=INK,
        )
