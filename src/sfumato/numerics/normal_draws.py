"""Normal draws with given covariances."""

import numpy as np

from sfumato.numerics.arrays import FloatMatrix

NEGLIGIBLE = 1e-9  # of the deviation of each column: no variance at all


def correlated_normals(n: int, covariance: FloatMatrix, rng: np.random.Generator) -> FloatMatrix:
    """Return `n` normal records with mean 0 and the given covariance, which may be singular."""
    independent = rng.standard_normal((len(covariance), n))
    # einsum adds in one fixed order; a threaded BLAS may not
    return np.asarray(np.einsum("ij,jn->in", square_root(covariance), independent).T, dtype=np.float64)


def square_root(covariance: FloatMatrix) -> FloatMatrix:
    """Return a matrix L with L L' = covariance: Cholesky's, or one by eigenvectors where columns are collinear.

    The correlations are factored and the scales put back, so that a column of small numbers beside one of large numbers
    does not get lost in rounding errors.
    """
    deviations = np.sqrt(np.maximum(np.diag(covariance), 0.0))  # what is left of a variance may be a rounding below 0
    scales = np.where(deviations > 0, deviations, 1.0)
    correlations = covariance / np.outer(scales, scales)
    try:
        root = np.linalg.cholesky(correlations)
    except np.linalg.LinAlgError:
        values, vectors = np.linalg.eigh(correlations)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
    return np.asarray(scales[:, None] * root, dtype=np.float64)


def inverse_root(root: FloatMatrix) -> FloatMatrix:
    """Return the matrix that turns draws L w into the elements w, for a root L; elements without variance are left out.

    Columns are brought to one scale first, so that small numbers beside large ones do not drown in rounding errors.

    Examples
    --------
    >>> root = np.array([[2.0, 0.0], [1e60, 1e60]])
    >>> (inverse_root(root) @ root).round(9) + 0.0
    array([[1., 0.], [0., 1.]])
    """
    deviations = np.sqrt((root**2).sum(axis=1))
    scales = np.where(deviations > 0, deviations, 1.0)[:, None]
    scaled = root / scales
    used = np.abs(scaled).max(axis=0, initial=0.0) > NEGLIGIBLE
    return np.asarray(np.linalg.pinv(scaled[:, used]) / scales.T, dtype=np.float64)
