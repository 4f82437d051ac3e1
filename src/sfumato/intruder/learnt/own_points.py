"""Learn what becomes of each person by running the recipe: all columns of a record together.

Some methods make records from records that lie near them in the file, as lossy compression does. What becomes of a
person then has a shape of its own in all columns together, which no density of movements and no product of columns
has. In small files a few more runs of the recipe tell it: each masked record is held against what the same person
became in these, on axes in which that person's own records are white (a kernel density: Parzen 1962).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sfumato.contracts import Coordinate, Likelihood
from sfumato.intruder.learnt.learning import MaskedFile, best_power
from sfumato.intruder.learnt.pairs import Pairs
from sfumato.numerics.arrays import Booleans, CodeMatrix, FloatMatrix, Floats
from sfumato.numerics.densities import IMPOSSIBLE, Untold
from sfumato.numerics.joint_densities import JointDensity

MAX_RECORDS, MAX_COLUMNS = 1000, 8  # of the originals: in larger files densities of all movements tell enough
FIRST_RUNS, RUNS = 23, 150
WIDTHS = (0.7, 1.0, 1.5)  # of kernels, in parts of what suits a normal distribution (Scott 1992)
LEAST = 1e-3  # deviation of a person's values, in parts of that of all
LIKE_ALL = 20.0  # runs for which the mean covariance of all originals counts
RARE, FAR = 0.05, 3.0  # of what becomes of a person lies anywhere within so many deviations
NO_KERNEL = 6.0  # widths from which on a kernel tells nothing
MAX_TRIED = 250  # masked records held out
PROMISING, WORTH_IT = 0.3, 0.1  # of the mean log posterior: that a few runs may lack, and that all must gain


@dataclass(frozen=True, eq=False)
class OwnPoints(JointDensity):
    """What became of each original in runs of the recipe, on axes in which that is white.

    The place of an original is its number, in all coordinates; that of a masked record is its values.

    Parameters
    ----------
    points
        What became of it (originals x runs x columns); missing is 0.
    axes
        The matrix that turns values into places on these axes (originals x columns x columns); 0 for what is missing.
    sizes
        The logarithm by which a density on these axes is larger than that of values.
    is_missing
        Which values are missing (originals x columns).
    width
        Of the kernel.
    power
        By which log densities are multiplied, so that they are neither too sure nor too timid.
    """

    points: Floats
    axes: Floats
    sizes: Floats
    is_missing: Booleans
    width: float = 1.0
    power: float = 1.0

    @classmethod
    def of(cls, values: Floats) -> "OwnPoints":
        """Return that of runs (originals x runs x columns), in which each original lacks the same values."""
        is_missing = np.isnan(values[:, 0])
        whole = np.where(is_missing[:, None], 0.0, values)
        centred = whole - whole.mean(axis=1, keepdims=True)
        there = np.maximum((~is_missing).sum(axis=0) * values.shape[1], 1)
        moments = [(whole**power).sum(axis=(0, 1)) / there for power in (1, 2)]
        least = LEAST * np.sqrt(np.maximum(moments[1] - moments[0] ** 2, 1e-24))
        covariances = np.einsum("irc,ird->icd", centred, centred) / (values.shape[1] - 1)
        like_all = covariances.sum(axis=0) / np.maximum((~is_missing).T.astype(np.float64) @ ~is_missing, 1.0)
        shared = np.where(is_missing[:, :, None] | is_missing[:, None], 0.0, like_all)
        covariances = (values.shape[1] * covariances + LIKE_ALL * shared) / (values.shape[1] + LIKE_ALL)
        every = np.arange(values.shape[2])
        covariances[:, every, every] += np.where(is_missing, 1.0, least**2)
        roots = np.linalg.cholesky(covariances)
        axes = np.linalg.inv(roots)
        axes[:, every, every] *= ~is_missing
        known = (~is_missing).sum(axis=1)
        sizes = np.log(roots[:, every, every]).sum(axis=1) + known * np.log(2 * np.pi) / 2
        runs = values.shape[1]
        width = runs ** (-1.0 / (values.shape[2] + 4))
        return cls(np.einsum("icd,ird->irc", axes, whole), axes, sizes, is_missing, width)

    def log_densities(self, before: FloatMatrix, after: FloatMatrix, candidates: CodeMatrix) -> FloatMatrix:
        """Return the log density of each masked record given each of its candidates."""
        rows = before[np.maximum(candidates, 0), 0].astype(np.int64)
        found = np.full(candidates.shape, float(IMPOSSIBLE))
        lacks = np.isnan(after)
        whole = np.where(lacks, 0.0, after)
        flat = np.argsort(rows, axis=None, kind="stable")
        firsts = np.searchsorted(rows.ravel()[flat], np.arange(len(self.points) + 1))
        for original in np.flatnonzero(np.diff(firsts)).tolist():
            pairs = flat[firsts[original] : firsts[original + 1]]
            records = pairs // candidates.shape[1]
            fits = (lacks[records] == self.is_missing[original]).all(axis=1)
            places = whole[records[fits]] @ self.axes[original].T
            found.ravel()[pairs[fits]] = self._log_density(original, places)
        return np.asarray(np.maximum(found, IMPOSSIBLE), dtype=np.float64)

    def _log_density(self, original: int, places: FloatMatrix) -> Floats:
        centre = self.points[original].mean(axis=0)
        points, apart = self.points[original] - centre, places - centre
        lengths, distances = (points**2).sum(axis=1), (apart**2).sum(axis=1)
        known = np.count_nonzero(~self.is_missing[original])
        found = np.log(RARE) - known * np.log(FAR) - 0.5 * distances / FAR**2
        close = np.flatnonzero(distances < (np.sqrt(lengths.max()) + NO_KERNEL * self.width) ** 2)
        kernels = ((apart[close] @ points.T) - 0.5 * lengths) / self.width**2
        largest = kernels.max(axis=1)
        logs = np.log(np.exp(kernels - largest[:, None]).mean(axis=1)) + largest - known * np.log(self.width)
        near = np.log1p(-RARE) + logs - 0.5 * distances[close] / self.width**2
        found[close] = np.logaddexp(found[close], near)
        return np.asarray(self.power * (found - self.sizes[original]), dtype=np.float64)

    def likelihood(self, masked: FloatMatrix) -> Likelihood:
        """Return the coordinates of masked records (records x columns)."""
        every = np.arange(len(self.points), dtype=np.float64)
        return tuple(Coordinate(every, column, Untold(), is_exact=False, joint=self) for column in masked.T)


def suit_own_points(pairs: Pairs) -> bool:
    """Tell whether what becomes of each record in all columns can be learnt: few originals, columns of numbers."""
    count, columns = pairs.original.shape
    return (
        count <= MAX_RECORDS and 1 < columns <= MAX_COLUMNS and all(pairs.is_number) and bool(pairs.keeps_missing.all())
    )


def own_points(count: int, files: Sequence[MaskedFile], held_out: MaskedFile) -> tuple[OwnPoints, float] | None:
    """Return what became of each of `count` originals in some files, as it suits the file held out.

    With it comes the mean log posterior of the truth there. Nothing is returned where some file lacks somebody.
    """
    if any(not np.array_equal(np.sort(file.rows), np.arange(count)) for file in (*files, held_out)):
        return None
    values = np.empty((count, len(files), held_out.matrix.shape[1]))
    for run, file in enumerate(files):
        values[file.rows, run] = file.matrix
    found = OwnPoints.of(values)
    tried = np.sort(np.random.default_rng(0).permutation(count)[:MAX_TRIED])
    every = np.arange(count, dtype=np.float64)[:, None]
    candidates = np.tile(np.arange(count), (len(tried), 1))
    best, merit = found, -np.inf
    for width in WIDTHS:
        one = replace(found, width=found.width * width)
        densities = one.log_densities(every, held_out.matrix[tried], candidates)
        power, reached = best_power(densities, held_out.rows[tried])
        if reached > merit:
            best, merit = replace(one, power=power), reached
    return best, merit
