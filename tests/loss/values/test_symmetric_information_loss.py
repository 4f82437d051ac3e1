"""Symmetric information loss, checked against plain loops over the definition."""

from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.contracts import Measurement
from sfumato.loss import SymmetricInformationLoss
from sfumato.loss.values.symmetric_information_loss import symmetric_change
from sfumato.numerics.arrays import FloatMatrix
from tests.matrices import microdata, names_of

NAN = float("nan")


def measured(original: FloatMatrix, masked: FloatMatrix) -> Measurement:
    return SymmetricInformationLoss(columns=names_of(original)).measure(microdata(original), microdata(masked))


def plain_loss(original: FloatMatrix, masked: FloatMatrix) -> float:
    by_record = []
    for before, after in zip(original.tolist(), masked.tolist(), strict=True):
        cells = []
        for x, z in zip(before, after, strict=True):
            if isnan(x) or x == z == 0:
                continue
            cells.append(2.0 if isnan(z) else abs(x - z) / ((abs(x) + abs(z)) / 2))
        if cells:
            by_record.append(sum(cells) / len(cells))
    return 100 * sum(by_record) / len(by_record) if by_record else 0.0


def example() -> tuple[FloatMatrix, FloatMatrix]:
    rng = np.random.default_rng(2)
    original = rng.lognormal(size=(60, 3))
    return original, original + rng.normal(size=(60, 3))


def test_equals_plain_loops_over_the_definition() -> None:
    assert measured(*example()).value == pytest.approx(plain_loss(*example()))


def test_equals_plain_loops_with_zeros_and_missing_values() -> None:
    original, masked = example()
    original[::3, 0] = 0.0
    masked[::6, 0] = 0.0
    original[::7, 1] = masked[::5, 1] = masked[::4, 2] = NAN
    original[6] = masked[6] = 0.0  # a record with nothing left
    assert measured(original, masked).value == pytest.approx(plain_loss(original, masked))


def test_a_hand_worked_file() -> None:
    original, masked = np.array([[1.0, 2.0], [3.0, 6.0]]), np.array([[3.0, 2.0], [1.0, 0.0]])
    found = measured(original, masked)
    # the changes are 2 / 2 and 0, and 2 / 2 and 6 / 3
    assert found.value == pytest.approx(100 * (0.5 + 1.5) / 2)
    assert dict(found.parts) == pytest.approx({"v0": 100.0, "v1": 100.0})
    assert found.per_record is not None
    assert found.per_record.tolist() == [50.0, 150.0]


finite = st.floats(-1e6, 1e6)


@given(st.lists(st.tuples(finite, finite), min_size=1, max_size=20))
def test_exchanging_original_and_masked_changes_nothing_and_no_change_counts_more_than_two(
    pairs: list[tuple[float, float]],
) -> None:
    before, after = np.array(pairs).T
    found = symmetric_change(before, after)
    assert np.array_equal(found, symmetric_change(after, before), equal_nan=True)
    assert np.nanmax(found, initial=0.0) <= 2 + 1e-12


def test_values_that_become_zero_or_change_sign_lose_two_hundred_percent() -> None:
    original, _ = example()
    assert measured(original, 0 * original).value == 200.0
    assert measured(original, -original).value == 200.0
    assert measured(0 * original, original).value == 200.0


def test_a_suppressed_value_counts_as_one_replaced_by_zero() -> None:
    original, _ = example()
    suppressed, zeroed = original.copy(), original.copy()
    suppressed[::2, 1], zeroed[::2, 1] = NAN, 0.0
    assert measured(original, suppressed).value == pytest.approx(measured(original, zeroed).value)


def test_numbers_too_small_to_divide_by_count_as_zero() -> None:
    assert np.isnan(symmetric_change(np.array([1e-308]), np.array([0.0]))).all()


def test_a_file_of_zeros_loses_nothing() -> None:
    found = measured(np.zeros((3, 2)), np.zeros((3, 2)))
    assert (found.value, dict(found.parts)) == (0.0, {"v0": 0.0, "v1": 0.0})


def test_noise_loses_more_where_values_are_near_zero_than_the_standardised_change_does() -> None:
    rng = np.random.default_rng(4)
    original = np.where(rng.random((500, 1)) < 0.8, 0.0, rng.lognormal(5, 1, size=(500, 1)))
    noise = 0.01 * original.std() * rng.normal(size=(500, 1))
    # four values of five were 0 and count 200 each, whatever small noise they get
    assert measured(original, original + noise).value > 150
