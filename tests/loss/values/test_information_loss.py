"""Information loss, checked against plain loops over the definition."""

from math import isnan, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sfumato.contracts import Correspondence
from sfumato.loss import InformationLoss
from sfumato.loss.values.information_loss import record_variation, variation
from sfumato.numerics.arrays import FloatMatrix
from tests.matrices import microdata, names_of

NAN = float("nan")


def parts(original: FloatMatrix, masked: FloatMatrix, **parameters: object) -> dict[str, float]:
    found = InformationLoss(columns=names_of(original), **parameters).measure(microdata(original), microdata(masked))
    assert found.value == pytest.approx(np.mean(list(found.parts.values())))
    assert found.symbol == "IL"
    return dict(found.parts)


def plain_variation(before: float, after: float) -> float | None:
    if before == 0 and after == 0:
        return None
    return abs(after - before) / abs(before if before != 0 else after)


def plain_mean(values: list[float | None]) -> float:
    left = [value for value in values if value is not None]
    return sum(left) / len(left) if left else 0.0


def plain_joint(x: list[float], y: list[float]) -> tuple[float, float]:
    """Return covariance and correlation over the records that have both."""
    pairs = [(a, b) for a, b in zip(x, y, strict=True) if not isnan(a) and not isnan(b)]
    if len(pairs) < 2:
        return 0.0, 0.0
    middle_x, middle_y = (sum(column) / len(pairs) for column in zip(*pairs, strict=True))
    products = [((a - middle_x) ** 2, (b - middle_y) ** 2, (a - middle_x) * (b - middle_y)) for a, b in pairs]
    xx, yy, xy = (sum(column) / (len(pairs) - 1) for column in zip(*products, strict=True))
    return xy, xy / sqrt(xx * yy) if xx > 0 and yy > 0 else 0.0


def plain_parts(original: FloatMatrix, masked: FloatMatrix, rows: list[int]) -> dict[str, float]:
    """Return the five parts by the words of the definition."""
    by_record: list[float | None] = []
    for i, row in enumerate(rows):
        cells: list[float | None] = []
        for before, after in zip(original[row].tolist(), masked[i].tolist(), strict=True):
            if isnan(before):
                continue
            cells.append(1.0 if isnan(after) else plain_variation(before, after))
        left = [cell for cell in cells if cell is not None]
        by_record.append(sum(left) / len(left) if left else None)
    columns, changed = original.T.tolist(), masked.T.tolist()
    d = len(columns)
    means = [
        plain_variation(
            *(sum(x for x in column if not isnan(x)) / sum(not isnan(x) for x in column) for column in pair)
        )
        for pair in zip(columns, changed, strict=True)
    ]
    before = {(j, k): plain_joint(columns[j], columns[k]) for j in range(d) for k in range(j, d)}
    after = {(j, k): plain_joint(changed[j], changed[k]) for j in range(d) for k in range(j, d)}
    return {
        "IL1": 100 * plain_mean(by_record),
        "IL2": 100 * plain_mean(means),
        "IL3": 100 * plain_mean([plain_variation(before[pair][0], after[pair][0]) for pair in before]),
        "IL4": 100 * plain_mean([plain_variation(before[j, j][0], after[j, j][0]) for j in range(d)]),
        "IL5": 100 * plain_mean([abs(after[j, k][1] - before[j, k][1]) for j, k in before if j < k]),
    }


def example(n: int = 40, d: int = 4, seed: int = 3) -> tuple[FloatMatrix, FloatMatrix]:
    rng = np.random.default_rng(seed)
    original = rng.normal(5, 2, size=(n, d)) @ rng.normal(size=(d, d))
    return original, original + rng.normal(size=(n, d))


def test_equals_plain_loops_over_the_definition() -> None:
    original, masked = example()
    assert parts(original, masked) == pytest.approx(plain_parts(original, masked, list(range(40))))


