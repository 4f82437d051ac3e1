"""How one file differs from others that the same recipe made, estimated from that file itself.

Some methods draw once for many records, as how far to either side of a column its intervals lie. A density that was
learnt from other files is then that of a mean file. With it part of the records of this one can be linked; the linked
pairs tell how its values were moved, and with that more are linked, a few times (Dempster, Laird and Rubin 1977,
Maximum likelihood from incomplete data via the EM algorithm). Runs of the intruder's own tell whether that helps.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sfumato.contracts import Coordinate, Likelihood
from sfumato.intruder.learnt.learning import log_densities
from sfumato.numerics.arrays import FloatColumn, FloatMatrix, Floats, Rows
from sfumato.numerics.densities import Displacements

ROUNDS = 10
PAIRS, MIN_RECORDS, MAX_RECORDS = 1_000_000, 100, 400  # pairs that are compared, and records among them
KEPT = 64  # likely originals of each record
NARROW = 4.0  # times as fine as the movements: what is estimated of their shape
PRIOR = 0.1  # the weight of what was learnt from other files, beside that of this one
FARTHEST = 3.0  # by which the logarithm of a density may be changed
HELPS = 0.01  # of the mean log posterior of the truth in files of the intruder's own


def helps(likelihoods: Sequence[Likelihood], truths: Sequence[Rows]) -> bool:
    """Tell whether the truth of each file that the intruder masked is found better by densities of that file alone."""
    for likelihood, truth in zip(likelihoods, truths, strict=True):
        linked = _Linked.of(likelihood)
        if linked is None:
            return False
        before = linked.merit(likelihood, truth)
        if linked.merit(linked.adapted(likelihood), truth) < before + HELPS:
            return False
    return True


def adapted(likelihood: Likelihood) -> Likelihood:
    """Return the likelihood of a file with densities that the file itself tells."""
    linked = _Linked.of(likelihood)
    return likelihood if linked is None else linked.adapted(likelihood)


@dataclass(frozen=True, eq=False)
class _Linked:
    """Some masked records with their likely originals (records x candidates)."""

    records: Rows
    candidates: Rows

    @classmethod
    def of(cls, likelihood: Likelihood) -> "_Linked | None":
        """Return the likely originals by this likelihood; none in files that are too large for it."""
        movable = [one for one in likelihood if isinstance(one.density, Displacements)]
        if not movable:
            return None
        originals, masked = len(movable[0].before), len(movable[0].after)
        count = min(MAX_RECORDS, PAIRS // max(originals, 1), masked)
        if count < MIN_RECORDS:
            return None
        records = np.sort(np.random.default_rng(0).permutation(masked)[:count])
        some = tuple(replace(one, after=one.after[records]) for one in likelihood)
        scores = log_densities(some, count, originals)
        kept = min(KEPT, originals)
        return cls(records, np.argpartition(-scores, kept - 1, axis=1)[:, :kept])

    def scores(self, likelihood: Likelihood) -> FloatMatrix:
        """Return the log density of each record given its candidates."""
        total = np.zeros(self.candidates.shape)
        for one in likelihood:
            total += one.density.log_density(one.before[self.candidates], one.after[self.records][:, None])
        return total

    def merit(self, likelihood: Likelihood, truth: Rows) -> float:
        """Return the mean log posterior of the truth among the candidates, where it is one of them."""
        scores = self.scores(likelihood)
        is_true = self.candidates == truth[self.records][:, None]
        found = (scores - np.logaddexp.reduce(scores, axis=1)[:, None])[is_true]
        return float(found.mean()) if found.size else -np.inf

    def adapted(self, likelihood: Likelihood) -> Likelihood:
        """Return the likelihood with the densities of the movements of pairs, each as probable as by the last one."""
        found = likelihood
        for _ in range(ROUNDS):
            scores = self.scores(found)
            weights = np.exp(scores - np.logaddexp.reduce(scores, axis=1)[:, None])
            found = tuple(self._moved(one, now, weights) for one, now in zip(likelihood, found, strict=True))
        return found

    def _moved(self, one: Coordinate, now: Coordinate, weights: Floats) -> Coordinate:
        if not isinstance(one.density, Displacements):
            return now
        table = one.density.table
        half = table.shape[1] // 2
        before, after = one.before[self.candidates], one.after[self.records][:, None]
        moved = (after - before) * half
        known = ~np.isnan(moved)
        if not known.any():
            return now
        steps = np.clip(np.rint(moved[known]), -half, half).astype(np.int64) + half
        counts = np.bincount(steps, weights[known], table.shape[1]).astype(np.float64)
        expected = _expected(table, one.density.levels(one.before[~np.isnan(one.before)]))
        return replace(now, density=Displacements(np.add(table, _correction(counts, expected))))


def _expected(table: FloatMatrix, levels: Rows) -> FloatColumn:
    """Return how often each displacement is expected, wherever values come from."""
    shares = np.exp(table - np.logaddexp.reduce(table, axis=1)[:, None])
    return np.asarray(np.bincount(levels, minlength=len(table)) @ shares / max(len(levels), 1), dtype=np.float64)


def _correction(counts: FloatColumn, expected: FloatColumn) -> FloatColumn:
    """Return what to add to the logarithms of a density, by displacement, so that it fits how often these are seen."""
    from scipy.ndimage import gaussian_filter1d

    total = max(counts.sum(), 1e-300)
    places = np.arange(len(counts))
    mean = counts @ places / total
    width = max(float(np.sqrt(counts @ (places - mean) ** 2 / total)) / NARROW, 1.0)
    seen, usual = (gaussian_filter1d(part, width, mode="constant") for part in (counts / total, expected))
    least = 1e-6 * usual.max()
    ratio = (seen + PRIOR * usual + least) / ((1 + PRIOR) * usual + least)
    return np.asarray(np.clip(np.log(ratio), -FARTHEST, FARTHEST), dtype=np.float64)
