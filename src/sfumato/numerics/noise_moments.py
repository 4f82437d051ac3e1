"""What is known of the moments of data with noise on them: how much of a covariance the noise is."""

import numpy as np

from sfumato.numerics.arrays import FloatColumn, FloatMatrix


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
