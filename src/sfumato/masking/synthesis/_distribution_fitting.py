"""Which of a set of distributions fits a column best: maximum likelihood fits, compared by a criterion."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from sfumato.numerics.arrays import FloatColumn
from sfumato.numerics.count_distributions import fit_binomial, fit_geometric, fit_hypergeometric
from sfumato.numerics.goodness_of_fit import (
    anderson_darling,
    anderson_darling_probability,
    chi_square,
    kolmogorov_smirnov,
    kolmogorov_smirnov_probability,
)
from sfumato.numerics.portable.exponentials import exp, log, log1p

DistributionName = Literal[
    "normal",
    "exponential",
    "gamma",
    "weibull",
    "log_normal",
    "uniform",
    "triangular",
    "logistic",
    "pareto",
    "gumbel",
    "beta",
    "chi_square",
    "poisson",
    "geometric",
    "binomial",
    "hypergeometric",
]
Criterion = Literal["kolmogorov_smirnov", "chi_square", "anderson_darling"]
Parameters = tuple[float, ...]
DISCRETE = frozenset({"poisson", "geometric", "binomial", "hypergeometric"})
FREE = dict.fromkeys(("exponential", "chi_square", "poisson", "geometric"), 1)  # parameters fitted, where not 2
FREE |= {"triangular": 3, "hypergeometric": 3, "beta": 4}

MAX_FITTED = 10_000  # values that a fit looks at: of a longer column evenly spaced order statistics
LARGEST_COUNT = 1e15  # counts beyond are not drawn as such


@dataclass(frozen=True)
class Fit:
    """A distribution fitted to a column.

    Parameters
    ----------
    distribution
        Its name.
    parameters
        Its parameters as `scipy.stats` takes them: shapes, location, scale.
    distance, p_value
        The statistic of the criterion, and the probability of one as large if the parameters had been known
        beforehand. They were not, so that too many distributions are accepted rather than too few.
    """

    distribution: DistributionName
    parameters: Parameters
    distance: float
    p_value: float

    @property
    def law(self) -> Any:
        """The distribution itself, as `scipy.stats` has it."""
        return _law(self.distribution, self.parameters)


def best_fit(
    values: FloatColumn, distributions: tuple[DistributionName, ...], criterion: Criterion = "kolmogorov_smirnov"
) -> Fit | None:
    """Return the distribution with the smallest statistic of the criterion, or none where none can be fitted.

    Parameters
    ----------
    values
        The observed values, not all equal.
    distributions
        The names of those to try. One that cannot have given the values, such as Poisson for fractions, is left out.
    criterion
        Kolmogorov-Smirnov, Anderson-Darling (for continuous distributions only), or chi-square per degree of freedom.

    Examples
    --------
    >>> salaries = np.array([310.0, 480, 905, 1120, 1260, 1500, 1840, 2210, 2300, 3900])
    >>> fit = best_fit(salaries, ("normal", "gumbel", "uniform"))
    >>> fit.distribution, [round(parameter, 2) for parameter in fit.parameters], round(fit.distance, 4)
    ('gumbel', [1130.81, 758.94], 0.1053)
    """
    ascending = np.sort(values)
    fits = [fit for name in distributions if (fit := _fit(name, ascending, criterion)) is not None]
    return min(fits, key=lambda fit: fit.distance, default=None)


def _fit(name: DistributionName, ascending: FloatColumn, criterion: Criterion) -> Fit | None:
    n = ascending.size
    few = ascending if n <= MAX_FITTED else ascending[np.linspace(0, n - 1, MAX_FITTED).astype(np.int64)]
    with np.errstate(all="ignore"):  # parameters that are no numbers are refused below
        parameters = FITTERS[name](few)
        if parameters is None or not np.isfinite(parameters).all():
            return None
        law = _law(name, parameters)
        if criterion == "chi_square":
            distance, probability = chi_square(ascending, law.cdf, FREE.get(name, 2), is_discrete=name in DISCRETE)
        elif criterion == "anderson_darling":
            distance = np.nan if name in DISCRETE else anderson_darling(ascending, law.cdf)
            probability = anderson_darling_probability(distance)
        else:
            distance = kolmogorov_smirnov(ascending, law.cdf, is_discrete=name in DISCRETE)
            probability = kolmogorov_smirnov_probability(distance, n)
        return Fit(name, tuple(map(float, parameters)), distance, probability) if np.isfinite(distance) else None


def _law(name: DistributionName, parameters: Parameters) -> Any:
    import scipy.stats

    return getattr(scipy.stats, SCIPY_NAMES[name])(*parameters)


def _normal(x: FloatColumn) -> Parameters:
    return float(x.mean()), float(x.std())


def _uniform(x: FloatColumn) -> Parameters:
    return float(x[0]), float(x[-1] - x[0])


def _exponential(x: FloatColumn) -> Parameters | None:
    return (0.0, float(x.mean())) if x[0] >= 0 else None


def _log_normal(x: FloatColumn) -> Parameters | None:
    if x[0] <= 0:
        return None
    logs = log(x)
    return float(logs.std()), 0.0, float(exp(logs.mean()))


def _pareto(x: FloatColumn) -> Parameters | None:
    return (float(1 / log(x / x[0]).mean()), 0.0, float(x[0])) if x[0] > 0 else None


def _gamma(x: FloatColumn) -> Parameters | None:
    from scipy.special import digamma

    if x[0] <= 0:
        return None
    spread = log(x.mean()) - log(x).mean()
    shape = _root(lambda log_k: log_k - digamma(exp(log_k)) - spread)
    return None if shape is None else (shape, 0.0, float(x.mean()) / shape)


def _chi_square(x: FloatColumn) -> Parameters | None:
    from scipy.special import digamma

    if x[0] <= 0:
        return None
    level = log(x / 2).mean()
    half = _root(lambda log_k: digamma(exp(log_k)) - level)
    return None if half is None else (2 * half, 0.0, 1.0)


def _weibull(x: FloatColumn) -> Parameters | None:
    if x[0] <= 0:
        return None
    logs = log(x) - log(x[-1])  # at most 0, so that no power overflows

    def score(log_k: float) -> float:
        weights = exp(exp(log_k) * logs)
        return float((weights * logs).sum() / weights.sum() - exp(-log_k) - logs.mean())

    shape = _root(score)
    return None if shape is None else (shape, 0.0, float(x[-1]) * float(exp(shape * logs).mean()) ** (1 / shape))


def _gumbel(x: FloatColumn) -> Parameters | None:
    z, centre, size = _centre_and_scale(x)

    def score(log_b: float) -> float:
        weights = exp((z[0] - z) / exp(log_b))
        return float(z.mean() - (z * weights).sum() / weights.sum() - exp(log_b))

    scale = _root(score)
    if scale is None:
        return None
    mode = z[0] - scale * log(exp((z[0] - z) / scale).mean())
    return float(centre + size * mode), float(size * scale)


def _logistic(x: FloatColumn) -> Parameters | None:
    from scipy.optimize import root

    z, centre, size = _centre_and_scale(x)

    def scores(at: FloatColumn) -> list[float]:
        apart = (z - at[0]) / exp(at[1])
        bent = 1 - 2 / (1 + exp(apart))  # tanh of the half
        return [float(bent.mean()), float((apart * bent).mean() - 1)]

    found = root(scores, [float(np.median(z)), log(np.sqrt(3) / np.pi)])
    return (float(centre + size * found.x[0]), float(size * exp(found.x[1]))) if found.success else None


def _beta(x: FloatColumn) -> Parameters | None:
    from scipy.optimize import root
    from scipy.special import digamma

    low, width = _ends(x)
    u = (x - low) / width
    logs = log(u).mean(), log1p(-u).mean()

    def scores(at: FloatColumn) -> list[float]:
        a, b = exp(at)
        return [float(digamma(a) - digamma(a + b) - logs[0]), float(digamma(b) - digamma(a + b) - logs[1])]

    common = u.mean() * (1 - u.mean()) / u.var() - 1  # by moments
    found = root(scores, log(np.maximum([u.mean() * common, (1 - u.mean()) * common], 0.01)))
    return (*map(float, exp(found.x)), low, width) if found.success else None


def _triangular(x: FloatColumn) -> Parameters:
    """Take as mode the value that makes all values likeliest: with given ends it is one of them."""
    low, width = _ends(x)
    rising, falling = log(x - low), log(low + width - x)
    below, above = np.arange(x.size), np.arange(x.size)[::-1]
    likelihood = np.cumsum(rising) - (below + 1) * rising + np.cumsum(falling[::-1])[::-1] - (above + 1) * falling
    mode = float(x[int(np.argmax(likelihood))])
    return (mode - low) / width, low, width


def _poisson(x: FloatColumn) -> Parameters | None:
    return (float(x.mean()),) if x[0] >= 0 and x[-1] < LARGEST_COUNT and np.array_equal(x, np.rint(x)) else None


def _centre_and_scale(x: FloatColumn) -> tuple[FloatColumn, float, float]:
    centre, size = float(x.mean()), float(x.std())
    return (x - centre) / size, centre, size


def _ends(x: FloatColumn) -> tuple[float, float]:
    """Return lower end and width of a range that reaches a mean spacing beyond the smallest and the largest value."""
    spacing = float(x[-1] - x[0]) / x.size
    return float(x[0]) - spacing, float(x[-1] - x[0]) + 2 * spacing


def _root(score: Callable[[float], float]) -> float | None:
    """Return the positive number at whose logarithm a score is 0, or none where its sign never changes."""
    from scipy.optimize import brentq

    low, high = -20.0, 20.0
    at_low, at_high = score(low), score(high)
    if not (np.isfinite([at_low, at_high]).all() and at_low * at_high < 0):
        return None
    return float(exp(brentq(score, low, high, xtol=1e-13)))


FITTERS: dict[DistributionName, Callable[[FloatColumn], Parameters | None]] = {
    "normal": _normal,
    "exponential": _exponential,
    "gamma": _gamma,
    "weibull": _weibull,
    "log_normal": _log_normal,
    "uniform": _uniform,
    "triangular": _triangular,
    "logistic": _logistic,
    "pareto": _pareto,
    "gumbel": _gumbel,
    "beta": _beta,
    "chi_square": _chi_square,
    "poisson": _poisson,
    "geometric": fit_geometric,
    "binomial": fit_binomial,
    "hypergeometric": fit_hypergeometric,
}
SCIPY_NAMES: dict[DistributionName, str] = {
    "normal": "norm",
    "exponential": "expon",
    "gamma": "gamma",
    "weibull": "weibull_min",
    "log_normal": "lognorm",
    "uniform": "uniform",
    "triangular": "triang",
    "logistic": "logistic",
    "pareto": "pareto",
    "gumbel": "gumbel_r",
    "beta": "beta",
    "chi_square": "chi2",
    "poisson": "poisson",
    "geometric": "geom",
    "binomial": "binom",
    "hypergeometric": "hypergeom",
}
