"""Draws from a fitted distribution, with the same bits on every processor."""

from collections.abc import Callable

import numpy as np

from sfumato.masking.synthesis._distribution_fitting import DistributionName, Fit
from sfumato.numerics.arrays import FloatColumn, Floats
from sfumato.numerics.portable.exponentials import exp, log, log1p

Standard = Callable[[float, int, np.random.Generator], Floats]


def draw(fit: Fit, size: int, rng: np.random.Generator) -> FloatColumn:
    """Return draws from a distribution: by `scipy.stats`, or by exponentials of our own where those of numpy decide.

    Examples
    --------
    >>> draw(Fit("uniform", (0.0, 2.0), 0.0, 1.0), 3, np.random.default_rng(0)).round(2).tolist()
    [1.27, 0.54, 0.08]
    """
    with np.errstate(all="ignore"):  # draws too large to hold are told from the others by who asks for them
        if fit.distribution not in STANDARD:
            return np.asarray(fit.law.rvs(size=size, random_state=rng), dtype=np.float64)
        *shape, place, scale = fit.parameters
        standard = STANDARD[fit.distribution](shape[0] if shape else 0.0, size, rng)
        return np.asarray(place + scale * standard, dtype=np.float64)


def _log_normal(shape: float, size: int, rng: np.random.Generator) -> Floats:
    return exp(shape * rng.standard_normal(size))


def _weibull(shape: float, size: int, rng: np.random.Generator) -> Floats:
    return exp(log(-log1p(-rng.uniform(size=size))) / shape)


def _pareto(shape: float, size: int, rng: np.random.Generator) -> Floats:
    return exp(-log1p(-rng.uniform(size=size)) / shape)


def _gumbel(shape: float, size: int, rng: np.random.Generator) -> Floats:
    return -log(-log(rng.uniform(size=size)))


STANDARD: dict[DistributionName, Standard] = {
    "log_normal": _log_normal,
    "weibull": _weibull,
    "pareto": _pareto,
    "gumbel": _gumbel,
}
"""Those whose draws are exponentials or logarithms, with place 0 and scale 1, as `scipy.stats` has them."""
