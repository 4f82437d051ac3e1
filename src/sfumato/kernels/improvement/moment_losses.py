"""How far the first and second moments of a masked file are from those of the original, as IL2 to IL5 count it."""

from typing import NamedTuple

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.improvement.record_variation import NEGLIGIBLE, UNKNOWN
from sfumato.numerics.arrays import Floats

ROUNDING = 1e-12  # a moment smaller than this part of its scale is a zero that arithmetic has blurred


class OriginalMoments(NamedTuple):
    """The moments of the original.

    Parameters
    ----------
    means, deviations
        Of the values, shape (d,): what values are standardised by.
    covariances
        Of the standardised values, divisor n - 1, shape (d, d): the correlations, with 0 for those that rounding blurs.
    """

    means: Floats
    deviations: Floats
    covariances: Floats


@compiled
def moment_losses(
    moments: OriginalMoments, sums: Floats, products: Floats, n: int
) -> tuple[float, float, float, float]:
    """Return IL2 (means), IL3 (covariances with variances), IL4 (variances) and IL5 (correlations) as shares.

    Parameters
    ----------
    moments
        Those of the original.
    sums, products
        The sums of the standardised masked values, shape (d,), and of the products of each two columns, shape (d, d).
    n
        How many masked records these are of.

    Notes
    -----
    Standardising multiplies a covariance of both files by the same number, so that its relative change stays.
    """
    d = sums.size
    variances = np.empty(d)
    mean_loss, variance_loss, covariance_loss, correlation_loss = np.zeros(2), np.zeros(2), np.zeros(2), 0.0
    for j in range(d):
        variances[j] = _variance(sums[j], products[j, j], n)
        mean = _kept_mean(moments, j, 0.0, 1.0, 1)  # of the original, whose standardised values have mean 0, variance 1
        _add(mean_loss, _variation(mean, _kept_mean(moments, j, sums[j], products[j, j], n)))
        _add(variance_loss, _variation(moments.covariances[j, j], variances[j]))
        _add(covariance_loss, _variation(moments.covariances[j, j], variances[j]))
        for k in range(j):
            before, after = moments.covariances[j, k], (products[j, k] - sums[j] * sums[k] / n) / (n - 1)
            spread = np.sqrt(variances[j]) * np.sqrt(variances[k])
            if abs(after) <= ROUNDING * spread or spread == 0.0:
                after = 0.0
            _add(covariance_loss, _variation(before, after))
            correlation = min(max(after / spread, -1.0), 1.0) if spread > 0.0 else 0.0
            correlation_loss += abs(correlation - min(max(before, -1.0), 1.0))
    return _mean(mean_loss), _mean(covariance_loss), _mean(variance_loss), correlation_loss / max(d * (d - 1) / 2, 1.0)


@compiled
def _variance(total: float, squares: float, n: int) -> float:
    """Return the variance from the sum and the sum of squares; 0 for a constant."""
    variance = (squares - total * total / n) / (n - 1)
    return variance if variance > ROUNDING * squares / (n - 1) else 0.0


@compiled
def _kept_mean(moments: OriginalMoments, column: int, total: float, squares: float, n: int) -> float:
    """Return the mean of the values of a column from the sums of its standardised ones; 0 where it is a blurred one."""
    centre, deviation = moments.means[column], moments.deviations[column]
    mean = centre + deviation * total / n
    size = centre * centre + (2 * centre * deviation * total + deviation * deviation * squares) / n
    return mean if abs(mean) > ROUNDING * np.sqrt(max(size, 0.0)) else 0.0


@compiled
def _variation(original: float, masked: float) -> float:
    """Return |masked - original| / |original|, divided by |masked| where the original is 0."""
    scale = abs(original) if abs(original) > NEGLIGIBLE else abs(masked)
    return abs(masked - original) / scale if scale > NEGLIGIBLE else UNKNOWN


@compiled
def _add(total: Floats, variation: float) -> None:
    """Add a variation that is known to a total and the number of its parts (output)."""
    if variation != UNKNOWN:
        total[0] += variation
        total[1] += 1


@compiled
def _mean(total: Floats) -> float:
    return total[0] / total[1] if total[1] else 0.0
