"""Pitman's model of a population: each next person joins a class the more probably the larger it is, or starts one."""

from math import exp, log

from sfumato.numerics.arrays import CodeColumn
from sfumato.numerics.functions.gamma_ratios import digamma_rise, log_gamma_ratio
from sfumato.numerics.functions.roots import find_root

NEARLY_NONE = 1e-6  # the discount stays this far inside [0, 1)


def pitman_uniques(sizes: CodeColumn, classes: CodeColumn, population: float) -> float | None:
    """Return the expected number of uniques in a population of Pitman's model fitted to a sample; None without a fit.

    With concentration t and discount a, the probability that a person is alone among N is the product of
    (t + a + i - 1) / (t + i) over i = 1 .. N - 1. For large N that makes N^a G(t + 1) / G(t + a) uniques, G being the
    gamma function, which is how Hoshino (2001), Applying Pitman's sampling formula to microdata disclosure risk
    assessment, states it. A discount of 0 is the model of Ewens.

    Parameters
    ----------
    sizes, classes
        The sizes of the classes in the sample, and how many there are of each.
    population
        The number of persons in the population.

    Examples
    --------
    >>> import numpy as np
    >>> round(pitman_uniques(np.array([1, 2, 3, 10]), np.array([40, 12, 6, 2]), 1000.0), 1)
    109.2
    """
    fitted = fit_pitman(sizes, classes)
    if fitted is None:
        return None
    t, a = fitted
    alone = exp(log_gamma_ratio(t + a, 1 - a) - log_gamma_ratio(t + a + population - 1, 1 - a))
    return float(min(population * alone, population))


def fit_pitman(sizes: CodeColumn, classes: CodeColumn) -> tuple[float, float] | None:
    """Return the most likely concentration and discount; None where all records are equal or all different.

    For u classes of n records the logarithm of the likelihood is, up to a constant, the sum of log(t + i a) over
    i = 1 .. u - 1, less that of log(t + i) over i = 1 .. n - 1, and for each class that of log(i - a) over
    i = 1 .. size - 1. For each discount there is one best concentration; along these the slope by the discount is
    followed to where it is 0, or to the end of the range that it points to.
    """
    u, n = int(classes.sum()), int(sizes @ classes)
    if u in (1, n):
        return None

    def concentration(a: float) -> float:
        # t + a lies between 0 and about n^2, as two records at least are equal
        ends = -20.0, 2 * log(n) + 2
        return exp(find_root(lambda logarithm: _slope_by_concentration(exp(logarithm) - a, a, u, n), *ends, 1e-12)) - a

    def slope(a: float) -> float:
        return _slope_by_discount(concentration(a), a, sizes, classes)

    low, high = NEARLY_NONE, 1 - NEARLY_NONE
    if slope(low) <= 0:
        return concentration(low), low
    best = high if slope(high) >= 0 else find_root(slope, low, high, 1e-10)
    return concentration(best), best


def _slope_by_concentration(t: float, a: float, u: int, n: int) -> float:
    """Return the slope of the log-likelihood of u classes of n records by the concentration."""
    return _reciprocals(t, a, u) - digamma_rise(t + 1, n - 1)


def _slope_by_discount(t: float, a: float, sizes: CodeColumn, classes: CodeColumn) -> float:
    """Return the slope of the log-likelihood by the discount."""
    u = int(classes.sum())
    joined = sum(
        count * digamma_rise(1 - a, size - 1) for size, count in zip(sizes.tolist(), classes.tolist(), strict=True)
    )
    return float((u - 1 - t * _reciprocals(t, a, u)) / a - joined)


def _reciprocals(t: float, a: float, u: int) -> float:
    """Return the sum of 1 / (t + i a) over i = 1 .. u - 1."""
    return digamma_rise(t / a + 1, u - 1) / a
