"""What is known of the moments of data with noise on them: how much of a covariance the noise is."""

from typing import NamedTuple

import numpy as np

from sfumato.numerics.arrays import FloatColumn, FloatMatrix

ROUNDING = 1 / 12  # the variance of an error that is uniform between -1/2 and 1/2
WIDE = 3.0  # a deviation from which on rounding adds just that, to the last digit


def noise_share(covariance: FloatMatrix, ratio: float) -> FloatMatrix:
    """Return the part of the covariance of noisy records that is the noise's: d / (1 + d) of it.

    The noise has a covariance of `ratio` (d) times that of the original records, so that noisy records have 1 + d times
    it. A subdomain of covariance V_D in a file of covariance V then had V_D - d V / (1 + d), as every record got the
    same noise (Kim 1990, Subpopulation estimation for the masked data).

    Examples
    --------
    >>> noise_share(np.array([[10.0]]), 0.25)
    array([[2.]])
    """
    return np.asarray(ratio / (1 + ratio) * covariance, dtype=np.float64)


def before_rescaling(matrix: FloatMatrix, means: FloatColumn, ratio: float) -> FloatMatrix:
    """Return noisy records as they were before they were drawn towards their means by 1 / sqrt(1 + ratio).

    Examples
    --------
    >>> before_rescaling(np.array([[8.0], [12.0]]), np.array([10.0]), 1.25)
    array([[ 7.], [13.]])
    """
    return np.asarray(means + np.sqrt(1 + ratio) * (matrix - means), dtype=np.float64)


class RoundedNoise(NamedTuple):
    """Normal noise on whole numbers, after rounding to whole numbers.

    Parameters
    ----------
    variance
        Of the rounded noise.
    share
        Which part of a covariance with another noise is left.
    """

    variance: float
    share: float


def rounded_noise(deviation: float) -> RoundedNoise:
    """Return what rounding makes of normal noise: that of a narrow one often vanishes, a wide one gets 1 / 12 more.

    A rounded error k has the square 1 + 3 + ... + (2k - 1), so that its variance is the sum of (2k + 1) times
    P(|e| > k + 1/2) over k from 0 on; a covariance is left by the sum of the densities where rounding steps, by Stein's
    lemma.

    Examples
    --------
    >>> [round(figure, 4) for deviation in (0.2, 1.0) for figure in rounded_noise(deviation)]
    [0.0124, 0.1753, 1.0833, 1.0]
    """
    from scipy.stats import norm

    if deviation >= WIDE:
        return RoundedNoise(deviation**2 + ROUNDING, 1.0)
    if deviation == 0.0:
        return RoundedNoise(0.0, 0.0)
    steps = np.arange(40)
    far = (steps + 0.5) / deviation
    return RoundedNoise(float(2 * ((2 * steps + 1) * norm.sf(far)).sum()), float(2 * norm.pdf(far).sum() / deviation))


def variance_before_rounded_noise(variance: float, ratio: float) -> float:
    """Return the variance of whole numbers before noise of `ratio` times it was added and the sum was rounded.

    Examples
    --------
    >>> round(variance_before_rounded_noise(125 + 1 / 12, 0.25), 6)
    100.0
    """
    from scipy.optimize import brentq

    if variance <= 0.0:
        return 0.0
    return float(
        brentq(lambda before: before + rounded_noise(float(np.sqrt(ratio * before))).variance - variance, 0.0, variance)
    )
