"""How well a distribution fits values: three statistics, and the probability of one as large.

The probabilities hold for a distribution that was known beforehand; where its parameters were fitted to the values, too
many distributions are accepted rather than too few (chi-square allows for the fitted parameters).
"""

from collections.abc import Callable

import numpy as np

from sfumato.numerics.arrays import FloatColumn

Cdf = Callable[[FloatColumn], FloatColumn]
MIN_EXPECTED = 5  # values in a class of the chi-square statistic
SMALLEST = 1e-300


def kolmogorov_smirnov(ascending: FloatColumn, cdf: Cdf, is_discrete: bool) -> float:
    """Return the largest distance between the distribution of the values, in rising order, and another one."""
    n = ascending.size
    at = cdf(ascending)
    before = cdf(ascending - 1) if is_discrete else at  # just below each value
    return float(max((np.arange(1, n + 1) / n - at).max(), (before - np.arange(n) / n).max()))


def kolmogorov_smirnov_probability(statistic: float, n: int) -> float:
    """Return the probability that the statistic of `n` values is as large."""
    from scipy.stats import kstwo

    return float(kstwo.sf(statistic, n))


def anderson_darling(ascending: FloatColumn, cdf: Cdf) -> float:
    """Return the Anderson-Darling statistic A^2 of values in rising order, which looks at the tails more closely.

    Examples
    --------
    >>> round(anderson_darling(np.array([0.1, 0.4, 0.45, 0.9]), lambda x: x), 4)
    0.2923
    """
    n = ascending.size
    at = np.clip(cdf(ascending), SMALLEST, 1 - 1e-16)
    odd = 2 * np.arange(1, n + 1) - 1
    return float(-n - (odd * (np.log(at) + np.log1p(-at[::-1]))).mean())


def anderson_darling_probability(statistic: float) -> float:
    """Return the probability that the statistic of many values is as large, by the limit of its distribution.

    As in Marsaglia and Marsaglia (2004), Evaluating the Anderson-Darling distribution.

    Examples
    --------
    >>> [round(anderson_darling_probability(statistic), 3) for statistic in (1.933, 2.492, 3.857)]
    [0.1, 0.05, 0.01]
    """
    z = statistic
    if z <= 0:
        return 1.0
    if z < 2:
        below = np.exp(-1.2337141 / z) / np.sqrt(z)
        below *= 2.00012 + (0.247105 - (0.0649821 - (0.0347962 - (0.011672 - 0.00168691 * z) * z) * z) * z) * z
    else:
        inner = 1.0776 - (2.30695 - (0.43424 - (0.082433 - (0.008056 - 0.0003146 * z) * z) * z) * z) * z
        below = np.exp(-np.exp(inner))
    return float(np.clip(1 - below, 0.0, 1.0))


def chi_square(ascending: FloatColumn, cdf: Cdf, fitted: int, *, is_discrete: bool) -> tuple[float, float]:
    """Return the chi-square statistic per degree of freedom of values in classes, and the probability of one as large.

    The classes are about equally likely by the distribution, ceil(2 n^(2/5)) of them, after Moore (1986), Tests of
    chi-squared type, but no more than have 5 values expected in each. Those of a discrete distribution end at counts.

    Parameters
    ----------
    ascending, cdf
        The values in rising order, and the distribution function.
    fitted
        How many parameters were fitted to the values.
    is_discrete
        Whether it is a distribution of counts.

    Returns
    -------
    The statistic divided by its degrees of freedom, so that distributions with more parameters are not preferred, and
    its probability; infinite and 0 where there are too few values for the parameters.
    """
    from scipy.stats import chi2

    n = ascending.size
    classes = min(int(np.ceil(2 * n**0.4)), n // MIN_EXPECTED)
    shares = np.arange(1, max(classes, 1)) / max(classes, 1)
    at = cdf(ascending)
    if is_discrete:  # the classes end where the distribution function of counts first reaches each share
        reached = cdf(np.arange(ascending[0], ascending[-1] + 1))
        reached = reached[(reached > 0) & (reached < 1)]
        shares = np.unique(reached[np.searchsorted(reached, shares[shares <= reached.max(initial=0.0)])])
    freedom = shares.size - fitted
    if freedom < 1:
        return np.inf, 0.0
    observed = np.diff(np.searchsorted(np.sort(at), shares, side="right"), prepend=0, append=n)
    expected = n * np.diff(shares, prepend=0.0, append=1.0)
    statistic = float(((observed - expected) ** 2 / np.maximum(expected, SMALLEST)).sum())
    return statistic / freedom, float(chi2.sf(statistic, freedom))
