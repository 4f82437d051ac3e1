"""Find the nearest points: through a kd-tree where all values are there, in a tiled loop where some are missing.

The distance is the sum of |difference| ** power over the coordinates that both points have (power 2: Euclidean,
squared; power 1: Manhattan), scaled up by coordinates / coordinates compared (as Gower does); two points without a
common coordinate are infinitely far apart. Distances that differ by less than `TIE` of their size are equal.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from sfumato.kernels.neighbours import tiled_search, tree_search
from sfumato.kernels.neighbours.kd_tree import NO_ROW, Tree, grow_tree
from sfumato.kernels.neighbours.threads import run_in_threads
from sfumato.kernels.neighbours.tiled_search import Points
from sfumato.numerics.arrays import AnyArray, Booleans, Floats, Integers

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
    One over the number of equally near points where the point in question is one of them, else 0; shape (m,).
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
    parts = list(_parts(points, queries))
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


@dataclass(frozen=True)
class _Part:
    """Some queries and the points to compare them with.

    Parameters
    ----------
    asked
        The rows of the queries, near ones one after another where that helps.
    points
        The points, in a tree where they and the queries are whole.
    search
        The room of the loops for such points: `tree_search` or `tiled_search`.
    """

    asked: Integers
    points: Tree | Points
    search: ModuleType

    def run(self, loop: Callable[..., None], power: int, queries: Floats, *others: AnyArray) -> None:
        """Run a loop over the queries in several threads; others are its further inputs and outputs by query."""
        arrays = (np.ascontiguousarray(queries), *others)
        run_in_threads(lambda piece: loop(self.points, power, *(array[piece] for array in arrays)), len(queries))


def _parts(points: Floats, queries: Floats) -> Iterator[_Part]:
    """Yield the parts that compare every query with every point that has a coordinate, the quickest first.

    The tree serves any number of points and columns: where it must look at every point it takes about twice as long as
    the loop (10^4 x 104, noise of 1 sd: 5.9 and 2.6 s), elsewhere a part of that (10^5 x 13, noise of 1 sd: 1.8 and
    5.5 s; 10^5 x 7, noise of 0.1 sd: 0.5 and 33 s).
    """
    there = ~np.isnan(points)
    whole, some = there.all(axis=1), there.any(axis=1)
    lacking = np.isnan(queries)
    easy, hard = np.flatnonzero(~lacking.any(axis=1)), np.flatnonzero(lacking.any(axis=1) & ~lacking.all(axis=1))
    if not points.shape[1]:
        return
    if whole.any() and easy.size:
        easy = easy[grow_tree(np.ascontiguousarray(queries[easy])).rows]
        yield _Part(easy, _tree(points, np.flatnonzero(whole)), tree_search)
    partly = np.flatnonzero(some & ~whole)
    if partly.size and easy.size:
        yield _Part(easy, Points(np.ascontiguousarray(points[partly].T), partly), tiled_search)
    if some.any() and hard.size:
        rows = np.flatnonzero(some)
        yield _Part(hard, Points(np.ascontiguousarray(points[rows].T), rows), tiled_search)


def _tree(points: Floats, rows: Integers) -> Tree:
    """Return the tree of the points in some rows."""
    tree = grow_tree(np.ascontiguousarray(points[rows]))
    first_rows = np.where(tree.counts > 0, rows[np.minimum(tree.first_rows, rows.size - 1)], NO_ROW)
    return tree._replace(rows=rows[tree.rows], first_rows=first_rows)


def _near(parts: Iterable[_Part], queries: Floats, count: int, power: int) -> tuple[Integers, Floats]:
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
    """Return how many points are as near to each query as that in its row; 0 where one is nearer or nothing common."""
    own = distances_apart(points[rows], queries, power)
    lower, upper = own * (1 - TIE), own * (1 + TIE)
    counts = np.where(np.isfinite(own), 0, -1)
    for part in _parts(points, queries):
        asked = part.asked[counts[part.asked] >= 0]
        counted = counts[asked]
        part.run(part.search.count_ties, power, queries[asked], lower[asked], upper[asked], counted)
        counts[asked] = counted
    return np.where(counts < 0, 0, np.maximum(counts, 1))  # rounding may leave out the point itself
