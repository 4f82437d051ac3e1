"""Numbers that come back into a column of decimals, rounded to its places after the point."""

from decimal import Decimal
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, FloatColumn


def with_decimals(series: nw.Series[Any], observed: Booleans, values: FloatColumn) -> nw.Series[Any]:
    """Return a column of decimals with `values` in its observed rows, rounded; refuse those too long for its type."""
    import pyarrow

    native = series.to_native()
    precision, scale = _digits(series)
    unit = Decimal(1).scaleb(-scale)
    limit = Decimal(1).scaleb(precision - scale)
    cells = series.to_list()
    for row, value in zip(np.flatnonzero(observed), values.tolist(), strict=True):
        rounded = Decimal(repr(value))
        if abs(rounded) < limit:
            rounded = rounded.quantize(unit)
        if abs(rounded) >= limit:
            raise DataError(
                f"masked values of column '{series.name}' do not fit its type of {precision} digits; "
                f"make it Float64 or give it more digits first"
            )
        cells[row] = rounded
    if series.implementation.is_polars():
        changed = type(native)(series.name, cells, dtype=native.dtype)
    elif series.implementation.is_pyarrow():
        changed = pyarrow.chunked_array([pyarrow.array(cells, native.type)])
    else:
        changed = type(native)(cells, index=native.index, name=series.name, dtype=native.dtype)
    back: nw.Series[Any] = nw.from_native(changed, series_only=True)
    return back.alias(series.name)


def _digits(series: nw.Series[Any]) -> tuple[int, int]:
    """Return the number of digits that the type has, and how many of them after the point."""
    native = series.to_native()
    if series.implementation.is_pyarrow():
        return native.type.precision, native.type.scale
    if series.implementation.is_polars():
        return native.dtype.precision or 38, native.dtype.scale or 0
    return native.dtype.pyarrow_dtype.precision, native.dtype.pyarrow_dtype.scale
