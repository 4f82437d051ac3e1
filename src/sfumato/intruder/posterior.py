"""Who became whom: the probability of each pair of records, row by row and one to one."""

from dataclasses import dataclass

import numpy as np

from sfumato.contracts import Likelihood
from sfumato.intruder.composed.chain_runs import ALL_PAIRS
from sfumato.intruder.likely_originals import is_untold, likely_originals
from sfumato.intruder.pair_model import Model
from sfumato.intruder.pair_scores import log_likelihoods, places, searched
from sfumato.kernels.linkage.matching_marginals import matching_marginals
from sfumato.numerics.arrays import Booleans, CodeColumn, CodeMatrix, FloatColumn, FloatMatrix, Rows

NEGLIGIBLE = 1e-12  # part of the posterior
WIDER = 4  # times as many candidates are looked at where the search goes by a likelihood that is less sharp
MAX_PAIRS, FEWEST = 20_000_000, 16  # pairs that are kept, and candidates of each masked record even so


@dataclass(frozen=True, eq=False)
class Posterior:
    """The likely originals of each masked record, in classes of records that nobody can tell apart.

    Parameters
    ----------
    original_classes, masked_classes
        The class of each record.
    original_counts
        How many originals each class has.
    candidates
        For each class of masked records the likely classes of originals, -1 for none (classes x candidates).
    log_likelihoods
        Their log likelihood.
    by_row
        The posterior of each candidate among all originals, each masked record by itself.
    one_to_one
        The same where no two masked records are the same person.
    is_exact
        For each class of masked records whether `one_to_one` is exact, not approximated, and nothing was cut off.
    cut
        For each class of masked records about the share of the posterior, row by row, that is outside the candidates.
    """

    original_classes: CodeColumn
    masked_classes: CodeColumn
    original_counts: CodeColumn
    candidates: CodeMatrix
    log_likelihoods: FloatMatrix
    by_row: FloatMatrix
    one_to_one: FloatMatrix
    is_exact: Booleans
    cut: FloatColumn


def posterior_of(model: Model, count: int) -> Posterior:
    """Return the posterior of a model, with `count` candidates for each masked record, fewer in very large files."""
    before, after = places_of(model)
    originals, masked = RecordClasses.of(model.original_blocks, before), RecordClasses.of(model.masked_blocks, after)
    before, after = before[originals.first], after[masked.first]
    blocks = model.original_blocks[originals.first], model.masked_blocks[masked.first]
    count = min(count, max(MAX_PAIRS // max(len(after), 1), FEWEST))
    wide = max(WIDER * count, ALL_PAIRS // max(len(after), 1)) if any(map(is_untold, model.likelihood)) else count
    candidates, outside = likely_originals(model.likelihood, before, after, blocks, originals.counts, wide)
    scores = log_likelihoods(model.likelihood, before, after, candidates)
    if np.isfinite(outside).any() and any(map(is_untold, model.likelihood)):
        outside = _by_all_coordinates(model.likelihood, before, after, candidates, scores, outside)
    if candidates.shape[1] > count:
        candidates, scores, outside = _likeliest(candidates, scores, outside, originals.counts, count)
    weighted = np.where(candidates < 0, -np.inf, scores + np.log(originals.counts)[candidates])
    best = np.maximum(weighted.max(axis=1, initial=-1e300), -1e300)[:, None]
    shares = np.exp(weighted - best)
    kept = shares.sum(axis=1)
    lost = np.exp(np.minimum(outside - best[:, 0], 700.0))
    by_row = shares / np.maximum(kept + lost, 1e-300)[:, None]
    marginals, is_exact = matching_marginals(candidates, scores, masked.counts, originals.counts, outside=outside)
    largest = originals.counts[candidates] / masked.counts[:, None]  # an original becomes one record
    cut = np.where(kept > 0, lost / np.maximum(kept + lost, 1e-300), 0.0)
    return Posterior(
        originals.numbers,
        masked.numbers,
        originals.counts,
        candidates,
        scores,
        by_row,
        np.minimum(marginals, largest),
        is_exact & (cut < NEGLIGIBLE),
        cut,
    )


def places_of(model: Model, likelihood: Likelihood | None = None) -> tuple[FloatMatrix, FloatMatrix]:
    """Return the places of the originals and of the masked records in all coordinates (records x coordinates)."""
    return places(
        model.likelihood if likelihood is None else likelihood, len(model.original_blocks), len(model.masked_blocks)
    )


@dataclass(frozen=True, eq=False)
class RecordClasses:
    """Records of one block that have the same places: the first of each class, the class of each, and how many."""

    first: Rows
    numbers: CodeColumn
    counts: CodeColumn

    @classmethod
    def of(cls, blocks: CodeColumn, places: FloatMatrix) -> "RecordClasses":
        """Return the classes of records, in the order of their blocks and places."""
        comparable = np.column_stack([blocks, np.where(np.isnan(places), np.inf, places + 0.0)])
        order = np.lexsort(comparable.T[::-1])
        rising = comparable[order]
        is_new = np.concatenate([[True], (rising[1:] != rising[:-1]).any(axis=1)])
        numbers = np.empty(len(blocks), dtype=np.int64)
        numbers[order] = np.cumsum(is_new) - 1
        return cls(order[is_new], numbers, np.bincount(numbers))


def _by_all_coordinates(
    likelihood: Likelihood,
    before: FloatMatrix,
    after: FloatMatrix,
    candidates: CodeMatrix,
    scores: FloatMatrix,
    outside: FloatColumn,
) -> FloatColumn:
    """Return what originals outside the candidates weigh by all coordinates, given that by those of the search.

    They weigh as many times more or less as the candidates do that the search held to be the least likely.
    """
    is_searched = np.array([not is_untold(one) for one in likelihood], dtype=np.bool_)
    last = slice(candidates.shape[1] // 2, None)  # the likeliest are first
    tail = candidates[:, last]
    found = log_likelihoods(searched(likelihood), before[:, is_searched], after[:, is_searched], tail)
    by_all, by_search = (
        np.logaddexp.reduce(np.where(tail < 0, -np.inf, part), axis=1) for part in (scores[:, last], found)
    )
    is_open = np.isfinite(outside) & np.isfinite(by_search)
    return np.where(is_open, outside + by_all - np.where(is_open, by_search, 0.0), outside)


def _likeliest(
    candidates: CodeMatrix, scores: FloatMatrix, outside: FloatColumn, counts: CodeColumn, count: int
) -> tuple[CodeMatrix, FloatMatrix, FloatColumn]:
    """Return the likeliest candidates of each masked record, and what all others weigh."""
    weighted = np.where(candidates < 0, -np.inf, scores + np.log(counts)[candidates])
    order = np.argsort(-weighted, axis=1, kind="stable")
    kept, left = order[:, :count], np.take_along_axis(weighted, order[:, count:], axis=1)
    return (
        np.take_along_axis(candidates, kept, axis=1),
        np.take_along_axis(scores, kept, axis=1),
        np.logaddexp(outside, np.logaddexp.reduce(left, axis=1)),
    )
