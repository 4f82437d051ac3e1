"""List the nearest other records of each record."""

import numpy as np

from sfumato.numerics.arrays import Floats, Integers


def nearest_others(points: Floats, count: int) -> Integers:
    """Return the rows of the `count` nearest other records of each, the nearest first; all others when they are fewer.

    Parameters
    ----------
    points
        Records without missing values, shape (n, d), d >= 1.
    count
        How many to list.

    Examples
    --------
    >>> nearest_others(np.array([[0.0], [1.0], [3.0]]), 1)
    array([[1],
           [0],
           [1]])
    """
    from scipy.spatial import cKDTree

    n = len(points)
    count = min(count, n - 1)
    if count < 1:
        return np.empty((n, 0), dtype=np.int64)
    found = cKDTree(points).query(points, k=count + 1)[1]
    others = found != np.arange(n)[:, None]
    others[others.all(axis=1), -1] = False  # of many records in one place the record itself need not be listed
    return np.asarray(found[others].reshape(n, count), dtype=np.int64)
