"""How many decimals numbers have, and numbers rounded to as many as a column has."""

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw
import numpy as np

from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, FloatColumn

if TYPE_CHECKING:
    from sfumato.data.microdata import Microdata

MAX_DECIMALS = 9  # more are what a computer made of a number, and no way of writing it
FIRST_ROWS = 1_000  # that show for most columns how many it has not


def count_decimals(series: nw.Series[Any]) -> int | None:
    """Return how many decimals the floats of a column have at most; None for no floats, or more than somebody wrote.

    Examples
    --------
    >>> import polars
    >>> [count_decimals(nw.from_native(polars.Series(x), series_only=True)) for x in ([1.25, 3.5], [1 / 3], [7])]
    [2, None, None]
    """
    if not series.dtype.is_float():
        return None
    for decimals in range(1, MAX_DECIMALS + 1):
        if all(bool((part.round(decimals) == part).all()) for part in (series.head(FIRST_ROWS), series)):
            return decimals
    return None


def decimals_of(data: "Microdata") -> dict[str, int]:
    """Return how many decimals the columns of floats have that somebody wrote with so many."""
    found = {name: count_decimals(data.table[name]) for name in data.schema.names}
    return {name: decimals for name, decimals in found.items() if decimals is not None}


def round_floats(data: "Microdata", decimals: Mapping[str, int]) -> "Microdata":
    """Return the data with columns of floats rounded to so many decimals."""
    some = [name for name in data.schema.names if name in decimals and data.table[name].dtype.is_float()]
    rounded = [nw.col(name).round(decimals[name]) for name in some]
    return data.with_frame(data.table.with_columns(*rounded).to_native()) if rounded else data


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
