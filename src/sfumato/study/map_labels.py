"""Write labels beside the marks of a map."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sfumato.data import FloatMatrix
from sfumato.study.label_placement import Box, Placement, place_labels
from sfumato.study.labels import labels_of, short_labels_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from sfumato.study.ru_map import Mark

CROWD = 60  # from so many marks on, only those on the front and at the ends of lines are labelled
LONGEST = 40
FONT_SIZE = 7.0
PADDING = 1.0
INK_STEP = 2.0


def label_marks(axes: "Axes", marks: "Sequence[Mark]", lines: "Sequence[Sequence[Mark]]") -> None:
    """Write a label beside each mark where there is room; in full if all find room, else without the methods' names."""
    chosen = _chosen(marks, lines)
    points = _in_points(axes, [(mark.x, mark.y) for mark in marks])
    ink = _ink(axes, marks, lines)
    area = _area(axes)
    radius = marks[0].size / 2 + 1 if marks else 0.0
    for texts in (_full(marks), _short(marks)):
        sizes = _sizes(axes, [texts[mark] for mark in chosen])
        placements = place_labels(points, radius, chosen, sizes, ink, area)
        if None not in placements:
            break
    for mark, placement in zip(chosen, placements, strict=True):
        if placement is not None:
            _write(axes, marks[mark], points[mark], texts[mark], placement)
