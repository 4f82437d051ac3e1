"""Propensity loss, checked against closed forms, and its expectation against simulation."""

from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest

from sfumato.comparison.predictors import Predictor
from sfumato.contracts import Measurement
from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.errors import DataError, ParameterError
from sfumato.loss import PropensityLoss
from sfumato.loss.distributions.propensity_loss import compare_with_chance, products_of
from sfumato.numerics.arrays import FloatMatrix
from tests.assessment.examples import pair
from tests.matrices import microdata, names_of

NAN = float("nan")


def measured(original: FloatMatrix, masked: FloatMatrix, **parameters: object) -> Measurement:
    measure = PropensityLoss(columns=names_of(original), **parameters)
    return measure.measure(microdata(original), microdata(masked))


def towns(values: Sequence[str | None]) -> Microdata:
    schema = Schema(variables=(Variable(name="town", kind=Kind.NOMINAL),))
    return Microdata(pl.DataFrame({"town": values}, schema={"town": pl.String}), schema)


def example(n: int = 400) -> FloatMatrix:
    rng = np.random.default_rng(8)
    return rng.multivariate_normal([10, 20], [[1, 0.8], [0.8, 1]], n)


def plain_difference(before: list[int], after: list[int]) -> tuple[float, float]:
    """Return the mean squared difference of the shares of the masked in each category, and the masked share."""
    records = sum(before) + sum(after)
    share = sum(after) / records
    squares = [(b + a) * (a / (b + a) - share) ** 2 for b, a in zip(before, after, strict=True)]
    return sum(squares) / records, share


def test_one_categorical_column_has_a_closed_form() -> None:
    before, after = [60, 30, 10], [20, 40, 15]
    files = [
        towns([town for town, count in zip("ABC", counts, strict=True) for _ in range(count)])
        for counts in (before, after)
    ]
    found = PropensityLoss(columns=("town",)).measure(*files)
    difference, share = plain_difference(before, after)
    assert found.parts["mean squared difference"] == pytest.approx(difference)
    assert found.value == pytest.approx(100 * difference / (share * (1 - share)))
    expected, deviation = ((1 - share) ** 2 * share / 175 * factor for factor in (2, 2**0.5 * 2**0.5))
    assert found.parts["pMSEratio"] == pytest.approx(difference / expected)
    assert found.parts["pMSEscore"] == pytest.approx((difference - expected) / deviation)
    assert found.remark == "2 predictors"


def test_missing_categories_and_suppressed_numbers_count() -> None:
    files = [towns(["A"] * 6 + ["B"] * 4), towns(["A"] * 5 + ["B"] * 2 + [None] * 3)]
    found = PropensityLoss(columns=("town",)).measure(*files)
    assert found.parts["mean squared difference"] == pytest.approx(plain_difference([6, 4, 0], [5, 2, 3])[0], abs=1e-6)
    original = example()
    masked = original.copy()
    masked[:100, 1] = NAN
    assert measured(original, masked, has_interactions=False).value > 10


def test_a_category_that_all_masked_records_have_alone_tells_all() -> None:
    found = PropensityLoss(columns=("town",)).measure(towns(["A", "B"] * 20), towns(["C"] * 40))
    assert found.value == pytest.approx(100, abs=1e-3)


def test_a_file_drawn_from_the_original_has_a_ratio_near_one() -> None:
    rng = np.random.default_rng(0)
    original = np.column_stack([example(1000), rng.exponential(size=1000)])
    samples = [original[rng.integers(1000, size=1000)] for _ in range(60)]
    found = [measured(original, sample) for sample in samples]
    predictors = 3 + 3 + 3  # columns, products, squares
    assert found[0].remark == f"{predictors} predictors"
    ratios = [loss.parts["pMSEratio"] for loss in found]
    # each ratio is near chi-square(9) / 9, of standard deviation sqrt(2 / 9)
    error = np.sqrt(2 / predictors / 60)
    assert np.mean(ratios) == pytest.approx(1, abs=4 * error)
    assert np.std(ratios) == pytest.approx(np.sqrt(2 / predictors), rel=0.4)


