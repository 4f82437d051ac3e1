"""The R-U map: what each candidate costs in information, and what risk it leaves."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.display import format_compact
from sfumato.display.figure_style import DASHED, INK, MARK_SIZE, MUTED, SHADE, TEXT_SIZE, draw_frame, draw_title
from sfumato.parameters.limits import Limit
from sfumato.study.maps.labels import family_name, label_marks
from sfumato.study.maps.marks import Mark, marks_of, stairs
from sfumato.study.maps.series import series_of
from sfumato.study.results import Study

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.transforms import Transform

    from sfumato.display.figure import StyledFigure

INCHES = (7.2, 5.4)
TITLE_GAP = 10.0  # points
SQUEEZED = 1 / 15  # of the largest loss; with a quarter of the front below it, the scale is logarithmic
LIMIT_LINE: dict[str, Any] = {"color": INK, "linewidth": 0.9, "linestyle": DASHED, "zorder": 1.8}


def draw_map(
    study: Study, *, risk: str, loss: str, limits: Sequence[Limit], title: str | None = None
) -> "StyledFigure":
    """Return the map of a study as a figure."""
    from sfumato.display.figure import new_figure

    marks = marks_of(study, risk, loss)
    figure = new_figure(*INCHES)
    axes = figure.add_subplot()
    numbers = {limit.figure: limit.number for limit in limits}
    x_limit, y_limit = numbers.get(loss), numbers.get(risk)
    x_title = study.titles.get(loss, loss)
    if needs_logarithms(marks, x_limit):
        _count_in_factors(axes, marks, x_limit)
        x_title = f"{x_title}, logarithmic scale"
    else:
        axes.set_xlim(_reach([mark.x for mark in marks], [mark.x_deviation for mark in marks], x_limit))
    axes.set_ylim(_reach([mark.y for mark in marks], [mark.y_deviation for mark in marks], y_limit))
    draw_frame(axes, x_title, study.titles.get(risk, risk))
    if title is not None:
        above = TITLE_GAP if x_limit is None else 2 * TITLE_GAP  # room for the name of the limit
        draw_title(axes, title, gap=above)
    lines = series_of([mark.candidate.recipe for mark in marks])
    _draw_front(axes, marks)
    _draw_limits(axes, (loss, x_limit), (risk, y_limit))
    _draw_lines(axes, marks, lines)
    _draw_marks(axes, marks)
    _draw_legend(figure, marks, study)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # labels are placed for this layout, so it has to stay
    label_marks(axes, marks, lines, x_limit, y_limit)
    return figure


def needs_logarithms(marks: Sequence[Mark], limit: float | None) -> bool:
    """Tell whether the loss is shown by its logarithm: where the front would else be squeezed against the ordinate."""
    positive = all(mark.x - mark.x_deviation > 0 for mark in marks) and (limit is None or limit > 0)
    quarter = float(np.quantile([mark.x for mark in marks if mark.is_on_front], 0.25))
    return positive and quarter < SQUEEZED * max(mark.x for mark in marks)


def _count_in_factors(axes: "Axes", marks: Sequence[Mark], limit: float | None) -> None:
    """Let equal factors of the loss be equal steps along the abscissa, with numbers at 1, 2, 5, 10, ..."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    ends = [*(mark.x - mark.x_deviation for mark in marks), *(mark.x + mark.x_deviation for mark in marks)]
    ends = np.log([*ends, *([] if limit is None else [limit])]).tolist()
    margin = 0.07 * (max(ends) - min(ends))
    axes.set_xscale("log")
    axes.set_xlim(float(np.exp(min(ends) - margin)), float(np.exp(max(ends) + margin)))
    axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: format_compact(value)))


def _reach(values: Sequence[float], deviations: Sequence[float], limit: float | None) -> tuple[float, float]:
    """Return the ends of an axis: they leave a margin, show the limit, and begin at 0 where that is near."""
    centres, spreads = np.asarray(values), np.asarray(deviations)
    ends = [*(centres - spreads), *(centres + spreads), *([] if limit is None else [limit])]
    low, high = float(min(ends)), float(max(ends))
    margin = 0.07 * (high - low) or 0.1 * abs(high) or 1.0
    begins_at_zero = 0 <= low <= 0.25 * high
    return (0.0 if begins_at_zero else low - margin), high + margin


