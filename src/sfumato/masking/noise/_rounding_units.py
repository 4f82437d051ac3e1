"""What rounded values are multiples of, and whether noise in proportion is far larger than that."""

import numpy as np

from sfumato.numerics.arrays import FloatColumn

MAX_DECIMALS = 9  # more are what a computer made of a number, and no rounding
FIRST = 1000  # values that show for most columns that it is not rounded
ROUNDING_VARIANCE = 1 / 12  # of values that are rounded to whole numbers
MAX_ROUNDING = 0.1  # of the variance of the noise, that rounding may add
MAX_COARSE = 1e-3  # of the values, whose rounding may add more


def rounding_unit(values: FloatColumn) -> float:
    """Return 1 for whole numbers, a power of a tenth for numbers with few decimals, 0 for others; NaN are passed over.

    Examples
    --------
    >>> rounding_unit(np.array([3.0, np.nan])), rounding_unit(np.array([0.25, 3.5])), rounding_unit(np.array([1 / 3]))
    (1.0, 0.01, 0.0)
    """
    known = values[~np.isnan(values)]
    for decimals in range(MAX_DECIMALS + 1):
        if all(bool((np.round(some, decimals) == some).all()) for some in (known[:FIRST], known)):
            return float(10.0**-decimals)
    return 0.0


def is_coarse(values: FloatColumn, variance: float) -> bool:
    """Tell whether rounding matters beside noise in proportion: of values near the unit it changes the logarithm much.

    Parameters
    ----------
    values
        Rounded values after the noise; those that were 0 before are left out.
    variance
        That of the noise on the logarithms.

    Examples
    --------
    >>> is_coarse(np.array([0.02, 0.03]), 0.1), is_coarse(np.array([20.02, 30.33]), 0.1)
    (True, False)
    """
    unit = rounding_unit(values)
    known = np.abs(values[~np.isnan(values)])
    if not unit or not known.size:
        return False
    added = ROUNDING_VARIANCE * (unit / np.maximum(known, unit / 2)) ** 2
    return bool(np.mean(added > MAX_ROUNDING * variance) > MAX_COARSE)
