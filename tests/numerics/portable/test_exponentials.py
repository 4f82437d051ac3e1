"""Exponentials and logarithms are right to the last bit or so, whatever lies in memory and how."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from sfumato.numerics.arrays import Floats
from sfumato.numerics.portable.exponentials import PER_PIECE, exp, log, log1p

Function = Callable[[Floats], Floats]
RNG = np.random.default_rng(1)
POSITIVE = np.concatenate(
    [2.0 ** RNG.uniform(-1070, 1023, 70_000), RNG.uniform(0.4, 3, 70_000), 1 + RNG.normal(0, 1e-3, 9)]
)
ABOVE_MINUS_ONE = np.concatenate(
    [RNG.uniform(-0.99, 9, 70_000), RNG.normal(0, 1e-9, 999), 2.0 ** RNG.uniform(0, 900, 999)]
)


@pytest.mark.parametrize(
    ("own", "usual", "numbers"),
    [
        (exp, math.exp, np.concatenate([RNG.uniform(-700, 709, 70_000), RNG.normal(size=70_000)])),
        (log, math.log, POSITIVE),
        (log1p, math.log1p, ABOVE_MINUS_ONE),
    ],
)
def test_are_less_than_two_last_bits_from_those_of_the_c_library(
    own: Function, usual: Callable[[float], float], numbers: Floats
) -> None:
    wanted = np.array([usual(number) for number in numbers.tolist()])
    assert np.abs((own(numbers) - wanted) / np.spacing(wanted)).max() < 2


@pytest.mark.parametrize(("own", "usual"), [(exp, np.exp), (log, np.log), (log1p, np.log1p)])
def test_infinite_missing_and_impossible_numbers_are_those_of_numpy(own: Function, usual: Function) -> None:
    numbers = np.array([np.inf, -np.inf, np.nan, 0.0, -1.0, -2.0, 1e-320, 1e308])
    with np.errstate(all="ignore"):
        assert own(numbers) == pytest.approx(usual(numbers), rel=1e-15, nan_ok=True)


@pytest.mark.parametrize("own", [exp, log, log1p])
def test_each_number_is_taken_by_itself_whatever_its_place_in_memory(own: Function) -> None:
    numbers = np.random.default_rng(2).uniform(0.1, 9, (PER_PIECE // 2 + 3, 3))
    wanted = np.array([[float(own(value)) for value in row] for row in numbers[-5:]])
    assert np.array_equal(own(numbers)[-5:], wanted)
    assert np.array_equal(own(np.asfortranarray(numbers)), own(numbers))
    assert np.array_equal(own(numbers[::2, 1:]), own(numbers)[::2, 1:])
    assert own(numbers[:0]).shape == (0, 3)
