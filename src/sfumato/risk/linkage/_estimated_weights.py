"""Weights of agreement estimated from the two files.

The model: each masked record has exactly one of its candidates as its partner, all of them equally likely. The
discrepancies of partners, cut into levels, follow one distribution in all numeric columns, those of different persons
another, which is that of all pairs. The weight of a level is the logarithm of the ratio of the two, and it never rises
with the discrepancy. Freer models do worse: with a distribution for each column, correlated columns take over.
"""

from dataclasses import dataclass

import numpy as np

from sfumato.kernels.linkage.agreement import count_levels, expect_levels, level_pairs, weigh_levels
from sfumato.numerics.arrays import CodeMatrix, FloatColumn, FloatMatrix, Rows, ShortIntegers
from sfumato.numerics.ranking import stable_order
from sfumato.risk.linkage._agreement_weights import candidate_weights
from sfumato.risk.linkage._assignment import Linked, link_candidates
from sfumato.risk.linkage._discrepancies import Discrepancies

LEVELS = 100
QUANTILES = 450, 449  # of the original and of the masked column; not equal, so that equal columns do not meet in step
PRIOR = 0.1  # records that each level weighs before any record is seen
DESCENT = 6.0  # of the weights before the first round
SMALL_GAIN = 1e-4  # gain in log likelihood for each record, below which the rounds stop
MAX_ROUNDS = 200
NEARER = 1e-6  # what agreement in full weighs more than the lowest level of disagreement, to settle ties


@dataclass(frozen=True, eq=False)
class Curves:
    """The falling curves of weight by level of discrepancy, laid end to end: one for all numbers, one per category.

    Parameters
    ----------
    reach
        The discrepancy from which on the level is the last.
    starts, sizes
        For each column the number of its first level and how many it has.
    chances
        For each level of each curve its share among pairs of different persons; they add up to 1 in each curve.
    prior
        What is added to the count of each level: a little of the chances.
    """

    reach: float
    starts: Rows
    sizes: Rows
    chances: FloatColumn
    prior: FloatColumn

    @property
    def spans(self) -> list[slice]:
        """Where each curve lies."""
        return [slice(start, start + size) for start, size in sorted(set(zip(self.starts, self.sizes, strict=True)))]

    def floor(self, weights: FloatColumn) -> float:
        """Return the total weight of a pair that disagrees in every column."""
        return float(weights[self.starts + self.sizes - 1].sum())


@dataclass(frozen=True, eq=False)
class Estimate:
    """Weights by level, and the log likelihood after each round."""

    weights: FloatColumn
    likelihoods: tuple[float, ...]
    has_converged: bool


def curves_of(files: Discrepancies, reach: float) -> Curves:
    """Return the curves of the compared columns, with the chances of pairs of different persons."""
    is_number = ~files.is_categorical
    chances = [_chances_of_numbers(files, reach)] if is_number.any() else []
    prior = [PRIOR * LEVELS * int(is_number.sum()) * chances[0]] if chances else []
    starts, sizes = np.zeros(len(is_number), dtype=np.int64), np.where(is_number, LEVELS, 2)
    for j in np.flatnonzero(files.is_categorical):
        starts[j] = sum(len(curve) for curve in chances)
        chances.append(_chances_of_categories(files.original[:, j], files.masked[:, j]))
        prior.append(PRIOR * 2 * chances[-1])
    return Curves(reach, starts, sizes, np.concatenate(chances), np.concatenate(prior))


def levels_of(files: Discrepancies, candidates: CodeMatrix, curves: Curves) -> ShortIntegers:
    """Return the level of each masked record with each candidate in each column; -1 where a value is missing."""
    levels = np.empty((*candidates.shape, len(files.names)), dtype=np.int16)
    original, scales, masked = (np.ascontiguousarray(part) for part in (files.original, files.scales, files.masked))
    level_pairs(original, scales, masked, candidates, curves.reach, curves.starts, curves.sizes, levels)
    return levels


