"""Records that lack the same values."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.numerics.missing_patterns import rows_by_pattern


@given(seed=st.integers(0, 999), n=st.integers(1, 30), d=st.integers(1, 5))
def test_every_row_is_with_all_that_lack_the_same_and_with_no_others(seed: int, n: int, d: int) -> None:
    absent = np.random.default_rng(seed).random((n, d)) < 0.4
    found = rows_by_pattern(absent)
    assert sorted(np.concatenate(found).tolist()) == list(range(n))
    assert all((absent[rows] == absent[rows[0]]).all() and (np.diff(rows) > 0).all() for rows in found)
    assert [absent[rows[0]].tolist() for rows in found] == np.unique(absent, axis=0).tolist()


def test_no_records_have_no_pattern() -> None:
    assert rows_by_pattern(np.empty((0, 2), dtype=np.bool_)) == []


def test_rows_are_those_that_sorting_whole_patterns_gives() -> None:
    absent = np.random.default_rng(2).random((500, 9)) < 0.3
    found = rows_by_pattern(absent)
    patterns, numbers = np.unique(absent, axis=0, return_inverse=True)
    assert [rows.tolist() for rows in found] == [
        np.flatnonzero(numbers == number).tolist() for number in range(len(patterns))
    ]
