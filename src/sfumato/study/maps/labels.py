"""Write labels beside the marks of a map."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from sfumato.display.figure_style import GREY, MARK_SIZE, SMALL_SIZE
from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.study.labels import differing_parameters, labels_of, short_labels_of
from sfumato.study.maps.label_placement import Box, Placement, place_labels
from sfumato.study.maps.marks import Mark, stairs

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CROWD = 60  # from so many marks on, only ends of lines are labelled, and what of the front has room beside its mark
MAX_LABEL_LENGTH = 40  # characters
PADDING = 1.5  # points around a label
INK_STEP = 2.0  # points between two samples of a line
Piece = tuple[float, float, float, float]
"""A straight line: x and y of its start, x and y of its end."""
DARKER = 0.65  # how much of a family's colour is left in its labels: small letters need contrast


def label_marks(
    axes: "Axes",
    marks: Sequence[Mark],
    lines: Sequence[Sequence[int]],
    x_limit: float | None = None,
    y_limit: float | None = None,
) -> None:
    """Write a label beside each mark that finds room: in full if all do, else without the methods' names.

    Parameters
    ----------
    axes
        What the marks are drawn on, in its final layout.
    marks
        All marks.
    lines
        The marks, by position, that each line joins.
    x_limit, y_limit
        Where a line goes up, and where one goes across, if any.
    """
    chosen = to_label(marks, lines)
    points = _in_points(axes, np.array([(mark.x, mark.y) for mark in marks]))
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    across = [] if y_limit is None else [(left, y_limit, right, y_limit)]
    up = [] if x_limit is None else [(x_limit, bottom, x_limit, top)]
    ink, area = _ink(axes, [*_pieces(marks, lines, right, top), *across, *up]), _area(axes)
    for texts in (_full_texts(marks), _short_texts(marks)):
        sizes = np.array([_size(axes, texts[mark]) for mark in chosen])
        placements = place_labels(points, MARK_SIZE / 2, chosen, sizes, ink, area)
        if None not in placements:
            break
    ends = _ends(marks, lines)
    for mark, placement in zip(chosen, placements, strict=True):
        is_needed = len(marks) < CROWD or mark in ends
        if placement is not None and (is_needed or not placement.has_leader):
            _write(axes, marks[mark], points[mark], texts[mark], placement)


def to_label(marks: Sequence[Mark], lines: Sequence[Sequence[int]]) -> list[int]:
    """Return the positions of the marks to label, the most important first: ends of lines, front, others."""
    front = [position for position, mark in enumerate(marks) if mark.is_on_front]
    others = range(len(marks)) if len(marks) < CROWD else []
    return list(dict.fromkeys([*_ends(marks, lines), *front, *others]))


def family_name(marks: Sequence[Mark]) -> str:
    """Return the family of some marks, with the parameter whose values their labels show: `rank swapping (window)`."""
    differing = differing_parameters([mark.candidate.recipe for mark in marks])
    names = [name for shown in differing.values() for name in shown]
    family = marks[0].candidate.family
    return f"{family} ({names[0].replace('_', ' ')})" if len(names) == 1 else family


def _ends(marks: Sequence[Mark], lines: Sequence[Sequence[int]]) -> list[int]:
    """Return the ends of lines and of what of each line is on the front, those on the front first."""
    families = Counter(mark.candidate.family for mark in marks)
    is_on_front = [[position for position in line if marks[position].is_on_front] for line in lines]
    return [
        end
        for line in [*filter(None, is_on_front), *lines]
        for end in (line[0], line[-1])
        if marks[end].is_on_front or len(line) > 1 or families[marks[end].candidate.family] == 1
    ]


def _full_texts(marks: Sequence[Mark]) -> list[str]:
    return [_shorten(mark.candidate.label) for mark in marks]


def _short_texts(marks: Sequence[Mark]) -> list[str]:
    """Return what is left of the labels without the methods' names; a label that the user gave stays whole."""
    recipes = [mark.candidate.recipe for mark in marks]
    found = zip(marks, labels_of(recipes), short_labels_of(recipes), strict=True)
    return [
        _shorten(short if mark.candidate.label == full and short else mark.candidate.label)
        for mark, full, short in found
    ]


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_LABEL_LENGTH else f"{text[: MAX_LABEL_LENGTH - 1]}…"


