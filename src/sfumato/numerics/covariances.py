"""Covariances where some values are missing."""

import numpy as np

from sfumato.numerics.arrays import FloatMatrix


def complete_covariances(matrix: FloatMatrix) -> FloatMatrix:
    """Return the covariances of the records that have every value (divisor n - 1), NaN where there are fewer than 2.

    Examples
    --------
    >>> complete_covariances(np.array([[1.0, 0.0], [3.0, 4.0], [9.0, np.nan]]))
    array([[2., 4.], [4., 8.]])
    """
    complete = matrix[~np.isnan(matrix).any(axis=1)]
    if len(complete) < 2:
        return np.full((matrix.shape[1], matrix.shape[1]), np.nan)
    centred = complete - complete.mean(axis=0)
    # einsum adds in one fixed order; a threaded BLAS may not
    return np.asarray(np.einsum("ni,nj->ij", centred, centred) / (len(complete) - 1), dtype=np.float64)
