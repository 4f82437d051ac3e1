"""Statistics of fit against scipy, and their probabilities by simulation."""

import numpy as np
import pytest
import scipy.stats

from sfumato.numerics.goodness_of_fit import (
    anderson_darling,
    anderson_darling_probability,
    chi_square,
    kolmogorov_smirnov,
    kolmogorov_smirnov_probability,
)

VALUES = np.sort(np.random.default_rng(1).normal(5, 2, 200))


def test_kolmogorov_smirnov_is_that_of_scipy() -> None:
    wanted = scipy.stats.kstest(VALUES, scipy.stats.norm(5, 2).cdf)
    statistic = kolmogorov_smirnov(VALUES, scipy.stats.norm(5, 2).cdf, is_discrete=False)
    assert statistic == pytest.approx(wanted.statistic)
    assert kolmogorov_smirnov_probability(statistic, 200) == pytest.approx(wanted.pvalue)


def test_anderson_darling_is_the_sum_of_its_definition() -> None:
    at = scipy.stats.norm(5, 2).cdf(VALUES)
    plain = -200 - sum((2 * i - 1) / 200 * (np.log(at[i - 1]) + np.log(1 - at[200 - i])) for i in range(1, 201))
    assert anderson_darling(VALUES, scipy.stats.norm(5, 2).cdf) == pytest.approx(plain)


def test_probabilities_are_uniform_for_draws_from_the_distribution() -> None:
    rng = np.random.default_rng(2)
    draws = [np.sort(rng.random(100)) for _ in range(600)]
    by_tails = [anderson_darling_probability(anderson_darling(one, lambda x: x)) for one in draws]
    by_classes = [chi_square(one, lambda x: x, 0, is_discrete=False)[1] for one in draws]
    for probabilities in (by_tails, by_classes):
        assert np.mean(np.array(probabilities) < 0.05) == pytest.approx(0.05, abs=0.035)
        assert np.mean(probabilities) == pytest.approx(0.5, abs=0.06)


def test_chi_square_counts_whole_classes_of_a_discrete_distribution() -> None:
    law = scipy.stats.poisson(4)
    counts = np.sort(law.rvs(500, random_state=np.random.default_rng(3))).astype(float)
    assert chi_square(counts, law.cdf, 1, is_discrete=True)[1] > 0.001
    assert chi_square(counts, scipy.stats.poisson(6).cdf, 1, is_discrete=True)[1] < 1e-6
    assert chi_square(np.arange(9.0), law.cdf, 1, is_discrete=True) == (np.inf, 0.0)
