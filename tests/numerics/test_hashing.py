"""Rows are drawn by what they hold: any order of a file gives the same records, and equal ones lie apart."""

import numpy as np

from sfumato.numerics.hashing import rows_by_content


def test_any_order_of_the_rows_draws_the_same_records() -> None:
    rng = np.random.default_rng(1)
    codes, values = rng.integers(0, 5, 400), np.where(rng.random(400) < 0.1, np.nan, rng.integers(0, 9, 400))
    first = rows_by_content(codes, values)
    assert sorted(first) == list(range(400))
    for seed in range(5):
        mixed = np.random.default_rng(seed).permutation(400)
        other = mixed[rows_by_content(codes[mixed], values[mixed])]
        assert np.array_equal(codes[other], codes[first])
        assert np.array_equal(values[other], values[first], equal_nan=True)


def test_equal_rows_lie_as_far_apart_as_in_a_random_order() -> None:
    codes = np.repeat(np.arange(4), 500)
    changes = np.count_nonzero(np.diff(codes[rows_by_content(codes)]))
    assert abs(changes - 0.75 * 1_999) < 4 * np.sqrt(1_999 * 0.75 * 0.25)


def test_no_row_is_drawn_of_an_empty_file() -> None:
    assert rows_by_content(np.empty(0)).size == 0
