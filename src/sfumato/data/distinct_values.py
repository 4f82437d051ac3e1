"""The distinct values of a column of any type, and their order."""

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from sfumato.errors import DataError, KindError
from sfumato.numerics.arrays import CodeColumn

NESTED = (nw.List, nw.Array, nw.Struct)
WIDEST_LIST = 2  # times the records: whole numbers over a wider range are sorted instead
LARGEST_INTEGER = 2**62


def factorise(series: nw.Series[Any]) -> tuple[CodeColumn, list[Any]]:
    """Return codes into the distinct values found, missing as -1; refuse values that are collections of others.

    Times that Python cannot tell apart are refused too: they would count as equal, and be released as different.
    """
    if isinstance(series.dtype, NESTED):
        raise _not_single_values(series)
    codes, found = _factorise(series)
    if series.dtype.is_temporal() and (len({*found}) < len(found) or any(map(_has_nanoseconds, found))):
        raise DataError(
            f"column '{series.name}' holds times, durations or dates that differ by parts which are not read, such as "
            f"nanoseconds; truncate them to microseconds, and dates to days"
        )
    return codes, found


def _has_nanoseconds(value: Any) -> bool:
    return bool(getattr(value, "nanoseconds", 0))  # of durations of pandas


def _factorise(series: nw.Series[Any]) -> tuple[CodeColumn, list[Any]]:
    native = series.to_native()
    if series.implementation.is_pandas_like():
        try:
            codes, found = native.factorize()
        except TypeError:  # lists and the like among objects
            raise _not_single_values(series) from None
        return codes.astype(np.int64), _listed(series, lambda: [_scalar(value) for value in found])
    if series.implementation.is_pyarrow():
        plain = native.cast(native.type.value_type) if _is_dictionary(native) else native
        encoded = plain.combine_chunks().dictionary_encode()  # again, without entries that no row has
        codes = encoded.indices.cast("int64").fill_null(-1).to_numpy(zero_copy_only=False)
        return codes, _listed(series, encoded.dictionary.to_pylist)
    if series.dtype == nw.Object:  # polars knows nothing of these
        return _factorise_objects(series)
    if series.dtype.is_integer() and (by_place := _factorise_integers(native)) is not None:
        return by_place
    found = native.drop_nulls().unique().sort()
    if len(found) > len(native) // 10:  # a look-up is quicker than a sort while there are few values
        return native.rank("dense").fill_null(0).to_numpy().astype(np.int64) - 1, found.to_list()
    places = type(native)("", np.arange(len(found)))
    return native.replace_strict(found, places, default=-1, return_dtype=places.dtype).to_numpy(), found.to_list()


def tally(series: nw.Series[Any]) -> tuple[list[Any], list[int]]:
    """Return the distinct values of a column, without the missing ones, and how many rows hold each."""
    is_sorted_out = series.implementation.is_polars() and not isinstance(series.dtype, NESTED)
    if is_sorted_out and (series.dtype in (nw.String, nw.Boolean) or series.dtype.is_integer()):
        values, counts = series.to_native().drop_nulls().value_counts(name="").get_columns()  # no need of a code a row
        return values.to_list(), counts.to_list()
    codes, found = factorise(series)
    return found, np.bincount(codes + 1, minlength=len(found) + 1)[1:].tolist()


def in_order(name: str, values: list[Any]) -> list[Any]:
    """Return distinct values of one or several types ascending: numbers, text, then each other type by itself.

    Examples
    --------
    >>> in_order("x", ["b", 2.5, b"a", "a", True])
    [True, 2.5, 'a', 'b', b'a']
    """
    if {type(value) for value in values} in ({int}, {float}, {str}):  # most columns, and the longest: no need of a key
        return sorted(values)
    try:
        return sorted(values, key=lambda value: (*_family(value), value))
    except TypeError:
        raise KindError(
            f"column '{name}' holds objects that cannot be put in order; make them text or leave the column out"
        ) from None


def type_name(dtype: nw.dtypes.DType) -> str:
    """Return what a message calls the values of a type."""
    if dtype == nw.Boolean:
        return "true/false values"
    if dtype == nw.Object:
        return "text or other objects"
    return "text" if dtype in (nw.String, nw.Categorical) else f"values of type {dtype}"


def _family(value: Any) -> tuple[int, str]:
    """Return the place of a type among the types, such that two values of one family can be compared."""
    if isinstance(value, int | float | Decimal):
        return 0, ""
    if isinstance(value, str):
        return 1, ""
    if isinstance(value, datetime):
        return 2, "time" if value.tzinfo is None else "time with zone"
    return 3, "date" if isinstance(value, date) else type(value).__name__


def _factorise_integers(native: Any) -> tuple[CodeColumn, list[Any]] | None:
    """Return codes and values of whole numbers that lie close together, by looking each up in a list of all."""
    low, high = native.min(), native.max()
    if low is None or high - low > WIDEST_LIST * len(native) or max(-low, high) > LARGEST_INTEGER:
        return None
    is_held = np.zeros(high - low + 1, dtype=np.bool_)
    there = native.is_not_null().to_numpy()
    places = native.fill_null(low).to_numpy().astype(np.int64) - low
    is_held[places if there.all() else places[there]] = True
    codes = (np.cumsum(is_held) - 1)[places]
    return np.where(there, codes, -1), (np.flatnonzero(is_held) + low).tolist()


def _factorise_objects(series: nw.Series[Any]) -> tuple[CodeColumn, list[Any]]:
    place: dict[Any, int] = {}
    try:
        codes = [-1 if value is None else place.setdefault(value, len(place)) for value in series.to_list()]
    except TypeError:
        raise _not_single_values(series) from None
    return np.array(codes, dtype=np.int64), list(place)


def _listed(series: nw.Series[Any], values: Callable[[], list[Any]]) -> list[Any]:
    try:
        return values()
    except (ArithmeticError, NotImplementedError, ValueError):  # what dataframes raise for a time out of Python's range
        raise DataError(
            f"column '{series.name}' holds times beyond the years 1 to 9999 or too long to hold; "
            f"make them missing or leave the column out"
        ) from None


def _not_single_values(series: nw.Series[Any]) -> KindError:
    return KindError(
        f"column '{series.name}' holds lists or other collections, not single values; "
        f"give each part a column of its own, or leave the column out"
    )


def _is_dictionary(native: Any) -> bool:
    import pyarrow.types

    return bool(pyarrow.types.is_dictionary(native.type))


def _scalar(value: Any) -> Any:
    """Return a value of pandas as Python has it; its mark of a missing one, which cannot be compared, as None."""
    if isinstance(value, np.generic):
        return value.item()
    return None if type(value).__name__ == "NAType" else value
