"""Find the original records that a masked record most likely comes from: branch and bound over a kd-tree.

The log likelihood of a pair is a sum over coordinates, each looked up in a table of (level of the original, difference
of the places). The best that any original in a box can reach is the sum of the largest table values over the
differences that the box allows, which a table of range maxima gives at once.

What the other originals weigh together is summed as well: record by record as long as they may matter, and by lot where
a box may hold hardly anything, or where they outweigh the likeliest record already.
"""

from typing import NamedTuple

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.linkage.likelihood_tables import Tables
from sfumato.kernels.linkage.unlikely_records import record_by_lot, records_below
from sfumato.kernels.neighbours.kd_tree import LANES, LEAF, Tree, grow_tree
from sfumato.kernels.neighbours.threads import run_in_threads
from sfumato.numerics.arrays import Floats, Integers

FAR_BELOW = 45.0  # a log likelihood this far below the best adds less than 1e-19 of its share
NOTHING, LITTLE = 1e-9, 0.02  # times the likeliest record: a box of no more is not looked at, or one record of it is
MISSING = -1  # the level of an original place that is not known


class Likely(NamedTuple):
    """The likely originals of each masked record.

    Parameters
    ----------
    rows
        Their rows, most likely first, shape (m, count); -1 where there are fewer.
    cut
        For each masked record about the likelihood, summed, of the originals that are not in `rows`, as a logarithm,
        shape (m,).
    """

    rows: Integers
    cut: Floats


def likely_records(
    positions: Floats, levels: Integers, places: Floats, tables: Tables, weights: Floats, count: int
) -> Likely:
    """Return for each masked record the `count` originals of the largest log likelihood, with the log weights added.

    Parameters
    ----------
    positions, levels
        Where the originals stand in steps of each grid, and the level of its table, shapes (n, d); `MISSING` where the
        place is not known.
    places
        Where the masked records stand in steps of each grid, its origin added, shape (m, d); NaN where not known.
    tables
        The grids.
    weights
        The logarithm of how many records each original stands for, shape (n,).
    count
        How many to find.
    """
    count = min(count, len(positions))
    rows = np.full((len(places), count), -1, dtype=np.int64)
    cut = np.zeros(len(places))
    tree = grow_tree(np.ascontiguousarray(positions))
    offsets = _offsets(tree, np.ascontiguousarray(levels), tables)
    known = np.ascontiguousarray(np.where(np.isnan(places), 0.0, places))
    asked = grow_tree(known).rows if len(places) else np.empty(0, dtype=np.int64)
    near, in_order = np.ascontiguousarray(places[asked]), weights[tree.rows]
    found, lost = rows[asked], cut[asked]  # near records look at the same leaves, which are at hand then
    heaviest = float(weights.max(initial=0.0))

    def search(piece: slice) -> None:
        _search(tree, offsets, near[piece], tables, in_order, heaviest, piece.start, found[piece], lost[piece])

    run_in_threads(search, len(places))
    rows[asked], cut[asked] = found, lost
    return Likely(rows, cut)


@compiled
def _offsets(tree: Tree, levels: Integers, tables: Tables) -> Integers:
    """Return where the level of each original begins in the tables, in the order of `tree.values`; -1 if missing."""
    offsets = np.empty(len(tree.values), dtype=np.int64)
    for leaf in range(len(tree.starts)):
        start, size = tree.starts[leaf], tree.sizes[leaf]
        for c in range(levels.shape[1]):
            for at in range(size):
                level = levels[tree.rows[start + at], c]
                first = start * levels.shape[1] + c * size
                offsets[first + at] = tables.starts[c] + level * tables.steps[c] if level >= 0 else -1
    return offsets


@compiled
def _search(
    tree: Tree,
    offsets: Integers,
    places: Floats,
    tables: Tables,
    weights: Floats,
    heaviest: float,
    first: int,
    rows: Integers,
    cut: Floats,
) -> None:
    """Find the likely originals of some masked records, numbered from `first`; `rows` and `cut` are outputs."""
    branches = len(tree.children)
    count = rows.shape[1]
    scores, in_leaf = np.empty(count), np.empty(LEAF)
    stack, bounds = np.empty(64 * LANES, dtype=np.int64), np.empty(64 * LANES)
    for query in range(len(places)):
        place, found, lost = places[query], 0, 0.0
        reference = -np.inf  # what `lost` is measured by: the best score so far
        stack[0], bounds[0], height = 0, np.inf, 1
        while height > 0:
            height -= 1
            node, bound = stack[height], bounds[height]
            least = _least(scores, found, count)
            if bound <= least:
                size = records_below(tree, node)
                most = size * np.exp(bound - reference)
                if most <= NOTHING:
                    lost += most
                    continue
                if most <= LITTLE or lost > 1.0:
                    leaf, at = record_by_lot(tree, node, first + query)
                    score = _score_of_one(tree, leaf, at, offsets, place, tables, weights)
                    lost += max(size * np.exp(score - reference), NOTHING)
                    continue
            if node >= branches:
                leaf = node - branches
                start, size = tree.starts[leaf], tree.sizes[leaf]
                _log_likelihoods(tree, start, size, offsets, place, tables, in_leaf)
                for at in range(size):
                    score = weights[start + at] + in_leaf[at]
                    least = _least(scores, found, count)
                    if score > least:
                        if found == count:
                            lost += np.exp(scores[count - 1] - reference)
                        found = _insert(tree.rows[start + at], score, rows[query], scores, found)
                        if scores[0] > reference:
                            lost *= np.exp(reference - scores[0])
                            reference = scores[0]
                    else:
                        lost += np.exp(min(score, least) - reference)
                continue
            height = _push_children(tree, node, place, tables, heaviest, stack, bounds, height)
        cut[query] = reference + np.log(lost) if lost > 0.0 else -np.inf


