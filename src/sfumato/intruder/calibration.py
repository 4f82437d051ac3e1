"""How far an intruder may trust a posterior whose likelihood was learnt: they attack a file of their own first."""

import numpy as np

from sfumato.numerics.arrays import FloatColumn

SURE = 0.5  # links that are looked at
MIN_SURE = 10  # below so many nothing can be told
STANDARD_ERRORS = 3.0


def calibrate(certainty: FloatColumn, tried: FloatColumn, right: FloatColumn) -> FloatColumn:
    """Return how probable links are, lowered where links of a file whose truth is known were clearly too sure.

    Parameters
    ----------
    certainty
        How probable the links are held to be.
    tried, right
        The same of the links of the other file, and the chance that each of them is right.

    Examples
    --------
    >>> tried, right = np.full(100, 0.9), np.repeat([0.0, 1.0], 50)
    >>> calibrate(np.array([0.2, 0.95]), tried, right)
    array([0.2, 0.5])
    """
    is_sure = tried >= SURE
    if is_sure.sum() < MIN_SURE:
        return certainty
    chances = tried[is_sure]
    excess = (chances - right[is_sure]).sum()
    if excess <= STANDARD_ERRORS * np.sqrt((chances * (1 - chances)).sum() + 0.25):
        return certainty
    from scipy.optimize import isotonic_regression

    values, places, counts = np.unique(tried, return_inverse=True, return_counts=True)
    shares = np.bincount(places, right) / counts
    rising = isotonic_regression(shares, weights=counts.astype(np.float64)).x
    return np.asarray(np.minimum(certainty, np.interp(certainty, values, rising)), dtype=np.float64)
