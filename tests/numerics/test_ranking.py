import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.numerics.ranking import FEW, dense_numbers, middle_ranks, places_among, shuffled_order, stable_order


@given(st.lists(st.one_of(st.integers(-3, 3).map(float), st.floats(-5, 5), st.just(float("nan"))), max_size=30))
def test_order_is_the_stable_one_with_missing_values_last(values: list[float]) -> None:
    column = np.array(values, dtype=np.float64)
    assert stable_order(column).tolist() == np.argsort(column, kind="stable").tolist()


@given(st.lists(st.one_of(st.integers(-3, 3).map(float), st.floats(-5, 5)), max_size=30), st.integers(0, 9))
def test_a_shuffled_order_rises_and_is_the_same_for_rows_that_are_sorted_already(
    values: list[float], seed: int
) -> None:
    column = np.array(values, dtype=np.float64)
    order = shuffled_order(column, np.random.default_rng(seed))
    assert sorted(order.tolist()) == list(range(column.size))
    assert column[order].tolist() == np.sort(column).tolist()
    by_rank = stable_order(column)
    assert by_rank[shuffled_order(column[by_rank], np.random.default_rng(seed))].tolist() == order.tolist()


def test_equal_values_stand_in_any_order_and_others_draw_nothing() -> None:
    rng = np.random.default_rng(0)
    firsts = [int(shuffled_order(np.array([2.0, 1.0, 1.0, 1.0]), rng)[0]) for _ in range(900)]
    assert np.abs(np.bincount(firsts, minlength=4)[1:] - 300).max() < 4 * np.sqrt(200)
    state = rng.bit_generator.state
    shuffled_order(np.array([2.0, 1.0, 3.0]), rng)
    assert rng.bit_generator.state == state


@given(st.lists(st.integers(-(2**40), 2**40) | st.integers(-9, 9)))
def test_labels_are_numbered_as_sorting_them_does(labels: list[int]) -> None:
    found = dense_numbers(np.array(labels, dtype=np.int64))
    assert found.tolist() == [sorted(set(labels)).index(label) for label in labels]


@pytest.mark.parametrize("dtype", ["int8", "int16", "int64"])
def test_small_types_do_not_overflow(dtype: str) -> None:
    labels = np.tile([100, -100, 100], 100).astype(dtype)
    assert dense_numbers(labels)[:3].tolist() == [1, 0, 1]


@pytest.mark.parametrize("kind", ["float64", "float32", "int64", "int32", "uint64"])
@pytest.mark.parametrize("different", [1, 40, 3000])
def test_order_of_many_values_is_the_stable_one_too(kind: str, different: int) -> None:
    column = np.random.default_rng(0).integers(0, different, 2500).astype(kind)
    for values in (column, np.sort(column), column[::-1]):
        assert stable_order(values).tolist() == np.argsort(values, kind="stable").tolist()


def test_order_of_many_values_takes_both_zeros_for_equal_and_leaves_missing_ones_last_by_row() -> None:
    rng = np.random.default_rng(0)
    column = rng.choice([0.0, -0.0, 1.5, -2.0, np.nan], 2500)
    assert stable_order(column).tolist() == np.argsort(column, kind="stable").tolist()
    missing = np.full(2500, np.nan)
    assert stable_order(missing).tolist() == list(range(2500))


@given(st.lists(st.one_of(st.integers(-3, 3).map(float), st.floats(-5, 5), st.just(float("nan"))), max_size=30))
def test_middle_ranks_are_the_shares_of_smaller_values_and_of_half_the_equal_ones(values: list[float]) -> None:
    column = np.array(values, dtype=np.float64)
    known = [value for value in values if value == value]
    expected = [
        (sum(other < value for other in known) + sum(other <= value for other in known)) / (2 * len(known))
        if value == value
        else np.nan
        for value in values
    ]
    assert np.array_equal(middle_ranks(column), expected, equal_nan=True)


@pytest.mark.parametrize("size", [FEW - 1, 10 * FEW])
def test_values_are_placed_as_one_by_one_also_where_they_are_looked_up_in_order(size: int) -> None:
    rng = np.random.default_rng(0)
    ascending = np.unique(rng.integers(-50, 50, 80) / 4)
    values = np.where(rng.random(size) < 0.1, np.nan, rng.integers(-60, 60, size) / 4)
    expected = [int((ascending < value).sum()) if value == value else ascending.size for value in values.tolist()]
    assert places_among(ascending, values).tolist() == expected
