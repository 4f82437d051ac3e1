import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.numerics.random_rounding import round_to_total


@settings(max_examples=25)
@given(parts=st.lists(st.integers(0, 40), min_size=1, max_size=8), unit=st.integers(1, 9), seed=st.integers(0, 99))
def test_each_part_is_rounded_down_or_up_and_the_total_stays(parts: list[int], unit: int, seed: int) -> None:
    some = np.array([*parts, -sum(parts) % unit])
    rounded = round_to_total(some, unit, np.random.default_rng(seed))
    assert rounded.sum() == some.sum() // unit
    assert ((rounded == some // unit) | (rounded == -(-some // unit))).all()


def test_a_fraction_becomes_one_more_with_just_its_probability() -> None:
    parts, runs, rng = np.array([1, 1, 2, 3, 5, 7, 0, 5]), 10_000, np.random.default_rng(1)
    mean = sum(round_to_total(parts, 4, rng) for _ in range(runs)) / runs
    fraction = parts % 4 / 4
    assert (np.abs(mean - parts / 4) <= 4 * np.sqrt(fraction * (1 - fraction) / runs)).all()


def test_equal_fractions_share_alike_wherever_they_stand() -> None:
    rng = np.random.default_rng(2)
    mean = sum(round_to_total(np.ones(10, dtype=np.int64), 2, rng) for _ in range(4000)) / 4000
    assert mean == pytest.approx(np.full(10, 0.5), abs=4 * 0.5 / np.sqrt(4000))
