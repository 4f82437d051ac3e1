"""What a noisy value shows of its original in its last bits: nothing, once they are dropped."""

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata
from sfumato.masking import METHODS
from sfumato.masking.noise._last_bits import drop_last_bits

RNG = np.random.default_rng(0)
ORIGINALS = RNG.lognormal(9, 1, 4000).round(2)
MASKED = drop_last_bits(ORIGINALS[::-1] * RNG.lognormal(0, 0.5, 4000))


def test_any_value_may_come_of_any_original_by_a_sum_or_a_product() -> None:
    """Of full doubles one in four cannot, which tells persons apart that the density of the noise does not."""
    by_sum, by_product = (MASKED - ORIGINALS) / 3000, np.log(MASKED / ORIGINALS) / 0.6
    sums, products = ORIGINALS + 3000 * by_sum, ORIGINALS * np.exp(0.6 * by_product)
    np.testing.assert_array_equal(drop_last_bits(sums), MASKED)
    np.testing.assert_array_equal(drop_last_bits(products), MASKED)
    assert (products == MASKED).mean() < 0.9


def test_ten_digits_stay_whatever_the_size_and_the_sign() -> None:
    values = np.array([1e-30, -1e-3, 1234.56789, -1e300, 0.0, np.inf, np.nan])
    np.testing.assert_allclose(drop_last_bits(values), values, rtol=2.0**-32)
    assert drop_last_bits(drop_last_bits(values)).tobytes() == drop_last_bits(values).tobytes()


@pytest.mark.parametrize("name", sorted(name for name, method in METHODS.items() if method.family == "noise"))
def test_every_noise_drops_them(name: str) -> None:

    data = Microdata(pl.DataFrame({"income": ORIGINALS[:200], "tax": ORIGINALS[200:400] / 3}))
    masked = METHODS[name](columns=("income", "tax")).mask(data, np.random.default_rng(1)).matrix(("income", "tax"))
    assert masked.tobytes() == drop_last_bits(masked).tobytes()
    assert (masked != masked.astype(np.float32)).any()
