"""Scores to which all predictors of a tree add a little, so that no weak effect is lost because one split is too few.

A tree divides by one predictor at a time. What a column of two categories adds to ten other columns must be found again
in every branch, from the few records there: it is kept in some branches and not in others, or in none. A score adds up
what each predictor says given all the others. The tree may divide by it as by a further predictor, and splits by it
stay, as others do, where records confirm them that neither tree nor score has seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.masking.synthesis._observed_columns import ObservedColumn
from sfumato.masking.synthesis._trees.pruning import Response
from sfumato.numerics.arrays import CodeColumn, FloatColumn, Rows

SWEEPS = 5  # over all predictors: further ones change little
CLASSES = 20  # of a number, at most, equally frequent
RECORDS = 25  # in a class at least
MAX_SCORES = 4  # of a response of many classes: those of the commonest
TINY = float(np.finfo(np.float64).tiny)


@dataclass(frozen=True, eq=False)
class Effect:
    """What a predictor adds to a score.

    Parameters
    ----------
    knots
        Values of an ordered predictor, rising; None where it is nominal.
    added
        What is added at each knot, and on a line between them; of a nominal one for each category.
    otherwise
        What is added where the value is missing.
    """

    knots: FloatColumn | None
    added: FloatColumn
    otherwise: float = 0.0

    def __call__(self, values: FloatColumn) -> FloatColumn:
        """Return what is added for some values."""
        if self.knots is None:
            return self.added[np.minimum(values.astype(np.int64), self.added.size - 1)]
        return np.where(np.isnan(values), self.otherwise, np.interp(values, self.knots, self.added))


@dataclass(frozen=True, eq=False)
class AdditiveScore:
    """A score: the sum of the effects of all predictors."""

    effects: tuple[Effect, ...]

    def __call__(self, predictors: Sequence[FloatColumn], n: int) -> FloatColumn:
        """Return the score of each of `n` records."""
        score = np.zeros(n)
        for effect, values in zip(self.effects, predictors, strict=True):
            if effect.added.any() or effect.otherwise:
                score += effect(values)
        return score


@dataclass(frozen=True, eq=False)
class Term:
    """A predictor as a score is fitted to it.

    Parameters
    ----------
    classes, counts
        The class of each record, the last one for what is missing or unknown, and how many records each class has.
    trend
        Of a number where it stands among the others, on the scale of a normal distribution, 0 where it is missing; None
        of a nominal one.
    values
        The values of an ordered predictor; None of a nominal one.
    """

    classes: CodeColumn
    counts: FloatColumn
    trend: FloatColumn | None = None
    values: FloatColumn | None = None

    @classmethod
    def of(cls, column: ObservedColumn, rows: Rows) -> "Term":
        """Return a column of some records."""
        values = column.values[rows]
        if not column.is_ordered:
            classes, width = values.astype(np.int64), int(column.values.max(initial=0)) + 2
            return cls(classes, np.bincount(classes, minlength=width).astype(np.float64))
        known = ~np.isnan(values)
        rising = np.sort(values[known])
        count = min(CLASSES, max(rising.size // RECORDS, 2))
        cuts = np.unique(rising[(np.arange(1, count) * rising.size) // count]) if rising.size else rising
        classes = np.where(known, np.searchsorted(cuts, values, side="right"), cuts.size + 1)
        counts = np.bincount(classes, minlength=cuts.size + 2).astype(np.float64)
        return cls(classes, counts, _normal_places(values, rising), values)

    def effect(self, slope: float, added: FloatColumn) -> Effect:
        """Return what the predictor adds: along its trend, and what its classes add to that."""
        if self.trend is None or self.values is None:
            return Effect(None, added)
        used = np.flatnonzero(self.counts[:-1])
        if not used.size:
            return Effect(np.zeros(1), np.zeros(1), float(added[-1]))
        known = self.classes < self.counts.size - 1
        within = self.classes[known], self.values[known], self.trend[known]
        centres, trends = (np.bincount(within[0], one)[used] / self.counts[used] for one in within[1:])
        ends = [np.argmin(within[1]), np.argmax(within[1])]
        knots = np.concatenate([within[1][ends[:1]], centres, within[1][ends[1:]]])
        along = slope * np.concatenate([within[2][ends[:1]], trends, within[2][ends[1:]]])
        return Effect(knots, along + added[used[[0, *range(used.size), -1]]], float(added[-1]))


def fit_scores(
    response: Response, predictors: Sequence[ObservedColumn], rows: Rows, fewest: int
) -> tuple[AdditiveScore, ...]:
    """Return the scores of a response: one of numbers or of two classes, several of more classes.

    Parameters
    ----------
    response
        Of the records in `rows`: numbers, or classes from 0.
    predictors
        The columns to predict from, of all records.
    rows
        The records to fit to.
    fewest
        What fewer records have, as a rare category, adds nothing.
    """
    if not predictors or (len(predictors) == 1 and response.dtype != np.float64):
        return ()  # the tree sees a single predictor itself; only a trend of numbers within its leaves needs a score
    terms = [Term.of(column, rows) for column in predictors]
    return tuple(AdditiveScore(fit_effects(wanted, terms, fewest)) for wanted in _wanted(response))


def fit_effects(response: FloatColumn, terms: Sequence[Term], fewest: int) -> tuple[Effect, ...]:
    """Return what each predictor adds to a response, given what the others add.

    The effects of the classes of a predictor are random ones of one variance: the mean of what the others leave, drawn
    to 0, or of a number to its trend, the more, the less it stands out from chance.

    Source
        Backfitting: Hastie and Tibshirani (1990), Generalized additive models; variances by moments: Henderson (1953),
        Estimation of variance and covariance components.
    """
    left = response - response.mean()
    slopes, added = np.zeros(len(terms)), [np.zeros(term.counts.size) for term in terms]
    for _ in range(SWEEPS):
        noise = max(float((left**2).sum()) / left.size, TINY)
        for j, term in enumerate(terms):
            left = left + added[j][term.classes]
            if term.trend is not None:
                left = left + slopes[j] * term.trend
                slopes[j] = shrunk_slope(left, term.trend, noise)
                left = left - slopes[j] * term.trend
            added[j] = _class_effects(left, term, noise, fewest)
            left = left - added[j][term.classes]
    return tuple(term.effect(slope, own) for term, slope, own in zip(terms, slopes.tolist(), added, strict=True))


def shrunk_slope(left: FloatColumn, trend: FloatColumn, noise: float) -> float:
    """Return the slope of a regression through 0, drawn to 0 as far as chance explains it."""
    squares, products = float((trend**2).sum()), float((trend * left).sum())
    if not squares or not products:
        return 0.0
    kept = max(1 - noise * squares / (products * products), 0.0)
    return products / squares * kept


def _class_effects(left: FloatColumn, term: Term, noise: float, fewest: int) -> FloatColumn:
    """Return the means of classes, drawn to 0 as far as chance explains that they differ."""
    is_used = term.counts >= max(fewest, 1)
    sums = np.where(is_used, np.bincount(term.classes, left, minlength=term.counts.size), 0.0)
    spread = left.size - float((term.counts**2).sum()) / left.size
    freedom = max(int(np.count_nonzero(is_used)) - 1, 0)
    between = float((sums**2 / np.maximum(term.counts, 1)).sum()) - noise * freedom
    variance = max(between, 0.0) / spread if spread > 0 else 0.0
    return np.asarray(variance * sums / (term.counts * variance + noise), dtype=np.float64)


def _normal_places(values: FloatColumn, rising: FloatColumn) -> FloatColumn:
    """Return the quantiles of the normal distribution at the mean ranks of values, 0 where one is missing."""
    from scipy.special import ndtri

    if not rising.size:
        return np.zeros(values.size)
    below, above = (np.searchsorted(rising, values, side=side) for side in ("left", "right"))
    return np.where(np.isnan(values), 0.0, ndtri(np.clip((below + above) / (2 * rising.size), 1e-9, 1 - 1e-9)))


def _wanted(response: Response) -> list[FloatColumn]:
    """Return the numbers that are scored: the response itself, or whether it is one of its commonest classes."""
    if response.dtype == np.float64:
        return [np.asarray(response, dtype=np.float64)]
    counts = np.bincount(response.astype(np.int64))
    common = np.argsort(-counts, kind="stable")[: min(MAX_SCORES, max(np.count_nonzero(counts) - 1, 0))]
    return [(response == code).astype(np.float64) for code in common.tolist()]
