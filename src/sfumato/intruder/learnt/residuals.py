"""Learn how masking moves numbers together: by the residuals of masked records about what is expected of an original.

What is expected is a linear regression on all original numbers, moved towards the mean of what became of the record
itself where the recipe was run several times: as far as records differ by more than chance makes them. Residuals are
turned into uncorrelated coordinates, whose densities are normal, or those that the residuals show where these are
clearly of another shape.
"""

from dataclasses import dataclass

import numpy as np

from sfumato.contracts import Coordinate, Likelihood
from sfumato.intruder.learnt.displacements import displacements
from sfumato.intruder.learnt.independent_components import independent_directions
from sfumato.intruder.learnt.pairs import Pairs
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.densities import STANDARD_NORMAL, Density, Displacements
from sfumato.numerics.normal_draws import inverse_root, square_root

MIN_TO_TURN = 50  # residuals a column, below which independent directions are guesses
MAX_REGRESSION = 5000  # pairs from which a regression and the shapes of residuals are learnt
REACH, STEPS = 40, 20  # of the table of a shape, in deviations, and steps in each
WIDTHS = (1.0, 2.0, 4.0)  # of the kernel that smooths a shape, in steps
CLEARLY = 0.02  # by how much the mean log density of a shape must beat that of the normal distribution
BACKGROUND = 1e-3  # of the residuals, with heavy tails: what was not seen is rare, not impossible


def residuals(pairs: Pairs, rows: Rows, masked: FloatMatrix) -> Likelihood:
    """Return the coordinates in which the residuals of masked numbers are uncorrelated; categories go by themselves."""
    numbers = np.flatnonzero(pairs.is_number)
    return (*_numbers(pairs.columns(numbers), rows, masked[:, numbers]), *_categories(pairs, rows, masked))


def normal_score_residuals(pairs: Pairs, rows: Rows, masked: FloatMatrix) -> Likelihood:
    """Return the same for normal scores of the ranks, which no outlier and no skewness upsets."""
    numbers = np.flatnonzero(pairs.is_number)

    def scores(matrix: FloatMatrix) -> FloatMatrix:
        from scipy.special import ndtri

        found = np.empty((len(matrix), len(numbers)))
        for number, place in enumerate(numbers):
            scale = pairs.scales[place]
            end = 0.5 / max(scale.below[-1], 1.0)
            found[:, number] = ndtri(np.clip(scale.ranks(matrix[:, place]), end, 1 - end))
        return found

    transformed = Pairs(scores(pairs.original), pairs.rows, scores(pairs.after), (True,) * len(numbers))
    return (*_numbers(transformed, rows, scores(masked)), *_categories(pairs, rows, masked))


def _categories(pairs: Pairs, rows: Rows, masked: FloatMatrix) -> Likelihood:
    others = np.flatnonzero(~np.array(pairs.is_number))
    return displacements(pairs.columns(others), rows, masked[:, others]) if others.size else ()


def _numbers(pairs: Pairs, rows: Rows, masked: FloatMatrix) -> Likelihood:
    """Return the coordinates of records that lack nothing, and after them those of records that lack some values."""
    found = Residuals.of(pairs)
    rotation, shapes = _rotation(found.errors @ inverse_root(square_root(found.covariance)).T)
    before, lacking = found.expected[rows], (np.isnan(pairs.original[rows]), np.isnan(masked))
    if not pairs.keeps_missing.all():
        # what may be lacking on one side alone stands where it is expected to, as if it were there
        masked = np.where(lacking[1], found.expected.mean(axis=0), masked)
        lacking = np.zeros(before.shape, dtype=np.bool_), np.zeros(masked.shape, dtype=np.bool_)
    whole, partial = (tuple(np.full(file.shape, np.nan) for file in (before, masked)) for _ in range(2))
    for pattern in np.unique(lacking[1], axis=0):
        seen = np.flatnonzero(~pattern)
        white = inverse_root(square_root(found.covariance[np.ix_(seen, seen)]))
        white = white if pattern.any() else rotation @ white
        for side, values in enumerate((before, masked)):
            alike = np.flatnonzero((lacking[side] == pattern).all(axis=1))
            placed = (partial if pattern.any() else whole)[side]
            placed[alike, : len(white)] = values[np.ix_(alike, seen)] @ white.T
    coordinates = []
    for place, shape in enumerate(shapes):
        reach = 1.0 if shape is STANDARD_NORMAL else 1.0 / REACH
        coordinates.append(Coordinate(whole[0][:, place] * reach, whole[1][:, place] * reach, shape, is_exact=False))
        if lacking[1].any():
            coordinates.append(Coordinate(partial[0][:, place], partial[1][:, place], STANDARD_NORMAL, is_exact=False))
    return tuple(coordinates)


def _rotation(white: FloatMatrix) -> tuple[FloatMatrix, list[Density]]:
    """Return how uncorrelated residuals are turned, and their shapes: into independent ones where these are no normal.

    Of the two ways, as they are and turned, that with more coordinates of a clear shape is taken.
    """
    ways = [np.eye(white.shape[1])]
    if len(white) >= MIN_TO_TURN * white.shape[1] > MIN_TO_TURN:
        ways.append(independent_directions(white))
    shapes = [[shape_of(column) for column in (white @ way.T).T] for way in ways]
    clear = [sum(shape is not STANDARD_NORMAL for shape in some) for some in shapes]
    best = int(np.argmax(clear))
    return ways[best], shapes[best]


