"""Values on a scale on which masking moves all of them about equally far, small and large.

Where the variance of the movement is a + b x^2, as noise in proportion to values with other noise, rounding or coding
before or after it makes it, that scale is asinh(x sqrt(b / a)) / sqrt(b): the values themselves where they are small,
their logarithms where they are large (Huber et al. 2002, Variance stabilization applied to microarray data).
"""

import numpy as np

from sfumato.numerics.arrays import FloatColumn

ROUNDS = 8
LEAST = 1e-10  # of the mean square of a column: the variance of movements near 0, at least
EVEN = 0.05  # of the variance of movements, up to which they do not depend on the value


def stabilising_scale(before: FloatColumn, after: FloatColumn) -> tuple[float, float] | None:
    """Return the variances a and b of movements from pairs of values; none where all are moved about equally far.

    Squared movements are regressed on squared values, each weighted by what the last round expects of it.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> values = rng.lognormal(3.0, 2.0, 20_000)
    >>> a, b = stabilising_scale(values, values * (1 + 0.3 * rng.normal(size=20_000)) + rng.normal(size=20_000))
    >>> round(a, 1), round(b, 2)
    (1.0, 0.09)
    """
    there = ~(np.isnan(before) | np.isnan(after))
    unit = float(np.abs([before[there], after[there]]).max(initial=0.0))  # so that no square is too large or too small
    if not np.finfo(np.float64).tiny < unit * unit < np.inf:
        return None
    squares, moved = (before[there] / unit) ** 2, ((after[there] - before[there]) / unit) ** 2
    whole = float(squares.mean())
    if whole == 0.0 or not moved.any():
        return None
    least = LEAST * whole
    a, b = max(float(moved.mean()), least), 0.0
    for _ in range(ROUNDS):
        weights = 1.0 / (a + b * squares) ** 2
        sums = [float((weights * part).sum()) for part in (1.0, squares, squares**2, moved, squares * moved)]
        spread = sums[0] * sums[2] - sums[1] ** 2
        if spread <= 0.0:
            return None
        b = (sums[0] * sums[4] - sums[1] * sums[3]) / spread
        a = (sums[3] - b * sums[1]) / sums[0]
        if b <= 0.0:
            return None
        if a <= least:
            a, b = least, max(sums[4] - least * sums[1], least) / sums[2]
    return None if b * whole <= EVEN * a or a * unit * unit == 0.0 else (a * unit * unit, b)


def stabilised(column: FloatColumn, scale: tuple[float, float] | None) -> FloatColumn:
    """Return values on the scale on which movements with such variances are about equally far.

    Examples
    --------
    >>> stabilised(np.array([0.0, 0.01, 100.0, 271.8]), (1.0, 1.0)).round(2)
    array([0.  , 0.01, 5.3 , 6.3 ])
    """
    if scale is None:
        return column
    a, b = scale
    return np.asarray(np.arcsinh(column * np.sqrt(b / a)) / np.sqrt(b), dtype=np.float64)
