"""Multiplicative noise: its moments in closed form, and its likelihood."""

import numpy as np
import pytest
from scipy.stats import lognorm

from sfumato.contracts import Knowledge
from sfumato.errors import DataError
from sfumato.masking import MultiplicativeNoise
from sfumato.masking.noise.multiplicative_noise import factor_likelihood, log_deviation, multiply
from sfumato.risk import DistanceLinkage, LikelihoodLinkage
from tests.matrices import microdata, names_of


def test_factors_have_mean_one_and_the_deviation_asked_for() -> None:
    factors = multiply(np.ones((400_000, 1)), 0.3, np.random.default_rng(1))[:, 0]
    assert abs(factors.mean() - 1) < 5 * 0.3 / np.sqrt(400_000)
    assert factors.std() == pytest.approx(0.3, rel=0.02)
    assert (factors > 0).all()


def test_second_moments_grow_by_one_plus_the_square_of_the_spread_and_products_stay() -> None:
    rng = np.random.default_rng(2)
    values = rng.lognormal(1, 0.4, size=(50, 1)) * np.array([[1.0, 2.0]]) + rng.normal(size=(50, 2))
    draws = multiply(np.tile(values, (4000, 1)), 0.5, rng)
    assert (draws**2).mean(axis=0) == pytest.approx((values**2).mean(axis=0) * 1.25, rel=0.02)
    assert (draws[:, 0] * draws[:, 1]).mean() == pytest.approx((values[:, 0] * values[:, 1]).mean(), rel=0.02)


def test_zeros_and_signs_stay() -> None:
    values = np.array([0.0, -3.0, 4.0])
    assert np.sign(multiply(values[:, None], 1.0, np.random.default_rng(3))[:, 0]).tolist() == [0.0, -1.0, 1.0]


def test_the_density_is_that_of_a_log_normal_factor() -> None:
    size = factor_likelihood(np.array([2.0]), np.array([2.9]), 0.4)[0]
    s = log_deviation(0.4)
    expected = lognorm(s, scale=2 * np.exp(-(s**2) / 2)).logpdf(2.9) + np.log(2.9) + np.log(s)  # of the logarithm / s
    assert size.density.log_density(size.before, size.after) == pytest.approx(expected)
    assert size.is_exact


def test_an_intruder_with_the_recipe_finds_more_by_logarithms_than_by_distances() -> None:
    matrix = np.random.default_rng(4).lognormal(3, 1.5, size=(300, 3))
    data, noise = microdata(matrix), MultiplicativeNoise(columns=names_of(matrix), spread=30)
    masked = noise.mask(data, np.random.default_rng(5))
    known = LikelihoodLinkage(columns=names_of(matrix)).informed_by(Knowledge.of([noise], data))
    nearest = DistanceLinkage(columns=names_of(matrix), max_keys=3).measure(data, masked).parts["3"]
    assert known.measure(data, masked).value > nearest + 10


def test_whole_numbers_that_may_be_rounded_to_zero_are_not_excluded() -> None:
    size, sign = factor_likelihood(np.array([1.0, 5.0, 0.0]), np.array([0.0, 5.0, 0.0]), 0.9)
    assert not size.is_exact
    logs = sign.density.log_density(sign.before, sign.after)
    assert -5 < logs[0] < 0
    assert sign.density.log_density(np.array([1.0]), np.array([2.0]))[0] < -1e5  # 0 stays 0


def test_refuses_a_column_of_nothing_but_zeros() -> None:
    with pytest.raises(DataError, match=r"^MultiplicativeNoise.columns: 'v0' holds nothing but 0"):
        MultiplicativeNoise(columns=("v0",)).mask(microdata(np.zeros((9, 1))), np.random.default_rng(0))