def estimate_weights(levels: ShortIntegers, curves: Curves) -> Estimate:
    """Estimate the weights by expectation and maximisation: each masked record has one of its candidates as partner.

    The likelihood never falls: the weights of a round are the best among all falling curves for the partners expected
    in the round before.
    """
    weights = _first_weights(curves)
    likelihoods: list[float] = []
    while len(likelihoods) < MAX_ROUNDS:
        counts = np.zeros(len(weights))
        likelihood = expect_levels(levels, total_weights(levels, weights), counts)
        likelihoods.append(likelihood + float(curves.prior @ weights))
        if len(likelihoods) > 1 and likelihoods[-1] - likelihoods[-2] < SMALL_GAIN * len(levels):
            return Estimate(weights, tuple(likelihoods), has_converged=True)
        weights = fit_weights(counts, curves)
    return Estimate(weights, tuple(likelihoods), has_converged=False)


def fit_weights(counts: FloatColumn, curves: Curves) -> FloatColumn:
    """Return the falling curves that fit best to how often each level was seen in pairs of the same record.

    The ratio of the two shares, among pairs of the same record and of different ones, is made non-increasing by pooling
    adjacent violators, which is the constrained maximum of the likelihood; the weight is its logarithm.
    """
    from scipy.optimize import isotonic_regression

    weights = np.empty(len(counts))
    for span in curves.spans:
        chances, seen = curves.chances[span], counts[span] + curves.prior[span]
        ratios = isotonic_regression(seen / (seen.sum() * chances), weights=chances, increasing=False).x
        weights[span] = np.log(ratios)
    return weights


def count_linked_levels(levels: ShortIntegers, taken: Rows, candidates: CodeMatrix, curves: Curves) -> FloatColumn:
    """Return how often each level is seen in the pairs that were linked: `taken` is the original row of each or -1."""
    chosen = levels[(candidates == taken[:, None]) & (candidates >= 0)]
    return np.bincount(chosen[chosen >= 0], minlength=len(curves.chances)).astype(np.float64)


def total_weights(levels: ShortIntegers, weights: FloatColumn) -> FloatMatrix:
    """Return the total weight of each masked record with each candidate; minus infinity where nothing is compared."""
    totals = np.empty(levels.shape[:2])
    weigh_levels(levels, weights, totals)
    return totals


def link_by_levels(
    files: Discrepancies, near: CodeMatrix, levels: ShortIntegers, curves: Curves, weights: FloatColumn
) -> Linked:
    """Link each masked record with a candidate by weights of levels; of equal weights the pairs that are nearer."""
    nearer = candidate_weights(files, near, NEARER * np.ones(len(files.names)), curves.reach)
    return link_candidates(near, total_weights(levels, weights) + nearer, curves.floor(weights), len(files.original))


def _first_weights(curves: Curves) -> FloatColumn:
    """Return curves that fall linearly, moved so that they belong to shares that add up to 1."""
    weights = np.empty(len(curves.chances))
    for span in curves.spans:
        line = -DESCENT * np.linspace(0.0, 1.0, span.stop - span.start)
        weights[span] = line - np.log(curves.chances[span] @ np.exp(line))
    return weights


def _chances_of_numbers(files: Discrepancies, reach: float) -> FloatColumn:
    """Return the shares of the levels in pairs of evenly spaced quantiles of all numeric columns."""
    counts = np.full(LEVELS, 0.5)
    for j in np.flatnonzero(~files.is_categorical):
        before = _quantile_rows(files.original[:, j], QUANTILES[0])
        after = _quantile_rows(files.masked[:, j], QUANTILES[1])
        count_levels(files.original[before, j], files.scales[before, j], files.masked[after, j], reach, counts)
    return np.asarray(counts / counts.sum(), dtype=np.float64)


def _quantile_rows(column: FloatColumn, count: int) -> Rows:
    """Return the rows of evenly spaced quantiles of the observed values, or of all where these are few."""
    order = stable_order(column)[: np.count_nonzero(~np.isnan(column))]
    if len(order) <= count:
        return order
    return order[((np.arange(count) + 0.5) * len(order) / count).astype(np.int64)]


def _chances_of_categories(original: FloatColumn, masked: FloatColumn) -> FloatColumn:
    """Return the shares of agreement and disagreement among all pairs."""
    before, after = (column[~np.isnan(column)].astype(np.int64) for column in (original, masked))
    size = max(before.max(), after.max()) + 1
    agreeing = float(np.bincount(before, minlength=size) @ np.bincount(after, minlength=size)) + 0.5
    pairs = len(before) * len(after) + 1.0
    return np.array([agreeing, pairs - agreeing]) / pairs