@dataclass(frozen=True, eq=False)
class Residuals:
    """What is expected to become of each original, and how masked records lie about that.

    Parameters
    ----------
    expected
        The mean of what becomes of each original (records x columns).
    errors
        The residuals of some pairs without missing values, each about what the other pairs let expect.
    covariance
        Their covariance.
    """

    expected: FloatMatrix
    errors: FloatMatrix
    covariance: FloatMatrix

    @classmethod
    def of(cls, pairs: Pairs) -> "Residuals":
        """Return what the pairs show."""
        known = ~np.isnan(pairs.original)
        means = np.where(known, pairs.original, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
        predictors = np.where(known, pairs.original, means) - means
        predictors /= np.maximum(np.sqrt((predictors**2).mean(axis=0)), 1e-300)
        predictors = np.column_stack([np.ones(len(predictors)), predictors])
        some = slice(None, None, -(-len(pairs.rows) // MAX_REGRESSION))
        complete = ~np.isnan(pairs.after[some]).any(axis=1)
        chosen, responses = predictors[pairs.rows[some]][complete], pairs.after[some][complete]
        slopes = np.linalg.pinv(chosen.T @ chosen, rcond=1e-12, hermitian=True) @ (chosen.T @ responses)
        expected = predictors @ slopes
        moved, errors = _towards_own_means(expected, pairs)
        errors = errors[some][complete]
        least = 1e-12 * np.maximum(responses.var(axis=0), 1e-300) if len(responses) else np.ones(expected.shape[1])
        covariance = errors.T @ errors / max(len(errors), 1) + np.diag(least)
        return cls(moved, errors, covariance)


def _towards_own_means(expected: FloatMatrix, pairs: Pairs) -> tuple[FloatMatrix, FloatMatrix]:
    """Return what is expected with the means of the records themselves, and the residual of each pair without it.

    With s^2 the variance of a record's residuals and t^2 that of their means over records, the mean of k residuals
    counts t^2 / (t^2 + s^2 / k): the best linear estimate.
    """
    expected, errors = expected.copy(), pairs.after - expected[pairs.rows]
    for place in range(expected.shape[1]):
        some = ~np.isnan(errors[:, place])
        rows, error = pairs.rows[some], errors[some, place]
        counts = np.bincount(rows, minlength=len(expected))
        sums = np.bincount(rows, error, len(expected))
        is_there, repeated = counts > 0, int((counts - 1)[counts > 0].sum())
        if repeated == 0:
            continue
        means = sums / np.maximum(counts, 1)
        within = ((error - means[rows]) ** 2).sum() / repeated
        between = (means[is_there] ** 2).mean() - within * (1 / counts[is_there]).mean()
        if between <= 0.0:
            continue
        weights = np.where(is_there, between / (between + within / np.maximum(counts, 1)), 0.0)
        own = _own_means(rows, pairs.after[some, place], counts)
        expected[:, place] = (1 - weights) * expected[:, place] + weights * own
        others = counts[rows] - 1
        left = (sums[rows] - error) / np.maximum(others, 1)
        errors[some, place] -= np.where(others > 0, left * between / (between + within / np.maximum(others, 1)), 0.0)
    return expected, errors


def _own_means(rows: Rows, values: FloatColumn, counts: CodeColumn) -> FloatColumn:
    """Return the mean of what each record became; to the last bit what it became each time where that is the same.

    So records that always become the same as each other are expected to be equal, and share the links that they get.
    """
    first = np.zeros(len(counts))
    first[rows[::-1]] = values[::-1]
    return np.asarray(first + np.bincount(rows, values - first[rows], len(counts)) / np.maximum(counts, 1))


def shape_of(column: FloatColumn) -> Density:
    """Return the density of residuals of variance 1: normal, or a table in units of `REACH` where that is no fit."""
    halves = [_counts(column[half::2]) for half in (0, 1)]
    steps = np.arange(-REACH * STEPS, REACH * STEPS + 1) / STEPS
    normal = -0.5 * steps**2 - 0.5 * np.log(2 * np.pi)
    gains = [halves[1] @ (_table(halves[0], width) - normal) / max(halves[1].sum(), 1.0) for width in WIDTHS]
    if max(gains) < CLEARLY:
        return STANDARD_NORMAL
    return Displacements(_table(halves[0] + halves[1], WIDTHS[int(np.argmax(gains))])[None, :])


def _counts(column: FloatColumn) -> FloatColumn:
    half = REACH * STEPS
    places = np.clip(np.rint(column * STEPS), -half, half).astype(np.int64) + half
    return np.bincount(places, minlength=2 * half + 1).astype(np.float64)


def _table(counts: FloatColumn, width: float) -> FloatColumn:
    """Return the log density of residuals that fall into the steps so often."""
    from scipy.ndimage import gaussian_filter1d

    smooth = gaussian_filter1d(counts, width, mode="constant") / max(counts.sum(), 1.0)
    steps = np.arange(-REACH * STEPS, REACH * STEPS + 1) / STEPS
    tails = BACKGROUND / (np.pi * (1 + steps**2)) / STEPS
    return np.asarray(np.log((smooth * (1 - BACKGROUND) + tails) * STEPS), dtype=np.float64)
