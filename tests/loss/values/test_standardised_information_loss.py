"""Standardised information loss, checked against plain loops over the definition."""

from math import isnan, pi, sqrt
from statistics import stdev

import numpy as np
import pytest

from sfumato.contracts import Measurement
from sfumato.loss import StandardisedInformationLoss
from sfumato.numerics.arrays import FloatMatrix
from tests.matrices import microdata, names_of

NAN = float("nan")


def measured(original: FloatMatrix, masked: FloatMatrix) -> Measurement:
    return StandardisedInformationLoss(columns=names_of(original)).measure(microdata(original), microdata(masked))


def plain_loss(original: FloatMatrix, masked: FloatMatrix) -> float:
    cells = []
    for before, after in zip(original.T.tolist(), masked.T.tolist(), strict=True):
        spread = stdev(value for value in before if not isnan(value))
        for x, y in zip(before, after, strict=True):
            if not isnan(x):
                cells.append(1.0 if isnan(y) else abs(x - y) / (sqrt(2) * spread))
    return 100 * sum(cells) / len(cells)


def example() -> tuple[FloatMatrix, FloatMatrix]:
    rng = np.random.default_rng(2)
    original = rng.lognormal(size=(60, 3))
    return original, original + rng.normal(size=(60, 3))


def test_equals_plain_loops_over_the_definition() -> None:
    assert measured(*example()).value == pytest.approx(plain_loss(*example()))


def test_equals_plain_loops_with_missing_values() -> None:
    original, masked = example()
    original[::7, 0] = NAN
    masked[::5, 0] = masked[::4, 2] = NAN
    assert measured(original, masked).value == pytest.approx(plain_loss(original, masked))


def test_parts_are_the_columns_and_average_to_the_value() -> None:
    original, masked = example()
    found = measured(original, masked)
    assert list(found.parts) == ["v0", "v1", "v2"]
    assert found.parts["v1"] == pytest.approx(plain_loss(original[:, [1]], masked[:, [1]]))
    assert np.mean(list(found.parts.values())) == pytest.approx(found.value)


def test_an_unchanged_file_loses_nothing() -> None:
    original, _ = example()
    assert measured(original, original).value == 0.0


def test_a_random_exchange_of_normal_values_loses_eighty_percent() -> None:
    rng = np.random.default_rng(0)
    original = rng.normal(7, 3, size=(40_000, 1))
    # E|X - Y| of two independent normals is 2 s / sqrt(pi); the standard error is about 0.3 points
    assert measured(original, rng.permutation(original)).value == pytest.approx(100 * sqrt(2 / pi), abs=1.2)


def test_a_changed_value_of_a_constant_column_is_fully_lost() -> None:
    original, masked = np.full((4, 1), 0.1), np.array([[0.1], [0.2], [0.1], [9.0]])
    assert measured(original, masked).value == 50.0


def test_a_value_missing_in_the_original_is_left_out() -> None:
    original = np.array([[1.0], [3.0], [NAN]])
    assert measured(original, np.array([[1.0], [3.0], [8.0]])).value == 0.0


def test_the_figure_per_record_averages_over_its_columns() -> None:
    original, masked = example()
    found = measured(original, masked)
    assert found.per_record is not None
    assert found.per_record.mean() == pytest.approx(found.value)
    spread = original.std(axis=0, ddof=1)
    assert found.per_record[9] == pytest.approx(100 * np.mean(np.abs(masked[9] - original[9]) / (sqrt(2) * spread)))
