"""Contingency table loss, checked against plain counts over all combinations of categories."""

from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.contracts import Measurement
from sfumato.data import Microdata
from sfumato.errors import ParameterError
from sfumato.loss import ContingencyTableLoss
from sfumato.loss.categories.contingency_table_loss import number_cells, table_differences
from tests.loss.made_categories import HEALTH, NAMES, column, example, file


def measured(original: Microdata, masked: Microdata, max_dimensions: int = 2, *names: str) -> Measurement:
    return ContingencyTableLoss(columns=names or NAMES, max_dimensions=max_dimensions).measure(original, masked)


def categories(name: str, original: Microdata, masked: Microdata) -> set[str | None]:
    found = {*column(original, name), *column(masked, name)}
    return found | set(HEALTH) if name == "health" else found  # listed categories have cells too


def plain_tables(original: Microdata, masked: Microdata, most: int) -> list[tuple[int, float, int]]:
    """Return the dimension, the sum of differences and the number of cells of each table, over all of its cells."""
    found = []
    for dimension in range(1, most + 1):
        for names in combinations(NAMES, dimension):
            before = Counter(zip(*(column(original, name) for name in names), strict=True))
            after = Counter(zip(*(column(masked, name) for name in names), strict=True))
            cells = list(product(*(categories(name, original, masked) for name in names)))
            scale = original.n / masked.n
            found.append((dimension, sum(abs(before[cell] - scale * after[cell]) for cell in cells), len(cells)))
    return found


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kept", [40, 25])
@pytest.mark.parametrize("most", [1, 2, 3])
def test_equals_plain_counts_for_shuffled_samples_with_missing_values(seed: int, kept: int, most: int) -> None:
    original, masked = example(seed, kept=kept)
    found, tables = measured(original, masked, most), plain_tables(original, masked, most)
    total = sum(difference for _, difference, _ in tables)
    expected = {"CTBIL": total, "CTBILC": total / sum(cells for _, _, cells in tables)}
    for wanted in range(1, most + 1):
        differences = [difference for dimension, difference, _ in tables if dimension == wanted]
        expected[f"dimension {wanted}"] = 100 * sum(differences) / (2 * 40 * len(differences))
    assert dict(found.parts) == pytest.approx(expected)
    assert found.value == pytest.approx(100 * total / (2 * 40 * len(tables)))
    assert found.per_record is None


def test_tables_of_one_column_differ_by_twice_the_number_of_suppressions() -> None:
    original, _ = example(2, n=60, kept=60)
    rng = np.random.default_rng(8)
    suppressed, kept = 0, {}
    for name in NAMES:
        hidden = [value is not None and rng.random() < 0.2 for value in column(original, name)]
        suppressed += sum(hidden)
        kept[name] = [None if gone else value for gone, value in zip(hidden, column(original, name), strict=True)]
    found = measured(original, file(kept, original.row_ids.tolist()), max_dimensions=1)
    assert suppressed > 20
    assert found.parts["CTBIL"] == 2 * suppressed


def test_records_that_exchange_all_their_values_change_no_count() -> None:
    original, _ = example(2)
    shuffled = original.take_rows(np.random.default_rng(1).permutation(40))
    masked = file({name: column(shuffled, name) for name in NAMES}, original.row_ids.tolist())
    assert measured(original, masked, 3).value == 0.0


def test_a_column_that_is_shuffled_by_itself_changes_only_joint_counts() -> None:
    original, _ = example(2, n=200, kept=200)
    health = np.random.default_rng(1).permutation(np.array(column(original, "health"), dtype=object)).tolist()
    columns = {name: column(original, name) for name in NAMES} | {"health": health}
    found = measured(original, file(columns, original.row_ids.tolist()))
    assert found.parts["dimension 1"] == 0.0
    assert found.parts["dimension 2"] > 0.0


def test_new_categories_throughout_lose_everything() -> None:
    original, masked = file({"town": ["A", "B", "A"]}), file({"town": ["east", "west", "east"]})
    assert measured(original, masked, 1, "town").value == 100.0


def test_a_sample_with_the_same_shares_loses_nothing() -> None:
    original = file({"town": ["A", "A", "B", "B"], "sex": ["f", "m", "f", "m"]})
    assert measured(original, original.take_rows(np.array([0, 3])), 1, "town", "sex").value == 0.0


def test_there_are_no_more_dimensions_than_columns() -> None:
    original, masked = example(2)
    found = measured(original, masked, 9)
    assert dict(found.parts) == dict(measured(original, masked, 3).parts)
    assert list(found.parts) == ["CTBIL", "CTBILC", "dimension 1", "dimension 2", "dimension 3"]


@given(st.lists(st.integers(0, 10**12), min_size=1, max_size=30) | st.lists(st.integers(0, 9), min_size=1, max_size=30))
def test_cells_are_numbered_without_gaps_in_their_order(cells: list[int]) -> None:
    rank = {cell: place for place, cell in enumerate(sorted(set(cells)))}
    assert number_cells(np.array(cells)).tolist() == [rank[cell] for cell in cells]


def test_many_categories_in_many_columns_do_not_leave_the_range_of_integers() -> None:
    rng = np.random.default_rng(0)
    original = rng.integers(0, 10**6, (300, 4))
    masked = original[rng.permutation(300)]
    found = table_differences(original, masked, 4)  # the cross product has 10**24 cells
    assert len(found) == 15
    assert set(found.values()) == {0.0}
    masked[0, 0] = 10**6
    assert table_differences(original, masked, 4)[0, 1, 2, 3] == 2.0


def test_refuses_tables_of_no_column() -> None:
    with pytest.raises(ParameterError, match=r"ContingencyTableLoss.max_dimensions must be in \[1, inf\); got 0"):
        ContingencyTableLoss(columns=("town",), max_dimensions=0)
