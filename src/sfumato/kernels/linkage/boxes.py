"""Find the nearest points inside boxes: one box of admissible coordinates around each query.

Of the points in a box those come first that have most of the coordinates of the query, and of these the nearest:
Euclidean over the coordinates that both have, squared distances that differ by less than `TIE` of their size being
equal. Points lie in blocks of near ones with known bounds, so that a query looks only into the blocks that its box, and
the ball through the point in question, touch.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.neighbours.nearest import TIE
from sfumato.numerics.arrays import Booleans, Floats, Integers

BLOCK = 256  # most points in a block: with fewer there are more bounds to look at, with more, more points


class Boxes(NamedTuple):
    """A box around each of m queries in d coordinates.

    Parameters
    ----------
    queries
        Coordinates, shape (m, d); NaN is missing.
    lowest, highest
        The ends of the boxes, themselves inside, shape (m, d); NaN is no bound.
    """

    queries: Floats
    lowest: Floats
    highest: Floats


class Blocks(NamedTuple):
    """Points in blocks: block b has the points from `starts[b]` up to, not including, `starts[b + 1]`.

    Parameters
    ----------
    points
        Different points, shape (n, d); NaN is missing.
    held
        How many equal points each stands for, shape (n,).
    starts
        Where the blocks start, and n, shape (blocks + 1,).
    least, most
        The bounds of the blocks, shape (blocks, d); NaN where the points lack the coordinate. Points that lack
        different coordinates are in different blocks.
    """

    points: Floats
    held: Integers
    starts: Integers
    least: Floats
    most: Floats


class Placed(NamedTuple):
    """Points in blocks, and the place of each among the points of all blocks, shape (n,)."""

    blocks: Blocks
    places: Integers


def share_in_box(placed: Placed, boxes: Boxes, rows: Integers) -> Floats:
    """Return for each query the chance that its point is drawn from those that equally come first in its box.

    Parameters
    ----------
    placed
        The points, as `place_points` gives them.
    boxes
        The queries and their boxes.
    rows
        For each query the point in question, shape (m,).

    Returns
    -------
    One over the number of points that come first in the box where the point in question is one of them, else 0; shape
    (m,). A point without a coordinate in common with the query never comes first.
    """
    tied = np.zeros(len(rows), dtype=np.int64)
    if placed.blocks.points.size:
        _count_nearest(placed.blocks, Boxes(*map(np.ascontiguousarray, boxes)), placed.places[rows], tied)
    return np.divide(1.0, tied, out=np.zeros(len(rows)), where=tied > 0)


def only_in_box(placed: Placed, boxes: Boxes) -> Integers:
    """Return for each query the only point in its box, by its row; -1 where there are several, or none.

    Parameters
    ----------
    placed
        The points, as `place_points` gives them.
    boxes
        The queries and their boxes.

    Returns
    -------
    Rows of the points, shape (m,). A point without a coordinate in common with the query is not found, but keeps others
    from being the only one.
    """
    only = np.full(len(boxes.queries), -1)
    if not placed.blocks.points.size:
        return only
    _find_only(placed.blocks, Boxes(*map(np.ascontiguousarray, boxes)), only)
    rows = np.empty(len(placed.blocks.points), dtype=np.int64)
    rows[placed.places] = np.arange(len(placed.places))
    return np.where(only < 0, -1, rows[only])


def place_points(points: Floats) -> Placed:
    """Return points, shape (n, d), in blocks; a coordinate that is NaN is missing, and keeps a point out of no box."""
    if not points.size:
        nothing = np.empty(0, dtype=np.int64)
        return Placed(Blocks(points, nothing, nothing, points, points), nothing)
    different, place, held = np.unique(points, axis=0, return_inverse=True, return_counts=True)
    gaps = np.isnan(different)
    filled = np.where(gaps, 0.0, different)
    members = [rows for alike in _rows_alike(gaps) for rows in _halve(filled, alike)]
    order = np.concatenate(members)
    ordered, starts = different[order], np.cumsum([0, *map(len, members)])
    least, most = (bound.reduceat(ordered, starts[:-1]) for bound in (np.minimum, np.maximum))
    return Placed(Blocks(ordered, held[order], starts, least, most), np.argsort(order)[place.ravel()])


def _rows_alike(gaps: Booleans) -> list[Integers]:
    """Return the rows that lack the same coordinates, set by set."""
    _, pattern = np.unique(gaps, axis=0, return_inverse=True)
    by_pattern = np.argsort(pattern.ravel(), kind="stable")
    return np.split(by_pattern, np.flatnonzero(np.diff(pattern.ravel()[by_pattern])) + 1)


def _halve(points: Floats, rows: Integers) -> Iterator[Integers]:
    """Halve the rows at the median of their widest coordinate until no part is larger than a block."""
    if rows.size <= BLOCK:
        yield rows
        return
    part, half = points[rows], rows.size // 2
    widest = np.argmax(part.max(axis=0) - part.min(axis=0))
    by_size = rows[np.argpartition(part[:, widest], half)]
    yield from _halve(points, by_size[:half])
    yield from _halve(points, by_size[half:])


@compiled
def _count_nearest(blocks: Blocks, boxes: Boxes, places: Integers, tied: Integers) -> None:
    """Put into `tied` (output) how many points equally come first, 0 where that in `places` is not among them."""
    for query in range(len(places)):
        own = _squared_inside(blocks, places[query], boxes, query)
        common = _count_common(blocks.points[places[query]], boxes.queries[query])
        if own == np.inf or common == 0:
            continue
        for block in range(len(blocks.least)):
            if _is_behind(blocks, block, boxes, query, common, own * (1 + TIE)):
                continue
            has_more = _count_common(blocks.least[block], boxes.queries[query]) > common
            found = _count_block(blocks, block, boxes, query, np.inf if has_more else own)
            if found < 0:
                tied[query] = 0
                break
            tied[query] += found


@compiled
def _count_block(blocks: Blocks, block: int, boxes: Boxes, query: int, own: float) -> int:
    """Return how many points of a block are as near as the squared distance `own`; -1 as soon as one is nearer."""
    count = 0
    for point in range(blocks.starts[block], blocks.starts[block + 1]):
        squared = _squared_inside(blocks, point, boxes, query)
        if squared < own * (1 - TIE):
            return -1
        if squared <= own * (1 + TIE) and squared < np.inf:
            count += blocks.held[point]
    return count


@compiled
def _find_only(blocks: Blocks, boxes: Boxes, only: Integers) -> None:
    """Put into `only` (output) the place of the single point in each box; what it holds stays where there is none."""
    for query in range(len(only)):
        count, last = 0, -1
        for block in range(len(blocks.least)):
            if _is_outside(blocks, block, boxes, query):
                continue
            for point in range(blocks.starts[block], blocks.starts[block + 1]):
                if _squared_inside(blocks, point, boxes, query) < np.inf:
                    count, last = count + blocks.held[point], point
                if count > 1:
                    break
            if count > 1:
                break
        if count == 1 and _count_common(blocks.points[last], boxes.queries[query]) > 0:
            only[query] = last


@compiled
def _is_outside(blocks: Blocks, block: int, boxes: Boxes, query: int) -> bool:
    """Tell whether no point of a block can be inside the box."""
    for j in range(blocks.least.shape[1]):
        if blocks.most[block, j] < boxes.lowest[query, j] or blocks.least[block, j] > boxes.highest[query, j]:
            return True  # not for NaN
    return False


@compiled
def _is_behind(blocks: Blocks, block: int, boxes: Boxes, query: int, common: int, reach: float) -> bool:
    """Tell whether the points of a block are outside the box, or come after one at `reach` that has `common`."""
    squared, compared = 0.0, 0
    for j in range(blocks.least.shape[1]):
        least, most, value = blocks.least[block, j], blocks.most[block, j], boxes.queries[query, j]
        if most < boxes.lowest[query, j] or least > boxes.highest[query, j]:  # false for NaN
            return True
        if value < least:
            squared += (least - value) ** 2
        elif value > most:
            squared += (value - most) ** 2
        compared += not np.isnan(least - value)
    return compared < common or (compared == common and squared > reach)


@compiled
def _squared_inside(blocks: Blocks, point: int, boxes: Boxes, query: int) -> float:
    """Return the squared distance of a point over the coordinates that both have; infinite outside the box."""
    squared = 0.0
    for j in range(blocks.points.shape[1]):
        value = blocks.points[point, j]
        if value < boxes.lowest[query, j] or value > boxes.highest[query, j]:
            return np.inf
        difference = value - boxes.queries[query, j]
        if not np.isnan(difference):
            squared += difference * difference
    return squared


@compiled
def _count_common(point: Floats, query: Floats) -> int:
    """Return how many coordinates both have."""
    common = 0
    for j in range(len(query)):
        common += not np.isnan(point[j] - query[j])
    return common
