"""Permanents: sums over all ways to give each row a column of its own."""

from itertools import permutations

import numpy as np
import pytest

from sfumato.numerics.permanents import MAX_COLUMNS, log_permanents


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (3, 3), (2, 4), (5, 5)])
def test_it_is_the_sum_over_all_ways(rows: int, columns: int) -> None:
    tables = np.random.default_rng(rows).exponential(size=(7, rows, columns))
    ways = list(permutations(range(columns), rows))
    sums = [sum(table[np.arange(rows), way].prod() for way in ways) for table in tables]
    assert np.allclose(log_permanents(np.log(tables)), np.log(sums))


def test_large_tables_of_equal_weights_come_out_exactly() -> None:
    size = MAX_COLUMNS + 2
    expected = np.log(np.arange(1, size + 1)).sum()
    assert np.allclose(log_permanents(np.zeros((1, size, size))), expected)
