"""A frame in the few types that SPSS and Stata know: numbers, text, dates, date-times, times of day."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

    from sfumato.files.write_options import WriteOptions


def to_stored_types(frame: "pl.DataFrame") -> "pl.DataFrame":
    """Return the frame as these programs store it.

    Truth values become 0 and 1, categories text, decimals floats, columns without a type numbers without a value;
    missing text becomes empty text, and date-times lose their time zone but keep what the clock shows.
    """
    return frame.select(_to_stored_type(series) for series in frame.iter_columns())


def stored_frame(frame: "pl.DataFrame", options: "WriteOptions") -> "pl.DataFrame":
    """Return the frame as it would come back from such a file."""
    import polars as pl

    return to_stored_types(frame).with_columns(pl.when(pl.col(pl.String) != "").then(pl.col(pl.String)).name.keep())


def _to_stored_type(series: "pl.Series") -> "pl.Series":
    import polars as pl

    dtype = series.dtype
    if dtype == pl.Boolean:
        return series.cast(pl.Int8)
    if dtype in (pl.Categorical, pl.Enum, pl.String):
        return series.cast(pl.String).fill_null("")
    if dtype.is_float() or dtype.is_decimal() or dtype == pl.Null:
        return series.cast(pl.Float64).fill_nan(None)
    if isinstance(dtype, pl.Datetime):
        return series.dt.replace_time_zone(None).cast(pl.Datetime("us"))
    return series
