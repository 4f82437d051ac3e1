"""Covariances where some values are missing."""

import numpy as np

from sfumato.numerics.arrays import FloatMatrix

UNFINISHED = 1e-3  # of the way from the complete records to the estimate, after the steps that are taken
MAX_REGRESSIONS = 20_000  # one for each step and pattern of missing values; at least one step is taken
NEGLIGIBLE = 1e-10  # of the variance of a column: a linear relation, which predicts nothing of other columns


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


def estimated_covariances(matrix: FloatMatrix) -> FloatMatrix:
    """Return the covariances of all records, each value that is missing expected from the others of its record.

    These are steps of the expectation-maximisation algorithm for normal records, from the covariances of the complete
    ones; the divisor is n - 1. Columns without missing values have the covariances that they have on their own. A
    linear relation that every record with its columns keeps has variance 0, as what is expected keeps it too; and only
    such a relation: the records that break it count as they are.

    Parameters
    ----------
    matrix
        The records (records x columns), at least 2 of them complete, each with at least one value.

    References
    ----------
    Little and Rubin (2002), Statistical analysis with missing data, section 11.2.

    Examples
    --------
    >>> matrix = np.array([[1.0, 2.0], [3.0, 6.0], [8.0, np.nan]])  # the second column is twice the first
    >>> estimated_covariances(matrix).round(9)
    array([[13., 26.], [26., 52.]])
    """
    scales = np.nanstd(matrix, axis=0)
    scales[np.nanmax(matrix, axis=0) == np.nanmin(matrix, axis=0)] = 0.0  # or a rounding error
    units = np.where(scales > 0, scales, 1.0)
    scaled = (matrix - np.nanmean(matrix, axis=0)) / units
    patterns, numbers = np.unique(~np.isnan(scaled), axis=0, return_inverse=True)
    known = patterns.astype(np.float64)
    filled = np.where(np.isnan(scaled), 0.0, scaled)
    groups = np.split(filled[np.argsort(numbers, kind="stable")], np.cumsum(np.bincount(numbers))[:-1])
    counts = np.array([len(group) for group in groups], dtype=np.float64)
    sums = np.array([group.sum(axis=0) for group in groups])
    squares = np.array([np.einsum("ni,nj->ij", group, group) for group in groups])
    means = scaled[~np.isnan(scaled).any(axis=1)].mean(axis=0)
    covariance = complete_covariances(scaled)
    for _ in range(_steps(float(np.isnan(scaled).any(axis=1).mean()), len(patterns))):
        slopes, left = _regressions(covariance, known)
        centres = known * means
        crossed = np.einsum("pi,pj->pij", sums, centres)
        about = squares - crossed - crossed.transpose(0, 2, 1)
        about += np.einsum("p,pi,pj->pij", counts, centres, centres)
        scatter = np.einsum("pia,pab,pjb->ij", slopes, about, slopes, optimize=["einsum_path", (0, 1), (0, 1)])
        shift = np.einsum("pia,pa->i", slopes, sums - counts[:, None] * centres) / len(matrix)
        scatter += np.einsum("p,pij->ij", counts, left) - len(matrix) * np.outer(shift, shift)
        means, covariance = means + shift, (scatter + scatter.T) / 2 / (len(matrix) - 1)
    varies = scales > 0
    return np.asarray(covariance * np.outer(units * varies, units * varies), dtype=np.float64)


def _steps(incomplete: float, patterns: int) -> int:
    """Return the number of steps, each of which leaves at most the share of incomplete records of the way to go."""
    return min(int(np.ceil(np.log(UNFINISHED) / np.log(incomplete))), max(MAX_REGRESSIONS // patterns, 1))


def _regressions(covariance: FloatMatrix, known: FloatMatrix) -> tuple[FloatMatrix, FloatMatrix]:
    """Return for each pattern of known columns what they let expect of all, and the covariance that is left.

    Returns
    -------
    The slopes (patterns x columns x known columns): known columns are themselves, and slopes on others are 0; and the
    residual covariance of the missing columns, 0 for known ones.
    """
    missing = 1 - known
    inverse = np.linalg.pinv(covariance * known[:, :, None] * known[:, None, :], rcond=NEGLIGIBLE, hermitian=True)
    inverse *= known[:, :, None] * known[:, None, :]
    slopes = missing[:, :, None] * np.einsum("ij,pjk->pik", covariance, inverse)
    left = covariance - np.einsum("pik,kj->pij", slopes, covariance)
    left *= missing[:, :, None] * missing[:, None, :]
    return slopes + known[:, :, None] * np.eye(len(covariance)), left
