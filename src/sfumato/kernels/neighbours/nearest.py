"""Find the nearest points: through a kd-tree where all values are there, in a tiled loop where some are missing.

The distance is the sum of |difference| ** power over the coordinates that both points have (power 2: Euclidean,
squared; power 1: Manhattan), scaled up by coordinates / coordinates compared (as Gower does); two points without a
common coordinate are infinitely far apart. Distances that differ by less than `TIE` of their size are equal.
"""

from collections.abc import Iterable

import numpy as np

from sfumato.kernels.neighbours.equal_rows import equal_rows
from sfumato.kernels.neighbours.kd_tree import NO_ROW
from sfumato.kernels.neighbours.search_parts import SearchPart, first_look, search_parts, search_parts_by_pattern
from sfumato.numerics.arrays import Booleans, Floats, Integers

TIE = 1e-9


def is_nearest(points: Floats, queries: Floats, rows: Integers, power: int = 2) -> Booleans:
    """Tell for each query whether the point in its row of `rows` is its nearest, or as near as the nearest.

    Parameters
    ----------
    points, queries
        Coordinates, shapes (n, d) and (m, d); NaN is missing.
    rows
        For each query the point in question, shape (m,).
    power
        2 or 1: distances are sums of |difference| ** power.

    Returns
    -------
    One truth per query, shape (m,); false where the query has no coordinate in common with its point.
    """
    return np.asarray(_ties(points, queries, rows, power) > 0, dtype=np.bool_)


def nearest_share(points: Floats, queries: Floats, rows: Integers, power: int = 2) -> Floats:
    """Return for each query the chance that its point is drawn from those that are equally the nearest.

    Parameters
    ----------
    points, queries, rows, power
        As for `is_nearest`.

    Returns
    -------
    One over the number of points as near as the one in question where none is nearer, else 0; shape (m,).
    """
    tied = _ties(points, queries, rows, power)
    return np.asarray((tied > 0) / np.maximum(tied, 1), dtype=np.float64)


def nearest_rows(points: Floats, queries: Floats, power: int = 2) -> Integers:
    """Return for each query the row of its nearest point, the lowest row of equally near ones.

    Parameters
    ----------
    points, queries, power
        As for `is_nearest`.

    Returns
    -------
    One row per query, shape (m,); -1 where a query has no coordinate in common with any point.
    """
    parts = list(search_parts(points, queries))
    found, near = _near(parts, queries, 1, power)
    upper = near[:, 0] * (1 + TIE)
    rows = found[:, 0]  # where it is -1, no row is lower
    for part in parts:
        lowest = rows[part.asked]
        part.run(part.search.find_first, power, queries[part.asked], upper[part.asked], lowest)
        rows[part.asked] = lowest
    return rows


def distances_apart(points: Floats, queries: Floats, power: int) -> Floats:
    """Return the distance of each query from the point in the same row, infinite where nothing is common."""
    differences = np.abs(points - queries) ** power
    compared = np.count_nonzero(~np.isnan(differences), axis=1)
    total = np.nansum(differences, axis=1)
    distances = np.full(len(queries), np.inf)
    np.divide(total * points.shape[1], compared, out=distances, where=compared > 0)
    return distances


def _near(parts: Iterable[SearchPart], queries: Floats, count: int, power: int) -> tuple[Integers, Floats]:
    """Return rows and distances of the nearest points of each query."""
    rows = np.full((len(queries), count), NO_ROW)
    near = np.full((len(queries), count), np.inf)
    for part in parts:
        found, distances = rows[part.asked], near[part.asked]
        part.run(part.search.find_near, power, queries[part.asked], found, distances)
        rows[part.asked], near[part.asked] = found, distances
    rows[rows == NO_ROW] = -1
    return rows, near


def _ties(points: Floats, queries: Floats, rows: Integers, power: int) -> Integers:
    """Return how many points are as near to each query as that in its row; 0 where one is nearer or nothing common.

    Of equal queries only those are searched for whose own point is nearest, and each distance once.
    """
    own = distances_apart(points[rows], queries, power)
    first, alike = equal_rows(queries)
    least = np.full(first.size, np.inf)
    np.minimum.at(least, alike, own)
    ties = np.zeros(len(queries), dtype=np.int64)
    open_ones = np.flatnonzero(np.isfinite(own) & (own * (1 - TIE) <= least[alike] * (1 + TIE)))
    first, place = equal_rows(np.column_stack([alike[open_ones].astype(np.float64), own[open_ones]]))
    asked = open_ones[first]
    ties[open_ones] = _count_ties(points, queries[asked], own[asked], power)[place]
    return ties


def _count_ties(points: Floats, queries: Floats, own: Floats, power: int) -> Integers:
    """Return how many points are as near to each query as its own distance; 0 where one is nearer."""
    lower, upper = own * (1 - TIE), own * (1 + TIE)
    counts = np.zeros(len(queries), dtype=np.int64)
    for part in first_look(points, queries):
        part.run(part.search.count_ties, power, queries, lower, upper, counts)
    left = np.flatnonzero(counts >= 0)
    counts[left] = 0
    for part in search_parts_by_pattern(points, queries[left]) if left.size else ():
        asked = left[part.asked]
        asked = asked[counts[asked] >= 0]
        counted = counts[asked]
        bounds = lower[asked] / part.scale, upper[asked] / part.scale
        part.run(part.search.count_ties, power, queries[asked][:, part.columns], *bounds, counted)
        counts[asked] = counted
    return np.where(counts < 0, 0, np.maximum(counts, 1))  # rounding may leave out the point itself
