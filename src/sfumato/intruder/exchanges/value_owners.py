"""Whose value a masked record shows in a column, where values moved from record to record."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sfumato.intruder.coded_columns import equality_codes
from sfumato.intruder.grid_search import GridSearch
from sfumato.intruder.learnt.learning import MaskedFile, learn
from sfumato.kernels.linkage.exchange_messages import scale_to_matching
from sfumato.numerics.arrays import CodeColumn, FloatColumn, Rows

MAX_OWNERS = 200  # of a value that other steps changed: where it may be that of more, it tells hardly anything
FAR_BELOW = 6.0  # an owner whose log likelihood lies so far below the best is none
UNEXPLAINED = 0.01  # of the values may have no owner; otherwise they did not come about in this way
SCALINGS = 20  # of the chances of owners, so that each value is shown by one record
MIN_VALUES = 50  # from which it is learnt how values change


class Owners(NamedTuple):
    """The originals whose value each masked record may show.

    Parameters
    ----------
    values
        The number of the value of each masked record; -1 for none.
    starts
        Where the owners of each value start, with the end.
    places, weights
        Owners as places in `order`, rising for each value, and the chance that the value of one record is theirs.
    order
        Originals, such that those who may own a value lie near each other.
    """

    values: CodeColumn
    starts: Rows
    places: CodeColumn
    weights: FloatColumn
    order: Rows


def equal_owners(shown: FloatColumn, after: FloatColumn) -> Owners | None:
    """Return the originals whose value, as it is shown, is that of a masked record; nothing where values are nobody's.

    Examples
    --------
    >>> owners = equal_owners(np.array([5.0, 7.0, 5.0]), np.array([7.0, 5.0, 5.0]))
    >>> owners.order, owners.values, owners.starts, owners.weights
    (array([0, 2, 1]), array([1, 0, 0]), array([0, 2, 3]), array([0.5, 0.5, 1. ]))
    """
    before, codes = equality_codes(shown, after)
    there, asked = np.flatnonzero(~np.isnan(shown)), np.flatnonzero(~np.isnan(after))
    order = there[np.argsort(before[there], kind="stable")]
    found, numbers = np.unique(codes[asked], return_inverse=True)
    firsts, ends = (np.searchsorted(before[order], found, side) for side in ("left", "right"))
    counts = ends - firsts
    if not asked.size or (counts[numbers] == 0).mean() > UNEXPLAINED:
        return None
    values = np.full(len(after), -1, dtype=np.int64)
    values[asked] = numbers
    starts = np.concatenate([[0], np.cumsum(counts)])
    places = np.arange(starts[-1]) + np.repeat(firsts - starts[:-1], counts)
    return Owners(values, starts, places, np.repeat(1.0 / np.maximum(counts, 1), counts), order)


def likely_owners(known: FloatColumn, after: FloatColumn, runs: Sequence[tuple[Rows, FloatColumn]]) -> Owners | None:
    """Return the likely owners of masked values, as learnt from runs in which values changed but did not move.

    Each run has the row of the original of each value, and the value. Nothing is returned where a value may be that of
    too many.
    """
    there, asked = np.flatnonzero(~np.isnan(known)), np.flatnonzero(~np.isnan(after))
    if len(runs) < 2 or min(len(there), len(asked)) < MIN_VALUES:
        return None
    place = np.full(len(known), -1, dtype=np.int64)
    place[there] = np.arange(len(there))
    files = [
        MaskedFile(place[rows][some], values[some][:, None])
        for rows, values in runs
        for some in [(place[rows] >= 0) & ~np.isnan(values)]
    ]
    likelihood = learn(known[there][:, None], files[1:], files[0], (True,)).likelihood(after[asked][:, None])
    before, places = (np.column_stack([getattr(one, side) for one in likelihood]) for side in ("before", "after"))
    search = GridSearch.of(likelihood, before, places, np.zeros(len(there)))
    found, outside = search.run(np.arange(len(there)), np.arange(len(asked)), min(MAX_OWNERS, len(there)))
    scores = np.where(found < 0, -np.inf, 0.0)
    for c, one in enumerate(likelihood):
        scores += one.density.log_density(before[:, c][np.maximum(found, 0)], places[:, c][:, None])
    best = scores.max(axis=1)
    if np.median(outside - best) > 0.0:
        return None
    order = np.argsort(before[:, 0], kind="stable")
    place[order] = np.arange(len(order))  # of the originals that are there, from now on
    sorted_places = np.where(scores >= best[:, None] - FAR_BELOW, place[np.maximum(found, 0)], len(order))
    by_place = np.argsort(sorted_places, axis=1)
    sorted_places, scores = (np.take_along_axis(some, by_place, axis=1) for some in (sorted_places, scores))
    is_owner = sorted_places < len(order)
    counts = np.zeros(len(after), dtype=np.int64)
    counts[asked] = is_owner.sum(axis=1)
    starts = np.concatenate([[0], np.cumsum(counts)])
    owners = sorted_places[is_owner]
    weights = scale_to_matching(starts, owners, scores[is_owner], len(order), SCALINGS)
    return Owners(np.arange(len(after)), starts, owners, weights, there[order])
