"""Means of the values that are known."""

import numpy as np

from sfumato.numerics.arrays import FloatColumn, FloatMatrix


def row_means(matrix: FloatMatrix) -> FloatColumn:
    """Return the mean of the known values of each row; NaN where there are none."""
    unknown = np.isnan(matrix)
    if matrix.shape[1] and not unknown.any():
        return np.asarray(matrix.sum(axis=1) / matrix.shape[1])  # without a copy in which gaps are 0
    known = np.count_nonzero(~unknown, axis=1)
    means = np.full(len(matrix), np.nan)
    np.divide(np.nansum(matrix, axis=1), known, out=means, where=known > 0)
    return means


def known_sums(matrix: FloatMatrix) -> FloatMatrix:
    """Return the sums of the known values of each column, and how many there are (2 x columns).

    Examples
    --------
    >>> known_sums(np.array([[1.0, np.nan], [3.0, np.nan]]))
    array([[4., 0.],
           [2., 0.]])
    """
    unknown = np.isnan(matrix)
    if not unknown.any():  # the same sums, without a copy in which gaps are 0
        return np.array([matrix.sum(axis=0), np.full(matrix.shape[1], len(matrix))], dtype=np.float64)
    return np.array([np.nansum(matrix, axis=0), np.count_nonzero(~unknown, axis=0)], dtype=np.float64)


def means_of_sums(sums: FloatMatrix) -> tuple[FloatColumn, float]:
    """Return the mean of each column and of all its values together from `known_sums`; 0 where there are none.

    Examples
    --------
    >>> means_of_sums(np.array([[4.0, 0.0], [2.0, 0.0]]))
    (array([2., 0.]), 2.0)
    """
    totals, counts = sums
    by_column = np.divide(totals, counts, out=np.zeros_like(totals), where=counts > 0)
    return by_column, float(totals.sum() / counts.sum()) if counts.any() else 0.0


def mean_of_known(values: FloatColumn) -> float:
    """Return the mean of the values that are not NaN; 0 where there are none."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else 0.0
