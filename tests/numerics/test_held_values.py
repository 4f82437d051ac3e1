"""What goes with what is counted the same whether it is laid out as a table or found record by record."""

import numpy as np
import pytest

from sfumato.numerics.held_values import HeldValues, ends_of_rows, join_columns

VALUES, COUNT = 6, 5


def records(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a column with gaps, categories of which two are held by nobody, and half of the rows."""
    rng = np.random.default_rng(n)
    column = np.append(rng.integers(-1, VALUES, n), VALUES - 1)
    return column, rng.choice([0, 2, 3], n + 1), np.sort(rng.permutation(n + 1)[: n // 2])


@pytest.mark.parametrize("n", [12, 40, 4000])  # a table of 30 cells is more than the first has records
@pytest.mark.parametrize("takes_all", [True, False])
def test_counts_and_ends_are_those_of_a_plain_loop(n: int, takes_all: bool) -> None:
    column, categories, some = records(n)
    units = np.arange(n + 1) if takes_all else some
    found = HeldValues.of(column, categories, units, COUNT)
    pairs = [(int(column[row]), int(categories[row])) for row in units if column[row] >= 0]
    assert found.holders.tolist() == [sum(value == one for value, _ in pairs) for one in range(VALUES)]
    assert found.members.tolist() == [sum(category == one for _, category in pairs) for one in range(COUNT)]
    low, high = found.ends()
    for one in {category for _, category in pairs}:
        held = [value for value, category in pairs if category == one]
        assert (low[one], high[one]) == (min(held), max(held))
    chosen = [4, 1]
    others = [one for one in range(VALUES) if one not in chosen]
    expected = [
        [sum(pair in [(value, place) for value in row] for pair in pairs) for place in range(COUNT)]
        for row in ([4], [1], others)
    ]
    assert found.cells(np.array(chosen)).tolist() == expected


def test_ends_of_rows_are_the_first_and_last_true_places() -> None:
    low, high = ends_of_rows(np.array([[False, True, True, False], [True, False, False, True]]))
    assert (low.tolist(), high.tolist()) == ([1, 0], [2, 3])


def test_joined_columns_are_the_sums_over_each_group() -> None:
    cells = np.random.default_rng(0).integers(0, 2**40, (7, 9))
    groups = np.array([2, 0, 0, 3, 2, 3, 3, 1, 0])
    joined = join_columns(cells, groups)
    assert joined.tolist() == [[int(row[groups == group].sum()) for group in range(4)] for row in cells]
