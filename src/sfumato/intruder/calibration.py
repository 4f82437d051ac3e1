"""How far an intruder may trust a posterior whose likelihood was learnt: they attack a file of their own first."""

import numpy as np

from sfumato.numerics.arrays import FloatColumn

SURE = 0.5  # links that are looked at
MIN_SURE = 10  # below so many nothing can be told
STANDARD_ERRORS = 3.0
TOGETHER = 50  # links by which it is told how often such are right


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
    if not are_too_sure(tried, right, STANDARD_ERRORS):
        return certainty
    from scipy.optimize import isotonic_regression

    _, places, counts = np.unique(tried, return_inverse=True, return_counts=True)
    from_above = np.cumsum(counts[::-1])[::-1] - counts  # the surest together, as some few are right by chance
    bins = np.unique(-(from_above // TOGETHER), return_inverse=True)[1][places]
    together = np.bincount(bins).astype(np.float64)
    shares, means = (np.bincount(bins, column) / together for column in (right, tried))
    rising = isotonic_regression(shares, weights=together).x
    return np.asarray(np.minimum(certainty, np.interp(certainty, means, rising)), dtype=np.float64)


def are_too_sure(certainty: FloatColumn, right: FloatColumn, errors: float) -> bool:
    """Tell whether likely links are right less often than they should be, by more than so many standard errors.

    Examples
    --------
    >>> right = np.repeat([0.0, 1.0], [10, 90])
    >>> are_too_sure(np.full(100, 0.9), right, 3.0), are_too_sure(np.full(100, 0.99), right, 3.0)
    (False, True)
    """
    is_sure = certainty >= SURE
    if is_sure.sum() < MIN_SURE:
        return False
    chances = certainty[is_sure]
    excess = (chances - right[is_sure]).sum()
    return bool(excess > errors * np.sqrt((chances * (1 - chances)).sum() + 0.25))