def test_a_sample_of_another_size_has_a_ratio_near_one_too() -> None:
    rng = np.random.default_rng(1)
    original = example(1500)
    found = [measured(original, original[rng.integers(1500, size=500)]).parts["pMSEratio"] for _ in range(60)]
    assert np.mean(found) == pytest.approx(1, abs=4 * np.sqrt(2 / 5 / 60))


def test_sees_lost_correlations_and_variances_by_interactions_only() -> None:
    original = example()
    shuffled = np.column_stack([original[:, 0], np.random.default_rng(0).permutation(original[:, 1])])
    shrunk = original.mean(axis=0) + 0.5 * (original - original.mean(axis=0))
    for masked in (shuffled, shrunk):
        assert measured(original, masked, has_interactions=False).value == pytest.approx(0, abs=1e-6)
        assert measured(original, masked).value > 5


def test_more_noise_loses_more() -> None:
    original = example()
    noise = np.random.default_rng(0).normal(size=original.shape)
    found = [measured(original, original + scale * noise).value for scale in (0.0, 0.3, 1.0, 5.0)]
    assert found[0] == pytest.approx(0, abs=1e-9)
    assert found == sorted(found)


def test_units_do_not_matter() -> None:
    original = example()
    masked = original + np.random.default_rng(0).normal(size=original.shape)
    units, shift = np.array([1e6, -1e-3]), np.array([1e7, 5.0])
    found = measured(original * units + shift, masked * units + shift)
    assert dict(found.parts) == pytest.approx(dict(measured(original, masked).parts), rel=1e-5)


def test_a_total_beside_its_parts_adds_no_predictor() -> None:
    original = example()
    masked = original + np.random.default_rng(0).normal(size=original.shape)
    wider = [np.column_stack([table, table.sum(axis=1)]) for table in (original, masked)]
    found, expected = measured(*wider), measured(original, masked)
    assert found.remark == expected.remark == "5 predictors"
    assert found.value == pytest.approx(expected.value)


def test_constant_columns_tell_nothing() -> None:
    same = np.full((20, 2), 0.1)
    found = measured(same, same)
    assert (found.value, *found.parts.values()) == (0.0, 0.0, 0.0, 0.0)
    assert measured(same, same + 1).value == pytest.approx(100, abs=1e-3)


def test_chance_is_measured_in_its_own_deviations() -> None:
    expected = 4 * 0.5**3 / 100
    assert compare_with_chance(expected, 5, 0.5, 100) == pytest.approx((1.0, 0.0))
    deviation = np.sqrt(2 * 4) * 0.5**3 / 100
    assert compare_with_chance(expected + 3 * deviation, 5, 0.5, 100)[1] == pytest.approx(3.0)
    assert compare_with_chance(expected / 2, 5, 0.5, 100)[1] == 0.0


def test_products_are_of_different_columns_and_squares_of_numbers() -> None:
    number, category = (
        Predictor(np.zeros(1), np.zeros(1, dtype=np.int64), 0),
        Predictor(None, np.zeros(1, dtype=np.int64), 2),
    )
    assert products_of([number, category, number]) == ([0, 0, 0, 1, 2, 0, 3], [1, 2, 3, 3, 3, 0, 3])


def test_columns_of_all_kinds_are_modelled_together() -> None:
    found = PropensityLoss(columns=("region", "health", "income", "tax")).measure(*pair())
    assert 0 < found.value < 100


def test_refuses_more_predictors_than_can_be_fitted() -> None:
    many = towns([f"town {place}" for place in range(1200)])
    with pytest.raises(DataError, match="these columns make 1200 predictors, more than 1000; leave out columns with"):
        PropensityLoss(columns=("town",)).measure(many, many)


def test_refuses_anything_but_true_or_false() -> None:
    with pytest.raises(ParameterError, match=r"PropensityLoss.has_interactions must be true or false; got 'some'"):
        PropensityLoss(columns=("a",), has_interactions="some")
