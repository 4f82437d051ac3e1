"""The moments of noisy records, checked against noise that is drawn."""

import numpy as np
import pytest

from sfumato.numerics.noise_moments import before_rescaling, noise_share


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
