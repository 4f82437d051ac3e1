"""Groups of enough households: one that holds fewer is joined to the nearest, until it has as many as it must."""

import numpy as np

from sfumato.kernels.microaggregation.gower_mdav import NOMINAL
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix, Integers
from sfumato.numerics.ranking import dense_numbers


def join_groups_of_few(
    points: FloatMatrix, forms: Integers, weights: FloatColumn, groups: CodeColumn, units: CodeColumn, k: int
) -> CodeColumn:
    """Return the groups of records, those of fewer than `k` units joined to the one whose centre is nearest.

    A group that is joined goes on until it has `k` units, or all are in it; the lowest number is taken first.

    Parameters
    ----------
    points, forms, weights
        The records and what a difference in each column counts, as in `gower_mdav_groups`.
    groups, units
        The group of each record, from 0, and its household.
    k
        How many units each group must hold.

    Examples
    --------
    >>> ages = np.array([[20.0], [21], [22], [40], [41], [42], [80], [81], [82]])
    >>> groups, homes = np.repeat(np.arange(3), 3), np.array([0, 0, 0, 1, 2, 3, 4, 5, 6])
    >>> join_groups_of_few(ages, np.array([2]), np.ones(1), groups, homes, 3)
    array([0, 0, 0, 0, 0, 0, 1, 1, 1])
    """
    members = np.unique(np.stack([groups, units]), axis=1)
    held = [set(own.tolist()) for own in np.split(members[1], np.flatnonzero(np.diff(members[0])) + 1)]
    centres = _centres(points, forms, groups, len(held))
    joined, is_free = np.arange(len(held)), np.ones(len(held), dtype=np.bool_)
    left = len(held)
    for group in range(len(held)):
        while is_free[group] and len(held[group]) < k and left > 1:
            apart = _distances(centres, centres[group], forms, weights)
            apart[~is_free] = np.inf
            apart[group] = np.inf
            nearest = int(np.argmin(apart))
            held[nearest] |= held[group]
            is_free[group] = False
            joined[joined == group] = nearest
            group, left = nearest, left - 1
    return dense_numbers(joined[groups])


def _centres(points: FloatMatrix, forms: Integers, groups: CodeColumn, count: int) -> FloatMatrix:
    """Return the mean of each group in columns of numbers; of categories that of its first record."""
    first = np.full(count, groups.size)
    np.minimum.at(first, groups, np.arange(groups.size))
    centres: FloatMatrix = points[first].copy()
    sizes = np.bincount(groups, minlength=count)
    for column in np.flatnonzero(forms != NOMINAL):
        centres[:, column] = np.bincount(groups, points[:, column], minlength=count) / sizes
    return centres


def _distances(centres: FloatMatrix, one: FloatColumn, forms: Integers, weights: FloatColumn) -> FloatColumn:
    """Return how far all centres are from one, by Gower's distance."""
    differences: FloatMatrix = np.where(forms == NOMINAL, centres != one, np.abs(centres - one))
    return np.asarray(differences @ weights, dtype=np.float64)