def _draw_front(axes: "Axes", marks: Sequence[Mark]) -> None:
    """Draw the stairs of the front, and shade what lies beyond it: whatever is there is beaten in both figures."""
    x, y = zip(*stairs(marks, axes.get_xlim()[1], axes.get_ylim()[1]), strict=True)
    axes.fill_between(x, y, axes.get_ylim()[1], step="post", color=SHADE, linewidth=0, zorder=0.1)
    axes.step(x, y, where="post", color=MUTED, linewidth=0.9, zorder=2)


def _draw_limits(axes: "Axes", across: tuple[str, float | None], up: tuple[str, float | None]) -> None:
    """Draw a dashed line per limit; its name stands outside the axes, where no mark can be."""
    (loss, x), (risk, y) = across, up
    if x is not None:
        axes.axvline(x, **LIMIT_LINE)
        _name_limit(
            axes, f"{loss} ≤ {format_compact(x)}", (x, 1.0), axes.get_xaxis_transform(), (0, 2), ("center", "bottom")
        )
    if y is not None:
        axes.axhline(y, **LIMIT_LINE)
        _name_limit(
            axes, f"{risk} ≤ {format_compact(y)}", (1.0, y), axes.get_yaxis_transform(), (3, 0), ("left", "center")
        )


def _name_limit(
    axes: "Axes",
    name: str,
    end: tuple[float, float],
    scale: "Transform",
    offset: tuple[int, int],
    alignment: tuple[str, str],
) -> None:
    axes.annotate(
        name,
        xy=end,
        xycoords=scale,
        xytext=offset,
        textcoords="offset points",
        horizontalalignment=alignment[0],
        verticalalignment=alignment[1],
        fontsize=7.5,
        color=INK,
        parse_math=False,
        annotation_clip=False,
    )


def _draw_lines(axes: "Axes", marks: Sequence[Mark], lines: Sequence[Sequence[int]]) -> None:
    for line in lines:
        joined = [marks[position] for position in line]
        x, y = [mark.x for mark in joined], [mark.y for mark in joined]
        axes.plot(x, y, color=joined[0].colour, linewidth=0.7, alpha=0.6, zorder=1.5)


def _draw_marks(axes: "Axes", marks: Sequence[Mark]) -> None:
    """Draw the marks with bars of one standard deviation; those on the front are filled and lie above the others."""
    for colour, shape, is_on_front in dict.fromkeys((mark.colour, mark.shape, mark.is_on_front) for mark in marks):
        alike = [m for m in marks if (m.colour, m.shape, m.is_on_front) == (colour, shape, is_on_front)]
        axes.errorbar(
            [mark.x for mark in alike],
            [mark.y for mark in alike],
            xerr=[mark.x_deviation for mark in alike] if any(mark.x_deviation for mark in alike) else None,
            yerr=[mark.y_deviation for mark in alike] if any(mark.y_deviation for mark in alike) else None,
            ecolor=colour,
            elinewidth=0.7,
            linestyle="none",
            marker=shape,
            markersize=MARK_SIZE,
            markeredgewidth=0.9,
            markeredgecolor=colour,
            markerfacecolor=colour if is_on_front else "white",
            clip_on=False,
            zorder=3 if is_on_front else 2.5,
        )


def _draw_legend(figure: "Figure", marks: Sequence[Mark], study: Study) -> None:
    from matplotlib.lines import Line2D

    families: dict[str, list[Mark]] = {}
    for mark in marks:
        families.setdefault(mark.candidate.family, []).append(mark)
    handles = [
        Line2D([], [], color=m.colour, marker=m.shape, markersize=MARK_SIZE, linewidth=0.7, label=family_name(alike))
        for alike in families.values()
        for m in alike[:1]
    ]
    handles.append(Line2D([], [], color=MUTED, linewidth=0.9, label="Pareto front (marks on it are filled)"))
    if any(mark.x_deviation or mark.y_deviation for mark in marks):
        bars = f"± 1 standard deviation over {study.replications} runs"
        handles.append(
            Line2D([], [], color=MUTED, marker="+", markersize=9, markeredgewidth=0.7, linestyle="none", label=bars)
        )
    absent = len(study.candidates) - len(marks)
    if absent:
        handles.append(Line2D([], [], linestyle="none", label=f"not shown: {absent} without these figures"))
    for columns in range(len(handles), 0, -1):
        legend = figure.legend(
            handles=handles, loc="outside lower left", ncols=columns, fontsize=TEXT_SIZE, frameon=False, labelcolor=INK
        )
        if columns == 1 or legend.get_window_extent().width <= figure.bbox.width:
            return
        legend.remove()