@compiled
def _log_likelihoods(
    tree: Tree, start: int, size: int, offsets: Integers, place: Floats, tables: Tables, found: Floats
) -> None:
    """Put the log likelihood of a masked record, given each original of a leaf, into `found` (output)."""
    found[:size] = 0.0
    for c in range(len(place)):
        if np.isnan(place[c]):
            continue
        first, last_step = start * len(place) + c * size, tables.steps[c] - 1.0
        for at in range(size):
            offset = offsets[first + at]
            if offset >= 0:
                step = int(min(max(place[c] - tree.values[first + at] + 0.5, 0.0), last_step))
                found[at] += tables.values[offset + step]


@compiled
def _score_of_one(
    tree: Tree, leaf: int, at: int, offsets: Integers, place: Floats, tables: Tables, weights: Floats
) -> float:
    """Return the log likelihood of a masked record given one original of a leaf, with the log weight added."""
    start, size = tree.starts[leaf], tree.sizes[leaf]
    total = weights[start + at]
    for c in range(len(place)):
        cell = start * len(place) + c * size + at
        if not np.isnan(place[c]) and offsets[cell] >= 0:
            step = int(min(max(place[c] - tree.values[cell] + 0.5, 0.0), tables.steps[c] - 1.0))
            total += tables.values[offsets[cell] + step]
    return float(total)


@compiled
def _least(scores: Floats, found: int, count: int) -> float:
    """Return the score above which a record belongs to the likely ones."""
    if found == count:
        return float(max(scores[count - 1], scores[0] - FAR_BELOW))
    return float(scores[0] - FAR_BELOW) if found > 0 else -np.inf


@compiled
def _insert(row: int, score: float, rows: Integers, scores: Floats, found: int) -> int:
    """Put a record into its place among the likely ones; return how many there are."""
    at = min(found, len(scores) - 1)
    while at > 0 and scores[at - 1] < score:
        rows[at], scores[at] = rows[at - 1], scores[at - 1]
        at -= 1
    rows[at], scores[at] = row, score
    return min(found + 1, len(scores))


@compiled
def log_likelihood(levels: Integers, positions: Floats, place: Floats, tables: Tables) -> float:
    """Return the log likelihood of a pair."""
    total = 0.0
    for c in range(len(place)):
        if levels[c] < 0 or np.isnan(place[c]):
            continue
        step = int(min(max(place[c] - positions[c] + 0.5, 0.0), tables.steps[c] - 1.0))
        total += tables.values[tables.starts[c] + levels[c] * tables.steps[c] + step]
    return total


@compiled
def _push_children(
    tree: Tree,
    node: int,
    place: Floats,
    tables: Tables,
    heaviest: float,
    stack: Integers,
    bounds: Floats,
    height: int,
) -> int:
    """Put the children of a branch on the stack, the most promising on top; return the height of the stack."""
    bottom = height
    for lane in range(LANES):
        if tree.counts[node, lane] == 0:
            continue
        bound = heaviest
        for c in range(len(place)):
            if not np.isnan(place[c]):
                bound += _largest(tables, c, place[c] - tree.highs[node, c, lane], place[c] - tree.lows[node, c, lane])
        at = height
        while at > bottom and bounds[at - 1] > bound:
            stack[at], bounds[at] = stack[at - 1], bounds[at - 1]
            at -= 1
        stack[at], bounds[at] = tree.children[node] + lane, bound
        height += 1
    return height


@compiled
def _largest(tables: Tables, c: int, low: float, high: float) -> float:
    """Return the largest table value of a coordinate over the steps from `low` to `high`."""
    steps = tables.steps[c]
    first = int(min(max(low + 0.5, 0.0), steps - 1.0))
    last = int(min(max(high + 0.5, 0.0), steps - 1.0))
    length, level = 1, 0
    while 2 * length <= last - first + 1:
        length, level = 2 * length, level + 1
    start = tables.maxima_starts[c] + level * steps
    return float(max(tables.maxima[start + first], tables.maxima[start + last - length + 1]))
