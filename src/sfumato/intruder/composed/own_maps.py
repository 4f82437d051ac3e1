"""The linear function that one file was mapped by, estimated from that file itself.

An improver fits its function to the file that it is given, so that each run has another. With the mean function of some
runs part of the records can be linked; the linked pairs tell which component of the noise each got, and so about what
the file was before it was mapped. That gives a better function, and so on, a few times.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np

from sfumato.intruder.composed.linear_steps import RECORDS_PER_COLUMN, LinearStep
from sfumato.kernels.linkage.composed_noise import NoiseElements, Seen, composed_log_densities
from sfumato.kernels.linkage.noise_states import EXHAUSTIVE
from sfumato.numerics.arrays import CodeMatrix, FloatMatrix, Rows

ROUNDS = 15
MAX_LINKED, KEPT = 400, 50  # records by which it is estimated, and likely originals of each


@dataclass(frozen=True, eq=False)
class MappedFile:
    """A file that was mapped after noise, without strata.

    Parameters
    ----------
    noise, expected
        The noise before the mapping, and what each original is expected to be there.
    seen
        What the records of the file tell of the values after it.
    """

    noise: NoiseElements
    expected: FloatMatrix
    seen: Seen

    @classmethod
    def of(cls, noise: NoiseElements, expected: FloatMatrix, seen: Seen) -> "MappedFile":
        """Return as many records of a file as are needed."""
        some = np.sort(np.random.default_rng(0).permutation(len(seen.low))[:MAX_LINKED])
        return cls(noise, expected, records_of(seen, some))

    def refined(self, step: LinearStep) -> LinearStep:
        """Return the function of this file, given the mean function of some runs, which it is where little tells."""
        combinations = self.noise.centres.shape[1] ** self.noise.centres.shape[0]
        is_whole = np.isfinite(self.middles).all(axis=1)
        count, columns = int(is_whole.sum()), self.expected.shape[1]
        if not 1 < combinations <= EXHAUSTIVE or len(self.noise.normal) > 1 or count < RECORDS_PER_COLUMN * columns:
            return step
        every = np.tile(np.arange(len(self.expected)), (len(self.seen.low), 1))
        scores = self.scores(step, every)
        start = np.logaddexp.reduce(scores, axis=1).sum()
        kept = min(KEPT, len(self.expected))
        candidates = np.argpartition(-scores, kept - 1, axis=1)[is_whole, :kept]
        some = MappedFile(self.noise, self.expected, records_of(self.seen, np.flatnonzero(is_whole)))
        found = step
        for _ in range(ROUNDS):
            found = some.next_function(found, candidates)
        end = np.logaddexp.reduce(self.scores(found, every), axis=1).sum()
        return found if end > start else step

    def next_function(self, step: LinearStep, candidates: CodeMatrix) -> LinearStep:
        """Return the function by which pairs fit best, each with the weight that its likelihood by the last one has."""
        scores = self.scores(step, candidates)
        weights = np.exp(scores - np.logaddexp.reduce(scores, axis=1)[:, None]).ravel()
        values = np.repeat(self.middles, candidates.shape[1], axis=0)
        noisy = np.column_stack([np.ones(len(values)), self.noisy(step, candidates.ravel(), values)])
        scales = np.abs(noisy).max(axis=0)
        weighted = noisy / scales * weights[:, None]
        slopes = np.linalg.lstsq(weighted.T @ (noisy / scales), weighted.T @ values, rcond=None)[0] / scales[:, None]
        left = values - noisy @ slopes
        matrix = slopes[1:].T
        loads = self.noise.loads[0]
        inside = matrix @ (self.noise.normal[0] + (loads * self.noise.variances) @ loads.T) @ matrix.T
        excess = (left * weights[:, None]).T @ left / len(self.middles) - inside
        roots, turned = np.linalg.eigh((excess + excess.T) / 2)
        errors = (turned * np.maximum(roots, 0.0)) @ turned.T + inside * len(slopes) / len(self.middles)
        return LinearStep(matrix, slopes[0], errors)

    @property
    def middles(self) -> FloatMatrix:
        """About which values the file shows."""
        return np.asarray((self.seen.low + self.seen.high) / 2, dtype=np.float64)

    def scores(self, step: LinearStep, candidates: CodeMatrix) -> FloatMatrix:
        """Return the log density of each record given some originals."""
        expected = self.expected @ step.matrix.T + step.shift
        return composed_log_densities(expected, self.seen, mapped_elements(self.noise, step), candidates)

    def noisy(self, step: LinearStep, rows: Rows, values: FloatMatrix) -> FloatMatrix:
        """Return about what linked records were before they were mapped, by the likeliest components of their noise."""
        noise = mapped_elements(self.noise, step)
        gaps = values - (self.expected[rows] @ step.matrix.T + step.shift)
        loads = noise.loads[0]
        inside = noise.normal[0] + (loads * noise.variances) @ loads.T
        inverse = np.linalg.pinv(inside, hermitian=True)
        best, shifts = np.full(len(rows), np.inf), np.zeros(gaps.shape)
        for chosen in product(range(noise.centres.shape[1]), repeat=len(noise.centres)):
            picked = np.arange(len(chosen)), np.array(chosen)
            place = noise.centres[picked]
            away = gaps - loads @ place
            distances = np.einsum("ia,ab,ib->i", away, inverse, away) / 2 - noise.log_weights[picked].sum()
            closer = distances < best
            best = np.where(closer, distances, best)
            shifts[closer] = self.noise.loads[0] @ place
        return np.asarray(self.expected[rows] + shifts, dtype=np.float64)


def records_of(seen: Seen, rows: Rows) -> Seen:
    """Return what some records tell."""
    return Seen(seen.low[rows], seen.high[rows], seen.spread[rows], seen.strata[rows])


def mapped_elements(noise: NoiseElements, step: LinearStep) -> NoiseElements:
    """Return noise after it was mapped, with the errors of the mapping."""
    normal = step.matrix @ noise.normal @ step.matrix.T + step.errors
    return noise._replace(normal=np.ascontiguousarray(normal), loads=np.ascontiguousarray(step.matrix @ noise.loads))
