"""Factorials, and differences of the gamma function's logarithm and of its slope that lose no digits.

A difference of two values that SciPy gives has few digits left where the arguments are large and near each other.
"""

from functools import cache
from math import lgamma, log, log1p, pi

import numpy as np

from sfumato.numerics.arrays import CodeColumn, FloatColumn

SHIFT_BELOW = 10.0  # from here on the asymptotic series are exact to the last digits
SERIES = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)
"""The coefficients of Stirling's series, of 1 / x, 1 / x^3 and so on."""
SLOPES = (-1 / 12, 1 / 120, -1 / 252, 1 / 240, -1 / 132, 691 / 32760, -1 / 12)
"""The same for its slope, of 1 / x^2, 1 / x^4 and so on."""
TABLE_BITS = 20
SMALL = np.array([lgamma(number + 1.0) for number in range(int(SHIFT_BELOW))])


def log_gamma_ratio(x: float, step: float) -> float:
    """Return the logarithm of G(x + step) / G(x), G being the gamma function; that of x (x + 1) ... for whole steps.

    Parameters
    ----------
    x
        Above 0.
    step
        0 or more.

    Examples
    --------
    >>> from math import exp
    >>> round(exp(log_gamma_ratio(2.0, 3.0)), 9), 2 * 3 * 4
    (24.0, 24)
    """
    shifted = 0.0
    while x < SHIFT_BELOW:
        shifted += log1p(step / x)
        x += 1
    end = x + step
    leading = (x - 0.5) * log1p(step / x) + step * (log(end) - 1)
    return leading + (_series(SERIES, end) * end - _series(SERIES, x) * x) - shifted


def digamma_rise(x: float, step: float) -> float:
    """Return by how much the digamma function rises from x to x + step: the sum of 1 / (x + i), i < step, if whole.

    Parameters
    ----------
    x
        Above 0.
    step
        0 or more.

    Examples
    --------
    >>> round(digamma_rise(2.0, 3.0), 9), round(1 / 2 + 1 / 3 + 1 / 4, 9)
    (1.083333333, 1.083333333)
    """
    shifted = 0.0
    while x < SHIFT_BELOW:
        shifted += step / (x * (x + step))
        x += 1
    end = x + step
    return log1p(step / x) + step / (2 * x * end) + (_series(SLOPES, end) - _series(SLOPES, x)) + shifted


def _series(coefficients: tuple[float, ...], x: float) -> float:
    """Return the sum of the coefficients times the powers of 1 / x^2, the first of them once."""
    square, total = 1 / (x * x), 0.0
    for coefficient in reversed(coefficients):
        total = (total + coefficient) * square
    return total


def log_factorials(numbers: CodeColumn) -> FloatColumn:
    """Return the logarithms of the factorials of whole numbers, 0 or more.

    Examples
    --------
    >>> np.exp(log_factorials(np.array([0, 1, 3, 5]))).round(9)
    array([  1.,   1.,   6., 120.])
    """
    bits = int(numbers.max(initial=0)).bit_length()
    return np.asarray(_table(bits)[numbers]) if bits <= TABLE_BITS else _by_stirling(numbers)


@cache
def _table(bits: int) -> FloatColumn:
    """Return the logarithms of the factorials of all numbers of so many bits: a look is quicker than a logarithm."""
    return _by_stirling(np.arange(1 << bits))


def _by_stirling(numbers: CodeColumn) -> FloatColumn:
    x = np.maximum(numbers + 1.0, SHIFT_BELOW)
    square, series = 1 / (x * x), np.zeros(x.shape)
    for coefficient in reversed(SERIES):
        series = series * square + coefficient
    large = (x - 0.5) * np.log(x) - x + log(2 * pi) / 2 + series / x
    return np.where(x > numbers + 1.0, SMALL[np.minimum(numbers, SMALL.size - 1)], large)
