"""Search all points for those near each query, where two cells are at most 1 apart: numbers and categories alike.

The distance is the sum over the columns of min(|difference|, 1), that of Gower where numbers are divided by their range
and the codes of categories are whole numbers. A missing value is a number far from all others. Two distances that
differ by less than `TIE` are equal.
"""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.neighbours.threads import run_in_threads
from sfumato.numerics.arrays import Floats, Integers

TIE = 1e-9
TILE = 256  # points that stay in the processor's cache while the queries pass by


def nearest_distances(points: Floats, queries: Floats, count: int) -> Floats:
    """Return the distances of each query from its nearest points, nearest first.

    Parameters
    ----------
    points, queries
        Coordinates, shapes (n, d) and (m, d); nothing is NaN.
    count
        How many of the nearest points.

    Returns
    -------
    Distances, shape (m, count); infinite beyond the number of points.
    """
    columns, asked = np.ascontiguousarray(points.T), np.ascontiguousarray(queries)
    near = np.full((len(queries), count), np.inf)
    run_in_threads(lambda piece: _find_near(columns, asked[piece], near[piece]), len(queries))
    return near


def guesses_by_nearest(
    points: Floats, queries: Floats, secrets: Integers, values: Floats, low: Floats, high: Floats
) -> Floats:
    """Return for each query and secret column the share of its nearest points that have an acceptable value there.

    Parameters
    ----------
    points, queries
        Coordinates, shapes (n, d) and (m, d).
    secrets
        Columns, shape (s,): each in turn is left out of the distance and guessed.
    values
        What the points have in the secret columns, shape (s, n).
    low, high
        Between which values a guess is right, shape (m, s).

    Returns
    -------
    Shares of the equally near points, shape (m, s).
    """
    columns, asked = np.ascontiguousarray(points.T), np.ascontiguousarray(queries)
    near = np.full((len(queries), len(secrets)), np.inf)
    ties, hits = np.zeros(near.shape, dtype=np.int64), np.zeros(near.shape, dtype=np.int64)
    run_in_threads(
        lambda piece: _guess(
            columns, asked[piece], secrets, values, low[piece], high[piece], near[piece], ties[piece], hits[piece]
        ),
        len(queries),
    )
    return np.asarray(hits / np.maximum(ties, 1), dtype=np.float64)


def common_nearest(points: Floats, queries: Floats, split: int) -> Floats:
    """Return the chance that a query has the same nearest point by its first columns as by the others.

    Parameters
    ----------
    points, queries
        Coordinates, shapes (n, d) and (m, d).
    split
        How many columns are the first ones.

    Returns
    -------
    Chances when one of the equally near is drawn on either side, shape (m,).
    """
    columns, asked = np.ascontiguousarray(points.T), np.ascontiguousarray(queries)
    chances = np.zeros(len(queries))
    run_in_threads(lambda piece: _link(columns, asked[piece], split, chances[piece]), len(queries))
    return chances


@compiled
def _measure(tile: Floats, queries: Floats, query: int, start: int, stop: int, distances: Floats) -> None:
    """Put the distances of a query from the points of a tile (d, n) over some columns into `distances`."""
    n = tile.shape[1]
    distances[:n] = 0.0
    for j in range(start, stop):
        origin = queries[query, j]
        for i in range(n):
            distances[i] += min(abs(tile[j, i] - origin), 1.0)


@compiled
def _find_near(columns: Floats, queries: Floats, near: Floats) -> None:
    """Lower the distances in `near` (output, one row per query, rising) to those of the nearest points."""
    d, n = columns.shape
    last = near.shape[1] - 1
    distances = np.empty(TILE)
    for start in range(0, n, TILE):
        tile = columns[:, start : start + TILE].copy()
        for query in range(len(queries)):
            _measure(tile, queries, query, 0, d, distances)
            for i in range(tile.shape[1]):
                distance = distances[i]
                if distance >= near[query, last]:
                    continue
                place = last
                while place > 0 and distance < near[query, place - 1]:
                    near[query, place] = near[query, place - 1]
                    place -= 1
                near[query, place] = distance


@compiled
def _guess(
    columns: Floats,
    queries: Floats,
    secrets: Integers,
    values: Floats,
    low: Floats,
    high: Floats,
    near: Floats,
    ties: Integers,
    hits: Integers,
) -> None:
    """Count, for each query and secret, the nearest points without that column (`ties`), and the right ones (`hits`).

    A point can be the nearest for a secret only if it is no farther, over all columns, than the nearest so far plus 1,
    the most that the column left out can add.
    """
    d, n = columns.shape
    distances = np.empty(TILE)
    for start in range(0, n, TILE):
        tile = columns[:, start : start + TILE].copy()
        for query in range(len(queries)):
            _measure(tile, queries, query, 0, d, distances)
            reach = near[query].max() + 1.0 + TIE
            for i in range(tile.shape[1]):
                if distances[i] > reach:
                    continue
                for s in range(len(secrets)):
                    j = secrets[s]
                    without = distances[i] - min(abs(tile[j, i] - queries[query, j]), 1.0)
                    if without > near[query, s] + TIE:
                        continue
                    if without < near[query, s] - TIE:
                        near[query, s], ties[query, s], hits[query, s] = without, 0, 0
                        reach = near[query].max() + 1.0 + TIE
                    ties[query, s] += 1
                    hits[query, s] += low[query, s] <= values[s, start + i] <= high[query, s]


@compiled
def _link(columns: Floats, queries: Floats, split: int, chances: Floats) -> None:
    """Put the chance that both parts of a query have the same nearest point into `chances` (output, one per query).

    A point counts as common while it is among the nearest of both parts; a nearer one for either part puts all points
    before it out.
    """
    d, n = columns.shape
    first, second = np.empty(TILE), np.empty(TILE)
    near = np.full((len(queries), 2), np.inf)
    ties = np.zeros((len(queries), 3), dtype=np.int64)  # of the first part, of the second, of both
    for start in range(0, n, TILE):
        tile = columns[:, start : start + TILE].copy()
        for query in range(len(queries)):
            _measure(tile, queries, query, 0, split, first)
            _measure(tile, queries, query, split, d, second)
            for i in range(tile.shape[1]):
                a, b = first[i] - near[query, 0], second[i] - near[query, 1]
                if a > TIE and b > TIE:
                    continue
                if a < -TIE:
                    near[query, 0], ties[query, 0], ties[query, 2] = first[i], 0, 0
                if b < -TIE:
                    near[query, 1], ties[query, 1], ties[query, 2] = second[i], 0, 0
                ties[query, 0] += a <= TIE
                ties[query, 1] += b <= TIE
                ties[query, 2] += a <= TIE and b <= TIE
    for query in range(len(queries)):
        if ties[query, 2] > 0:
            chances[query] = ties[query, 2] / (ties[query, 0] * ties[query, 1])
