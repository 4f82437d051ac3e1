"""The root of a function between two ends, without loading SciPy, which takes a third of a second."""

from collections.abc import Callable
from math import copysign, inf
from sys import float_info

MAX_STEPS = 200
RELATIVE = 4 * float_info.epsilon


def find_root(function: Callable[[float], float], low: float, high: float, tolerance: float) -> float:
    """Return where a continuous function is 0, by Brent's method: secants and parabolas, halves where these fail.

    Parameters
    ----------
    function
        Has other signs at the two ends, or is 0 at one of them.
    low, high
        The ends.
    tolerance
        How far at most the result is from a root.

    Source
    ------
    Brent (1973), Algorithms for minimization without derivatives, chapter 4, with inverse quadratic steps as SciPy's
    `brentq` takes them.

    Examples
    --------
    >>> round(find_root(lambda x: x * x - 2, 0.0, 2.0, 1e-12), 9)
    1.414213562
    """
    before, best = low, high
    at_before, at_best = function(before), function(best)
    if at_before * at_best > 0:
        raise ValueError("the function has the same sign at both ends")
    if at_before == 0:
        return before
    across, at_across, earlier, step = before, at_before, best - before, best - before
    for _ in range(MAX_STEPS):
        if at_before * at_best < 0:  # the root is between the last two points
            across, at_across, earlier, step = before, at_before, best - before, best - before
        if abs(at_across) < abs(at_best):
            before, best, across = best, across, best
            at_before, at_best, at_across = at_best, at_across, at_best
        close = (tolerance + RELATIVE * abs(best)) / 2
        half = (across - best) / 2
        if at_best == 0 or abs(half) < close:
            break
        tried = inf
        if abs(earlier) > close and abs(at_best) < abs(at_before):
            tried = _interpolate((before, best, across), (at_before, at_best, at_across))
        is_short = 2 * abs(tried) < min(abs(earlier), 3 * abs(half) - close)
        earlier, step = (step, tried) if is_short else (half, half)
        before, at_before = best, at_best
        best += step if abs(step) > close else copysign(close, half)
        at_best = function(best)
    return best


def _interpolate(points: tuple[float, float, float], values: tuple[float, float, float]) -> float:
    """Return the step from the best point that a secant suggests, or where there are three points a parabola."""
    before, best, across = points
    at_before, at_best, at_across = values
    if before == across:
        return -at_best * (best - before) / (at_best - at_before)
    to_before = (at_before - at_best) / (before - best)
    to_across = (at_across - at_best) / (across - best)
    curved = at_across * to_across - at_before * to_before
    return -at_best * curved / (to_across * to_before * (at_across - at_before))
