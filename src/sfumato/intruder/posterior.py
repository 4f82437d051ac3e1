"""Who became whom: the probability of each pair of records, row by row and one to one."""

from dataclasses import dataclass

import numpy as np

from sfumato.contracts import Likelihood
from sfumato.intruder.grid_search import GridSearch
from sfumato.intruder.model import Model
from sfumato.kernels.linkage.matching_marginals import matching_marginals
from sfumato.numerics.arrays import Booleans, CodeColumn, CodeMatrix, FloatColumn, FloatMatrix, Rows

PAIRS_AT_A_TIME = 1 << 20
NEGLIGIBLE = 1e-12  # part of the posterior
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
        The posterior of each candidate, each masked record by itself.
    one_to_one
        The same where no two masked records are the same person.
    is_exact
        For each class of masked records whether `one_to_one` is exact, not approximated, and nothing was cut off.
    cut
        For each class of masked records a bound of the share of the posterior that lies outside the candidates.
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
    originals, masked = _Classes.of(model.original_blocks, before), _Classes.of(model.masked_blocks, after)
    before, after = before[originals.first], after[masked.first]
    blocks = model.original_blocks[originals.first], model.masked_blocks[masked.first]
    count = min(count, max(MAX_PAIRS // max(len(after), 1), FEWEST))
    candidates, outside = likely_originals(model.likelihood, before, after, blocks, originals.counts, count)
    scores = log_likelihoods(model.likelihood, before, after, candidates)
    weighted = np.where(candidates < 0, -np.inf, scores + np.log(originals.counts)[candidates])
    best = np.maximum(weighted.max(axis=1, initial=-1e300), -1e300)[:, None]
    shares = np.exp(weighted - best)
    kept = shares.sum(axis=1)
    by_row = shares / np.maximum(kept, 1e-300)[:, None]
    marginals, is_exact = matching_marginals(candidates, scores, masked.counts, originals.counts)
    largest = originals.counts[candidates] / masked.counts[:, None]  # an original becomes one record
    with np.errstate(over="ignore"):
        lost = np.exp(np.minimum(outside - best[:, 0], 700.0))
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


def places_of(model: Model) -> tuple[FloatMatrix, FloatMatrix]:
    """Return the places of the originals and of the masked records in all coordinates (records x coordinates)."""
    before, after = (
        np.column_stack([np.empty((len(blocks), 0)), *(getattr(one, side) for one in model.likelihood)])
        for blocks, side in ((model.original_blocks, "before"), (model.masked_blocks, "after"))
    )
    return before, after


@dataclass(frozen=True, eq=False)
class _Classes:
    """Records of one block that have the same places: the first of each class, the class of each, and how many."""

    first: Rows
    numbers: CodeColumn
    counts: CodeColumn

    @classmethod
    def of(cls, blocks: CodeColumn, places: FloatMatrix) -> "_Classes":
        comparable = np.column_stack([blocks, np.where(np.isnan(places), np.inf, places + 0.0)])
        order = np.lexsort(comparable.T[::-1])
        rising = comparable[order]
        is_new = np.concatenate([[True], (rising[1:] != rising[:-1]).any(axis=1)])
        numbers = np.empty(len(blocks), dtype=np.int64)
        numbers[order] = np.cumsum(is_new) - 1
        return cls(order[is_new], numbers, np.bincount(numbers))


def likely_originals(
    likelihood: Likelihood,
    before: FloatMatrix,
    after: FloatMatrix,
    blocks: tuple[CodeColumn, CodeColumn],
    counts: CodeColumn,
    count: int,
) -> tuple[CodeMatrix, FloatColumn]:
    """Return the most likely classes of originals of each class of masked records, searched block by block."""
    count = min(count, len(before))
    candidates = np.full((len(after), count), -1, dtype=np.int64)
    outside = np.full(len(after), -np.inf)
    orders = [np.argsort(numbers, kind="stable") for numbers in blocks]
    rising = [numbers[order] for numbers, order in zip(blocks, orders, strict=True)]
    shared = np.intersect1d(rising[0], rising[1])
    ends = [np.stack([np.searchsorted(some, shared, side) for side in ("left", "right")], axis=1) for some in rising]
    search = GridSearch.of(likelihood, before, after, np.log(counts)) if likelihood else None
    for (start, end), (first, last) in zip(ends[0].tolist(), ends[1].tolist(), strict=True):
        rows, asked = orders[0][start:end], orders[1][first:last]
        if len(rows) == 1 or search is None:
            candidates[asked, 0] = rows[0]  # without coordinates the records of a block are one class
            continue
        found, outside[asked] = search.run(rows, asked, count)
        candidates[asked[:, None], np.arange(found.shape[1])] = np.where(found < 0, -1, rows[found])
    return candidates, outside


def log_likelihoods(
    likelihood: Likelihood, before: FloatMatrix, after: FloatMatrix, candidates: CodeMatrix
) -> FloatMatrix:
    """Return the log likelihood of each candidate; 0 where there is none."""
    total = np.zeros(candidates.shape)
    joints = {id(one.joint): one.joint for one in likelihood if one.joint is not None}
    together = [(joint, [c for c, one in enumerate(likelihood) if one.joint is joint]) for joint in joints.values()]
    step = max(PAIRS_AT_A_TIME // max(candidates.shape[1], 1), 1)
    for start in range(0, len(candidates), step):
        piece = slice(start, start + step)
        rows = np.maximum(candidates[piece], 0)
        for c, one in enumerate(likelihood):
            if one.joint is None:
                total[piece] += one.density.log_density(before[:, c][rows], after[piece, c][:, None])
        for joint, members in together:
            total[piece] += joint.log_density(before[:, members][rows], after[piece][:, None, members])
    return np.where(candidates < 0, 0.0, total)
