"""Amounts so large beside the others of a group that its mean would tell them."""

import numpy as np

from sfumato.numerics.arrays import CodeColumn, FloatColumn

ROUNDING = 1e-12
MAX_CELLS = 10_000_000  # of groups and their members, looked at together


def cut_amounts(values: FloatColumn, groups: CodeColumn, p: float, units: CodeColumn | None = None) -> FloatColumn:
    """Return amounts of which the mean of each group tells none, by the p % rule of tables asked again after each cut.

    The rule is about what a unit, a person or a household, has in all: x1 >= x2 >= ... in a group. All above xj are cut
    to xj, with the first j for which the units behind the next one have together at least p % of j times xj. Nobody
    comes nearer than p % to xj then: it is in the sum j times, and whoever knows one of the smaller amounts best still
    does not know the rest. Of the larger ones nothing is in the sum.

    Parameters
    ----------
    values
        Amounts; NaN where one is missing. The rule is about their absolute values.
    groups
        The group of each value, numbered from 0.
    p
        The percent.
    units
        The household of each value, where there are some: its members are one unit, and are cut in proportion.

    Examples
    --------
    >>> cut_amounts(np.array([900.0, 40, 30, 20, 900, -800, 10, 5]), np.array([0, 0, 0, 0, 1, 1, 1, 1]), 10)
    array([40., 40., 30., 20.,  0.,  0.,  0.,  0.])
    >>> cut_amounts(np.array([900.0, 900, 900, 30]), np.zeros(4, dtype=int), 10, units=np.array([7, 7, 7, 8]))
    array([0., 0., 0., 0.])
    """
    known = ~np.isnan(values)
    sizes = np.where(known, np.abs(values), 0.0)
    if not values.size:
        return values
    persons = np.arange(values.size) if units is None else units
    _, first, unit = np.unique(groups * (persons.max() + 1) + persons, return_index=True, return_inverse=True)
    shares, homes = np.bincount(unit, weights=sizes).astype(np.float64), groups[first]
    caps = _caps(shares, homes, p)[homes]
    is_cut = (shares > caps)[unit] & known
    found = values.astype(np.float64)
    found[is_cut] = values[is_cut] / shares[unit[is_cut]] * caps[unit[is_cut]]
    return found + 0.0  # which makes no zero negative


def _caps(sizes: FloatColumn, groups: CodeColumn, p: float) -> FloatColumn:
    """Return the largest size that each group may show; 0 where its mean would tell every one."""
    counts = np.bincount(groups)
    if counts.size > 1 and counts.size * counts.max() > MAX_CELLS:
        first = groups < counts.size // 2
        return np.concatenate(
            [_caps(sizes[first], groups[first], p), _caps(sizes[~first], groups[~first] - counts.size // 2, p)]
        )
    order = np.lexsort((-sizes, groups))
    place = np.arange(sizes.size) - (np.cumsum(counts) - counts)[groups[order]]
    ranked = np.zeros((counts.size, counts.max() + 3))  # x1, x2, ... of each group, and nothing behind them
    ranked[groups[order], place] = sizes[order]
    behind = np.cumsum(ranked[:, ::-1], axis=1)[:, ::-1][:, 2:]
    largest = ranked[:, :-2]
    needed = (p / 100 - ROUNDING) * np.arange(1, largest.shape[1] + 1) * largest
    is_met = (largest == 0) | ((ranked[:, 2:] > 0) & (behind >= needed))
    return np.asarray(largest[np.arange(counts.size), np.argmax(is_met, axis=1)], dtype=np.float64)
