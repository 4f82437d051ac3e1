"""Fits of counts: no neighbour of the parameters makes the counts likelier."""

import numpy as np
import pytest
import scipy.stats

from sfumato.numerics.count_distributions import fit_binomial, fit_geometric, fit_hypergeometric


def counts(law: object, n: int = 400) -> np.ndarray:
    return np.sort(law.rvs(n, random_state=np.random.default_rng(1))).astype(float)  # type: ignore[attr-defined]


def test_the_geometric_fit_is_the_likeliest() -> None:
    x = counts(scipy.stats.geom(0.2, -1))
    found = fit_geometric(x)
    assert found is not None
    best, *others = (scipy.stats.geom(found[0] + move, -1).logpmf(x).sum() for move in (0, 0.001, -0.001))
    assert best > max(others)


def test_the_binomial_fit_is_the_likeliest_and_finds_the_trials() -> None:
    x = counts(scipy.stats.binom(15, 0.7), 4000)
    found = fit_binomial(x)
    assert found is not None
    assert found[0] == pytest.approx(15, abs=1)
    others = [scipy.stats.binom(found[0] + move, x.mean() / (found[0] + move)).logpmf(x).sum() for move in (-1, 1, 2)]
    assert scipy.stats.binom(*found).logpmf(x).sum() > np.nanmax(others)


def test_the_hypergeometric_fit_has_the_mean_and_variance_of_the_counts() -> None:
    x = counts(scipy.stats.hypergeom(60, 25, 18), 3000)
    found = fit_hypergeometric(x)
    assert found is not None
    law = scipy.stats.hypergeom(*found)
    assert law.mean() == pytest.approx(x.mean(), rel=0.02)
    assert law.var() == pytest.approx(x.var(), rel=0.05)


@pytest.mark.parametrize("fit", [fit_geometric, fit_binomial, fit_hypergeometric])
def test_what_are_no_counts_is_left_out(fit: object) -> None:
    assert fit(np.array([-1.0, 2.0])) is None  # type: ignore[operator]
    assert fit(np.array([0.5, 2.0])) is None  # type: ignore[operator]


def test_counts_more_dispersed_than_poisson_have_no_binomial_fit() -> None:
    assert fit_binomial(counts(scipy.stats.geom(0.1, -1))) is None
