"""Find the nearest points, with a kd-tree where all values are there and a compiled loop where some are missing.

The distance is Euclidean over the coordinates that both points have, its square scaled up by coordinates / coordinates
compared (as Gower does); two points without a common coordinate are infinitely far apart. Squared distances that differ
by less than `TIE` of their size are equal.
"""

import numpy as np
from numpy.typing import NDArray

from sfumato.kernels.compiling import compiled

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Truths = NDArray[np.bool_]

TIE = 1e-9
TILE = 512  # points that stay in the processor's cache while all queries pass by


def is_nearest(points: Floats, queries: Floats, rows: Integers) -> Truths:
    """Tell for each query whether the point in its row of `rows` is its nearest, or as near as the nearest.

    Parameters
    ----------
    points, queries
        Coordinates, shapes (n, d) and (m, d); NaN is missing.
    rows
        For each query the point in question, shape (m,).

    Returns
    -------
    One truth per query, shape (m,); false where the query has no coordinate in common with its point.
    """
    if not points.shape[1]:
        return np.zeros(len(queries), dtype=np.bool_)
    own = squared_distances(points[rows], queries)
    limit = own * (1 - TIE)  # a point is nearer than the own one only below this
    whole_points, whole_queries = _is_whole(points), _is_whole(queries)
    near = np.isfinite(own)
    asked = np.flatnonzero(near & whole_queries)
    near[asked] = _tree_distances(points[whole_points], queries[asked]) >= limit[asked]
    asked = np.flatnonzero(near & whole_queries)  # those that no whole point has beaten
    near[asked] = ~_is_any_nearer(points[~whole_points], queries[asked], limit[asked])
    asked = np.flatnonzero(near & ~whole_queries)
    near[asked] = ~_is_any_nearer(points, queries[asked], limit[asked])
    return near


def nearest_share(points: Floats, queries: Floats, rows: Integers) -> Floats:
    """Return for each query the chance that its point is drawn from those that are equally the nearest.

    Parameters
    ----------
    points, queries, rows
        As for `is_nearest`.

    Returns
    -------
    One over the number of equally near points where the point in question is one of them, else 0; shape (m,).
    """
    shares = np.zeros(len(queries))
    asked = np.flatnonzero(is_nearest(points, queries, rows))
    reach = squared_distances(points[rows[asked]], queries[asked]) * (1 + TIE)
    whole_points, whole_queries = _is_whole(points), _is_whole(queries[asked])
    tied = np.zeros(len(asked), dtype=np.int64)
    easy, hard = np.flatnonzero(whole_queries), np.flatnonzero(~whole_queries)
    tied[easy] = _count_by_tree(points[whole_points], queries[asked[easy]], reach[easy])
    tied[easy] += _count_by_loop(points[~whole_points], queries[asked[easy]], reach[easy])
    tied[hard] = _count_by_loop(points, queries[asked[hard]], reach[hard])
    shares[asked] = 1 / np.maximum(tied, 1)  # rounding may leave out the point itself
    return shares


def nearest_rows(points: Floats, queries: Floats) -> Integers:
    """Return for each query the row of its nearest point, the lowest row of equally near ones.

    Parameters
    ----------
    points, queries
        Coordinates, shapes (n, d) and (m, d); NaN is missing.

    Returns
    -------
    One row per query, shape (m,); -1 where a query has no coordinate in common with any point.
    """
    rows = np.full(len(queries), -1, dtype=np.int64)
    if not points.shape[1]:
        return rows
    whole_points, whole_queries = _is_whole(points), _is_whole(queries)
    easy, hard = np.flatnonzero(whole_points), np.flatnonzero(~whole_points)
    by_tree = _nearest_by_tree(points[easy], queries[whole_queries], easy)
    by_loop = _nearest_by_loop(points[hard], queries[whole_queries], hard)
    rows[whole_queries] = _nearer(by_tree, by_loop)
    rows[~whole_queries] = _nearest_by_loop(points, queries[~whole_queries], np.arange(len(points)))[1]
    return rows


def squared_distances(points: Floats, queries: Floats) -> Floats:
    """Return the squared distance of each query from the point in the same row, infinite where nothing is common."""
    differences = (points - queries) ** 2
    compared = np.count_nonzero(~np.isnan(differences), axis=1)
    total = np.nansum(differences, axis=1)
    squared = np.full(len(queries), np.inf)
    np.divide(total * points.shape[1], compared, out=squared, where=compared > 0)
    return squared


def _is_whole(matrix: Floats) -> Truths:
    return np.asarray(~np.isnan(matrix).any(axis=1), dtype=np.bool_)


def _is_any_nearer(points: Floats, queries: Floats, squared: Floats) -> Truths:
    """Tell for each query whether any point is nearer than its squared distance; values may be missing."""
    if not len(points) or not len(queries):
        return np.zeros(len(queries), dtype=np.bool_)
    return _first_nearer(np.ascontiguousarray(points.T), np.ascontiguousarray(queries), squared) >= 0


def _tree_distances(points: Floats, queries: Floats) -> Floats:
    """Return the squared distance of each query from its nearest point; all values must be there."""
    from scipy.spatial import cKDTree

    if not len(points) or not len(queries):
        return np.full(len(queries), np.inf)
    places = np.unique(points, axis=0)  # equal points would make one huge leaf
    distances, _ = cKDTree(places).query(queries, workers=-1)
    return np.asarray(distances**2, dtype=np.float64)


