"""Dataframes that hold their records, of any library, through narwhals."""

from collections import Counter
from typing import Any

import narwhals.stable.v2 as nw

from sfumato.errors import DataError


def as_table(frame: Any) -> nw.DataFrame[Any]:
    """Return a narwhals view of an eager dataframe with unique column names."""
    if hasattr(frame, "collect"):
        raise DataError(f"expected a dataframe that holds its records; got {type(frame).__name__}: collect() it first")
    names = list(getattr(frame, "column_names", getattr(frame, "columns", [])))
    if not all(isinstance(name, str) for name in names):
        raise DataError("column names must be text; rename the columns first")
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        raise DataError(f"column names must be unique; repeated: {', '.join(map(repr, repeated))}")
    try:
        table: nw.DataFrame[Any] = nw.from_native(frame, eager_only=True)
    except TypeError:
        how = ": to_table() it first" if hasattr(frame, "to_table") else ""  # datasets of pyarrow
        raise DataError(
            f"expected a pandas or polars dataframe or a pyarrow table; got {type(frame).__name__}{how}"
        ) from None
    if not table.implementation.is_polars():
        _refuse_types(frame, table.implementation.is_pyarrow())
    return table


def collect_frame(frame: Any) -> Any:
    """Return a frame that holds its records: a lazy one, or a stream, as a polars dataframe; any other as it is.

    Examples
    --------
    >>> import polars
    >>> collect_frame(polars.LazyFrame({"age": [31, 45]}).filter(polars.col("age") > 40)).rows()
    [(45,)]
    """
    try:
        table = nw.from_native(frame)
    except ValueError:
        return frame  # with repeated names, which as_table refuses
    except TypeError:
        if not hasattr(frame, "__arrow_c_stream__") or hasattr(frame, "dtype"):
            return frame  # which as_table refuses, a single column among others
        import polars as pl

        return pl.DataFrame(frame)
    return table.collect("polars").to_native() if isinstance(table, nw.LazyFrame) else frame


def _refuse_types(frame: Any, is_arrow: bool) -> None:
    """Refuse pyarrow's views and half floats, which it can hardly work with, and its days with parts of a day.

    Such days count as equal and are released as different.
    """
    types = frame.schema.types if is_arrow else (getattr(dtype, "pyarrow_dtype", None) for dtype in frame.dtypes)
    for name, kind in zip(frame.column_names if is_arrow else frame.columns, types, strict=True):
        if kind is not None and "_view" in str(kind):
            raise DataError(
                f"column '{name}' has the type {kind}, which cannot be filtered; cast it to string or binary"
            )
        if kind is not None and str(kind) == "halffloat":
            raise DataError(f"column '{name}' has the type {kind}, which cannot be compared; cast it to float32")
        if kind is not None and "date64" in str(kind) and _has_parts_of_days(frame[name]):
            raise DataError(
                f"column '{name}' has the type {kind} and holds parts of days, which are not read; cast it to a "
                f"timestamp, or to date32 without them"
            )


def _has_parts_of_days(column: Any) -> bool:
    import pyarrow

    try:
        cells = column if isinstance(column, pyarrow.ChunkedArray) else pyarrow.chunked_array(pyarrow.array(column))
        cells.cast(pyarrow.date32())
    except pyarrow.ArrowInvalid:
        return True
    return False
