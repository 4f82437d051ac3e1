"""Exponentials and logarithms with the same bits on every processor: by elementwise arithmetic, in an order of our own.

Those of numpy are chosen by the processor that it finds, and differ in the last bit. The reductions, polynomials and
their coefficients are those of FDLIBM (Sun Microsystems 1993; e_exp.c, e_log.c), whose errors are below one last bit.
"""

from collections.abc import Callable

import numpy as np

from sfumato.numerics.arrays import FloatColumn, Floats

PER_PIECE = 65_536  # numbers at a time: few enough for the processor's cache
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
LARGEST, SMALLEST = 710.0, -746.0  # beyond, exponentials are infinite and 0
OF_EXP = (
    1.66666666666666019037e-01,
    -2.77777777770155933842e-03,
    6.61375632143793436117e-05,
    -1.65339022054652515390e-06,
    4.13813679705723846039e-08,
)
OF_LOG = (
    6.666666666666735130e-01,
    3.999999999940941908e-01,
    2.857142874366239149e-01,
    2.222219843214978396e-01,
    1.818357216161805012e-01,
    1.531383769920937332e-01,
    1.479819860511658591e-01,
)


def exp(values: Floats | float) -> Floats:
    """Return the exponentials of numbers; NaN stays NaN.

    Examples
    --------
    >>> exp(np.array([0.0, -np.inf, np.inf])).tolist()
    [1.0, 0.0, inf]
    """
    return _by_pieces(_exp, values)


def log(values: Floats | float) -> Floats:
    """Return the natural logarithms of numbers: NaN of those below 0.

    Examples
    --------
    >>> log(np.array([1.0, np.e, 0.0, -1.0])).tolist()
    [0.0, 1.0, -inf, nan]
    """
    return _by_pieces(_log, values)


def log1p(values: Floats | float) -> Floats:
    """Return the natural logarithms of 1 plus numbers, however small these are.

    Examples
    --------
    >>> log1p(np.array([0.0, 1e-20, np.e - 1])).tolist()
    [0.0, 1e-20, 1.0]
    """
    return _by_pieces(_log1p, values)


def _by_pieces(function: Callable[[FloatColumn], FloatColumn], values: Floats | float) -> Floats:
    """Return what a function makes of numbers, in their shape and their order in memory; of one number, a number."""
    given = np.asarray(values, dtype=np.float64)
    flat = np.ravel(given, order="K")
    found = np.empty_like(flat)
    with np.errstate(all="ignore"):  # infinite and missing numbers are what they come to
        for start in range(0, flat.size, PER_PIECE):
            found[start : start + PER_PIECE] = function(flat[start : start + PER_PIECE])
    shaped = np.empty_like(given)
    np.ravel(shaped, order="K")[:] = found
    return shaped[()]  # a single number where one was given


def _exp(x: FloatColumn) -> FloatColumn:
    inside = np.where(np.isnan(x), 0.0, np.clip(x, SMALLEST, LARGEST))
    power = np.rint(inside * (1 / (LN2_HIGH + LN2_LOW)))
    high, low = inside - power * LN2_HIGH, power * LN2_LOW
    apart = high - low
    square = apart * apart
    c = apart - square * _polynomial(OF_EXP, square)
    found = np.ldexp(1.0 - ((low - apart * c / (2.0 - c)) - high), power.astype(np.int32))
    return np.asarray(np.where(np.isnan(x), x, found), dtype=np.float64)


def _log(x: FloatColumn) -> FloatColumn:
    part, power = np.frexp(x)
    is_low = part < np.sqrt(0.5)
    f = np.where(is_low, 2.0 * part, part) - 1.0
    k = power - is_low.astype(np.float64)
    s = f / (2.0 + f)
    square = s * s
    half = 0.5 * f * f
    rest = s * (half + square * _polynomial(OF_LOG, square)) + k * LN2_LOW
    found = k * LN2_HIGH - ((half - rest) - f)
    return np.asarray(np.select([x > 0, x == 0], [np.where(np.isinf(x), x, found), -np.inf], np.nan), dtype=np.float64)


def _log1p(x: FloatColumn) -> FloatColumn:
    whole = 1.0 + x
    lost = np.where(np.isfinite(whole) & (whole > 0), (x - (whole - 1.0)) / whole, 0.0)
    return np.asarray(np.where(whole == 1.0, x, _log(whole) + lost), dtype=np.float64)


def _polynomial(coefficients: tuple[float, ...], x: FloatColumn) -> FloatColumn:
    """Return c0 + c1 x + c2 x^2 + ..., by Horner's scheme."""
    found = np.full_like(x, coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        found *= x
        found += coefficient
    return found
