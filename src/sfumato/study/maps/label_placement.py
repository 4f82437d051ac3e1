"""Find room for labels beside marks: pure geometry, in any unit of length."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix, Floats

GAPS = (1.0, 3.5, 11.0, 20.0, 32.0)  # between a mark and its label; the first two need no leader line
WITHOUT_LEADER = 2
DIRECTIONS = 16
SWEEPS = 6
LEADER_POINTS = 12

GAP_COST = np.array([0.0, 1.0, 4.0, 7.0, 11.0])
DIRECTION_COST = 0.3  # for the side opposite to the upper right
INK_COST = 0.4  # per point of a line behind the label
NEIGHBOUR_COST = 1.5  # per foreign mark so near that the label could be taken for its own
NEIGHBOURHOOD = 4.0


class Box(NamedTuple):
    """A rectangle with sides along the axes."""

    left: float
    bottom: float
    right: float
    top: float


@dataclass(frozen=True)
class Placement:
    """Where a label goes, and whether a line must lead to it."""

    box: Box
    has_leader: bool


def place_labels(
    marks: FloatMatrix, radius: float, labelled: Sequence[int], sizes: FloatMatrix, ink: FloatMatrix, area: Box
) -> list[Placement | None]:
    """Return a place for each label, or none where there is no room.

    Placed labels overlap neither each other nor any mark and lie in the area; as far as possible they are near their
    mark, far from other marks, and free of lines. Each takes its best place in turn, and again once the others have
    theirs.

    Parameters
    ----------
    marks, radius
        The centres of all marks (marks x 2), and their half width.
    labelled
        The marks that have a label, the most important first.
    sizes
        Width and height of each label (labels x 2).
    ink
        Points on the lines that are drawn (points x 2).
    area
        Where labels may go.
    """
    mark_boxes = np.hstack([marks - radius, marks + radius])
    choices = [_choices(marks[mark], radius, sizes[label]) for label, mark in enumerate(labelled)]
    costs = [
        _standing_costs(boxes, leaders, np.delete(mark_boxes, mark, axis=0), mark_boxes[mark], ink, area)
        for (boxes, leaders), mark in zip(choices, labelled, strict=True)
    ]
    chosen: list[int | None] = [None] * len(labelled)
    for _ in range(SWEEPS):
        before = list(chosen)
        for label in range(len(labelled)):
            others = [(choices[other], place) for other, place in enumerate(chosen) if other != label]
            taken = [(boxes[place], leaders[place]) for (boxes, leaders), place in others if place is not None]
            chosen[label] = _cheapest(*choices[label], costs[label], taken)
        if chosen == before:
            break
    return [_placement(boxes, place) for (boxes, _), place in zip(choices, chosen, strict=True)]


def overlap(boxes: FloatMatrix, others: FloatMatrix) -> Booleans:
    """Tell for each box and each other box (rows: left, bottom, right, top) whether they share some of their inside."""
    left, bottom, right, top = boxes.T[:, :, None]
    other_left, other_bottom, other_right, other_top = others.T[:, None, :]
    wide = (left < other_right) & (other_left < right)
    return np.asarray(wide & (bottom < other_top) & (other_bottom < top))


def inside(points: FloatMatrix, boxes: FloatMatrix) -> Booleans:
    """Tell for each box and each point (rows: x, y) whether the point is in the box."""
    left, bottom, right, top = boxes.T[:, :, None]
    x, y = points.T[:, None, :]
    return np.asarray((x >= left) & (x <= right) & (y >= bottom) & (y <= top))


def _choices(mark: FloatColumn, radius: float, size: FloatColumn) -> tuple[FloatMatrix, Floats]:
    """Return the boxes a label may take around its mark, nearest first, and points on the line that leads to each."""
    angles = np.pi / 4 - 2 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS  # clockwise from the upper right
    around = np.column_stack([np.cos(angles), np.sin(angles)])
    around /= np.abs(around).max(axis=1, keepdims=True)  # directions to the rim of a square
    reaches = np.array([radius + gap for gap in GAPS])
    centres = (mark + around[None] * (size / 2 + reaches[:, None, None])).reshape(-1, 2)
    boxes = np.hstack([centres - size / 2, centres + size / 2])
    nearest = np.clip(mark, boxes[:, :2], boxes[:, 2:])
    steps = np.linspace(0.0, 0.95, LEADER_POINTS)[None, :, None]
    return boxes, mark + (nearest - mark)[:, None, :] * steps


def _standing_costs(
    boxes: FloatMatrix,
    leaders: Floats,
    foreign: FloatMatrix,
    own: FloatColumn,
    ink: FloatMatrix,
    area: Box,
) -> FloatColumn:
    """Return what each place costs whatever the other labels do; infinite where a label must not be."""
    gap, direction = np.divmod(np.arange(len(boxes)), DIRECTIONS)
    turn = np.minimum(direction, DIRECTIONS - direction) / (DIRECTIONS / 2)
    near = foreign + np.array([-1.0, -1.0, 1.0, 1.0]) * NEIGHBOURHOOD
    costs = GAP_COST[gap] + DIRECTION_COST * turn
    costs += INK_COST * inside(ink, boxes).sum(axis=1) + NEIGHBOUR_COST * overlap(boxes, near).sum(axis=1)
    blocked = overlap(boxes, foreign).any(axis=1) | overlap(boxes, own[None])[:, 0]
    blocked |= (boxes[:, :2] < area[:2]).any(axis=1) | (boxes[:, 2:] > area[2:]).any(axis=1)
    crossing = inside(leaders.reshape(-1, 2), foreign).any(axis=0).reshape(len(boxes), -1).any(axis=1)
    blocked |= crossing & (gap >= WITHOUT_LEADER)
    return np.where(blocked, np.inf, costs)


def _cheapest(
    boxes: FloatMatrix,
    leaders: Floats,
    costs: FloatColumn,
    taken: list[tuple[FloatColumn, FloatMatrix]],
) -> int | None:
    """Return the cheapest place that collides with no label and no leader line that stands already."""
    if taken:
        other_boxes = np.stack([box for box, _ in taken])
        other_leaders = np.concatenate([leader for _, leader in taken])
        collides = overlap(boxes, other_boxes).any(axis=1) | inside(other_leaders, boxes).any(axis=1)
        collides |= inside(leaders.reshape(-1, 2), other_boxes).any(axis=0).reshape(len(boxes), -1).any(axis=1)
        costs = np.where(collides, np.inf, costs)
    best = int(np.argmin(costs))
    return best if np.isfinite(costs[best]) else None


def _placement(boxes: FloatMatrix, place: int | None) -> Placement | None:
    if place is None:
        return None
    return Placement(Box(*(float(side) for side in boxes[place])), has_leader=place // DIRECTIONS >= WITHOUT_LEADER)
