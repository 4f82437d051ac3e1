"""What a dataframe holds and does not show: values below missing cells, text of rows left out, remarks of its maker."""

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from sfumato.data.forms.like_cells import rebuild_gaps


def without_hidden_values(frame: Any) -> Any:
    """Return the frame with columns built anew from what they show, where something else may lie beneath.

    A suppressed cell is masked in most dataframes, and its value stays in memory; formats that write memory as it is,
    as Arrow does, would write it too. Text of polars is shared between frames, with that of rows that were left out.

    Examples
    --------
    >>> import polars
    >>> shown = polars.DataFrame({"job": ["abbot", "nurse"]}).with_columns(polars.col("job").replace("abbot", None))
    >>> without_hidden_values(shown)["job"].to_list()
    [None, 'nurse']
    """
    table: nw.DataFrame[Any] = nw.from_native(frame, eager_only=True)
    columns = [table.get_column(name) for name in table.columns]
    changed = [_rebuild(series) for series in columns if _may_hide(series)]
    return _without_remarks(table.with_columns(*changed).to_native() if changed else frame)


def _without_remarks(frame: Any) -> Any:
    """Return the frame without what its maker noted beside it: `attrs` of pandas, metadata of Arrow."""
    if getattr(frame, "attrs", None):
        frame = frame.copy(deep=False)
        frame.attrs = {}
    if nw.from_native(frame, eager_only=True).implementation.is_pyarrow():
        import pyarrow as pa

        frame = frame.cast(pa.schema([field.remove_metadata() for field in frame.schema]))
    return frame


def _may_hide(series: nw.Series[Any]) -> bool:
    if series.implementation.is_polars() and series.dtype == nw.String:
        return True
    has_no_mask = series.implementation.is_pandas_like() and isinstance(series.to_native().dtype, np.dtype)
    return series.dtype != nw.Object and not has_no_mask and series.null_count() > 0


def _rebuild(series: nw.Series[Any]) -> nw.Series[Any]:
    if series.implementation.is_polars() and series.dtype == nw.String:
        return nw.new_series(series.name, series.to_list(), nw.String, backend=series.implementation)
    return rebuild_gaps(series, ~np.asarray(series.is_null().to_numpy(), dtype=np.bool_))
