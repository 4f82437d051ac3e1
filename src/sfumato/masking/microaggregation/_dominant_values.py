"""Amounts so large beside the others of a group that its mean would tell them."""

import numpy as np

from sfumato.numerics.arrays import CodeColumn, FloatColumn

ROUNDING = 1e-12


def largest_hidden(values: FloatColumn, groups: CodeColumn, p: float, units: CodeColumn | None = None) -> FloatColumn:
    """Return for each group the largest amount that its mean does not tell, by the p % rule of tables.

    Parameters
    ----------
    values
        Amounts; NaN where one is missing. The rule is about their absolute values.
    groups
        The group of each value, numbered from 0.
    p
        The percent of the largest amount that all but the two largest must have together at least.
    units
        The household of each value, where there are some: an amount that members of one have in common counts once.

    Returns
    -------
    The largest amount where the rule is met; else the second largest, if it is met with both as large as that; else the
    third largest: three equal amounts always meet it. Amounts that a group lacks are 0.

    Examples
    --------
    >>> largest_hidden(np.array([900.0, 40, 30, 20, 900, -800, 10, 5]), np.array([0, 0, 0, 0, 1, 1, 1, 1]), 10)
    array([40., 10.])
    >>> largest_hidden(np.array([900.0, 900, 900, 30]), np.zeros(4, dtype=int), 10, units=np.array([7, 7, 7, 8]))
    array([0.])
    """
    caps = np.zeros(groups.max(initial=-1) + 1)
    known = ~np.isnan(values)
    sizes, members = np.abs(values[known]), groups[known]
    units = np.arange(sizes.size) if units is None else units[known]
    order = np.lexsort((units, -sizes, members))
    sizes, members, units = sizes[order], members[order], units[order]
    again = (
        (np.diff(members, prepend=-1) == 0) & (np.diff(sizes, prepend=-1.0) == 0) & (np.diff(units, prepend=-1) == 0)
    )
    sizes, members = sizes[~again], members[~again]
    if not sizes.size:
        return caps
    starts = np.flatnonzero(np.diff(members, prepend=-1))
    counts = np.diff(starts, append=sizes.size)
    first, second, third = (
        np.where(counts > place, sizes[np.minimum(starts + place, sizes.size - 1)], 0.0) for place in range(3)
    )
    rest = np.add.reduceat(sizes, starts) - first - second
    needed = p / 100 - ROUNDING
    caps[members[starts]] = np.where(rest >= needed * first, first, np.where(rest >= needed * second, second, third))
    return caps


def cap_amounts(values: FloatColumn, caps: FloatColumn) -> FloatColumn:
    """Return the values, none further from 0 than its cap; signs stay.

    Examples
    --------
    >>> cap_amounts(np.array([900.0, -800, 10]), np.array([40.0, 10, 10]))
    array([ 40., -10.,  10.])
    """
    return np.asarray(np.clip(values, -caps, caps), dtype=np.float64)
