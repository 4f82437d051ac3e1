"""How many persons tell as much as some who partly live together: members of a household are alike."""

import numpy as np

from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn


def independent_size(is_found: Booleans | FloatColumn, households: CodeColumn | None) -> float:
    """Return how many independent persons would tell as much of a share as some who partly live together.

    By the variance between households (Korn and Graubard 1998), also of chances to be found; where all or none are
    found, as if all members of a household were alike.

    Examples
    --------
    >>> independent_size(np.array([True, True, False, False, False, False]), np.array([0, 0, 1, 1, 2, 2]))
    3.0
    """
    n = is_found.size
    if households is None:
        return float(n)
    sizes = sums_by(households, np.ones(n))
    fewest = n**2 / float((sizes**2).sum())
    share = float(is_found.mean())
    if share in (0.0, 1.0) or sizes.size < 2:
        return fewest
    sums = sums_by(households, is_found.astype(np.float64) - share)
    variance = sizes.size / (sizes.size - 1) * float((sums**2).sum()) / n**2
    return min(max(share * (1 - share) / variance, fewest), float(n)) if variance > 0 else fewest


def sums_by(household: CodeColumn, values: FloatColumn) -> FloatColumn:
    """Return the sum of the values of each household."""
    number = np.unique(household, return_inverse=True)[1]
    return np.asarray(np.bincount(number, weights=values), dtype=np.float64)
