"""Cells that are equal look equal: one kind of missing value in a column, with nothing beneath it, and one zero.

A dataframe may hold two kinds side by side, NaN and null, and readers see which is which. Methods and measures take
both for the same, so that a release with both would tell more than they say. The two zeros, 0 and -0, are such a pair,
too: a negative amount that is rounded to nothing is -0. So are 1 and 1.0 among Python's objects.
"""

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from sfumato.data.eager_tables import as_table
from sfumato.data.forms.arrow_dictionaries import with_plain_dictionary
from sfumato.numerics.arrays import Booleans


def with_like_cells(table: nw.DataFrame[Any]) -> nw.DataFrame[Any]:
    """Return the table with one kind of missing value in each column and one zero; one that has that comes as it is.

    The type of a column stays. Missing values are null where the type has that, NaN where it has only that, and None
    among Python's objects, where these are of several kinds. Objects that are equal take one form.

    Examples
    --------
    >>> import polars
    >>> table = nw.from_native(polars.DataFrame({"income": [1.5, float("nan"), None, -0.0]}), eager_only=True)
    >>> with_like_cells(table)["income"].to_list()
    [1.5, None, None, 0.0]
    """
    changed = []
    for name in table.columns:
        series = table.get_column(name)
        found = series
        if series.dtype.is_float():
            found = _with_like_numbers(series)
        elif _holds_objects(series):
            found = _with_like_objects(series)
        elif series.dtype == nw.Categorical and not series.implementation.is_polars():
            found = with_plain_dictionary(series)
        if found is not series:
            changed.append(found)
    return table.with_columns(*changed) if changed else table


def with_like_columns(table: nw.DataFrame[Any], columns: dict[str, nw.Series[Any]]) -> nw.DataFrame[Any]:
    """Return a table of like cells with some columns, whose cells become alike, in place of others or after them."""
    if not columns:
        return table
    changed = table.with_columns(*(series.alias(name) for name, series in columns.items()))
    new = with_like_cells(as_table(changed.select(*columns).to_native()))
    return changed.with_columns(*new.iter_columns())


def rebuild_gaps(series: nw.Series[Any], observed: Booleans) -> nw.Series[Any]:
    """Return a column of the values in some rows and nothing in the others, not even out of sight.

    Dataframes with a mask of missing cells keep the old values beneath it, and formats that write memory as it is, as
    Arrow does, write them too. Text of polars lies elsewhere, and stays: see `files.hidden_values`.
    """
    places = np.cumsum(observed) - 1
    native, name = series.to_native(), series.name
    if series.implementation.is_polars():
        import polars as pl

        chosen = pl.select(pl.when(pl.Series(observed)).then(pl.Series(places))).to_series()
        return nw.from_native(native.filter(pl.Series(observed)).gather(chosen).alias(name), series_only=True)
    if series.implementation.is_pyarrow():
        import pyarrow as pa

        chosen = native.filter(pa.array(observed)).take(pa.array(places, mask=~observed))
        found: nw.Series[Any] = nw.from_native(chosen, series_only=True)
        return found.alias(name)
    kept = native.array[observed].take(np.where(observed, places, -1), allow_fill=True)
    return nw.from_native(type(native)(kept, index=native.index, name=name), series_only=True)


def _with_like_numbers(series: nw.Series[Any]) -> nw.Series[Any]:
    values = np.asarray(series.to_numpy(), dtype=np.float32 if series.dtype == nw.Float32 else np.float64)
    is_gap = np.isnan(values)
    if is_gap.any() and (np.count_nonzero(is_gap) > series.null_count() or _has_odd_bits(series, values[is_gap])):
        series = rebuild_gaps(series, ~is_gap)
    zeros = np.flatnonzero(values == 0)
    negative = zeros[np.signbit(values[zeros])]
    return series.scatter(negative, np.zeros(negative.size, dtype=values.dtype)) if negative.size else series


def _has_odd_bits(series: nw.Series[Any], gaps: Any) -> bool:
    """Tell whether some NaN of numpy's is not the usual one: R's NA is another, and stays one on its way to pandas."""
    if not (series.implementation.is_pandas_like() and isinstance(series.to_native().dtype, np.dtype)):
        return False
    bits = gaps.view(f"u{gaps.itemsize}")
    return bool((bits != np.array(np.nan, dtype=gaps.dtype).view(bits.dtype)).any())


def _with_like_objects(series: nw.Series[Any]) -> nw.Series[Any]:
    """Return a column of Python's objects in which what is equal looks equal: 1 and 1.0, None and NaN."""
    native = series.to_native()
    cells = series.to_list() if series.implementation.is_polars() else native.tolist()
    if set(map(type, cells)) <= {str}:
        return series
    kinds = {type(value) for value in cells if is_gap(value)}
    gap = None if len(kinds) > 1 else next((value for value in cells if is_gap(value)), None)
    try:
        usual = _usual_forms(cells)
    except TypeError:  # lists and the like, which are refused where a column of them is asked for
        return series
    plain = [gap if is_gap(value) else usual.get(value, value) for value in cells]
    if all(one is other for one, other in zip(plain, cells, strict=True)):
        return series
    if series.implementation.is_polars():
        changed = type(native)(series.name, plain, dtype=native.dtype)
    else:
        changed = native.copy()
        changed[:] = np.array([*plain, None], dtype=object)[:-1]  # the last keeps numpy from making numbers of them
    return nw.from_native(changed, series_only=True)


def is_gap(value: Any) -> bool:
    """Tell whether an object stands for no value: None, pandas' NA and NaT, or a NaN of whatever type.

    Examples
    --------
    >>> from decimal import Decimal
    >>> [is_gap(value) for value in (None, Decimal("NaN"), np.float32("nan"), np.datetime64("NaT"), 0, "")]
    [True, True, True, True, False, False]
    """
    if type(value) is str:
        return False
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    try:
        return bool(value != value)
    except ArithmeticError:  # a NaN of Decimal's that is not to be compared
        return True
    except (TypeError, ValueError):  # collections, which are refused where a column of them is asked for
        return False


def _usual_forms(cells: list[Any]) -> dict[Any, Any]:
    """Return for values that equal others of another form the one that takes the place of all: numbers before truth."""
    forms: dict[Any, dict[tuple[bool, str, str], Any]] = {}
    has_other_text = any(issubclass(kind, str) and kind is not str for kind in set(map(type, cells)))  # numpy's
    for value in cells:
        if not is_gap(value) and (has_other_text or not isinstance(value, str)):
            forms.setdefault(value, {})[isinstance(value, bool), type(value).__name__, repr(value)] = value
    several = {value: held for value, held in forms.items() if len(held) > 1}
    return {value: held[min(held, key=_form_order)] for value, held in several.items()}


def _form_order(form: tuple[bool, str, str]) -> tuple[bool, bool, str, int, str]:
    """Return what puts whole numbers first, truth values last, and the shortest text before others."""
    is_truth, kind, text = form
    return is_truth, kind != "int", kind, len(text), text


def _holds_objects(series: nw.Series[Any]) -> bool:
    """Tell whether a column holds Python's objects, text among them, which pandas kept so for long."""
    return series.dtype == nw.Object or (
        series.implementation.is_pandas_like() and bool(series.to_native().dtype == np.dtype(object))
    )
