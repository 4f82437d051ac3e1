"""What is expected behind a noisy value: against the closed form for an exponential column (Matloff 1986)."""

import numpy as np
import polars as pl
import pytest
from scipy.stats import norm

from sfumato.data import Microdata
from sfumato.errors import DataError
from sfumato.masking import AdditiveNoise, CorrelatedNoise, expected_values
from sfumato.numerics.arrays import FloatColumn

MEAN, SCALE = 100.0, 0.5
TRUE = np.random.default_rng(1).exponential(MEAN, 20_000)
DATA = Microdata(pl.DataFrame({"income": TRUE}))


def closed_form(noisy: FloatColumn, deviation: float) -> FloatColumn:
    """Return E(V | V' = w) for V exponential: a normal around w - t^2 / mean, cut off at 0."""
    middle = noisy - deviation**2 / MEAN
    return np.asarray(
        middle + deviation * norm.pdf(middle / deviation) / norm.cdf(middle / deviation), dtype=np.float64
    )


@pytest.mark.parametrize("rescaled", [False, True])
def test_finds_the_bias_of_noise_on_an_exponential_column(rescaled: bool) -> None:
    noise = AdditiveNoise(columns=("income",), scale=SCALE, rescaled=rescaled)
    found = expected_values(noise.mask(DATA, np.random.default_rng(2)), noise, lowest=0.0)
    noisy = found.noisy[:, 0]
    some = (noisy > 50) & (noisy < 350)  # where there are records enough
    deviation = SCALE * TRUE.std()
    expected = closed_form(noisy, deviation)
    assert np.abs(found.expected - expected[:, None])[some].mean() < 0.06 * deviation
    assert (found.bias[(noisy > 150) & (noisy < 350), 0] < 0).all()  # Matloff: E(V | V' = w) < w


def test_corrected_values_are_nearer_to_the_original_ones_than_the_noisy_ones() -> None:
    noise = CorrelatedNoise(columns=("income",), variance_ratio=0.25)
    found = expected_values(noise.mask(DATA, np.random.default_rng(3)), noise, lowest=0.0)
    errors = [float(((values[:, 0] - TRUE) ** 2).mean()) for values in (found.noisy, found.expected)]
    assert errors[1] < 0.85 * errors[0]
    assert found.expected.mean() == pytest.approx(found.noisy.mean(), rel=0.02)


def test_missing_values_stay_missing_and_few_values_are_refused() -> None:
    gaps = Microdata(pl.DataFrame({"income": [None, *TRUE[:300].tolist()]}))
    noise = AdditiveNoise(columns=("income",), scale=SCALE)
    assert np.isnan(expected_values(gaps, noise).expected[:, 0]).tolist() == [True, *[False] * 300]
    with pytest.raises(DataError, match=r"needs at least 100 values of a column.*'income' has 20"):
        expected_values(Microdata(DATA.frame.head(20)), noise)
    with pytest.raises(DataError, match="this one has strata"):
        expected_values(DATA, noise.replace(within=("town",)))
