"""Linking by exchanges and by households together: each tells the other which pairs are likely.

A household that is found confirms the pairs of its members, and each of these implies other pairs through the values
that were exchanged; these again speak for households.
"""

import numpy as np

from sfumato.intruder.exchanges.beliefs import propagate_beliefs
from sfumato.intruder.exchanges.candidates import MAX_PAIRS, candidate_pairs
from sfumato.intruder.exchanges.exchanged_columns import ExchangedColumns
from sfumato.intruder.exchanges.links import ExchangeLinks
from sfumato.intruder.households import household_marginals, households_of_both
from sfumato.intruder.model import model_by_runs
from sfumato.intruder.pair_model import Model
from sfumato.intruder.pair_scores import log_likelihoods
from sfumato.intruder.posterior import places_of
from sfumato.numerics.arrays import FloatMatrix
from sfumato.numerics.densities import IMPOSSIBLE

ROUNDS = 3
LEAST = 1e-12  # the probability of a pair
STRONGEST = 20.0  # what one side tells the other of a pair, as a logarithm


def household_exchange_links(columns: ExchangedColumns, model: Model) -> ExchangeLinks | None:
    """Return the links by both; nothing where the release has no households, records were left out, or many pairs."""
    before, after = households_of_both(columns.original, columns.masked)
    if before is None or after is None or after.sizes.max(initial=0) < 2 or not _are_as_many(columns):
        return None
    cells = {name: found for name in columns.swaps for found in [columns.cells(name)] if found is not None}
    if not cells or not np.array_equal(np.sort(before.sizes), np.sort(after.sizes)):
        return None
    others = tuple(name for name in columns.names if name not in cells)
    rest = model_by_runs(columns.runs, columns.masked, others) if others else None
    pairs, scores = candidate_pairs(model, rest, np.full(columns.masked.n, -1))
    places = pairs.records, pairs.originals
    weights = _all_weights(model)
    for _ in range(ROUNDS):
        told = _log_odds(household_marginals(weights, before, after)) - _log_odds(_by_record(weights))
        told = np.clip(told[places], -STRONGEST, STRONGEST)
        left, logs = propagate_beliefs(pairs, scores + told, list(cells.values()), columns.original.n)
        of_households = np.zeros(weights.shape)
        of_households[places] = told
        weights = np.full(weights.shape, IMPOSSIBLE)
        weights[left.records, left.originals] = logs - of_households[left.records, left.originals]
    chances = household_marginals(weights, before, after)
    best, every = chances.argmax(axis=1), np.arange(len(chances))
    return ExchangeLinks(best, np.minimum(chances[every, best], 1.0))


def _are_as_many(columns: ExchangedColumns) -> bool:
    original, masked = columns.original, columns.masked
    return bool(original.n == masked.n and original.n * masked.n <= MAX_PAIRS)


def _all_weights(model: Model) -> FloatMatrix:
    """Return the log likelihood of every pair by itself."""
    before, after = places_of(model, model.of_members)
    every = np.tile(np.arange(len(before)), (len(after), 1))
    is_possible = model.masked_blocks[:, None] == model.original_blocks
    return np.where(is_possible, log_likelihoods(model.of_members, before, after, every), IMPOSSIBLE)


def _by_record(weights: FloatMatrix) -> FloatMatrix:
    """Return how probable each pair is, each masked record by itself."""
    shares = np.exp(weights - weights.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True), dtype=np.float64)


def _log_odds(chances: FloatMatrix) -> FloatMatrix:
    kept = np.clip(chances, LEAST, 1 - LEAST)
    return np.asarray(np.log(kept) - np.log1p(-kept), dtype=np.float64)
