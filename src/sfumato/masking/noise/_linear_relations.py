"""Columns that others determine: what is left of them beside the linear relation would be released as it was."""

import numpy as np

from sfumato.numerics.arrays import FloatMatrix
from sfumato.numerics.normal_draws import square_root
from sfumato.numerics.portable.symmetric import solve_lower


def drop_residuals(matrix: FloatMatrix, covariance: FloatMatrix) -> FloatMatrix:
    """Return the records with each column that earlier ones determine put exactly on its linear relation.

    Noise that keeps linear relations, such as totals, adds nothing beside them. An amount in another currency, rounded
    to cents, would show in the released file which cents rounding left over, and these tell one record from another.
    So what is left over is replaced by its mean. That moves a value by about a millionth of the column's deviation.
    Records that lack values are put on the relations between those that they have.

    Parameters
    ----------
    matrix
        The records (records x columns); NaN where a value is missing.
    covariance
        The covariance of the columns, or a multiple of it.

    Examples
    --------
    >>> euros = np.array([10.0, 20.0, 40.0])
    >>> drop_residuals(np.column_stack([euros, 2 * euros + [1e-9, -1e-9, 0.0]]), np.array([[1.0, 2.0], [2.0, 4.0]]))
    array([[10., 20.],
           [20., 40.],
           [40., 80.]])
    """
    if not has_relations(covariance):
        return matrix
    changed, observed = matrix.copy(), ~np.isnan(matrix)
    patterns, numbers = np.unique(observed, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        columns, rows = np.flatnonzero(pattern), np.flatnonzero(numbers.ravel() == number)
        root = square_root(covariance[np.ix_(columns, columns)])
        is_free = np.diag(root) > 0
        free, determined = columns[is_free], columns[~is_free]
        if free.size and determined.size:
            upper, right = root[np.ix_(is_free, is_free)].T, root[np.ix_(~is_free, is_free)].T
            slopes = solve_lower(upper[::-1, ::-1], right[::-1])[::-1]  # turned round, an upper triangle is a lower one
            fitted = np.einsum("ij,jk->ik", matrix[:, free], slopes)
            residuals = matrix[:, determined] - fitted
            known = ~np.isnan(residuals)
            means = np.where(known, residuals, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
            changed[np.ix_(rows, determined)] = fitted[rows] + means
    return changed


def has_relations(covariance: FloatMatrix) -> bool:
    """Tell whether some column is determined by earlier ones.

    Examples
    --------
    >>> has_relations(np.array([[1.0, 2.0], [2.0, 4.0]])), has_relations(np.eye(2))
    (True, False)
    """
    return not bool((np.diag(square_root(covariance)) > 0).all())


def leaves_traces(matrix: FloatMatrix, covariance: FloatMatrix) -> bool:
    """Tell whether noisy records may show more than their noise: relations between columns of which values are missing.

    Which relations a record is put on hangs on what it lacks, known to the intruder or not.
    """
    return bool(np.isnan(matrix).any()) and has_relations(covariance)
