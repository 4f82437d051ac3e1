"""The originals that a masked record most likely comes from, found without comparing all pairs."""

import numpy as np

from sfumato.contracts import Coordinate, Likelihood
from sfumato.intruder.grid_search import GridSearch
from sfumato.intruder.pair_scores import places, searched
from sfumato.numerics.arrays import CodeColumn, CodeMatrix, FloatColumn, FloatMatrix
from sfumato.numerics.densities import Untold


def is_untold(one: Coordinate) -> bool:
    """Tell whether a coordinate serves a joint density alone."""
    return isinstance(one.density, Untold)


def possible_originals(
    likelihood: Likelihood, blocks: tuple[CodeColumn, CodeColumn], max_pairs: int
) -> tuple[CodeMatrix, FloatColumn]:
    """Return the originals that each masked record may be, in rising order, and what all others weigh together.

    All of its block where there are no more than `max_pairs` pairs of records, otherwise the likeliest; -1 is none. The
    weight of the others is a logarithm.
    """
    originals, masked = (len(numbers) for numbers in blocks)
    if originals * masked <= max_pairs:
        every = np.where(blocks[0] == blocks[1][:, None], np.arange(originals), -1)
        return every, np.full(masked, -np.inf)
    before, after = places(likelihood, originals, masked)
    count = max(max_pairs // masked, 1)
    ones = np.ones(originals, dtype=np.int64)
    found, outside = likely_originals(likelihood, before, after, blocks, ones, count)
    return np.sort(found, axis=1), outside


def likely_originals(
    likelihood: Likelihood,
    before: FloatMatrix,
    after: FloatMatrix,
    blocks: tuple[CodeColumn, CodeColumn],
    counts: CodeColumn,
    count: int,
) -> tuple[CodeMatrix, FloatColumn]:
    """Return the most likely classes of originals of each class of masked records, searched block by block."""
    is_searched = np.array([not is_untold(one) for one in likelihood], dtype=np.bool_)
    count = min(count, len(before))
    candidates = np.full((len(after), count), -1, dtype=np.int64)
    outside = np.full(len(after), -np.inf)
    orders = [np.argsort(numbers, kind="stable") for numbers in blocks]
    rising = [numbers[order] for numbers, order in zip(blocks, orders, strict=True)]
    shared = np.intersect1d(rising[0], rising[1])
    ends = [np.stack([np.searchsorted(some, shared, side) for side in ("left", "right")], axis=1) for some in rising]
    search = None
    if is_searched.any():
        search = GridSearch.of(searched(likelihood), before[:, is_searched], after[:, is_searched], np.log(counts))
    for (start, end), (first, last) in zip(ends[0].tolist(), ends[1].tolist(), strict=True):
        rows, asked = orders[0][start:end], orders[1][first:last]
        if len(rows) == 1 or (not is_searched.all() and len(rows) <= count) or search is None:
            # all are looked at; without coordinates the records of a block are one class
            candidates[asked[:, None], np.arange(min(len(rows), count))] = rows[:count]
            continue
        found, outside[asked] = search.run(rows, asked, count)
        candidates[asked[:, None], np.arange(found.shape[1])] = np.where(found < 0, -1, rows[found])
    return candidates, outside
