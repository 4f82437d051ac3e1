"""Normal draws with given covariances."""

import numpy as np

from sfumato.numerics.arrays import FloatMatrix, Rows
from sfumato.numerics.portable.symmetric import cholesky, eigen, independent_columns, solve_lower

LINEAR = 1e-12  # of the variance of a column, not left over by earlier ones: a linear relation, up to rounding
NEGLIGIBLE = 1e-9  # of the deviation of each column: no variance at all


def correlated_normals(n: int, covariance: FloatMatrix, rng: np.random.Generator) -> FloatMatrix:
    """Return `n` normal records with mean 0 and the given covariance, which may be singular."""
    independent = rng.standard_normal((len(covariance), n))
    # einsum adds in one fixed order; a threaded BLAS may not
    return np.asarray(np.einsum("ij,jn->in", square_root(covariance), independent).T, dtype=np.float64)


def square_root(covariance: FloatMatrix) -> FloatMatrix:
    """Return a matrix L with L L' = covariance: Cholesky's, in which a column that earlier ones determine adds nothing.

    Such a column, with less than 1e-12 of its variance left, is made of the elements of the earlier columns alone, and
    its own element is 0. So no rounding decides between two roots: near a linear relation they are nearly the same. The
    root of some columns down to one of them is that part of the root of all. The correlations are factored and the
    scales put back, so that a column of small numbers beside one of large numbers does not get lost in rounding errors.

    Examples
    --------
    >>> square_root(np.array([[4.0, 2.0, 6.0], [2.0, 1.0, 3.0], [6.0, 3.0, 10.0]]))  # the second is half the first
    array([[2., 0., 0.], [1., 0., 0.], [3., 0., 1.]])
    """
    deviations = np.sqrt(np.maximum(np.diag(covariance), 0.0))  # what is left of a variance may be a rounding below 0
    scales = np.where(deviations > 0, deviations, 1.0)
    correlations = covariance / np.outer(scales, scales)
    kept, factor = _independent_factor(correlations)
    others = np.setdiff1d(np.arange(len(correlations)), kept)
    root = np.zeros_like(correlations)
    root[np.ix_(kept, kept)] = factor
    if others.size and kept.size:
        root[np.ix_(others, kept)] = solve_lower(factor, correlations[np.ix_(kept, others)]).T
    return np.asarray(scales[:, None] * np.tril(root), dtype=np.float64)  # what is above comes of rounding


def _independent_factor(correlations: FloatMatrix) -> tuple[Rows, FloatMatrix]:
    """Return the columns that earlier ones do not determine, and Cholesky's factor of their correlations.

    What is left of a column may be so little that it is below 0 once rounded otherwise: earlier ones determine it then.
    """
    kept = np.array(independent_columns(correlations, LINEAR), dtype=np.int64)
    while True:
        factor = cholesky(correlations[np.ix_(kept, kept)])
        determined = np.flatnonzero(~(np.diag(factor) > 0))
        if not determined.size:
            return kept, factor
        kept = np.delete(kept, determined[0])


def component_root(covariance: FloatMatrix) -> FloatMatrix:
    """Return a matrix L with L L' = covariance whose columns are the principal components of the correlations.

    Each component points to where its largest coefficient is positive, so that the sign is the same everywhere.

    Examples
    --------
    >>> component_root(np.array([[4.0, 1.0], [1.0, 1.0]])).round(3).tolist()
    [[1.0, 1.732], [-0.5, 0.866]]
    """
    deviations = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    scales = np.where(deviations > 0, deviations, 1.0)
    values, vectors = eigen(covariance / np.outer(scales, scales))
    return np.asarray(scales[:, None] * vectors * np.sqrt(np.maximum(values, 0.0)), dtype=np.float64)


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
