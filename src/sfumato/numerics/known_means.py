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


def mean_of_known(values: FloatColumn) -> float:
    """Return the mean of the values that are not NaN; 0 where there are none."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else 0.0
