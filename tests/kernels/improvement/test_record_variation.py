import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.kernels.improvement.record_variation import UNKNOWN, record_variations
from sfumato.loss.values.information_loss import record_variation


@given(seed=st.integers(0, 999), n=st.integers(1, 20), d=st.integers(1, 5))
def test_the_variation_is_that_of_information_loss(seed: int, n: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    original, masked = rng.integers(-2, 3, (2, n, d)).astype(np.float64)
    nearest = rng.integers(n, size=n)
    known = record_variation(original[nearest], masked)
    assert record_variations(original, nearest, masked) == pytest.approx(np.where(np.isnan(known), UNKNOWN, known))


def test_a_record_without_an_original_has_no_variation() -> None:
    assert record_variations(np.ones((1, 1)), np.array([0, -1]), np.array([[1.5], [np.nan]])).tolist() == [0.5, UNKNOWN]
