"""Probabilities of intervals under normal distributions, one after the other."""

import math

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Floats

FAR = 36.0  # standard deviations beyond which a tail is smaller than what a number can hold
MIN_VARIANCE = 1e-6  # of a truncated normal, as a part of what it was
ROOT_TWO = math.sqrt(2.0)
LOG_ROOT_TWO_PI = 0.5 * math.log(2.0 * math.pi)


@compiled
def log_interval(means: Floats, covariance: Floats, low: Floats, high: Floats) -> float:
    """Return the log probability that normal values lie in intervals; `means` and `covariance` are used up.

    Exact for one value. Of several, each is taken for normal with the moments that it has given those before it
    (Mendell and Elston 1974, Multifactorial qualitative traits): good to about a percent.

    Examples
    --------
    >>> import numpy as np
    >>> below = np.array([-np.inf, -np.inf])
    >>> round(float(np.exp(log_interval(np.zeros(2), np.array([[1.0, 0.5], [0.5, 1.0]]), below, np.zeros(2)))), 2)
    0.33
    """
    total = 0.0
    for c in range(len(means)):
        deviation = math.sqrt(max(covariance[c, c], 1e-300))
        start, end = (low[c] - means[c]) / deviation, (high[c] - means[c]) / deviation
        found = log_probability(start, end)
        total += found
        if c + 1 == len(means):
            break
        at_start = 0.0 if math.isinf(start) else math.exp(-0.5 * start * start - LOG_ROOT_TWO_PI - found)
        at_end = 0.0 if math.isinf(end) else math.exp(-0.5 * end * end - LOG_ROOT_TWO_PI - found)
        moved = at_start - at_end
        left = 1.0 - moved * moved
        if at_start > 0.0:
            left += start * at_start
        if at_end > 0.0:
            left -= end * at_end
        if not math.isinf(start) and not math.isinf(end):
            moved = min(max(moved, start), end)
        lost = 1.0 - min(max(left, MIN_VARIANCE), 1.0)
        for other in range(c + 1, len(means)):
            slope = covariance[other, c] / deviation
            means[other] += slope * moved
            for last in range(c + 1, len(means)):
                covariance[other, last] -= slope * covariance[last, c] / deviation * lost
    return total


@compiled
def log_probability(start: float, end: float) -> float:
    """Return the log probability that a standard normal value lies between two places.

    Examples
    --------
    >>> [round(log_probability(-1.0, 1.0), 4), round(log_probability(50.0, math.inf), 1)]
    [-0.3817, -1254.8]
    """
    if start > 0.0:
        start, end = -end, -start
    upper = _log_below(end)
    if math.isinf(start):
        return upper
    gap = _log_below(start) - upper
    if gap > -1e-12:  # an interval too narrow for a difference
        middle = 0.5 * (start + end)
        return math.log(max(end - start, 1e-300)) - 0.5 * middle * middle - LOG_ROOT_TWO_PI
    return upper + math.log1p(-math.exp(gap))


@compiled
def _log_below(place: float) -> float:
    if place < -FAR:
        return -0.5 * place * place - math.log(-place) - LOG_ROOT_TWO_PI
    return math.log(max(0.5 * math.erfc(-place / ROOT_TWO), 1e-320))
