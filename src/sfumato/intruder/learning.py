"""Learn how masking moves records, from pairs whose truth is known.

Two kinds of model compete: the distribution of displacements of each column by itself, by where a value comes from
(exact for methods that move each column on its own, such as rank swapping), and normal residuals of a linear
regression of all masked columns on all original ones (for methods that move columns together). What serves best on
pairs that were not used for learning is taken, with its log densities scaled so that they are neither too sure nor too
timid there.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sfumato.contracts import Coordinate, Likelihood
from sfumato.numerics.arrays import FloatColumn, FloatMatrix, Rows
from sfumato.numerics.densities import STANDARD_NORMAL, Displacements, Transitions
from sfumato.numerics.normal_draws import square_root

MAX_BINS, MAX_STEPS = 60, 200  # of original places and of displacements
PAIRS_PER_BIN, PAIRS_PER_STEP = 1000, 300
BACKGROUND = 1e-4  # of the pairs, spread evenly: what was not seen is rare, not impossible
POWERS = 2.0 ** np.arange(-4, 2, 0.5)  # by which log densities may be scaled
MAX_REGRESSION = 5000  # pairs from which a regression is learnt
MAX_TRIED, MAX_RIVALS = 250, 3000  # masked records and originals on which models compete


@dataclass(frozen=True, eq=False)
class Pairs:
    """Columns of original records and what became of them: numbers as they are, categories as codes, missing is NaN.

    Parameters
    ----------
    before, after
        The columns before and after masking, row by row the same record (records x columns).
    is_number
        Which columns are numbers, or ordered codes, in both.
    """

    before: FloatMatrix
    after: FloatMatrix
    is_number: tuple[bool, ...]


Learner = Callable[[Pairs, FloatMatrix, FloatMatrix], Likelihood]
"""Learns from pairs the likelihood of masked records (third) given original ones (second)."""


@dataclass(frozen=True, eq=False)
class Learnt:
    """What was learnt from pairs.

    Parameters
    ----------
    pairs
        The pairs.
    learner
        The model that serves best on pairs held out.
    power
        By which its log densities are multiplied, so that they are neither too sure nor too timid there.
    merit
        The mean log posterior of the truth there.
    """

    pairs: Pairs
    learner: Learner
    power: float
    merit: float

    def likelihood(self, original: FloatMatrix, masked: FloatMatrix) -> Likelihood:
        """Return the likelihood of masked records given original ones."""
        return scaled(self.learner(self.pairs, original, masked), self.power)


def learn(pairs: Pairs, held_out: Pairs, only: Learner | None = None) -> Learnt:
    """Return the model that serves best on the pairs held out, of all that suit the columns or of one kind."""
    rng = np.random.default_rng(0)
    tried = np.sort(rng.permutation(len(held_out.after))[:MAX_TRIED])
    rivals = np.union1d(tried, rng.permutation(len(held_out.before))[:MAX_RIVALS])
    truth = np.searchsorted(rivals, tried)
    best = Learnt(pairs, displacements, 1.0, -np.inf)
    for learner in learners(pairs) if only is None else [only]:
        found = learner(pairs, held_out.before[rivals], held_out.after[tried])
        densities = log_densities(found, len(tried), len(rivals))
        for power in POWERS:
            merit = mean_log_posterior(power * densities, truth)
            if merit > best.merit:
                best = Learnt(pairs, learner, float(power), merit)
    return best


def learners(pairs: Pairs) -> list[Learner]:
    """Return the models that suit the columns."""
    numbers = sum(pairs.is_number)
    if numbers < 1 or len(pairs.before) < 20 * numbers:
        return [displacements]
    return [displacements, normal_residuals, normal_score_residuals]


def log_densities(likelihood: Likelihood, masked: int, original: int) -> FloatMatrix:
    """Return the log density of every masked record (rows) given every original (columns)."""
    total = np.zeros((masked, original))
    for coordinate in likelihood:
        total += coordinate.density.log_density(coordinate.before[None, :], coordinate.after[:, None])
    return total


def mean_log_posterior(densities: FloatMatrix, truth: Rows) -> float:
    """Return the mean log probability of the true original of each masked record."""
    from scipy.special import logsumexp

    return float((densities[np.arange(len(truth)), truth] - logsumexp(densities, axis=1)).mean())


def scaled(likelihood: Likelihood, power: float) -> Likelihood:
    """Return the likelihood with its learnt log densities multiplied; a learnt one is never exact."""
    return tuple(Coordinate(one.before, one.after, one.density.scaled(power), is_exact=False) for one in likelihood)


def displacements(pairs: Pairs, original: FloatMatrix, masked: FloatMatrix) -> Likelihood:
    """Return one coordinate for each column: how its values move, by where they come from."""
    found = []
    for place, is_number in enumerate(pairs.is_number):
        before, after = pairs.before[:, place], pairs.after[:, place]
        if is_number:
            scale = RankScale.of(before, after)
            table = displacement_table(scale.ranks(before), scale.ranks(after))
            places = scale.ranks(original[:, place]), scale.ranks(masked[:, place])
            found.append(Coordinate(*places, Displacements(table), is_exact=False))
        else:
            codes = int(np.nanmax(np.concatenate([before, after, original[:, place], masked[:, place], [0.0]]))) + 1
            matrix = transition_matrix(before, after, codes)
            found.append(Coordinate(original[:, place], masked[:, place], Transitions(matrix), is_exact=False))
    return tuple(found)


@dataclass(frozen=True, eq=False)
class RankScale:
    """Sorted values with how many lie below each of them, and below the next.

    Examples
    --------
    >>> RankScale.of(np.array([5.0, 1.0]), np.array([2.0, 2.0])).ranks(np.array([0.0, 2.0, 3.0, 5.0, np.nan]))
    array([0.   , 0.5  , 0.75 , 0.875,   nan])
    """

    values: FloatColumn
    below: FloatColumn

    @classmethod
    def of(cls, *columns: FloatColumn) -> "RankScale":
        """Return the scale of all the values that are there."""
        known = np.concatenate([column[~np.isnan(column)] for column in columns])
        values, counts = np.unique(known, return_counts=True)
        return cls(values, np.concatenate([[0], np.cumsum(counts)]).astype(np.float64))

    def ranks(self, column: FloatColumn) -> FloatColumn:
        """Return where values stand, from 0 to 1, equal ones in the middle; missing stays missing."""
        place = np.searchsorted(self.values, column)
        is_there = self.values[np.minimum(place, len(self.values) - 1)] == column
        middle = (self.below[place] + self.below[np.minimum(place + is_there, len(self.values))]) / 2
        return np.where(np.isnan(column), np.nan, middle / max(self.below[-1], 1.0))


def displacement_table(before: FloatColumn, after: FloatColumn) -> FloatMatrix:
    """Return the log density of displacements by bin of the original place, smoothed; finer with more pairs."""
    from scipy.ndimage import gaussian_filter

    some = ~(np.isnan(before) | np.isnan(after))
    before, after = before[some], after[some]
    bins = int(np.clip(len(before) // PAIRS_PER_BIN, 1, MAX_BINS))
    half = int(np.clip(len(before) // PAIRS_PER_STEP, 10, MAX_STEPS))
    start = np.minimum((before * bins).astype(np.int64), bins - 1)
    moved = np.rint((after - before) * half).astype(np.int64) + half
    counts = np.bincount(start * (2 * half + 1) + moved, minlength=bins * (2 * half + 1)).astype(np.float64)
    smooth = gaussian_filter(counts.reshape(bins, -1), (1.0 if bins > 1 else 0.0, 1.0), mode="nearest")
    smooth += BACKGROUND * max(len(before), 1) / smooth.size
    return np.asarray(np.log(smooth / smooth.sum(axis=1, keepdims=True)), dtype=np.float64)


def transition_matrix(before: FloatColumn, after: FloatColumn, codes: int) -> FloatMatrix:
    """Return how often each code turns into each other, with a little of the overall frequencies added."""
    some = ~(np.isnan(before) | np.isnan(after))
    flat = before[some].astype(np.int64) * codes + after[some].astype(np.int64)
    counts = np.bincount(flat, minlength=codes**2).astype(np.float64).reshape(codes, codes)
    shares = (counts.sum(axis=0) + 1.0) / (counts.sum() + codes)
    counts += shares
    return np.asarray(counts / counts.sum(axis=1, keepdims=True), dtype=np.float64)


def normal_residuals(pairs: Pairs, original: FloatMatrix, masked: FloatMatrix) -> Likelihood:
    """Return the coordinates in which the residuals of masked on original numbers are independent."""
    return _residuals(pairs, original, masked, lambda column, _: column)


def normal_score_residuals(pairs: Pairs, original: FloatMatrix, masked: FloatMatrix) -> Likelihood:
    """Return the same for normal scores of the ranks, which no outlier and no skewness upsets."""
    return _residuals(pairs, original, masked, _normal_scores)


def _normal_scores(column: FloatColumn, scale: RankScale) -> FloatColumn:
    from scipy.special import ndtri

    end = 0.5 / max(scale.below[-1], 1.0)
    return np.asarray(ndtri(np.clip(scale.ranks(column), end, 1 - end)), dtype=np.float64)


def _residuals(
    pairs: Pairs,
    original: FloatMatrix,
    masked: FloatMatrix,
    transform: Callable[[FloatColumn, RankScale], FloatColumn],
) -> Likelihood:
    """Return the likelihood of a linear model with normal errors for numbers, and of displacements for categories."""
    numbers = np.flatnonzero(pairs.is_number)
    step = -(-len(pairs.before) // MAX_REGRESSION)
    some = Pairs(pairs.before[::step], pairs.after[::step], pairs.is_number)
    scales = [RankScale.of(some.before[:, place], some.after[:, place]) for place in numbers]

    def transformed(matrix: FloatMatrix) -> FloatMatrix:
        columns = [transform(matrix[:, place], scale) for place, scale in zip(numbers, scales, strict=True)]
        return np.column_stack([np.ones(len(matrix)), *columns])

    predictors, responses = transformed(some.before), transformed(some.after)[:, 1:]
    complete = ~(np.isnan(predictors).any(axis=1) | np.isnan(responses).any(axis=1))
    slopes = np.linalg.lstsq(predictors[complete], responses[complete], rcond=None)[0]
    residuals = responses[complete] - predictors[complete] @ slopes
    covariance = np.atleast_2d(np.cov(residuals, rowvar=False)) if complete.sum() > 1 else np.eye(len(numbers))
    least = 1e-12 * np.maximum(np.nanvar(responses, axis=0), 1e-300)
    white = np.linalg.pinv(square_root(covariance + np.diag(least)))
    placed = (transformed(original) @ slopes @ white.T, transformed(masked)[:, 1:] @ white.T)
    found = [
        Coordinate(*column, STANDARD_NORMAL, is_exact=False) for column in zip(placed[0].T, placed[1].T, strict=True)
    ]
    others = np.flatnonzero(~np.array(pairs.is_number))
    if others.size:
        rest = Pairs(pairs.before[:, others], pairs.after[:, others], (False,) * len(others))
        found += displacements(rest, original[:, others], masked[:, others])
    return tuple(found)
