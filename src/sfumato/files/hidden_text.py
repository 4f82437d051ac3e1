"""Text that a dataframe no longer shows but still holds: below the mask of missing cells, and of rows left out."""

from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw

if TYPE_CHECKING:
    import polars as pl


def without_hidden_text(frame: Any) -> Any:
    """Return the frame with text columns built anew from what they show; only polars shares and keeps the old text.

    A suppressed cell of a polars column is masked, and its text stays in memory; formats that write memory as it is,
    as Arrow does, would write it too.

    Examples
    --------
    >>> import polars
    >>> shown = polars.DataFrame({"job": ["abbot", "nurse"]}).with_columns(polars.col("job").replace("abbot", None))
    >>> without_hidden_text(shown)["job"].to_list()
    [None, 'nurse']
    """
    if not nw.from_native(frame, eager_only=True).implementation.is_polars():
        return frame
    return _rebuild(frame)


def _rebuild(frame: "pl.DataFrame") -> "pl.DataFrame":
    import polars as pl

    texts = [series for series in frame if series.dtype == pl.String]
    return frame.with_columns(pl.Series(series.name, series.to_list(), dtype=pl.String) for series in texts)
