"""Categorical distance, checked against plain loops over the definition."""

from itertools import product
from math import isnan
from statistics import mean

import numpy as np
import pytest

from sfumato.contracts import Measurement
from sfumato.data import Microdata
from sfumato.loss import CategoricalDistance
from sfumato.loss.categories.categorical_distance import ordinal_distance
from tests.loss.made_categories import HEALTH, NAMES, Pair, column, example, file, pairs


def measured(original: Microdata, masked: Microdata, *names: str) -> Measurement:
    return CategoricalDistance(columns=names or NAMES).measure(original, masked)


def plain_distance(name: str, pair: Pair) -> float | None:
    """Return the distance of one value, or none where the original lacks it."""
    before, after = pair
    if before is None:
        return None
    if name != "health" or after is None:
        return float(before != after)
    low, high = sorted((HEALTH.index(before), HEALTH.index(after)))
    return (high - low) / 4


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kept", [40, 25])
def test_equals_plain_loops_for_shuffled_samples_with_missing_values(seed: int, kept: int) -> None:
    original, masked = example(seed, kept=kept)
    found = measured(original, masked)
    by_column = {name: [plain_distance(name, pair) for pair in pairs(original, masked, name)] for name in NAMES}
    known = {name: [cell for cell in cells if cell is not None] for name, cells in by_column.items()}
    assert dict(found.parts) == pytest.approx({name: 100 * mean(cells) for name, cells in known.items()})
    assert found.value == pytest.approx(100 * mean(cell for cells in known.values() for cell in cells))
    assert found.per_record is not None
    for figure, *cells in zip(found.per_record.tolist(), *by_column.values(), strict=True):
        there = [cell for cell in cells if cell is not None]
        assert isnan(figure) if not there else figure == pytest.approx(100 * mean(there))


def test_an_unchanged_file_loses_nothing() -> None:
    original, _ = example(1)
    assert measured(original, original).value == 0.0


def test_an_ordinal_category_loses_by_the_steps_that_it_moves() -> None:
    original = file({"health": ["bad"] * 5})
    found = measured(original, file({"health": list(HEALTH)}), "health")
    assert found.per_record is not None
    assert found.per_record.tolist() == [0.0, 25.0, 50.0, 75.0, 100.0]


def test_counts_steps_where_the_source_counts_categories_with_both_ends() -> None:
    for size in range(2, 8):
        for first, last in product(range(size), repeat=2):
            printed = sum(min(first, last) <= other <= max(first, last) for other in range(size)) / size
            ours = ordinal_distance(np.array([first]), np.array([last]), size)[0]
            assert ours == pytest.approx((size * printed - 1) / (size - 1))  # so that both order all pairs alike
            assert (ours == 0) == (first == last)
            assert printed >= 1 / size  # even where nothing has changed


def test_two_ordered_categories_are_as_far_apart_as_two_without_order() -> None:
    assert ordinal_distance(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), 2).tolist() == [0.0, 1.0, 1.0, 0.0]


def test_a_single_category_cannot_move() -> None:
    assert ordinal_distance(np.array([0, 0]), np.array([0, 0]), 1).tolist() == [0.0, 0.0]


def test_a_suppressed_value_is_fully_lost_and_one_that_was_missing_is_left_out() -> None:
    original = file({"health": ["bad", "bad", None, None]})
    found = measured(original, file({"health": ["bad", None, "bad", None]}), "health")
    assert found.value == 50.0
    assert found.per_record is not None
    assert np.array_equal(found.per_record, [0.0, 100.0, np.nan, np.nan], equal_nan=True)


def test_a_category_without_a_place_in_the_order_is_fully_lost() -> None:
    assert ordinal_distance(np.array([0, 1]), np.array([2, 2]), 2).tolist() == [1.0, 1.0]


def test_a_recoded_column_is_fully_lost() -> None:
    original = file({"town": ["A", "B", "C"]})
    assert measured(original, file({"town": ["A", "B or C", "B or C"]}), "town").value == pytest.approx(200 / 3)


def test_more_exchanges_lose_more() -> None:
    original, _ = example(3, n=200, kept=200, missing=0.0)
    values = []
    for share in (0.1, 0.4, 0.9):
        rng = np.random.default_rng(1)
        towns = np.array(column(original, "town"))
        changed = np.where(rng.random(200) < share, rng.permutation(towns), towns).tolist()
        values.append(measured(original, file({"town": changed}, original.row_ids.tolist()), "town").value)
    assert values == sorted(values)
    assert values[0] < values[-1]
