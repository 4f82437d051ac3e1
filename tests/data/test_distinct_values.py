"""Codes of distinct values, however they are found."""

from typing import Any

import narwhals.stable.v2 as nw
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data.distinct_values import factorise
from sfumato.errors import DataError

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


@pytest.mark.parametrize(
    "column",
    [
        pl.Series([9_000_000_000_001, 9_000_000_000_002]).cast(pl.Time),
        pl.Series([5_000_000_001, 5_000_000_002]).cast(pl.Duration("ns")),
        pd.Series(pd.to_timedelta([5_000_000_001, 5_000_000_002], unit="ns")),
        pa.chunked_array([pa.array([5_000_000_001, 5_000_000_002], pa.duration("ns"))]),
    ],
)
def test_times_that_python_cannot_tell_apart_are_refused(column: Any) -> None:
    series = nw.from_native(column, allow_series=True)
    with pytest.raises(DataError, match=r"truncate them to microseconds"):
        factorise(series)
