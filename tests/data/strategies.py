"""Frames as they come: awkward numbers, the types that columns have in each dataframe, and sorts of index."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd
import polars as pl
import pyarrow as pa
from hypothesis import strategies as st

HUGE_AND_TINY = [1e75, -1e75, 1e200, -1e308, 5e-324, 1e-200]
ZONES = [UTC, ZoneInfo("Europe/Rome"), timezone(timedelta(hours=5, minutes=30))]
VALUES: dict[str, list[Any]] = {
    "decimals": [Decimal("1.25"), Decimal("-7.5"), Decimal("0.5")],
    "durations": [timedelta(days=1), timedelta(seconds=-3), timedelta(days=9999)],
    "bytes": [b"a", b"\x00\xff", b""],
    "nothing": [None],
    "zones": [datetime(2000, 1, 1, tzinfo=zone) for zone in ZONES],
    "times": [datetime(1, 1, 1), datetime(2000, 1, 1, 12), datetime(9999, 12, 31)],
    "dates": [date(1, 1, 1), date(2000, 2, 29)],
    "clock times": [time(1, 2), time(23, 59, 59)],
    "truth values": [True, False],
    "objects": [1, "a", 2.5, b"c", True, date(2000, 1, 1)],
    "lists": [[1], [1, 2], []],
}
ONLY_OBJECTS = ("objects", "zones")  # what no type of polars and pyarrow holds as it is


def awkward_numbers(n: int) -> st.SearchStrategy[list[float | None]]:
    """Return columns of numbers, gaps among them: all different, few, equal, huge or tiny ones."""
    usual = st.one_of(
        st.none(), st.just(0.0), st.sampled_from([1.0, -1.0, 0.1, 1e15]), st.floats(-1e9, 1e9, allow_subnormal=False)
    )
    number = st.one_of(usual, usual, usual, st.sampled_from(HUGE_AND_TINY))
    return st.one_of(
        st.lists(usual, min_size=n, max_size=n),
        st.lists(number, min_size=n, max_size=n),
        number.map(lambda value: [value] * n),
    )


@st.composite
def awkward_columns(draw: st.DrawFn, n: int) -> dict[str, list[Any]]:
    """Return at most two columns of unusual types, under the names of their types."""
    names = draw(st.lists(st.sampled_from(sorted(VALUES)), max_size=2, unique=True))
    return {
        name: draw(st.lists(st.one_of(st.none(), st.sampled_from(VALUES[name])), min_size=n, max_size=n))
        for name in names
    }


@st.composite
def in_some_dataframe(draw: st.DrawFn, columns: Mapping[str, list[Any]], numbers: tuple[str, ...] = ()) -> Any:
    """Return the columns as pandas, polars or pyarrow keeps them, `numbers` as floats or as another type of numbers."""
    backend = draw(st.sampled_from(["polars", "pyarrow", "pandas", "pandas with arrow", "pandas nullable"]))
    typed = {name: draw(_numbers(values)) if name in numbers else values for name, values in columns.items()}
    if backend == "polars":
        return pl.DataFrame([_polars_column(name, values) for name, values in typed.items()])
    arrow = {name: _arrow_column(name, values) for name, values in typed.items()}
    if backend == "pyarrow":
        return pa.table({name: values for name, values in arrow.items() if values is not None})
    frame = pd.DataFrame(
        {
            name: _pandas_column(name, values, arrow[name] if "arrow" in backend else None)
            for name, values in typed.items()
        }
    )
    frame = frame.convert_dtypes() if "nullable" in backend else frame
    return frame.set_axis(draw(_indexes(len(frame))), axis="index")


@st.composite
def _numbers(draw: st.DrawFn, values: list[float | None]) -> list[Any]:
    small = all(value is None or abs(value) < 1e12 for value in values)
    kind = draw(st.sampled_from(["float", "float", "decimal", "integer"])) if small else "float"
    if kind == "float":
        return values
    change = int if kind == "integer" else lambda value: round(Decimal(value), 2)
    return [None if value is None else change(value) for value in values]


def _polars_column(name: str, values: list[Any]) -> pl.Series:
    if name in ONLY_OBJECTS:
        return pl.Series(name, values, dtype=pl.Object)
    return pl.Series(
        name, values, dtype=pl.Decimal(20, 2) if any(isinstance(value, Decimal) for value in values) else None
    )


def _arrow_column(name: str, values: list[Any]) -> pa.Array | None:
    if name in ONLY_OBJECTS:
        return None
    array = pa.array(values)
    return array.dictionary_encode() if pa.types.is_string(array.type) else array


def _pandas_column(name: str, values: list[Any], arrow: pa.Array | None) -> pd.Series:
    if arrow is not None:
        return pd.Series(pd.arrays.ArrowExtensionArray(pa.chunked_array([arrow])))
    return pd.Series(values, dtype="object" if name in VALUES else None)


def _indexes(n: int) -> st.SearchStrategy[pd.Index]:
    return st.sampled_from(
        [
            pd.RangeIndex(n),
            pd.Index([row % 2 for row in range(n)], name="twice"),
            pd.MultiIndex.from_arrays([[row % 2 for row in range(n)], list(range(n))], names=["a", None]),
            pd.DatetimeIndex([datetime(2000, 1, 1, tzinfo=UTC)] * n),
        ]
    )
