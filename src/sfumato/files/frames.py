"""Frames on their way in and out: any dataframe as a polars one, and blank cells as missing ones."""

from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw
import numpy as np

from sfumato.data import Kind, Microdata, Schema
from sfumato.errors import FileError

if TYPE_CHECKING:
    import polars as pl

NUMPY_KINDS = "biufM"  # truth values, integers, floats and date-times, which polars takes as they are


def blanks_as_missing(frame: "pl.DataFrame") -> "pl.DataFrame":
    """Return the frame with empty text and NaN as missing values; a column that has none is not copied."""
    import polars as pl

    text = [series.name for series in frame.iter_columns() if series.dtype == pl.String and (series == "").any()]
    floats = [series.name for series in frame.iter_columns() if series.dtype.is_float() and series.is_nan().any()]
    return frame.with_columns(
        *(pl.when(pl.col(name) != "").then(pl.col(name)).alias(name) for name in text),
        *(pl.col(name).fill_nan(None) for name in floats),
    )


def text_without_types(frame: "pl.DataFrame") -> "pl.DataFrame":
    """Return the frame as a file without types gives it back: categories, and columns without a value, are text."""
    import polars as pl

    empty = [series.name for series in frame.iter_columns() if not series.count()]
    written = frame.with_columns(pl.lit(None, pl.String).alias(name) for name in empty)
    return written.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))


def types_of_kinds(frame: "pl.DataFrame", schema: Schema) -> "pl.DataFrame":
    """Return the frame with each column of text that has no value in the type that its kind asks for."""
    import polars as pl

    types = {Kind.CONTINUOUS: pl.Float64(), Kind.DATE: pl.Date()}
    empty = [series for series in frame.iter_columns() if series.dtype == pl.String and not series.count()]
    return frame.with_columns(series.cast(types.get(schema[series.name].kind, pl.String())) for series in empty)


def with_date_format(frame: "pl.DataFrame", schema: Schema, date_format: str | None) -> Schema:
    """Return the schema with a format for the dates in text that have none yet."""
    import polars as pl

    text = [series.name for series in frame.iter_columns() if series.dtype == pl.String and series.count()]
    opened = [schema[name] for name in text if schema[name].kind is Kind.DATE and not schema[name].date_format]
    return schema.with_variables(*(variable.replace(date_format=date_format or "") for variable in opened))


def check_dates(data: Microdata) -> Microdata:
    """Return the records, after checking that dates in text are all in their format, where that is known."""
    for variable in data.schema.variables:
        if variable.date_format:
            data.values(variable.name)
    return data


def as_polars(data: Microdata) -> "pl.DataFrame":
    """Return the records as a polars frame; pandas' needs no pyarrow for that, and leaves its index behind."""
    import polars as pl

    if data.table.implementation.is_pandas_like():
        frame = pl.DataFrame([_from_pandas(data.table[name]) for name in data.table.columns])
    else:
        frame = data.table.to_polars()
    return blanks_as_missing(frame)


def with_orders(schema: Schema, frame: "pl.DataFrame") -> Schema:
    """Return the schema with the categories of ordinal columns whose order only the dataframe's type tells."""
    import polars as pl

    return schema.with_variables(
        *(
            schema[name].replace(categories=tuple(dtype.categories))
            for name, dtype in frame.schema.items()
            if isinstance(dtype, pl.Enum) and schema[name].kind is Kind.ORDINAL and not schema[name].categories
        )
    )


def _from_pandas(series: nw.Series[Any]) -> "pl.Series":
    import polars as pl

    native, dtype = series.to_native(), series.dtype
    if isinstance(native.dtype, np.dtype) and native.dtype.kind in NUMPY_KINDS:
        return pl.Series(series.name, native.to_numpy())
    values = [None if missing else value for value, missing in zip(native.tolist(), native.isna(), strict=True)]
    try:
        column = pl.Series(series.name, values, dtype=_polars_type(dtype))
        return column.cast(pl.Categorical) if dtype == nw.Categorical and column.dtype == pl.String else column
    except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError):
        raise FileError(
            f"column '{series.name}' mixes values of different types; make it all text or all numbers first"
        ) from None


def _polars_type(dtype: nw.dtypes.DType) -> Any:
    """Return the polars type of the same name; None, to be found from the values, for categories and objects."""
    import polars as pl

    if isinstance(dtype, nw.Enum):
        return pl.Enum(dtype.categories)
    if isinstance(dtype, nw.Datetime):
        return pl.Datetime("ms" if dtype.time_unit == "s" else dtype.time_unit, dtype.time_zone)
    if dtype in (nw.Categorical, nw.Object, nw.Unknown):
        return None
    return getattr(pl, type(dtype).__name__)
