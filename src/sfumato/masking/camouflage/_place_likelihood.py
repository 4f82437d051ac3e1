"""How likely it is that a value lies at some place of its interval, in one file.

The shares of the secret mixture are drawn once for a whole column, and decide where in their intervals values lie. A
file shows that place of no record, but of all together: with densities of files drawn alike part of the records can be
linked, and these tell the density of this file.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from sfumato.contracts import Coordinate
from sfumato.masking.camouflage._hulls import camouflage_intervals
from sfumato.numerics.arrays import CodeMatrix, FloatColumn, FloatMatrix
from sfumato.numerics.densities import IMPOSSIBLE, Displacements
from sfumato.numerics.joint_densities import JointDensity

STEPS = 100  # of a place between the middle of an interval and its end
COARSE = 25  # such steps where likely originals are searched for
SMOOTH = 2.0  # deviation of the kernel, in steps
FILES, RECORDS, MAX_DRAWS = 150, 400, 6_000_000  # files that are drawn, records of each, and draws for all of them
BACKGROUND = 1e-3  # of each density, spread evenly
ROUNDS = 3  # of fitting, each time that pairs are weighed anew


def place_coordinate(before: FloatColumn, middles: FloatColumn, half_width: float, vectors: int) -> Coordinate:
    """Return the coordinate of a column, given its values and the middles of the released intervals."""
    every = np.concatenate([before, middles])
    low, high = np.nanmin(every, initial=np.inf), np.nanmax(every, initial=-np.inf)
    length = max(float(high - low), 2 * half_width)
    densities = place_densities(vectors)
    joint = PlacesInIntervals(densities, np.full(len(densities), 1 / len(densities)), half_width / length)
    return Coordinate((before - low) / length, (middles - low) / length, joint.search(), is_exact=False, joint=joint)


@lru_cache(maxsize=8)
def place_densities(vectors: int) -> FloatMatrix:
    """Return the density of the middle less the value in files drawn alike (files x steps), in half widths."""
    from scipy.ndimage import gaussian_filter1d

    rng = np.random.default_rng(0)
    files = int(np.clip(MAX_DRAWS // (vectors * RECORDS), 5, FILES))
    found = np.empty((files, 2 * STEPS + 1))
    for number in range(files):
        hull = camouflage_intervals(np.zeros(RECORDS), vectors, 1.0, rng)
        moved = (hull.max(axis=0) + hull.min(axis=0)) / 2
        counts = np.bincount(np.rint(moved * STEPS).astype(np.int64) + STEPS, minlength=2 * STEPS + 1)
        found[number] = gaussian_filter1d(counts / RECORDS, SMOOTH, mode="constant")
    return np.asarray((1 - BACKGROUND) * found + BACKGROUND / found.shape[1], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class PlacesInIntervals(JointDensity):
    """The density of a place in an interval: a mixture of those of other files, with shares that this file tells.

    Parameters
    ----------
    densities
        Of the middle of an interval less the value, in steps of half its width (files x steps).
    shares
        How much each of them counts.
    unit
        Half the width of an interval, in the unit of the coordinate.
    """

    densities: FloatMatrix
    shares: FloatColumn
    unit: float

    @property
    def has_shared_draws(self) -> bool:
        """Whether something was drawn once for all records of a file."""
        return True

    def search(self) -> Displacements:
        """Return the density by itself, in the unit of the coordinate."""
        half = int(np.ceil(COARSE / self.unit))
        steps = np.arange(-half, half + 1) / half / self.unit
        inside = np.interp(steps * STEPS + STEPS, np.arange(2 * STEPS + 1), self.shares @ self.densities)
        return Displacements(np.where(np.abs(steps) <= 1.0, np.log(inside), IMPOSSIBLE)[None, :])

    def log_densities(self, before: FloatMatrix, after: FloatMatrix, candidates: CodeMatrix) -> FloatMatrix:
        """Return the log density of the place of each candidate in the interval of each masked record."""
        steps, is_inside = self._steps(before, after, candidates)
        known = np.log(self.shares @ self.densities)[steps]
        is_missing = np.isnan(before[np.maximum(candidates, 0), 0]) | np.isnan(after[:, :1])
        return np.where(is_missing, 0.0, np.where(is_inside, known, IMPOSSIBLE))

    def refitted(
        self, before: FloatMatrix, after: FloatMatrix, candidates: CodeMatrix, weights: FloatMatrix
    ) -> "PlacesInIntervals":
        """Return the density with shares by which the places of these pairs are likeliest."""
        steps, is_inside = self._steps(before, after, candidates)
        seen = np.bincount(steps[is_inside], weights[is_inside], self.densities.shape[1])
        shares = self.shares
        for _ in range(ROUNDS):
            shares = shares * (self.densities @ (seen / (shares @ self.densities)))
            shares = shares / shares.sum() if shares.sum() > 0.0 else self.shares
        return replace(self, shares=shares)

    def _steps(self, before: FloatMatrix, after: FloatMatrix, candidates: CodeMatrix) -> tuple[CodeMatrix, CodeMatrix]:
        """Return the step of each place, and whether it lies in the interval."""
        moved = (after[:, :1] - before[np.maximum(candidates, 0), 0]) / self.unit * STEPS
        is_inside = (np.abs(moved) <= STEPS + 0.5) & (candidates >= 0)
        return np.where(is_inside, np.rint(np.where(is_inside, moved, 0.0)), 0.0).astype(np.int64) + STEPS, is_inside
