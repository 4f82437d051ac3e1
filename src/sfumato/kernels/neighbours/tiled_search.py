"""Search all points for those near each query, a tile of points after another; values may be missing.

Distances are sums of |difference| ** power over the columns that both have, scaled up by columns / columns compared;
without a common column they are infinite.
"""

from typing import NamedTuple

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.neighbours.tree_search import insert
from sfumato.numerics.arrays import Floats, Integers

TILE = 512  # points that stay in the processor's cache while all queries pass by


class Points(NamedTuple):
    """Points to be searched one by one.

    Parameters
    ----------
    columns
        Their coordinates column by column, shape (d, n); NaN is missing.
    rows
        The row of each point, rising, shape (n,).
    """

    columns: Floats
    rows: Integers


@compiled
def count_ties(points: Points, power: int, queries: Floats, lower: Floats, upper: Floats, counts: Integers) -> None:
    """Count the points up to the distance `upper` from each query, unless one is nearer than `lower`.

    Parameters
    ----------
    points, power
        The points; distances are sums of |difference| ** power.
    queries
        Coordinates, shape (m, d); NaN is missing.
    lower, upper
        Distances, shape (m,).
    counts
        Output, shape (m,): the number of points is added, or -1 put in where one is nearer than `lower`.
    """
    distances, compared = np.empty(TILE), np.empty(TILE)
    for start in range(0, len(points.rows), TILE):
        tile = points.columns[:, start : start + TILE].copy()
        for query in range(len(queries)):
            if counts[query] < 0:
                continue
            _measure(tile, power, queries, query, distances, compared)
            nearer, within = 0, 0
            for i in range(tile.shape[1]):
                nearer += distances[i] < lower[query]
                within += distances[i] <= upper[query]
            counts[query] = -1 if nearer else counts[query] + within


@compiled
def find_first(points: Points, power: int, queries: Floats, upper: Floats, rows: Integers) -> None:
    """Lower `rows` (output, one per query) to the first row of a point up to the distance `upper` from the query."""
    distances, compared = np.empty(TILE), np.empty(TILE)
    for start in range(0, len(points.rows), TILE):
        tile = points.columns[:, start : start + TILE].copy()
        for query in range(len(queries)):
            if rows[query] <= points.rows[start]:
                continue
            _measure(tile, power, queries, query, distances, compared)
            for i in range(tile.shape[1]):
                if distances[i] <= upper[query]:
                    rows[query] = min(rows[query], points.rows[start + i])
                    break


@compiled
def find_near(points: Points, power: int, queries: Floats, rows: Integers, near: Floats) -> None:
    """Find the nearest points of each query, nearest first and the lowest row first of equally near ones.

    Parameters
    ----------
    points, power, queries
        As for `count_ties`.
    rows, near
        Outputs, shape (m, count): rows and distances of the nearest points so far; those not yet found at infinity.
    """
    distances, compared = np.empty(TILE), np.empty(TILE)
    for start in range(0, len(points.rows), TILE):
        tile = points.columns[:, start : start + TILE].copy()
        for query in range(len(queries)):
            _measure(tile, power, queries, query, distances, compared)
            for i in range(tile.shape[1]):
                if distances[i] < np.inf:
                    insert(rows, near, query, points.rows[start + i], distances[i])


@compiled
def _measure(tile: Floats, power: int, queries: Floats, query: int, distances: Floats, compared: Floats) -> None:
    """Put the distances of a query from the points of a tile (d, n) into `distances`; `compared` is room to count."""
    d, n = tile.shape
    distances[:n] = 0.0
    compared[:n] = 0.0
    for j in range(d):
        origin = queries[query, j]
        if np.isnan(origin):
            continue
        for i in range(n):
            difference = tile[j, i] - origin
            known = not np.isnan(difference)
            size = abs(difference) if power == 1 else difference * difference
            distances[i] += size if known else 0.0
            compared[i] += 1.0 if known else 0.0
    for i in range(n):
        if compared[i] < d:  # else they stay to the last bit as a tree has them
            distances[i] = distances[i] * d / max(compared[i], 1.0) if compared[i] > 0.0 else np.inf
