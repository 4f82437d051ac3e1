"""Draw records towards their nearest originals or away from them, match the moments, and see what IL1 becomes."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sfumato.improve._groups import whole_groups
from sfumato.improve._moment_climb import TOLERANCE
from sfumato.improve._moment_map import match_moments
from sfumato.improve._moment_terms import moment_error, moment_terms
from sfumato.improve._problem import Problem, mean_loss, most_varied
from sfumato.kernels.improvement.hill_climbing import Terms
from sfumato.kernels.improvement.record_variation import UNKNOWN, record_variations
from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix, Rows

SAMPLE = 20_000  # changed records that IL1 is estimated from while its aim is sought
FARTHEST = 4.0  # a record is drawn at most so many times as far from its nearest original as it was
INSIDE = 0.1  # a new factor keeps this part of the bracket from its ends


@dataclass(frozen=True, eq=False)
class Trial:
    """What a factor gives: all masked values (records x columns), E, and IL1 in percent."""

    factor: float
    values: FloatMatrix
    error: float
    loss: float


@dataclass(frozen=True, eq=False)
class FactorSearch:
    """A masked file whose chosen records can be drawn.

    Parameters
    ----------
    problem, terms
        The two files, and the moments.
    points, nearest, variations
        The masked records as they are: standardised, with their nearest originals and their variations against these.
    chosen
        The records that may change.
    """

    problem: Problem
    terms: Terms
    points: FloatMatrix
    nearest: Rows
    variations: FloatColumn
    chosen: Booleans

    @property
    def sample(self) -> Rows:
        """The chosen records that IL1 is estimated from: all of them, or some at equal steps."""
        rows = np.flatnonzero(self.chosen)
        return rows[:: -(-rows.size // SAMPLE) or 1]

    def unchanged(self) -> Trial:
        """Return the trial that changes nothing."""
        error = moment_error(self.points[self.problem.complete], self.terms)
        return Trial(1.0, self.problem.masked, error, mean_loss(self.variations))

    def try_factor(self, factor: float) -> Trial:
        """Return what comes of drawing the chosen records to `factor` times their way from their nearest originals."""
        near = self.problem.points(self.problem.original)[self.nearest[self.chosen]]
        drawn = self.points.copy()
        drawn[self.chosen] = near + factor * (drawn[self.chosen] - near)
        values = match_moments(self.problem, drawn, self.chosen)
        error = moment_error(self.problem.points(values)[self.problem.complete], self.terms)
        return Trial(factor, values, error, self._estimate_loss(values))

    def loss_of(self, values: FloatMatrix) -> float:
        """Return IL1 in percent of all records with these values."""
        variations = self.variations.copy()
        variations[self.chosen] = self._variations(values[self.chosen])
        return mean_loss(variations)

    def _estimate_loss(self, values: FloatMatrix) -> float:
        """Return IL1 in percent, that of the chosen records from those asked."""
        kept = self.variations[~self.chosen & (self.variations != UNKNOWN)]
        found = self._variations(values[self.sample])
        found = found[found != UNKNOWN]
        weight = np.count_nonzero(self.chosen) / max(self.sample.size, 1)
        known = kept.size + weight * found.size
        return float(100 * (kept.sum() + weight * found.sum()) / known) if known else 0.0

    def _variations(self, values: FloatMatrix) -> FloatColumn:
        nearest = self.problem.nearest(self.problem.points(values))
        return record_variations(self.problem.original, nearest, np.ascontiguousarray(values))


def factor_search(problem: Problem, record_percent: float) -> FactorSearch:
    """Return the masked file with the records that vary most, and all that are equal to them, as those to change."""
    points = problem.points(problem.masked)
    nearest = problem.nearest(points)
    variations = record_variations(problem.original, nearest, problem.masked)
    chosen = whole_groups(problem.masked, most_varied(variations, problem.complete, record_percent))
    return FactorSearch(problem, moment_terms(problem.points(problem.original), 2), points, nearest, variations, chosen)


def search_factors(search: FactorSearch, aim: float, share: float, max_steps: int) -> Iterator[Trial]:
    """Yield trials, each nearer to an IL1 of `aim` percent if there is a factor for it, until one is near enough.

    The first factor is `share`; then comes the end of the range on the side of the aim, and from there on a straight
    line between the two trials around the aim tells the next.
    """
    low, high = share / 2, FARTHEST * max(share, 1.0)
    below: Trial | None = None
    above: Trial | None = None
    factor = share
    for _ in range(max_steps):
        trial = search.try_factor(factor)
        yield trial
        if abs(trial.loss - aim) <= TOLERANCE * aim:
            return
        below, above = (trial, above) if trial.loss < aim else (below, trial)
        if factor in (low, high) and (below is None or above is None):
            return  # even the end of the range lies on this side of the aim
        factor = high if above is None else low if below is None else _between(below, above, aim)


def _between(below: Trial, above: Trial, aim: float) -> float:
    """Return the factor at which a line through two trials meets the aim, not too near to either."""
    part = (aim - below.loss) / (above.loss - below.loss)
    return below.factor + min(max(part, INSIDE), 1 - INSIDE) * (above.factor - below.factor)
