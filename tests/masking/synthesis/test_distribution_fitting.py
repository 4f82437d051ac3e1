import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from sfumato.masking.synthesis._distribution_fitting import (
    DISCRETE,
    FITTERS,
    SCIPY_NAMES,
    Criterion,
    DistributionName,
    best_fit,
)
from sfumato.numerics.goodness_of_fit import kolmogorov_smirnov

SALARIES = np.array([310.0, 480, 905, 1120, 1260, 1500, 1840, 2210, 2300, 3900, 7250])
LAWS = {  # scaled by 100 and shifted where the family allows it
    "normal": scipy.stats.norm(1000, 100),
    "exponential": scipy.stats.expon(0, 100),
    "gamma": scipy.stats.gamma(0.7, 0, 100),
    "weibull": scipy.stats.weibull_min(1.7, 0, 100),
    "log_normal": scipy.stats.lognorm(0.8, 0, 100),
    "uniform": scipy.stats.uniform(-50, 100),
    "triangular": scipy.stats.triang(0.2, -50, 100),
    "logistic": scipy.stats.logistic(-1000, 100),
    "pareto": scipy.stats.pareto(2.5, 0, 100),
    "gumbel": scipy.stats.gumbel_r(-1000, 100),
    "beta": scipy.stats.beta(2, 5, -50, 100),
    "chi_square": scipy.stats.chi2(7),
    "poisson": scipy.stats.poisson(12),
    "geometric": scipy.stats.geom(0.1, -1),
    "binomial": scipy.stats.binom(20, 0.6),
    "hypergeometric": scipy.stats.hypergeom(60, 25, 18),
}
FIXED = {  # what the fits take as given
    "exponential": {"floc": 0},
    "gamma": {"floc": 0},
    "weibull": {"floc": 0},
    "log_normal": {"floc": 0},
    "chi_square": {"floc": 0, "fscale": 1},
    "beta": {},
}


def sample(name: DistributionName, n: int, seed: int = 0) -> np.ndarray:
    return np.asarray(LAWS[name].rvs(n, random_state=np.random.default_rng(seed)), dtype=float)


def likelihood(name: DistributionName, values: np.ndarray, parameters: tuple[float, ...]) -> float:
    law = getattr(scipy.stats, SCIPY_NAMES[name])(*parameters)
    return float((law.logpmf if name in DISCRETE else law.logpdf)(values).sum())


@pytest.mark.parametrize("name", ["normal", "exponential", "gamma", "weibull", "log_normal", "logistic", "gumbel"])
def test_fits_are_the_maximum_likelihood_fits_of_scipy(name: DistributionName) -> None:
    values = sample(name, 400)
    fit = best_fit(values, (name,))
    assert fit is not None
    wanted = getattr(scipy.stats, SCIPY_NAMES[name]).fit(values, **FIXED.get(name, {}))
    assert np.allclose(fit.parameters, wanted, rtol=2e-3)
    assert likelihood(name, values, fit.parameters) >= likelihood(name, values, wanted) - 1e-6


@pytest.mark.parametrize(("name", "free"), [("pareto", 1), ("chi_square", 1), ("beta", 2), ("poisson", 1)])
def test_no_parameter_nearby_is_likelier(name: DistributionName, free: int) -> None:
    values = sample(name, 400)
    fit = best_fit(values, (name,))
    assert fit is not None
    best = likelihood(name, values, fit.parameters)
    for place in range(free):
        for factor in (0.99, 1.01):
            moved = [*fit.parameters]
            moved[place] *= factor
            assert likelihood(name, values, tuple(moved)) < best


def test_no_other_mode_of_a_triangle_is_likelier() -> None:
    values = sample("triangular", 60)
    fit = best_fit(values, ("triangular",))
    assert fit is not None
    _, low, width = fit.parameters
    others = [likelihood("triangular", values, (mode, low, width)) for mode in np.linspace(0.001, 0.999, 500)]
    assert likelihood("triangular", values, fit.parameters) >= max(others) - 1e-9


