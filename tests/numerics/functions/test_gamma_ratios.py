"""Ratios of gamma functions, against SciPy where that has its digits, and against identities where it has not."""

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import digamma, gammaln

from sfumato.numerics.functions.gamma_ratios import digamma_rise, log_factorials, log_gamma_ratio

starts, steps = st.floats(1e-3, 50), st.floats(0, 50)
large = st.floats(1, 1e12)


@given(x=starts, step=steps)
def test_the_differences_are_those_of_scipy_where_arguments_are_small(x: float, step: float) -> None:
    assert log_gamma_ratio(x, step) == pytest.approx(gammaln(x + step) - gammaln(x), rel=1e-9, abs=1e-10)
    assert digamma_rise(x, step) == pytest.approx(digamma(x + step) - digamma(x), rel=1e-9, abs=1e-10)


@given(x=large, step=st.integers(1, 6))
def test_whole_steps_are_products_and_sums_however_large_the_arguments(x: float, step: int) -> None:
    assert log_gamma_ratio(x, step) == pytest.approx(sum(log(x + i) for i in range(step)), rel=1e-13)
    assert digamma_rise(x, step) == pytest.approx(sum(1 / (x + i) for i in range(step)), rel=1e-13)


@given(x=large, share=st.floats(0, 1))
def test_two_steps_are_one(x: float, share: float) -> None:
    halves = log_gamma_ratio(x, share) + log_gamma_ratio(x + share, 1 - share)
    assert halves == pytest.approx(log(x), rel=1e-13, abs=1e-13)


def test_factorials_are_those_of_scipy() -> None:
    numbers = np.r_[np.arange(3000), 10 ** np.arange(4, 15)]
    assert log_factorials(numbers[:3000]) == pytest.approx(gammaln(numbers[:3000] + 1.0), rel=1e-14, abs=1e-15)
    assert log_factorials(numbers) == pytest.approx(gammaln(numbers + 1.0), rel=1e-14, abs=1e-15)
