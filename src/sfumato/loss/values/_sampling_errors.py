"""Standard errors of the statistics of a sample: how far they would lie from the truth by chance alone."""

from dataclasses import dataclass

import numpy as np

from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.numerics.standardisation import NEGLIGIBLE

REACH = 8.0  # bandwidths beyond which a record adds nothing to a density that a float could hold


@dataclass(frozen=True, eq=False)
class SamplingErrors:
    """The standard errors of the first and second moments of a matrix; 0 where a statistic cannot vary.

    Parameters
    ----------
    means
        Of the mean of each column: s / sqrt(n).
    covariances
        Of the covariance of each two columns; those of the variances are on the diagonal.
    correlations
        Of the correlation of each two columns.
    """

    means: FloatColumn
    covariances: FloatMatrix
    correlations: FloatMatrix


def sampling_errors(matrix: FloatMatrix) -> SamplingErrors:
    """Return the standard errors of the moments of `matrix` (records x columns, missing is NaN).

    Each column counts its own values, and each two columns the records that have both.
    """
    d = matrix.shape[1]
    there = ~np.isnan(matrix)
    covariances, correlations = np.zeros((d, d)), np.zeros((d, d))
    for j in range(d):
        for k in range(j, d):
            both = there[:, j] & there[:, k]
            found = joint_errors(matrix[both, j], matrix[both, k])
            covariances[[j, k], [k, j]], correlations[[j, k], [k, j]] = found
    return SamplingErrors(np.array([mean_error(matrix[there[:, j], j]) for j in range(d)]), covariances, correlations)


def mean_error(column: FloatColumn) -> float:
    """Return the standard error of the mean of a column without gaps; 0 for a single value."""
    return float(np.std(column, ddof=1) / np.sqrt(column.size)) if _varies(column) else 0.0


def joint_errors(one: FloatColumn, other: FloatColumn) -> tuple[float, float]:
    """Return the standard errors of the covariance and of the correlation of two columns without gaps.

    With u and v the columns in standard deviations from their means, r their correlation and m_22 the mean of u^2 v^2,
    the variance of the covariance is (m_22 - r^2 + (1 + r^2) / (n - 1)) / n, times both variances: exact for a sample
    of any distribution. That of the correlation is the mean of (u v - r (u^2 + v^2) / 2)^2 over n, which holds for
    large samples of any distribution; for normal columns it is (1 - r^2)^2 / n.

    Examples
    --------
    >>> one = np.array([0.0, 0.0, 2.0, 2.0])
    >>> joint_errors(one, np.array([0.0, 2.0, 0.0, 2.0]))  # u v is 1 or -1: m_22 = 1 and r = 0
    (0.5773502691896257, 0.5)
    """
    if not (_varies(one) and _varies(other)):
        return 0.0, 0.0
    n = one.size
    u, v = ((column - column.mean()) / column.std() for column in (one, other))
    products = u * v
    r = products.mean()
    of_covariance = (products.var() + (1 + r**2) / (n - 1)) / n
    of_correlation = np.mean((products - r * (u**2 + v**2) / 2) ** 2) / n
    return float(one.std() * other.std() * np.sqrt(of_covariance)), float(np.sqrt(of_correlation))


def quantiles(ascending: FloatColumn, shares: FloatColumn) -> FloatColumn:
    """Return the values below which the shares of a sorted column without gaps lie, interpolated linearly.

    Examples
    --------
    >>> quantiles(np.array([10.0, 20.0, 40.0]), np.array([0.25, 0.5, 0.75]))
    array([15., 20., 30.])
    """
    places = shares * (ascending.size - 1)
    low = np.minimum(places.astype(np.int64), ascending.size - 1)
    high = np.minimum(low + 1, ascending.size - 1)
    part = places - low
    return np.asarray((1 - part) * ascending[low] + part * ascending[high], dtype=np.float64)


def quantile_errors(ascending: FloatColumn, shares: FloatColumn) -> FloatColumn:
    """Return the standard errors of the quantiles of a sorted column without gaps, sqrt(q (1 - q) / n) / f.

    The density f at a quantile is estimated by `density`; where it is 0 the error is infinite.
    """
    if not _varies(ascending):
        return np.zeros(shares.size)
    dense = density(ascending, quantiles(ascending, shares))
    errors = np.full(shares.size, np.inf)
    np.divide(np.sqrt(shares * (1 - shares) / ascending.size), dense, out=errors, where=dense > NEGLIGIBLE)
    return errors


def density(ascending: FloatColumn, points: FloatColumn) -> FloatColumn:
    """Return the density of a sorted column at some points, by a normal kernel of Silverman's bandwidth.

    That is 0.9 n^(-1/5) times the smaller of the standard deviation and of the interquartile range / 1.34 (if not 0).

    Examples
    --------
    >>> density(np.array([-1.0, 1.0]), np.array([0.0])).round(3)
    array([0.158])
    """
    low, high = quantiles(ascending, np.array([0.25, 0.75]))
    spreads = np.array([np.std(ascending, ddof=1), (high - low) / 1.34])
    bandwidth = 0.9 * spreads[spreads > 0].min() * ascending.size**-0.2
    ends = np.searchsorted(ascending, [points - REACH * bandwidth, points + REACH * bandwidth])
    heights = [
        np.exp(-0.5 * ((ascending[first:last] - point) / bandwidth) ** 2).sum()
        for point, first, last in zip(points, *ends, strict=True)
    ]
    return np.array(heights, dtype=np.float64) / float(ascending.size * bandwidth * np.sqrt(2 * np.pi))


def _varies(column: FloatColumn) -> bool:
    return column.size > 1 and bool(column.max() - column.min() > NEGLIGIBLE)