@pytest.mark.parametrize("name", FITTERS)
def test_a_sample_is_accepted_by_its_own_distribution(name: DistributionName) -> None:
    fit = best_fit(sample(name, 3000, seed=4), (name,))
    assert fit is not None
    assert fit.p_value > 0.05


@pytest.mark.parametrize("name", sorted(set(FITTERS) - DISCRETE))
def test_the_statistic_is_that_of_scipy(name: DistributionName) -> None:
    fit = best_fit(SALARIES, (name,))
    assert fit is not None
    test = scipy.stats.kstest(SALARIES, getattr(scipy.stats, SCIPY_NAMES[name])(*fit.parameters).cdf)
    assert fit.distance == pytest.approx(test.statistic)
    assert fit.p_value == pytest.approx(test.pvalue)


@given(seed=st.integers(0, 99))
def test_the_statistic_of_counts_is_the_largest_distance_of_two_step_functions(seed: int) -> None:
    values = np.sort(np.random.default_rng(seed).poisson(4, 30)).astype(float)
    grid = np.arange(-1, 40)
    shares = (values[:, None] <= grid).mean(axis=0)
    wanted = np.abs(shares - scipy.stats.poisson(5).cdf(grid)).max()
    assert kolmogorov_smirnov(values, scipy.stats.poisson(5).cdf, is_discrete=True) == pytest.approx(wanted)


@pytest.mark.parametrize("name", ["exponential", "gamma", "weibull", "log_normal", "pareto", "chi_square", "poisson"])
def test_negative_values_leave_out_the_distributions_from_zero_on(name: DistributionName) -> None:
    assert best_fit(np.array([-1.0, 2.0, 5.0]), (name,)) is None


def test_fractions_leave_out_poisson() -> None:
    assert best_fit(np.array([1.0, 2.5, 3.0]), ("poisson",)) is None


@pytest.mark.parametrize("factor", [1e-9, 1e12])
@pytest.mark.parametrize("name", ["normal", "gamma", "weibull", "gumbel", "logistic", "beta", "triangular", "pareto"])
def test_the_unit_does_not_matter(name: DistributionName, factor: float) -> None:
    values = sample(name, 200)
    once, again = best_fit(values, (name,)), best_fit(factor * values, (name,))
    assert once is not None
    assert again is not None
    assert again.distance == pytest.approx(once.distance, abs=1e-6)


def test_a_long_column_is_fitted_by_its_order_statistics() -> None:
    values = sample("gamma", 200_000)
    fit = best_fit(values, ("gamma",))
    assert fit is not None
    assert fit.parameters == pytest.approx(scipy.stats.gamma.fit(values, floc=0), rel=0.02)


@pytest.mark.parametrize("criterion", ["kolmogorov_smirnov", "chi_square", "anderson_darling"])
@pytest.mark.parametrize("name", ["normal", "gumbel", "exponential"])
def test_every_criterion_finds_the_distribution_that_gave_the_values(
    criterion: Criterion, name: DistributionName
) -> None:
    fit = best_fit(sample(name, 3000), ("normal", "exponential", "uniform", "gumbel"), criterion)
    assert fit is not None
    assert fit.distribution == name
    assert fit.p_value > 0.01


@pytest.mark.parametrize("criterion", ["kolmogorov_smirnov", "chi_square"])
@pytest.mark.parametrize("name", ["poisson", "geometric", "binomial"])
def test_counts_are_told_apart_by_criteria_for_counts(criterion: Criterion, name: DistributionName) -> None:
    fit = best_fit(sample(name, 3000), ("poisson", "geometric", "binomial"), criterion)
    assert fit is not None
    assert fit.distribution == name


def test_anderson_darling_is_not_asked_of_counts() -> None:
    assert best_fit(sample("poisson", 200), ("poisson",), "anderson_darling") is None
