"""The distances by which an intruder links records, each as a change of coordinates.

Each function takes the known columns of both files and the original row of each masked record, and returns coordinates
of the original and of the masked records. What is nearest in these, by the sum of squares (of absolute differences for
`manhattan`), is nearest by the distance. Columns that are constant in the original tell nothing and are left out.
"""

from collections.abc import Callable
from enum import StrEnum

import numpy as np

from sfumato.numerics.arrays import FloatMatrix, Rows
from sfumato.numerics.covariances import complete_covariances
from sfumato.numerics.standardisation import standard_deviations, standardise_both, varies

Coordinates = tuple[FloatMatrix, FloatMatrix]

NEGLIGIBLE_VARIANCE = 1e-12  # in variances of the original


class Distance(StrEnum):
    """How the intruder tells how far two records are apart."""

    EUCLIDEAN = "euclidean"
    """Both files standardised by the means and deviations of the original."""
    MANHATTAN = "manhattan"
    """Standardised so too; absolute differences are summed in place of squares."""
    OWN_DEVIATIONS = "own_deviations"
    """Euclidean, each file standardised by its own means and deviations."""
    JOINT_DEVIATIONS = "joint_deviations"
    """Euclidean, differences divided by the root of the sum of the variances of both files."""
    MAHALANOBIS_DIFFERENCE = "mahalanobis_difference"
    """Mahalanobis, by the covariances of original minus masked values: an intruder who knows the noise."""
    MAHALANOBIS_SUM = "mahalanobis_sum"
    """Mahalanobis, by the sum of the covariances of both files."""
    KERNEL = "kernel"
    """Euclidean among squares and products too: that of the kernel (1 + a.b)^2, after each file's own deviations."""

    @property
    def power(self) -> int:
        """The power to which differences of coordinates are raised."""
        return 1 if self is Distance.MANHATTAN else 2

    def coordinates(self, original: FloatMatrix, masked: FloatMatrix, rows: Rows) -> Coordinates:
        """Return the coordinates of original and masked records in which this distance is a plain one."""
        return COORDINATES[self](original, masked, rows)


def by_original(original: FloatMatrix, masked: FloatMatrix, rows: Rows) -> Coordinates:
    """Return both files by the means and deviations of the original."""
    return standardise_both(original, masked)


def by_own_deviations(original: FloatMatrix, masked: FloatMatrix, rows: Rows) -> Coordinates:
    """Return each file by its own means and deviations, without columns that are constant in either.

    Examples
    --------
    >>> by_own_deviations(np.array([[1.0], [2.0], [3.0]]), np.array([[10.0], [30.0]]), np.array([0, 2]))[0].ravel()
    array([-1.,  0.,  1.])
    """
    some = varies(original) & varies(masked)
    before, after = (standardise_both(file[:, some], file[:0, some])[0] for file in (original, masked))
    return before, after


def by_joint_deviations(original: FloatMatrix, masked: FloatMatrix, rows: Rows) -> Coordinates:
    """Return both files divided by the root of the sum of their variances, from the means of the original."""
    some = varies(original)
    means = np.nanmean(original[:, some], axis=0)
    spread = np.hypot(standard_deviations(original[:, some]), standard_deviations(masked[:, some]))
    return (original[:, some] - means) / spread, (masked[:, some] - means) / spread


def by_difference(original: FloatMatrix, masked: FloatMatrix, rows: Rows) -> Coordinates:
    """Return both files turned so that original minus masked values have variance 1 and no correlation.

    A record that lacks a known value has no coordinates. `whitening_directions` says what happens where covariances
    vanish.
    """
    before, after = (_blank_incomplete(file) for file in standardise_both(original, masked))
    return whiten_files(before, after, complete_covariances(before[rows] - after))


def by_sum(original: FloatMatrix, masked: FloatMatrix, rows: Rows) -> Coordinates:
    """Return both files turned so that the sum of their covariances is 1 and 0, else as `by_difference`."""
    before, after = (_blank_incomplete(file) for file in standardise_both(original, masked))
    return whiten_files(before, after, complete_covariances(before) + complete_covariances(after))


def by_kernel(original: FloatMatrix, masked: FloatMatrix, rows: Rows) -> Coordinates:
    """Return both files by their values, squares and products, so that the dot product is (1 + a.b)^2 - 1.

    There are keys (keys + 3) / 2 coordinates; of the records that lack a known value every one is missing.

    Examples
    --------
    >>> a, b = by_kernel(np.array([[0.0, 1.0], [2.0, 5.0]]), np.array([[0.0, 3.0], [1.0, 5.0]]), np.array([0, 1]))
    >>> a.shape, b.shape
    ((2, 5), (2, 5))
    """
    before, after = (_with_products(_blank_incomplete(file)) for file in by_own_deviations(original, masked, rows))
    return before, after


COORDINATES: dict[Distance, Callable[[FloatMatrix, FloatMatrix, Rows], Coordinates]] = {
    Distance.EUCLIDEAN: by_original,
    Distance.MANHATTAN: by_original,
    Distance.OWN_DEVIATIONS: by_own_deviations,
    Distance.JOINT_DEVIATIONS: by_joint_deviations,
    Distance.MAHALANOBIS_DIFFERENCE: by_difference,
    Distance.MAHALANOBIS_SUM: by_sum,
    Distance.KERNEL: by_kernel,
}


def whitening_directions(covariance: FloatMatrix, original: FloatMatrix) -> FloatMatrix:
    """Return directions, one per column, in which `covariance` is 1 and 0; `original` is that of the original file.

    Directions in which `covariance` vanishes tell nothing where the original records do not differ in them either, and
    are left out. Where these differ, masking has left them as they were: they count as if it had moved them by a
    millionth of a deviation.

    Examples
    --------
    >>> np.abs(whitening_directions(np.diag([4.0, 0.25]), np.eye(2)))
    array([[0. , 0.5], [2. , 0. ]])
    >>> np.abs(whitening_directions(np.zeros((2, 2)), np.diag([0.0, 1.0])))
    array([[      0.], [1000000.]])
    """
    variances, directions = np.linalg.eigh(covariance)
    floor = NEGLIGIBLE_VARIANCE * max(1.0, float(variances[-1]))
    moved = variances > floor
    still = directions[:, ~moved]
    spread, turn = np.linalg.eigh(still.T @ original @ still)
    unmoved = (still @ turn)[:, spread > floor]
    return np.hstack([directions[:, moved] / np.sqrt(variances[moved]), unmoved / np.sqrt(floor)])


def whiten_files(before: FloatMatrix, after: FloatMatrix, covariance: FloatMatrix) -> Coordinates:
    """Return both files in the directions that whiten `covariance`, without coordinates where it is not known."""
    if not covariance.size or np.isnan(covariance).any():
        return np.full_like(before, np.nan), np.full_like(after, np.nan)
    directions = whitening_directions(covariance, complete_covariances(before))
    return before @ directions, after @ directions


def _with_products(file: FloatMatrix) -> FloatMatrix:
    """Return values times root 2, squares, and products times root 2."""
    first, second = np.triu_indices(file.shape[1])
    weights = np.where(first == second, 1.0, np.sqrt(2))
    return np.hstack([np.sqrt(2) * file, weights * file[:, first] * file[:, second]])


def _blank_incomplete(file: FloatMatrix) -> FloatMatrix:
    """Return the records with every value missing where one is."""
    return np.where(np.isnan(file).any(axis=1, keepdims=True), np.nan, file)
