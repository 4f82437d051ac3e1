"""Codes of distinct values, however they are found."""

import narwhals.stable.v2 as nw
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data.distinct_values import factorise

DTYPES = [pl.Int8, pl.UInt8, pl.Int32, pl.Int64, pl.UInt64]


@given(values=st.lists(st.none() | st.integers(0, 100), max_size=60), dtype=st.sampled_from(DTYPES))
def test_whole_numbers_get_the_codes_of_their_order(values: list[int | None], dtype: type[pl.DataType]) -> None:
    codes, found = factorise(nw.from_native(pl.Series("x", values, dtype=dtype), series_only=True))
    assert found == sorted({value for value in values if value is not None})
    assert [None if code < 0 else found[code] for code in codes.tolist()] == values


@pytest.mark.parametrize("ends", [(-128, 127), (0, 2**63 - 1), (-(2**63), 5), (-3, 4)])
def test_the_ends_of_a_type_are_no_trouble(ends: tuple[int, int]) -> None:
    low, high = ends
    column = pl.Series("x", [high, None, low, high], dtype=pl.Int8 if high < 128 and low >= -128 else pl.Int64)
    codes, found = factorise(nw.from_native(column, series_only=True))
    assert (codes.tolist(), found) == ([1, -1, 0, 1], [low, high])