def test_equals_plain_loops_with_zeros() -> None:
    original, masked = example()
    original[::3, 0] = 0.0
    masked[::6, 0] = 0.0
    masked[1::4, 1] = 0.0
    original[5], masked[5] = 0.0, 0.0  # a record with nothing left
    assert parts(original, masked) == pytest.approx(plain_parts(original, masked, list(range(40))))


def test_equals_plain_loops_with_missing_values() -> None:
    original, masked = example()
    rng = np.random.default_rng(8)
    original[rng.random(original.shape) < 0.2] = NAN
    masked[rng.random(masked.shape) < 0.2] = NAN
    assert parts(original, masked) == pytest.approx(plain_parts(original, masked, list(range(40))))


whole_numbers = arrays(np.float64, (7, 3), elements=st.integers(-4, 4).map(float))


@given(original=whole_numbers, masked=whole_numbers)
def test_equals_plain_loops_on_any_small_whole_numbers(original: FloatMatrix, masked: FloatMatrix) -> None:
    """Zero means, zero covariances, constant columns and ties all occur here, so exact zeros must be seen as such."""
    exact = {key: pytest.approx(value, abs=1e-6) for key, value in _exact(original, masked).items()}
    assert parts(original, masked) == exact


def _exact(original: FloatMatrix, masked: FloatMatrix) -> dict[str, float]:
    """Return the plain parts with moments in fractions, so that a zero is exactly zero."""
    from fractions import Fraction

    n, d = original.shape

    def moment(matrix: FloatMatrix, j: int, k: int) -> Fraction:
        x, y = ([Fraction(value) for value in matrix[:, column].tolist()] for column in (j, k))
        products = [(a - sum(x) / n) * (b - sum(y) / n) for a, b in zip(x, y, strict=True)]
        return Fraction(sum(products), n - 1)

    def correlation(matrix: FloatMatrix, j: int, k: int) -> float:
        spread = sqrt(moment(matrix, j, j)) * sqrt(moment(matrix, k, k))
        return float(moment(matrix, j, k)) / spread if spread else 0.0

    upper = [(j, k) for j in range(d) for k in range(j, d)]
    both = original, masked
    cells = [
        [plain_variation(a, b) for a, b in zip(*rows, strict=True)]
        for rows in zip(*(m.tolist() for m in both), strict=True)
    ]
    averages = [[float(sum(map(Fraction, column)) / n) for column in matrix.T.tolist()] for matrix in both]
    return {
        "IL1": 100 * plain_mean([plain_mean(row) if any(c is not None for c in row) else None for row in cells]),
        "IL2": 100 * plain_mean([plain_variation(a, b) for a, b in zip(*averages, strict=True)]),
        "IL3": 100 * plain_mean([plain_variation(*(float(moment(m, j, k)) for m in both)) for j, k in upper]),
        "IL4": 100 * plain_mean([plain_variation(*(float(moment(m, j, j)) for m in both)) for j in range(d)]),
        "IL5": 100
        * plain_mean([abs(correlation(masked, j, k) - correlation(original, j, k)) for j, k in upper if j < k]),
    }


def test_an_unchanged_file_loses_nothing() -> None:
    original, _ = example()
    original[3, 1] = NAN
    assert set(parts(original, original).values()) == {0.0}


def test_parts_of_a_hand_worked_file() -> None:
    original = np.array([[1.0, 2.0], [3.0, 6.0]])
    masked = np.array([[2.0, 2.0], [4.0, 4.0]])
    # values: (1 + 0) / 2 and (1/3 + 1/3) / 2; means 2 -> 3 and 4 -> 3; variances 2 -> 2 and 8 -> 2, covariance 4 -> 2
    expected = {"IL1": 100 * (1 / 2 + 1 / 3) / 2, "IL2": 37.5, "IL3": 100 * (0 + 0.5 + 0.75) / 3, "IL4": 37.5, "IL5": 0}
    assert parts(original, masked) == pytest.approx(expected)


