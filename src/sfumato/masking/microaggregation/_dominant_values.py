"""Amounts so large beside the others of a group that its mean would tell them."""

import numpy as np

from sfumato.numerics.arrays import CodeColumn, FloatColumn

ROUNDING = 1e-12


def cap_dominant_values(values: FloatColumn, groups: CodeColumn, p: float) -> FloatColumn:
    """Return the values with those made smaller that the mean of their group would tell, by the p % rule of tables.

    Parameters
    ----------
    values
        Amounts; NaN where one is missing. The rule is about their absolute values, and signs stay.
    groups
        The group of each value, numbered from 0.
    p
        The percent of the largest amount that all but the two largest must have together at least.

    Returns
    -------
    The values, the largest of a group no larger than its second where that meets the rule, else the two largest no
    larger than its third: three equal amounts always meet it.

    Examples
    --------
    >>> cap_dominant_values(np.array([900.0, 40, 30, 20, 900, -800, 10, 5]), np.array([0, 0, 0, 0, 1, 1, 1, 1]), 10)
    array([ 40.,  40.,  30.,  20.,  10., -10.,  10.,   5.])
    """
    known = np.flatnonzero(~np.isnan(values))
    if not known.size:
        return values.copy()
    sizes, members = np.abs(values[known]), groups[known]
    order = np.lexsort((-sizes, members))
    sorted_sizes = sizes[order]
    starts = np.flatnonzero(np.diff(members[order], prepend=-1))
    counts = np.diff(starts, append=order.size)
    first, second, third = (
        np.where(counts > place, sorted_sizes[np.minimum(starts + place, order.size - 1)], 0.0) for place in range(3)
    )
    rest = np.add.reduceat(sorted_sizes, starts) - first - second
    needed = p / 100 - ROUNDING
    caps = np.where(rest >= needed * first, first, np.where(rest >= needed * second, second, third))
    limits = np.empty(order.size)
    limits[order] = np.repeat(caps, counts)
    capped = values.copy()
    capped[known] = np.sign(values[known]) * np.minimum(sizes, limits)
    return capped