def _in_points(axes: "Axes", places: FloatMatrix) -> FloatMatrix:
    """Return places on the axes in points from the lower left of the figure."""
    return np.asarray(axes.transData.transform(places) * 72 / axes.figure.dpi, dtype=np.float64)


def _area(axes: "Axes") -> Box:
    extent, scale = axes.get_window_extent(), 72 / axes.figure.dpi
    return Box(extent.x0 * scale, extent.y0 * scale, extent.x1 * scale, extent.y1 * scale)


def _size(axes: "Axes", text: str) -> tuple[float, float]:
    """Return width and height of a label in points, with its padding."""
    written = axes.annotate(text, (0, 0), fontsize=SMALL_SIZE, parse_math=False, annotation_clip=False)
    extent = written.get_window_extent()
    written.remove()
    scale = 72 / axes.figure.dpi
    return extent.width * scale + 2 * PADDING, extent.height * scale + 2 * PADDING


def _pieces(marks: Sequence[Mark], lines: Sequence[Sequence[int]], right: float, top: float) -> list[Piece]:
    """Return the lines of series, the bars and the stairs of the front, each from one place to another."""
    pieces = [(marks[a].x, marks[a].y, marks[b].x, marks[b].y) for line in lines for a, b in pairwise(line)]
    for mark in marks:
        pieces.append((mark.x - mark.x_deviation, mark.y, mark.x + mark.x_deviation, mark.y))
        pieces.append((mark.x, mark.y - mark.y_deviation, mark.x, mark.y + mark.y_deviation))
    for (x, y), (next_x, next_y) in pairwise(stairs(marks, right, top)):
        pieces.extend([(x, y, next_x, y), (next_x, y, next_x, next_y)])
    return pieces


def _ink(axes: "Axes", pieces: Sequence[Piece]) -> FloatMatrix:
    """Return points along all that is drawn as a line."""
    ends = np.array(pieces)
    starts, stops = _in_points(axes, ends[:, :2]), _in_points(axes, ends[:, 2:])
    return np.concatenate([_points_along(start, stop) for start, stop in zip(starts, stops, strict=True)])


def _points_along(start: FloatColumn, stop: FloatColumn) -> FloatMatrix:
    count = int(np.hypot(*(stop - start)) / INK_STEP)
    return np.asarray(start + (stop - start) * np.linspace(0, 1, count + 1)[:, None])


def _write(axes: "Axes", mark: Mark, point: FloatColumn, text: str, placement: Placement) -> None:
    from matplotlib.colors import to_rgb
    from matplotlib.patheffects import withStroke

    box = placement.box
    nearest = np.clip(point, box[:2], box[2:])
    share = (nearest - np.array(box[:2])) / (np.array(box[2:]) - np.array(box[:2]))
    leader = {
        "arrowstyle": "-",
        "color": GREY,
        "linewidth": 0.5,
        "shrinkA": 0,
        "shrinkB": MARK_SIZE / 2,
        "relpos": tuple(share),
    }
    axes.annotate(
        text,
        xy=(mark.x, mark.y),
        xytext=(box.left + PADDING - point[0], box.bottom + PADDING - point[1]),
        textcoords="offset points",
        horizontalalignment="left",
        verticalalignment="bottom",
        fontsize=SMALL_SIZE,
        color=tuple(DARKER * part for part in to_rgb(mark.colour)),
        parse_math=False,
        annotation_clip=False,
        zorder=4,
        arrowprops=leader if placement.has_leader else None,
        path_effects=[withStroke(linewidth=1.5, foreground="white")],
    )
