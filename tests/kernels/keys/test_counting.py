"""Counting equal records, checked against plain dictionaries and double loops."""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from sfumato.kernels.keys import counting
from sfumato.kernels.keys.counting import classes_of, equal_codes, matching_sums, matching_totals
from sfumato.numerics.arrays import Integers


def coded(most: int = 3, d: int = 4, n: int = 25) -> st.SearchStrategy[Integers]:
    shapes = st.tuples(st.integers(1, d), st.integers(1, n))
    return shapes.flatmap(lambda shape: hnp.arrays(np.int64, shape, elements=st.integers(-1, most)))


def plain_numbers(columns: Integers) -> list[int]:
    seen: dict[tuple[int, ...], int] = {}
    return [seen.setdefault(tuple(record), len(seen)) for record in columns.T.tolist()]


def plain_matches(columns: Integers, weights: list[float]) -> list[float]:
    records = columns.T.tolist()

    def match(one: list[int], other: list[int]) -> bool:
        return all(a == b or a == -1 or b == -1 for a, b in zip(one, other, strict=True))

    return [sum(w for other, w in zip(records, weights, strict=True) if match(one, other)) for one in records]


@given(columns=coded())
def test_equal_records_have_one_number_in_order_of_appearance(columns: Integers) -> None:
    found = classes_of(columns)
    assert found.numbers.tolist() == plain_numbers(columns)
    assert found.count == len(set(plain_numbers(columns)))


@given(columns=coded(most=2**40, d=6))
def test_codes_of_any_size_are_combined_without_overflow(columns: Integers) -> None:
    assert classes_of(columns).numbers.tolist() == plain_numbers(columns)


@pytest.mark.parametrize("most", [2, 50, 10_000], ids=["few codes", "many codes", "more than a table holds"])
def test_table_and_hash_number_alike(most: int) -> None:
    columns = np.random.default_rng(most).integers(-1, most, size=(3, 20_000))
    codes = (columns[0] * (most + 1) + columns[1]) * (most + 1) + columns[2]  # one for each combination
    assert classes_of(columns).numbers.tolist() == equal_codes(codes).numbers.tolist() == plain_numbers(columns)


@given(columns=coded())
def test_sizes_totals_and_first_rows_are_those_of_the_classes(columns: Integers) -> None:
    found = classes_of(columns)
    weights = np.arange(columns.shape[1], dtype=np.float64) + 0.5
    members = [np.flatnonzero(found.numbers == number) for number in range(found.count)]
    assert found.sizes().tolist() == [len(rows) for rows in members]
    assert found.totals(weights) == pytest.approx([weights[rows].sum() for rows in members])
    assert found.first_rows().tolist() == [rows[0] for rows in members]


@pytest.mark.parametrize("compared", [0, 20], ids=["by numbering", "by comparing"])
@given(columns=coded(most=2))
def test_a_missing_code_matches_every_value(compared: int, columns: Integers) -> None:
    weights = np.arange(columns.shape[1], dtype=np.float64) + 0.5
    with patch.object(counting, "COMPARED", compared):
        assert matching_totals(columns, weights) == pytest.approx(plain_matches(columns, weights.tolist()))
        tripled = matching_sums(columns, np.stack([weights, 3 * weights], axis=1))
    assert tripled[:, 1] == pytest.approx(plain_matches(columns, (3 * weights).tolist()))
    assert tripled[:, 0] == pytest.approx(tripled[:, 1] / 3)


def test_without_missing_codes_wildcards_change_nothing() -> None:
    columns = np.random.default_rng(1).integers(0, 5, size=(4, 3000))
    classes = classes_of(columns)
    assert matching_totals(columns, np.ones(3000)).tolist() == classes.sizes()[classes.numbers].tolist()


def test_no_records_make_no_classes() -> None:
    found = classes_of(np.empty((2, 0), dtype=np.int64))
    assert (found.count, found.sizes().tolist(), found.first_rows().tolist()) == (0, [], [])


def test_without_columns_all_records_are_equal() -> None:
    found = classes_of(np.empty((0, 4), dtype=np.int64))
    assert (found.numbers.tolist(), found.count) == ([0, 0, 0, 0], 1)
