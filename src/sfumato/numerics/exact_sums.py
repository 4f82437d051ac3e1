"""Sums of the figures of many parts of a file, to the last bit whatever the order in which they come."""

from collections.abc import Sequence
from math import fsum

import numpy as np

from sfumato.numerics.arrays import Floats


def exact_sum(parts: Sequence[Floats]) -> Floats:
    """Return the sum of arrays of one shape, each number rounded once; of a single array, itself.

    Examples
    --------
    >>> exact_sum([np.array([1e16, 1.0]), np.array([1.0, 2.0]), np.array([-1e16, 3.0])])
    array([1., 6.])
    """
    if len(parts) == 1:
        return np.asarray(parts[0], dtype=np.float64)
    stacked = np.array(parts, dtype=np.float64)
    sums = [fsum(figures) for figures in stacked.reshape(len(parts), -1).T.tolist()]
    return np.array(sums, dtype=np.float64).reshape(stacked.shape[1:])
