"""What to search for which queries: a tree where all values are there, all points one by one where some are missing."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from sfumato.kernels.compile_cost import CompileCost
from sfumato.kernels.neighbours import tiled_search, tree_search
from sfumato.kernels.neighbours.kd_tree import NO_ROW, Tree, grow_tree
from sfumato.kernels.neighbours.threads import run_in_threads
from sfumato.kernels.neighbours.tiled_search import Points
from sfumato.numerics.arrays import AnyArray, Booleans, Floats, Integers
from sfumato.numerics.missing_patterns import rows_by_pattern

MANY = 20_000_000  # pairs of a query and a point: comparing all takes longer than growing a tree
PAIR_SECONDS, COLUMN_SECONDS = 1.0e-9, 0.15e-9  # per pair, and per pair and column, of the loop over all
TREE = CompileCost(grow_tree, seconds=4.0)
FIRST_LOOK, MUCH_MORE = 1024, 4  # points that few queries are compared with first, and what few are: a part of all
FEW = 64  # queries that are compared with all points sooner than a tree of these is grown


@dataclass(frozen=True)
class SearchPart:
    """Some queries and the points to compare them with.

    Parameters
    ----------
    asked
        The rows of the queries, near ones one after another where that helps.
    points
        The points, in a tree where they have all columns that the search is given.
    search
        The room of the loops for such points: `tree_search` or `tiled_search`.
    columns
        The columns that the search is given; those in which a query has no value are left out by a tree.
    scale
        What its distances are to be multiplied by.
    """

    asked: Integers
    points: Tree | Points
    search: ModuleType
    columns: Booleans
    scale: float = 1.0

    def run(self, loop: Callable[..., None], power: int, queries: Floats, *others: AnyArray) -> None:
        """Run a loop over the queries in several threads; others are its further inputs and outputs by query."""
        arrays = (np.ascontiguousarray(queries), *others)
        run_in_threads(lambda piece: loop(self.points, power, *(array[piece] for array in arrays)), len(queries))


def search_parts(points: Floats, queries: Floats) -> Iterator[SearchPart]:
    """Yield the parts that compare every query with every point that has a coordinate, the quickest first.

    The tree serves any number of points and columns: where it must look at every point it takes about twice as long as
    the loop (10^4 x 104, noise of 1 sd: 5.9 and 2.6 s), elsewhere a part of that (10^5 x 13, noise of 1 sd: 1.8 and
    5.5 s; 10^5 x 7, noise of 0.1 sd: 0.5 and 33 s).
    """
    yield from _search_parts(points, queries, is_worth_a_tree(points, queries))


def _search_parts(points: Floats, queries: Floats, may_grow: bool) -> Iterator[SearchPart]:
    if not points.shape[1]:
        return
    there, lacking = ~np.isnan(points), np.isnan(queries)
    whole, some = there.all(axis=1), there.any(axis=1)
    easy, hard = np.flatnonzero(~lacking.any(axis=1)), np.flatnonzero(lacking.any(axis=1) & ~lacking.all(axis=1))
    has_tree = may_grow and whole.any() and easy.size > 0
    if has_tree:
        easy = _near_together(queries, easy)
        yield SearchPart(easy, _tree(points, np.flatnonzero(whole)), tree_search, _all_columns(points))
    partly = np.flatnonzero(some & ~whole if has_tree else some)  # one by one gives the same
    if partly.size and easy.size:
        yield _all_points(points, partly, easy)
    if some.any() and hard.size:
        yield _all_points(points, np.flatnonzero(some), hard)


def first_look(points: Floats, queries: Floats) -> Iterator[SearchPart]:
    """Yield some of very many points, spread evenly, for few queries: nearly all may find a nearer one among these."""
    if points.shape[1] and len(points) > MUCH_MORE * max(len(queries), FIRST_LOOK):
        rows = np.linspace(0, len(points) - 1, FIRST_LOOK).astype(np.int64)
        yield _all_points(points, rows, np.arange(len(queries)))


def search_parts_by_pattern(points: Floats, queries: Floats) -> Iterator[SearchPart]:
    """Yield parts like `search_parts`, but a tree for those points too of which many lack the same values.

    Such a tree knows the columns that its points have, and serves all queries, whatever these lack.
    """
    absent, lacking = np.isnan(points), np.isnan(queries)
    gaps, gaps_asked = np.count_nonzero(absent.any(axis=1)), np.count_nonzero(lacking.any(axis=1))
    may_grow = len(queries) > FEW and is_worth_a_tree(points, queries)
    if not may_grow or len(queries) * gaps + gaps_asked * len(points) < MANY:
        yield from _search_parts(points, queries, may_grow)
        return
    patterns, rest = [(~absent[rows[0]], rows) for rows in rows_by_pattern(absent)], []
    trees: dict[int, Tree] = {}
    for asked in rows_by_pattern(lacking):
        if asked.size * len(points) < MANY or lacking[asked[0]].all():
            rest.append(asked)
            continue
        known, others = ~lacking[asked[0]], []
        ordered = _near_together(queries[:, known], asked)
        shared = [int(np.count_nonzero(there & known)) for there, _ in patterns]
        for number in sorted(range(len(patterns)), key=lambda number: -shared[number]):
            (there, rows), common = patterns[number], shared[number]
            if asked.size * rows.size < MANY and common < known.size:
                others.append(rows)
            elif common:
                if number not in trees:
                    trees[number] = _tree(points[:, there], rows)
                yield SearchPart(ordered, trees[number], tree_search, there, known.size / common)
        if others:
            yield _all_points(points, np.sort(np.concatenate(others)), ordered)
    if rest:
        left = np.sort(np.concatenate(rest))
        for part in _search_parts(points, queries[left], may_grow=True):
            yield SearchPart(left[part.asked], part.points, part.search, part.columns)


def is_worth_a_tree(points: Floats, queries: Floats) -> bool:
    """Tell whether to search by a tree: its loops are there, or comparing all pairs has cost as much as making them."""
    return TREE.is_worth((PAIR_SECONDS + COLUMN_SECONDS * points.shape[1]) * len(points) * len(queries))


def _near_together(queries: Floats, rows: Integers) -> Integers:
    """Return rows of queries that lack nothing in such an order that near ones come one after another."""
    return np.asarray(rows[grow_tree(np.ascontiguousarray(queries[rows])).rows])


def _all_points(points: Floats, rows: Integers, asked: Integers) -> SearchPart:
    some = points if rows.size == len(points) else points[rows]
    return SearchPart(asked, Points(np.ascontiguousarray(some.T), rows), tiled_search, _all_columns(points))


def _all_columns(points: Floats) -> Booleans:
    return np.ones(points.shape[1], dtype=np.bool_)


def _tree(points: Floats, rows: Integers) -> Tree:
    """Return the tree of the points in some rows."""
    tree = grow_tree(np.ascontiguousarray(points[rows]))
    first_rows = np.where(tree.counts > 0, rows[np.minimum(tree.first_rows, rows.size - 1)], NO_ROW)
    return tree._replace(rows=rows[tree.rows], first_rows=first_rows)
