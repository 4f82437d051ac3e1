"""The root of a function between two ends."""

from math import cos, exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from sfumato.numerics.functions.roots import find_root


@given(place=st.floats(-3, 3), bend=st.floats(-5, 5), low=st.floats(-50, -3.1), high=st.floats(3.1, 50))
def test_finds_the_root_that_scipys_brentq_finds(place: float, bend: float, low: float, high: float) -> None:
    def function(x: float) -> float:
        return (x - place) * exp(min(bend * x / 10, 600)) + log(1 + (x - place) ** 2) * (x - place)

    expected = brentq(function, low, high, xtol=1e-12)
    assert find_root(function, low, high, 1e-12) == pytest.approx(expected, abs=1e-12)


def test_an_end_may_be_the_root() -> None:
    assert find_root(lambda x: x, 0.0, 5.0, 1e-9) == 0.0
    assert find_root(lambda x: x - 5, 0.0, 5.0, 1e-9) == 5.0


def test_is_as_near_as_asked() -> None:
    assert find_root(cos, 1.0, 2.0, 1e-3) == pytest.approx(1.5707963267948966, abs=1e-3)
    assert find_root(cos, 1.0, 2.0, 1e-14) == pytest.approx(1.5707963267948966, abs=1e-14)


def test_ends_of_one_sign_are_refused() -> None:
    with pytest.raises(ValueError, match="same sign at both ends"):
        find_root(lambda x: x * x + 1, -1.0, 1.0, 1e-9)
