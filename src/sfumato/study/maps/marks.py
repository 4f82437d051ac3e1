"""What stands on a map: a mark per candidate, and how it looks."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.display.figure_style import COLOURS
from sfumato.study.candidate import Candidate
from sfumato.study.results import Study

SHAPES = ("o", "s", "^", "D", "v", "P", "X", "p", "<", ">", "h")


@dataclass(frozen=True)
class Mark:
    """A candidate on the map: its loss (x) and risk (y), their standard deviations, and how it is drawn."""

    candidate: Candidate
    x: float
    y: float
    x_deviation: float
    y_deviation: float
    is_on_front: bool
    colour: str
    shape: str


def marks_of(study: Study, risk: str, loss: str) -> list[Mark]:
    """Return a mark for each candidate that has both figures; a family has one colour and one shape."""
    families = list(dict.fromkeys(candidate.family for candidate in study.candidates))
    front = {candidate.label for candidate in study.front_members(risk=risk, loss=loss)}
    marks = []
    for candidate in study.candidates:
        x, y = candidate.mean(loss), candidate.mean(risk)
        if x is None or y is None or np.isnan(x) or np.isnan(y):
            continue
        number = families.index(candidate.family)
        marks.append(
            Mark(
                candidate=candidate,
                x=x,
                y=y,
                x_deviation=candidate.deviation(loss) or 0.0,
                y_deviation=candidate.deviation(risk) or 0.0,
                is_on_front=candidate.label in front,
                colour=COLOURS[number % len(COLOURS)],
                shape=SHAPES[number % len(SHAPES)],
            )
        )
    return marks


def stairs(marks: Sequence[Mark], right: float, top: float) -> list[tuple[float, float]]:
    """Return the corners of the front: from the top down to its first mark, from mark to mark, and on to the right.

    From each corner the line goes right first, then down to the next.
    """
    front = sorted((mark.x, mark.y) for mark in marks if mark.is_on_front)
    return [(front[0][0], top), *front, (right, front[-1][1])]
