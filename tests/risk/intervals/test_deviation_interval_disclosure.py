"""Interval disclosure by standard deviations, checked against plain loops over the definition."""

from math import isnan
from statistics import NormalDist, stdev

import numpy as np
import pytest

from sfumato.contracts import Measurement
from sfumato.numerics.arrays import FloatMatrix
from sfumato.risk import DeviationIntervalDisclosure
from tests.matrices import microdata, names_of

NAN = float("nan")


def measured(original: FloatMatrix, masked: FloatMatrix, **parameters: object) -> Measurement:
    measure = DeviationIntervalDisclosure(columns=names_of(original), **parameters)
    return measure.measure(microdata(original), microdata(masked))


def plain_disclosure(original: FloatMatrix, masked: FloatMatrix) -> list[float]:
    by_column = []
    for before, after in zip(original.T.tolist(), masked.T.tolist(), strict=True):
        spread = stdev(value for value in before if not isnan(value))
        cells = []
        for width in range(1, 11):
            reach = width * spread / 100
            cells += [y - reach <= x <= y + reach for x, y in zip(before, after, strict=True) if not isnan(x)]
        by_column.append(100 * sum(cells) / len(cells))
    return by_column


def example(n: int = 80) -> tuple[FloatMatrix, FloatMatrix]:
    rng = np.random.default_rng(4)
    original = rng.normal(0, [[1.0, 30.0]], size=(n, 2))
    return original, original + 0.06 * original.std(axis=0) * rng.normal(size=(n, 2))


def test_equals_plain_loops_over_the_definition() -> None:
    found = measured(*example())
    assert list(found.parts.values()) == pytest.approx(plain_disclosure(*example()))
    assert found.value == pytest.approx(np.mean(list(found.parts.values())))


def test_equals_plain_loops_with_missing_values() -> None:
    original, masked = example()
    original[::9, 0] = NAN
    masked[::5, 1] = masked[::6, 0] = NAN
    assert list(measured(original, masked).parts.values()) == pytest.approx(plain_disclosure(original, masked))


def test_normal_noise_discloses_what_the_normal_distribution_says() -> None:
    rng = np.random.default_rng(8)
    original = rng.normal(size=(40_000, 1))
    masked = original + 0.05 * rng.normal(size=original.shape)
    # a width of p % holds the noise with the chance that a normal of deviation 5 lies within p
    expected = np.mean([100 * (2 * NormalDist(0, 5).cdf(p) - 1) for p in range(1, 11)])
    assert measured(original, masked).value == pytest.approx(expected, abs=1.0)


def test_an_unmasked_file_discloses_everything() -> None:
    original, _ = example()
    assert measured(original, original).value == 100.0


def test_a_constant_column_discloses_only_unchanged_values() -> None:
    original, masked = np.full((4, 1), 0.1), np.array([[0.1], [0.1], [0.2], [0.1]])
    assert measured(original, masked).value == 75.0


def test_a_suppressed_value_discloses_nothing_and_a_missing_one_is_left_out() -> None:
    original, masked = np.array([[1.0], [5.0], [NAN], [9.0]]), np.array([[NAN], [5.0], [3.0], [9.0]])
    assert measured(original, masked).value == pytest.approx(200 / 3)


def test_the_figure_per_record_averages_over_columns_and_widths() -> None:
    found = measured(*example())
    assert found.per_record is not None
    assert found.per_record.mean() == pytest.approx(found.value)


def test_outliers_that_keep_their_rank_but_move_far_are_seen_as_hidden() -> None:
    original = np.append(np.linspace(0, 1, 99), 1000.0).reshape(-1, 1)
    masked = original.copy()
    masked[-1] = 5000.0
    found = measured(original, masked)
    assert found.per_record is not None
    assert found.per_record.tolist() == [100.0] * 99 + [0.0]


def test_holds_values_against_the_nearest_record_when_asked() -> None:
    original = np.array([[0.0, 0.0], [10.0, 10.0], [20.0, 0.0], [30.0, 5.0]])
    exchanged = original[[1, 0, 3, 2]]
    assert measured(original, exchanged).value == 0.0
    assert measured(original, exchanged, correspondence="nearest_record").value == 100.0
