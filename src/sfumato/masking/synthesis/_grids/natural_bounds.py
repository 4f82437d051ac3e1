"""Bounds that numbers keep to by their nature, as shares to 100 or wages to 0."""

import math

import numpy as np

from sfumato.numerics.arrays import FloatColumn


def natural_bounds(values: FloatColumn, fewest: int) -> tuple[float, float]:
    """Return between which numbers of one digit and zeros all values lie but for less than `fewest` at either end.

    A single one beyond a bound, such as a loss among profits, would let others be drawn there all over the file.

    Examples
    --------
    >>> natural_bounds(np.array([0.5, 98.0]), 1), natural_bounds(np.array([-130.0, 1.0e6, 1_034_221.0]), 1)
    ((0.0, 100.0), (-200.0, 2000000.0))
    >>> natural_bounds(np.array([-3.0, 0.5, 60.0, 98.0, 101.0]), 2)
    (0.0, 100.0)
    """
    k = min(fewest, max(values.size // 2, 1))
    low, high = np.partition(values, (k - 1, values.size - k))[[k - 1, values.size - k]].tolist()
    return 0.0 - _round_up(max(-low, 0.0)), _round_up(max(high, 0.0))


def _round_up(number: float) -> float:
    if number <= 0:
        return 0.0
    digit = 10.0 ** math.floor(math.log10(number))
    return math.ceil(number / digit) * digit if digit > 0 else number  # no float is so small as that digit
