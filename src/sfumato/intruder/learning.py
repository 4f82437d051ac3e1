"""Learn how masking moves records, from pairs whose truth is known.

Two kinds of model compete: the distribution of displacements of each column by itself, by where a value comes from
(exact for methods that move each column on its own, such as rank swapping), and the residuals of masked records about
what is expected of their originals (for methods that move columns together). What serves best on pairs that were not
used for learning is taken, with its log densities scaled so that they are neither too sure nor too timid there.
"""

from dataclasses import dataclass

import numpy as np

from sfumato.contracts import Coordinate, Likelihood
from sfumato.intruder.displacements import displacements
from sfumato.intruder.pairs import Learner, Pairs
from sfumato.intruder.residuals import normal_score_residuals, residuals
from sfumato.numerics.arrays import FloatMatrix, Rows

POWERS = 2.0 ** np.arange(-4, 2, 0.5)  # by which log densities may be scaled
MAX_TRIED, MAX_RIVALS = 250, 3000  # masked records and originals on which models compete


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

    def likelihood(self, masked: FloatMatrix) -> Likelihood:
        """Return the likelihood of masked records given all original ones."""
        return scaled(self.learner(self.pairs, np.arange(len(self.pairs.original)), masked), self.power)


def learn(pairs: Pairs, held_out: Pairs, only: Learner | None = None) -> Learnt:
    """Return the model that serves best on the pairs held out, of all that suit the columns or of one kind."""
    rng = np.random.default_rng(0)
    tried = np.sort(rng.permutation(len(held_out.rows))[:MAX_TRIED])
    rivals = np.union1d(held_out.rows[tried], rng.permutation(len(held_out.original))[:MAX_RIVALS])
    truth = np.searchsorted(rivals, held_out.rows[tried])
    best = Learnt(pairs, displacements, 1.0, -np.inf)
    for learner in learners(pairs) if only is None else [only]:
        densities = log_densities(learner(pairs, rivals, held_out.after[tried]), len(tried), len(rivals))
        power, merit = best_power(densities, truth)
        if merit > best.merit:
            best = Learnt(pairs, learner, power, merit)
    return best


def learners(pairs: Pairs) -> list[Learner]:
    """Return the models that suit the columns."""
    numbers = sum(pairs.is_number)
    if numbers < 1 or len(pairs.rows) < 20 * numbers:
        return [displacements]
    return [displacements, residuals, normal_score_residuals]


def log_densities(likelihood: Likelihood, masked: int, original: int) -> FloatMatrix:
    """Return the log density of every masked record (rows) given every original (columns)."""
    total = np.zeros((masked, original))
    for coordinate in likelihood:
        total += coordinate.density.log_density(coordinate.before[None, :], coordinate.after[:, None])
    return total


def best_power(densities: FloatMatrix, truth: Rows) -> tuple[float, float]:
    """Return the power of the densities with which the truth is most probable, and its mean log posterior then.

    That is a concave function of the power: from 1 it is followed upwards, and where that leads nowhere, downwards.
    """
    gaps = densities - densities.max(axis=1, keepdims=True)
    at = int(np.argmin(np.abs(POWERS - 1.0)))
    best, merit = at, mean_log_posterior(gaps, truth)
    for direction in (1, -1):
        while 0 <= best + direction < len(POWERS):
            found = mean_log_posterior(POWERS[best + direction] * gaps, truth)
            if found <= merit:
                break
            best, merit = best + direction, found
        if best != at:
            break
    return float(POWERS[best]), merit


def mean_log_posterior(gaps: FloatMatrix, truth: Rows) -> float:
    """Return the mean log probability of the true original of each masked record, from log densities at most 0."""
    totals = np.log(np.exp(gaps).sum(axis=1))
    return float((gaps[np.arange(len(truth)), truth] - totals).mean())


def scaled(likelihood: Likelihood, power: float) -> Likelihood:
    """Return the likelihood with its learnt log densities multiplied; a learnt one is never exact."""
    return tuple(Coordinate(one.before, one.after, one.density.scaled(power), is_exact=False) for one in likelihood)
