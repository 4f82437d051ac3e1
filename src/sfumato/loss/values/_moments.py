"""Means, covariances and correlations of the values that are there."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix, Floats
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
    return moments_of_sums(means, moment_sums(matrix, means, varies(matrix)))


def moment_sums(matrix: FloatMatrix, means: FloatColumn, varying: Booleans) -> dict[str, Floats]:
    """Return the sums that the moments are made of, over some records.

    Parameters
    ----------
    matrix
        The records (records x columns, missing is NaN).
    means, varying
        The mean of each column of the whole file, and whether its values differ.
    """
    there = ~np.isnan(matrix)
    centred = np.where(there & varying, matrix - means, 0.0)
    known = there.astype(np.float64)
    return {
        "both": known.T @ known,  # whole numbers, so that the order does not matter
        "sums": _products(centred, known),
        "squares": _products(centred**2, known),
        "products": _products(centred, centred),
        "raw squares": np.nansum(matrix**2, axis=0),
    }


def moments_of_sums(means: FloatColumn, sums: Mapping[str, Floats]) -> Moments:
    """Return the moments of all records whose sums about the `means` were added up."""
    covariances, variances = _joint(sums)
    spread = np.sqrt(variances) * np.sqrt(variances.T)
    blurred = (np.abs(covariances) <= ROUNDING * spread) | (spread == 0)
    covariances = np.where(blurred, 0.0, covariances)
    correlations = np.divide(covariances, spread, out=np.zeros_like(spread), where=spread > 0)
    size = np.sqrt(sums["raw squares"] / np.diag(sums["both"]))
    return Moments(
        np.where(np.abs(means) <= ROUNDING * size, 0.0, means),
        covariances,
        np.clip(correlations, -1.0, 1.0),
    )


def _products(first: FloatMatrix, second: FloatMatrix) -> FloatMatrix:
    """Return the sums of products [j, k] of column j of the first and column k of the second, added in one order."""
    return np.asarray(np.einsum("jn,kn->jk", first.T, second.T), dtype=np.float64)


def _joint(added: Mapping[str, Floats]) -> tuple[FloatMatrix, FloatMatrix]:
    """Return covariance [j, k], and the variance of j, over the records that have both j and k; 0 below two of them."""
    both, sums, squares = added["both"], added["sums"], added["squares"]  # sums [j, k]: of j where both are there
    divisor = np.maximum(both - 1, 1)
    of_sums = sums / np.maximum(both, 1)
    covariances = (added["products"] - of_sums * sums.T) / divisor
    variances = (squares - of_sums * sums) / divisor
    variances = np.where(variances <= ROUNDING * squares / divisor, 0.0, variances)
    enough = both >= 2
    return np.where(enough, covariances, 0.0), np.where(enough, variances, 0.0)
