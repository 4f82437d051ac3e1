"""The moments of noisy records, checked against noise that is drawn."""

import numpy as np
import pytest

from sfumato.numerics.noise_moments import (
    before_rescaling,
    noise_share,
    rounded_noise,
    variance_before_rounded_noise,
)


def test_what_is_left_of_a_covariance_without_its_noise_is_that_of_the_original() -> None:
    rng = np.random.default_rng(1)
    original = rng.normal(size=(200_000, 2)) @ np.array([[2.0, 1.0], [0.0, 1.0]])
    covariance = np.cov(original, rowvar=False)
    noisy = original + np.sqrt(0.5) * rng.multivariate_normal([0, 0], covariance, size=200_000)
    found = np.cov(noisy, rowvar=False)
    # covariances of so many records are known to about half a percent
    assert found - noise_share(found, 0.5) == pytest.approx(covariance, rel=0.02)


def test_rescaled_records_come_back_as_they_were() -> None:
    noisy, means = np.random.default_rng(2).normal(size=(50, 3)), np.array([1.0, 2.0, 3.0])
    rescaled = means + (noisy - means) / np.sqrt(1 + 0.3)
    assert before_rescaling(rescaled, means, 0.3) == pytest.approx(noisy)


def test_missing_values_stay_missing() -> None:
    assert np.isnan(before_rescaling(np.array([[np.nan]]), np.array([1.0]), 0.3)).all()


@pytest.mark.parametrize("deviation", [0.2, 0.37, 1.0, 2.9, 3.1])
def test_rounded_noise_has_the_moments_of_noise_that_is_drawn_and_rounded(deviation: float) -> None:
    drawn = np.random.default_rng(3).normal(0, deviation, 400_000)
    found, rounded = rounded_noise(deviation), np.rint(drawn)
    assert found.variance == pytest.approx((rounded**2).mean(), rel=0.04)
    assert found.share == pytest.approx((rounded * drawn).mean() / deviation**2, rel=0.04)


@pytest.mark.parametrize("before", [0.0, 0.3, 1.5, 400.0])
def test_the_variance_before_rounded_noise_comes_back(before: float) -> None:
    after = before + rounded_noise(float(np.sqrt(0.16 * before))).variance
    assert variance_before_rounded_noise(after, 0.16) == pytest.approx(before)
