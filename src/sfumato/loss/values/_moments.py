"""Means, covariances and correlations of the values that are there."""

from dataclasses import dataclass

import numpy as np

from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.numerics.standardisation import varies

ROUNDING = 1e-12  # a moment smaller than this part of its scale is a zero that arithmetic has blurred


@dataclass(frozen=True, eq=False)
class Moments:
    """The first and second moments of a matrix, without NaN: what cannot be computed is 0.

    Parameters
    ----------
    means
        Of the observed values of each column.
    covariances
        Of each two columns over the records that have both (divisor n - 1); the variances are on the diagonal. Fewer
        than two such records: 0.
    correlations
        Of each two columns over the same records; 0 where one of them is constant there.
    """

    means: FloatColumn
    covariances: FloatMatrix
    correlations: FloatMatrix

    @property
    def variances(self) -> FloatColumn:
        """The variance of each column."""
        return np.diag(self.covariances)


def moments(matrix: FloatMatrix) -> Moments:
    """Return the moments of `matrix` (records x columns, missing is NaN); each column must have a value."""
    means = np.nanmean(matrix, axis=0)
    there = ~np.isnan(matrix)
    centred = np.where(there & varies(matrix), matrix - means, 0.0)
    covariances, variances = _joint(centred, there.astype(np.float64))
    spread = np.sqrt(variances) * np.sqrt(variances.T)
    blurred = (np.abs(covariances) <= ROUNDING * spread) | (spread == 0)
    covariances = np.where(blurred, 0.0, covariances)
    correlations = np.divide(covariances, spread, out=np.zeros_like(spread), where=spread > 0)
    size = np.sqrt(np.nanmean(matrix**2, axis=0))
    return Moments(
        np.where(np.abs(means) <= ROUNDING * size, 0.0, means),
        covariances,
        np.clip(correlations, -1.0, 1.0),
    )


def _joint(centred: FloatMatrix, there: FloatMatrix) -> tuple[FloatMatrix, FloatMatrix]:
    """Return covariance [j, k], and the variance of j, over the records that have both j and k; 0 below two of them."""
    both = there.T @ there
    sums = centred.T @ there  # [j, k]: sum of column j over the records that have both
    squares = (centred**2).T @ there
    divisor = np.maximum(both - 1, 1)
    of_sums = sums / np.maximum(both, 1)
    covariances = (centred.T @ centred - of_sums * sums.T) / divisor
    variances = (squares - of_sums * sums) / divisor
    variances = np.where(variances <= ROUNDING * squares / divisor, 0.0, variances)
    enough = both >= 2
    return np.where(enough, covariances, 0.0), np.where(enough, variances, 0.0)
