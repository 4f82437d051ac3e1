"""The density of noise that is seen through other steps: as it is, by an interval, or blurred."""

from dataclasses import dataclass, replace

import numpy as np

from sfumato.contracts import Coordinate, Likelihood
from sfumato.kernels.linkage.composed_noise import NoiseElements, Seen, composed_log_densities
from sfumato.kernels.linkage.noise_states import EXHAUSTIVE
from sfumato.numerics.arrays import CodeColumn, CodeMatrix, FloatColumn, FloatMatrix
from sfumato.numerics.densities import IMPOSSIBLE, Untold
from sfumato.numerics.joint_densities import JointDensity

MIN_ORDERED, MOST = 32, 4  # candidates that are put into an order: more than these, and a fourth of all originals
MAX_EXTRA = 7  # elements of a mixture beyond as many as there are columns; the weakest others pass for normal


@dataclass(frozen=True, eq=False)
class SeenNoise(JointDensity):
    """The density of what is seen of noisy values, given what is expected of them.

    The places of an original are what its values are expected to become, column by column; those of a masked record the
    lower ends of its spans, the upper ends, the variances by which they were blurred, and its stratum.
    """

    elements: NoiseElements
    power: float = 1.0

    def log_densities(self, before: FloatMatrix, after: FloatMatrix, candidates: CodeMatrix) -> FloatMatrix:
        """Return the log density of each masked record given each of its candidates."""
        d = self.elements.loads.shape[1]
        strata = after[:, 3 * d].astype(np.int64)
        seen = Seen(after[:, :d], after[:, d : 2 * d], after[:, 2 * d : 3 * d], strata)
        originals = before[:, :d]
        if candidates.shape[1] > MIN_ORDERED and MOST * candidates.shape[1] >= len(before):
            order = likely_first(originals, seen, self.elements, candidates)
            scores = composed_log_densities(originals, seen, self.elements, np.take_along_axis(candidates, order, 1))
            found = np.empty(candidates.shape)
            np.put_along_axis(found, order, scores, axis=1)
        else:
            found = composed_log_densities(originals, seen, self.elements, candidates)
        return np.maximum(self.power * found, IMPOSSIBLE)

    def scaled(self, power: float) -> "SeenNoise":
        """Return the density whose logarithms are multiplied by `power`."""
        return replace(self, power=self.power * power)

    def coordinates(self, before: FloatMatrix, strata: CodeColumn, seen: Seen, is_exact: bool) -> Likelihood:
        """Return the places of both files as coordinates that tell nothing but together."""
        nothing = np.zeros(len(before))
        places = [
            *zip(before.T, seen.low.T, strict=True),
            *((nothing, column) for part in (seen.high, seen.spread) for column in part.T),
            (strata.astype(np.float64), seen.strata.astype(np.float64)),
        ]
        return tuple(Coordinate(origin, place, Untold(), is_exact, self) for origin, place in places)


def likely_first(before: FloatMatrix, seen: Seen, noise: NoiseElements, candidates: CodeMatrix) -> CodeMatrix:
    """Return an order of the candidates of each record in which likely ones come early, as if all noise were normal.

    Who comes after a likely one is seen to be hopeless the sooner; the order does not change what is found.
    """
    weights = np.exp(noise.log_weights)
    variances = noise.variances + (weights * noise.centres**2).sum(axis=1)
    covariance = (noise.normal + (noise.loads * variances) @ noise.loads.transpose(0, 2, 1)).mean(axis=0)
    widths = np.nan_to_num(seen.high - seen.low, posinf=0.0, neginf=0.0)
    covariance += np.diag((widths**2 / 12 + seen.spread).mean(axis=0))
    roots, turned = np.linalg.eigh(covariance)
    white = turned / np.sqrt(np.maximum(roots, 1e-12 * max(roots.max(), 1e-300)))
    low, high = (np.where(np.isfinite(end), end, np.nan) for end in (seen.low, seen.high))
    middles = (np.where(np.isnan(low), high, low) + np.where(np.isnan(high), low, high)) / 2
    places = np.where(np.isfinite(middles), middles, before.mean(axis=0)) @ white
    originals = before @ white
    distances = (originals**2).sum(axis=1) - 2 * places @ originals.T
    return np.argsort(np.take_along_axis(distances, np.maximum(candidates, 0), axis=1), axis=1, kind="stable")


@dataclass(frozen=True, eq=False)
class NoiseParts:
    """Independent parts of the noise on some columns in one stratum, gathered one step after another.

    Parameters
    ----------
    normal
        The covariance of its normal part.
    loads
        The coefficients of its elements that are mixtures, one row for each column.
    """

    normal: FloatMatrix
    loads: FloatMatrix

    @classmethod
    def none(cls, columns: int) -> "NoiseParts":
        """Return no noise at all."""
        return cls(np.zeros((columns, columns)), np.zeros((columns, 0)))

    def shrunk(self, factors: FloatColumn) -> "NoiseParts":
        """Return the noise after the columns were multiplied."""
        return NoiseParts(self.normal * np.outer(factors, factors), self.loads * factors[:, None])

    def mapped(self, matrix: FloatMatrix, errors: FloatMatrix) -> "NoiseParts":
        """Return the noise after the columns were mapped linearly, with errors of this covariance."""
        return NoiseParts(matrix @ self.normal @ matrix.T + errors, matrix @ self.loads)

    def plus(self, root: FloatMatrix, *, is_normal: bool) -> "NoiseParts":
        """Return the noise with that of one more step, given by its root."""
        if is_normal:
            return NoiseParts(self.normal + root @ root.T, self.loads)
        return NoiseParts(self.normal, np.column_stack([self.loads, root]))


def noise_elements(
    parts: list[NoiseParts], centres: list[FloatColumn], weights: list[FloatColumn], variances: list[float]
) -> tuple[NoiseElements, bool]:
    """Return the noise of all strata as the loops take it, and whether no combination of components can be left out.

    Parameters
    ----------
    parts
        The noise of each stratum, with the same elements in all.
    centres, weights, variances
        The mixture of each element.
    """
    normal, loads = np.array([part.normal for part in parts]), np.array([part.loads for part in parts])
    columns, count = loads.shape[1:]
    scales = np.sqrt(np.maximum(np.einsum("sii->si", normal) + (loads**2).sum(axis=2), 1e-300))
    strength = ((loads / scales[:, :, None]) ** 2).sum(axis=(0, 1))
    kept = np.sort(np.argsort(-strength, kind="stable")[: columns + MAX_EXTRA])
    others = loads[:, :, np.setdiff1d(np.arange(count), kept)]
    normal = normal + others @ others.transpose(0, 2, 1)
    most = max((len(weights[e]) for e in kept), default=1)
    places, logs = np.zeros((len(kept), most)), np.full((len(kept), most), -np.inf)
    for number, e in enumerate(kept):
        places[number, : len(weights[e])], logs[number, : len(weights[e])] = centres[e], np.log(weights[e])
    combinations = np.prod([float(len(weights[e])) for e in kept])
    inside = np.array([variances[e] for e in kept])
    found = NoiseElements(np.ascontiguousarray(normal), np.ascontiguousarray(loads[:, :, kept]), places, logs, inside)
    return found, bool(len(kept) == count and combinations <= EXHAUSTIVE)
