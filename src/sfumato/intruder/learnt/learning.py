"""Learn how masking moves records, from pairs whose truth is known.

Three kinds of model compete: the distribution of displacements of each column by itself, by where a value comes from
(exact for methods that move each column on its own, such as rank swapping), and the residuals of masked records about
what is expected of their originals (for methods that move columns together), of values, of their ranks
or of values on the scale on which movements are about equally far (for methods that move values by a part of
themselves); there displacements of values are tried too. A third kind is what became of each person by itself in many
runs (for methods that go by more than the value, such as strata that are hidden later). What serves best on pairs that
were not used for learning is taken, with its log densities scaled so that they are neither too sure nor too timid.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from sfumato.contracts import Coordinate, Likelihood
from sfumato.intruder.learnt.displacements import displacements, value_displacements
from sfumato.intruder.learnt.own_runs import has_own_runs, own_runs
from sfumato.intruder.learnt.pairs import Learner, Pairs
from sfumato.intruder.learnt.residuals import normal_score_residuals, residuals
from sfumato.intruder.learnt.stabilised_values import stabilised, stabilising_scale
from sfumato.numerics.arrays import Booleans, FloatMatrix, Rows
from sfumato.numerics.densities import IMPOSSIBLE
from sfumato.numerics.ranking import middle_ranks

POWERS = 2.0 ** np.arange(-4, 2, 0.5)  # by which log densities may be scaled
NEAR = 0.05  # of the mean log posterior of the truth
Coding = Callable[[FloatMatrix, tuple[bool, ...]], FloatMatrix]
"""Codes the columns of a whole file, given which are numbers."""
MAX_TRIED, MAX_RIVALS = 250, 3000  # masked records and originals on which models compete


@dataclass(frozen=True, eq=False)
class MaskedFile:
    """A file masked as the recipe does it, with the truth.

    Parameters
    ----------
    rows
        For each record the row of the original that it comes from.
    matrix
        Its columns: numbers as they are, categories as codes, missing is NaN (records x columns).
    chosen
        The records that are used.
    """

    rows: Rows
    matrix: FloatMatrix
    chosen: slice = field(default_factory=lambda: slice(None))


@dataclass(frozen=True, eq=False)
class Learnt:
    """What was learnt from pairs.

    Parameters
    ----------
    pairs
        The pairs.
    coding
        How the columns of each file were coded.
    learner
        The model that serves best on pairs held out.
    power
        By which its log densities are multiplied, so that they are neither too sure nor too timid there.
    merit
        The mean log posterior of the truth there.
    """

    pairs: Pairs
    coding: Coding
    learner: Learner
    power: float
    merit: float

    def likelihood(self, masked: FloatMatrix) -> Likelihood:
        """Return the likelihood of masked records, a whole file, given all original ones."""
        coded = self.coding(masked, self.pairs.is_number)
        return scaled(self.learner(self.pairs, np.arange(len(self.pairs.original)), coded), self.power)


def learn(
    original: FloatMatrix,
    files: Sequence[MaskedFile],
    held_out: MaskedFile,
    is_number: tuple[bool, ...],
    only: Learner | None = None,
) -> Learnt:
    """Return the model that serves best on the file held out, of all that suit the columns or of one kind."""
    best = None
    pairs_count, numbers = sum(len(file.rows[file.chosen]) for file in files), sum(is_number)
    stabilising = stabilising_coding(original, files, is_number)
    codings = [*CODINGS, stabilising]
    for coding, learners in zip(codings, LEARNERS, strict=True):
        if coding is None:
            continue
        suitable = [
            learner for learner in learners if learner in (displacements, own_runs) or pairs_count >= 20 * numbers > 0
        ]
        suitable = [learner for learner in suitable if only in (None, learner)]
        if not suitable:
            continue
        coded = coding(original, is_number)
        pairs, truth = (_pairs(coded, some, coding, is_number) for some in (files, [held_out]))
        for learner in suitable:
            is_own = learner is own_runs
            if is_own and not (has_own_runs(pairs) and coding is (stabilising or as_values)):
                continue
            power, merit = _try(learner, pairs, truth)
            gains_more = best is not None and learner is value_displacements and best.learner is residuals
            more = NEAR if gains_more else -NEAR if is_own else 0.0  # by more pairs than there are yet, or at a cost
            if best is None or merit + more > best.merit:
                best = Learnt(pairs, coding, learner, power, merit)
    if best is None:  # the kind that suits fewer files need not suit these
        return learn(original, files, held_out, is_number)
    return best


def _pairs(original: FloatMatrix, files: Sequence[MaskedFile], coding: Coding, is_number: tuple[bool, ...]) -> Pairs:
    rows = np.concatenate([file.rows[file.chosen] for file in files])
    after = np.concatenate([coding(file.matrix, is_number)[file.chosen] for file in files])
    return Pairs(original, rows, after, is_number)


def _try(learner: Learner, pairs: Pairs, held_out: Pairs) -> tuple[float, float]:
    """Return the best power of a model, and its merit."""

    def densities(tried: Rows, rivals: Rows) -> FloatMatrix:
        return log_densities(learner(pairs, rivals, held_out.after[tried]), len(tried), len(rivals))

    return power_and_merit(densities, held_out, pairs.keeps_missing)


def power_and_merit(
    densities: Callable[[Rows, Rows], FloatMatrix], held_out: Pairs, keeps_missing: Booleans
) -> tuple[float, float]:
    """Return the best power of log densities, and their merit, among some records held out and rivals of the truth.

    Parameters
    ----------
    densities
        The log densities of some of the pairs held out (first) given some originals (second).
    held_out
        Pairs that nothing was learnt from.
    keeps_missing
        The columns in which what is missing stays so: who lacks something else is a stranger.
    """
    rng = np.random.default_rng(0)
    tried = np.sort(rng.permutation(len(held_out.rows))[:MAX_TRIED])
    rivals = np.union1d(held_out.rows[tried], rng.permutation(len(held_out.original))[:MAX_RIVALS])
    lacking = [np.isnan(file[:, keeps_missing]) for file in (held_out.after[tried], held_out.original[rivals])]
    is_stranger = (lacking[0][:, None] != lacking[1]).any(axis=2) if lacking[1].any() else np.zeros(1, dtype=np.bool_)
    truth = np.searchsorted(rivals, held_out.rows[tried])
    return best_power(np.where(is_stranger, IMPOSSIBLE, densities(tried, rivals)), truth)


def as_values(matrix: FloatMatrix, _: tuple[bool, ...]) -> FloatMatrix:
    """Return the columns as they are."""
    return matrix


def as_own_ranks(matrix: FloatMatrix, is_number: tuple[bool, ...]) -> FloatMatrix:
    """Return numbers as ranks within their own file, from 0 to 1: some methods keep them and move all values."""
    columns = zip(matrix.T, is_number, strict=True)
    return np.column_stack([middle_ranks(column) if ranked else column for column, ranked in columns])


def stabilising_coding(
    original: FloatMatrix, files: Sequence[MaskedFile], is_number: tuple[bool, ...]
) -> Coding | None:
    """Return numbers on scales on which movements are equally far; none where they are so as they are."""
    scales: list[tuple[float, float] | None] = []
    for place, is_one in enumerate(is_number):
        before, after = (
            np.concatenate(part)
            for part in zip(
                *((original[file.rows[file.chosen], place], file.matrix[file.chosen, place]) for file in files),
                strict=True,
            )
        )
        scales.append(stabilising_scale(before, after) if is_one else None)
    if not any(scales):
        return None

    def code(matrix: FloatMatrix, _: tuple[bool, ...]) -> FloatMatrix:
        return np.column_stack([stabilised(column, scale) for column, scale in zip(matrix.T, scales, strict=True)])

    return code


CODINGS: tuple[Coding, ...] = (as_own_ranks, as_values)
LEARNERS: tuple[tuple[Learner, ...], ...] = (
    (displacements, normal_score_residuals),
    (residuals, own_runs),
    (residuals, value_displacements, own_runs),  # on the scales on which movements are equally far
)


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