def _count_by_tree(points: Floats, queries: Floats, reach: Floats) -> Integers:
    """Return how many points lie within a squared distance of each query, none much nearer; all values are there."""
    from scipy.spatial import cKDTree

    if not len(points) or not len(queries):
        return np.zeros(len(queries), dtype=np.int64)
    places, held = np.unique(points, axis=0, return_counts=True)
    tree, radius = cKDTree(places), np.sqrt(reach) * (1 + TIE)
    distances, found = tree.query(queries, k=2, workers=-1)
    counts = np.where(distances[:, 0] <= radius, held[found[:, 0]], 0)
    several = np.flatnonzero(distances[:, 1] <= radius)
    around = tree.query_ball_point(queries[several], radius[several], workers=-1)
    counts[several] = [held[members].sum() for members in around]
    return np.asarray(counts, dtype=np.int64)


def _count_by_loop(points: Floats, queries: Floats, reach: Floats) -> Integers:
    """Return how many points lie within a squared distance of each query; values may be missing."""
    counts = np.zeros(len(queries), dtype=np.int64)
    if len(points) and len(queries):
        _count_within(np.ascontiguousarray(points.T), np.ascontiguousarray(queries), reach, counts)
    return counts


def _nearest_by_tree(points: Floats, queries: Floats, rows: Integers) -> tuple[Floats, Integers]:
    """Return squared distance and row of the nearest point; `rows` names the points, and all values must be there."""
    from scipy.spatial import cKDTree

    if not len(points) or not len(queries):
        return np.full(len(queries), np.inf), np.full(len(queries), -1, dtype=np.int64)
    places, first = np.unique(points, axis=0, return_index=True)
    tree = cKDTree(places)
    distances, found = tree.query(queries, k=2, workers=-1)
    nearest = np.asarray(rows[first[found[:, 0]]])
    tied = np.flatnonzero(distances[:, 1] <= distances[:, 0] * (1 + TIE / 2))
    around = tree.query_ball_point(queries[tied], distances[tied, 0] * (1 + TIE / 2), workers=-1)
    nearest[tied] = [rows[first[members].min()] for members in around]
    return distances[:, 0] ** 2, nearest


def _nearest_by_loop(points: Floats, queries: Floats, rows: Integers) -> tuple[Floats, Integers]:
    """Return squared distance and row of the nearest point; `rows` names the points, and values may be missing."""
    squared = np.full(len(queries), np.inf)
    if not len(points) or not len(queries):
        return squared, np.full(len(queries), -1, dtype=np.int64)
    columns, queries = np.ascontiguousarray(points.T), np.ascontiguousarray(queries)
    _shorten(columns, queries, squared)
    found = _first_nearer(columns, queries, np.nextafter(squared * (1 + TIE), np.inf))
    named = np.append(rows, -1)  # the last entry serves the answer -1: nothing found
    return squared, named[found]


def _nearer(one: tuple[Floats, Integers], other: tuple[Floats, Integers]) -> Integers:
    """Return the rows of the nearer of two answers, the lower row where they are equally near."""
    (one_squared, one_rows), (other_squared, other_rows) = one, other
    reach = np.minimum(one_squared, other_squared) * (1 + TIE)
    last = np.iinfo(np.int64).max
    first = np.where((one_squared <= reach) & (one_rows >= 0), one_rows, last)
    second = np.where((other_squared <= reach) & (other_rows >= 0), other_rows, last)
    lowest = np.minimum(first, second)
    return np.where(lowest < last, lowest, -1)


@compiled
def _shorten(columns: Floats, queries: Floats, squared: Floats) -> None:
    """Lower `squared` (output, one per query) to the squared distance of the nearest point; `columns` is (d, n)."""
    distances, compared = np.empty(TILE), np.empty(TILE)
    for start in range(0, columns.shape[1], TILE):
        tile = columns[:, start : start + TILE].copy()
        for query in range(len(queries)):
            _measure(tile, queries[query], distances, compared)
            squared[query] = min(squared[query], distances[: tile.shape[1]].min())


@compiled
def _count_within(columns: Floats, queries: Floats, reach: Floats, counts: Integers) -> None:
    """Add to `counts` (output) the points within the squared distance `reach` of each query; `columns` is (d, n)."""
    distances, compared = np.empty(TILE), np.empty(TILE)
    for start in range(0, columns.shape[1], TILE):
        tile = columns[:, start : start + TILE].copy()
        for query in range(len(queries)):
            _measure(tile, queries[query], distances, compared)
            for point in range(tile.shape[1]):
                counts[query] += distances[point] <= reach[query]


@compiled
def _first_nearer(columns: Floats, queries: Floats, squared: Floats) -> Integers:
    """Return for each query the first point nearer than `squared`, -1 where there is none; `columns` is (d, n)."""
    distances, compared = np.empty(TILE), np.empty(TILE)
    found = np.full(len(queries), -1, dtype=np.int64)
    for start in range(0, columns.shape[1], TILE):
        tile = columns[:, start : start + TILE].copy()
        for query in range(len(queries)):
            if found[query] >= 0:
                continue
            _measure(tile, queries[query], distances, compared)
            for point in range(tile.shape[1]):
                if distances[point] < squared[query]:
                    found[query] = start + point
                    break
    return found


@compiled
def _measure(tile: Floats, query: Floats, distances: Floats, compared: Floats) -> None:
    """Put the squared distance of each point of a tile (d, n) into `distances`; `compared` is room for counting."""
    d, n = tile.shape
    distances[:n] = 0.0
    compared[:n] = 0.0
    for j in range(d):
        column, origin = tile[j], query[j]
        if np.isnan(origin):
            continue
        for i in range(n):
            difference = column[i] - origin
            known = not np.isnan(difference)
            distances[i] += difference * difference if known else 0.0
            compared[i] += 1.0 if known else 0.0
    for i in range(n):
        distances[i] = distances[i] * d / max(compared[i], 1.0) if compared[i] > 0.0 else np.inf
