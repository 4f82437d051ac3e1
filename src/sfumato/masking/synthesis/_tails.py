"""Tails of numbers in which no value counts for more than the other donors let expect.

A value far beyond all others would set the mean and the spread of what is drawn around it: the numbers of several
synthetic records would add up to that of one person. So the values beyond the `fewest`-th from an end are limited by
what the others tell.
"""

import numpy as np

from sfumato.masking.synthesis._grids.grids import Grid
from sfumato.masking.synthesis._grids.natural_bounds import natural_bounds
from sfumato.numerics.arrays import CodeColumn, FloatColumn, Rows

SHORTEST = 4  # of fewer values none is limited, as there are not two that are not at an end
SHORT_TAIL, USUAL_TAIL = 0.1, 0.25  # of the range, beyond all values but a few: how far a tail is expected to reach
LEAF_SLACK = 3.0  # there are many leaves: in them only what stands out is limited, so that means are kept


def limit_column(values: FloatColumn, fewest: int, grid: Grid | None) -> FloatColumn:
    """Return a column, NaN where missing, whose few values at either end are no further out than the others let expect.

    Parameters
    ----------
    values
        The column.
    fewest
        Less than so many values at either end are limited.
    grid
        The numbers that a limit may be.

    Examples
    --------
    >>> limit_column(np.array([*range(1, 31), 5000.0]), 5, None)[-5:].round()
    array([27., 28., 29., 30., 41.])
    """
    known = np.flatnonzero(~np.isnan(values))
    order = known[np.argsort(values[known], kind="stable")]
    limited = _limit(values[order], np.array([0]), np.array([known.size]), fewest, is_leaf=False)
    is_limited = limited != values[order]
    column = values.copy()
    column[order[is_limited]] = limited[is_limited] if grid is None else grid.round(limited[is_limited])
    return column


def limit_leaves(values: FloatColumn, leaves: CodeColumn, fewest: int) -> FloatColumn:
    """Return values of donors, by leaf and rising, with those limited that stand out at either end of their leaf.

    Examples
    --------
    >>> limit_leaves(np.array([1.0, 2, 3, 4, 5, 90, 1, 2]), np.array([0, 0, 0, 0, 0, 0, 1, 1]), 2).round(1)
    array([ 1. ,  2. ,  3. ,  4. ,  5. , 13.3,  1. ,  2. ])
    """
    distinct = np.unique(leaves)
    starts, stops = (np.searchsorted(leaves, distinct, side=side) for side in ("left", "right"))
    return _limit(values, starts, stops, fewest, is_leaf=True)


def drawing_bounds(values: FloatColumn, fewest: int) -> tuple[float, float]:
    """Return between which numbers others are drawn, where no few values show.

    A short tail, such as an age from which on persons are asked or the days of a survey, is cut inside the range of the
    values, at the mean of `fewest` of them. One such as that of high ages ends where the largest value is expected. A
    long one, such as that of incomes, is left to `natural_bounds`.

    Examples
    --------
    >>> days = np.repeat(np.arange(19000.0, 19180.0), 10)
    >>> drawing_bounds(days, 5)
    (19000.0, 19179.0)
    >>> drawing_bounds(np.exp(np.linspace(0, 9, 500)), 5)[1]
    8000.0
    """
    low, high = natural_bounds(values, fewest)
    rising = np.sort(values)
    return max(low, -_tail_end(-rising[::-1], fewest)), min(high, _tail_end(rising, fewest))


def _tail_end(rising: FloatColumn, fewest: int) -> float:
    """Return where the upper tail of rising values ends, whatever less than `fewest` are like; inf for a long one."""
    k = fewest
    if rising.size < SHORTEST * k:
        return np.inf
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, 2 * k))])
    scale = (rising[-k] - rising[-2 * k]) / (harmonic[2 * k - 1] - harmonic[k - 1])
    reach, width = float(scale * harmonic[k - 1]), float(rising[-k] - rising[k - 1])
    if reach <= SHORT_TAIL * width:
        return float(rising[rising.size - 2 * k + 1 : rising.size - k + 1].mean())
    return float(rising[-k]) + reach if reach <= USUAL_TAIL * width else np.inf


def _limit(values: FloatColumn, starts: Rows, stops: Rows, fewest: int, *, is_leaf: bool) -> FloatColumn:
    """Return values, rising from each start to its stop, with less than `fewest` at either end limited."""
    upper = _upper_limits(values, starts, stops, fewest, is_leaf=is_leaf)
    flipped = _upper_limits(-values[::-1], values.size - stops, values.size - starts, fewest, is_leaf=is_leaf)
    return np.asarray(np.maximum(np.minimum(values, upper), -flipped[::-1]), dtype=np.float64)


def _upper_limits(values: FloatColumn, starts: Rows, stops: Rows, fewest: int, *, is_leaf: bool) -> FloatColumn:
    """Return a limit for each value, without bound but for the largest of each run.

    With the tail of an exponential distribution of scale s, the j-th largest of n values is expected at
    s (H(n) - H(j - 1)), where H are the harmonic numbers: Rényi (1953), On the theory of order statistics. The k-th
    largest value and the 2k-th tell s, so that less than k values do not change it; in a leaf, where these may be equal
    by chance, also the k-th largest and the k-th smallest, if they give a larger one.
    """
    limits = np.full(values.size, np.inf)
    is_long = stops - starts >= SHORTEST
    starts, stops = starts[is_long], stops[is_long]
    if not starts.size:
        return limits
    sizes = stops - starts
    k = np.minimum(fewest, sizes // 2)
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, int(sizes.max()) + 1))])
    last = values[stops - k]
    near = (last - values[stops - 2 * k]) / (harmonic[2 * k - 1] - harmonic[k - 1])
    far = (last - values[starts + k - 1]) / (harmonic[sizes - k] - harmonic[k - 1])
    scale = np.maximum(near, far) * LEAF_SLACK if is_leaf else near
    for j in range(1, int(k.max())):
        has = k > j
        expected = scale[has] * (harmonic[k[has] - 1] - harmonic[j - 1])
        limits[stops[has] - j] = last[has] + expected
    return limits
