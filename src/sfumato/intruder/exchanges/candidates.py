"""The pairs of records between which beliefs about exchanges are sent."""

import numpy as np

from sfumato.intruder.likely_originals import possible_originals
from sfumato.intruder.pair_model import Model
from sfumato.intruder.pair_scores import log_likelihoods
from sfumato.intruder.posterior import places_of
from sfumato.kernels.linkage.exchange_cells import CandidatePairs, pairs_of
from sfumato.numerics.arrays import FloatColumn, Rows

MAX_PAIRS = 2_000_000  # that are looked at; in files that have more, only the likely ones are


def candidate_pairs(model: Model, others: Model | None, known: Rows) -> tuple[CandidatePairs, FloatColumn]:
    """Return the pairs that are possible, and their log likelihood in the columns in which nothing was exchanged.

    Parameters
    ----------
    model
        What can be told of all columns, each pair by itself.
    others
        The same of the columns in which nothing was exchanged; nothing where there are none.
    known
        For each masked record the original that it is known to be, -1 for none.
    """
    originals = len(model.original_blocks)
    is_taken = np.zeros(originals + 1, dtype=np.bool_)  # the last entry serves those who are not known
    is_taken[known] = True
    is_taken[-1] = True
    candidates, _ = possible_originals(model.likelihood, (model.original_blocks, model.masked_blocks), MAX_PAIRS)
    candidates[is_taken[candidates]] = -1
    candidates[known >= 0, 0] = known[known >= 0]
    is_pair = candidates >= 0
    starts = np.concatenate([[0], np.cumsum(is_pair.sum(axis=1))])
    pairs = pairs_of(starts, candidates[is_pair], originals)
    if others is None:
        return pairs, np.zeros(len(pairs.originals))
    before, after = places_of(others)
    scores = log_likelihoods(others.likelihood, before, after, candidates)[is_pair]
    return pairs, scores
