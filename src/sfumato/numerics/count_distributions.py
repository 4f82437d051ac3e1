"""Distributions of counts fitted by maximum likelihood: geometric, binomial and hypergeometric."""

import numpy as np

from sfumato.numerics.arrays import FloatColumn

Parameters = tuple[float, ...]
LARGEST = 10_000  # count that is fitted: the number of trials is looked for one by one
MORE_TRIALS = 2_000  # trials beyond the largest count that are tried


def is_counts(x: FloatColumn) -> bool:
    """Tell whether rising values are whole numbers from 0 on, and not too large."""
    return bool(x[0] >= 0 and x[-1] <= LARGEST and np.array_equal(x, np.rint(x)))


def fit_geometric(x: FloatColumn) -> Parameters | None:
    """Return probability and location of the number of failures before a success, as `scipy.stats.geom` takes them."""
    return (float(1 / (1 + x.mean())), -1.0) if is_counts(x) else None


def fit_binomial(x: FloatColumn) -> Parameters | None:
    """Return the number of trials and the probability of success that make the counts likeliest.

    None where the variance is not below the mean: more and more trials, a Poisson distribution, are then likeliest.
    """
    from scipy.stats import binom

    if not is_counts(x) or x.var() >= x.mean() or x[-1] == 0:
        return None
    counts, times = np.unique(x, return_counts=True)
    trials = np.arange(int(x[-1]), int(x[-1]) + MORE_TRIALS)
    likelihoods = times @ binom.logpmf(counts[:, None], trials, x.mean() / trials)
    best = int(trials[np.nanargmax(likelihoods)])
    return (float(best), float(x.mean() / best))


def fit_hypergeometric(x: FloatColumn) -> Parameters | None:
    """Return population, successes in it and draws, as `scipy.stats.hypergeom` takes them.

    For each number of draws the population is the one whose mean and variance are those of the counts; of these the
    likeliest is taken. None where the variance is not below that of a binomial distribution for any of them.
    """
    from scipy.stats import hypergeom

    if not is_counts(x) or x[-1] == 0:
        return None
    mean, variance = float(x.mean()), float(x.var())
    counts, times = np.unique(x, return_counts=True)
    found: list[tuple[float, Parameters]] = []
    for draws in range(int(x[-1]), int(x[-1]) + 200):
        p = mean / draws
        share = variance / (draws * p * (1 - p)) if 0 < p < 1 else 1.0
        if not 0 < share < 1:
            continue
        population = max(round((draws - share) / (1 - share)), draws)
        successes = min(max(round(p * population), int(x[-1])), population)
        likelihood = float(times @ hypergeom.logpmf(counts, population, successes, draws))
        if np.isfinite(likelihood):
            found.append((likelihood, (float(population), float(successes), float(draws))))
    return max(found)[1] if found else None