def test_an_original_zero_is_divided_by_the_masked_value_and_two_zeros_are_left_out() -> None:
    found = variation(np.array([0.0, 0.0, -4.0, 2.0]), np.array([5.0, 0.0, 2.0, 0.0]))
    assert found[[0, 2, 3]].tolist() == [1.0, 1.5, 1.0]
    assert isnan(found[1])


def test_numbers_too_small_to_divide_by_count_as_zero() -> None:
    found = variation(np.array([2e-308, 2e-308]), np.array([1e9, 0.0]))
    assert found[0] == 1.0
    assert isnan(found[1])


def test_a_record_with_nothing_left_is_left_out() -> None:
    by_record = record_variation(np.array([[0.0, 0.0], [1.0, NAN]]), np.array([[0.0, 0.0], [3.0, 7.0]]))
    assert isnan(by_record[0])
    assert by_record[1] == 2.0


def test_a_suppressed_value_is_fully_lost_and_an_invented_one_left_out() -> None:
    assert record_variation(np.array([[10.0, 10.0, NAN]]), np.array([[NAN, 10.0, 3.0]])).tolist() == [0.5]


def test_a_blurred_zero_mean_counts_as_zero() -> None:
    rng = np.random.default_rng(0)
    half = rng.normal(size=(500, 1))
    original = np.vstack([half, -half])  # the mean is 0, but not in floating point
    assert parts(original, rng.permutation(original))["IL2"] == 0.0


def test_a_blurred_zero_covariance_counts_as_zero() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 300))
    original = np.vstack([np.column_stack([x, y]), np.column_stack([x, -y])])  # uncorrelated by symmetry
    original += [10.0, 1.0]
    assert parts(original, rng.permutation(original))["IL3"] == pytest.approx(0.0, abs=1e-9)


def test_losing_a_column_to_a_constant_is_a_full_loss_of_its_variance_and_correlations() -> None:
    original = np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])
    masked = np.array([[1.0, 0.1], [2.0, 0.1], [3.0, 0.1]])
    found = parts(original, masked)
    assert found["IL4"] == pytest.approx(50.0)  # one variance kept, one lost
    assert found["IL5"] == pytest.approx(100.0)


def test_a_column_constant_in_both_files_is_left_out_of_the_moments() -> None:
    original = np.array([[1.0, 0.1], [2.0, 0.1], [4.0, 0.1]])
    masked = np.array([[1.0, 0.3], [2.0, 0.3], [4.0, 0.3]])
    found = parts(original, masked)
    assert (found["IL3"], found["IL4"], found["IL5"]) == (0.0, 0.0, 0.0)


def test_a_single_column_has_no_correlation_to_lose() -> None:
    original, masked = example(d=1)
    found = parts(original, masked)
    assert found["IL5"] == 0.0
    assert found["IL3"] == found["IL4"] > 0


def test_the_nearest_record_changes_only_the_part_of_the_values() -> None:
    original, masked = example()
    scaled = (original - original.mean(axis=0)) / original.std(axis=0, ddof=1)
    query = (masked - original.mean(axis=0)) / original.std(axis=0, ddof=1)
    rows = [int(np.argmin(((scaled - record) ** 2).sum(axis=1))) for record in query]
    assert rows != list(range(40))
    found = parts(original, masked, correspondence=Correspondence.NEAREST_RECORD)
    assert found == pytest.approx(plain_parts(original, masked, rows))


def test_the_figure_per_record_is_its_part_of_the_values() -> None:
    original, masked = example()
    found = InformationLoss(columns=("v0", "v1")).measure(microdata(original), microdata(masked))
    assert found.per_record is not None
    assert found.per_record.mean() == pytest.approx(found.parts["IL1"])
    assert found.per_record[2] == pytest.approx(100 * np.mean(np.abs(masked[2, :2] / original[2, :2] - 1)))


def test_more_noise_loses_more() -> None:
    original, _ = example(n=400)
    noise = np.random.default_rng(1).normal(size=original.shape)
    losses = [np.mean(list(parts(original, original + scale * noise).values())) for scale in (0.01, 0.1, 1.0)]
    assert losses == sorted(losses)
