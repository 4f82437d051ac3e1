"""Columns in and out of the dataframe: with `column_recoding`, all that knows how pandas, polars and pyarrow differ."""

from datetime import date
from itertools import compress
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from sfumato.data.date_formats import MISSING_WORDS
from sfumato.data.decimals import with_decimals
from sfumato.data.distinct_values import factorise, in_order, tally, type_name
from sfumato.data.kinds import Kind
from sfumato.data.schema import Category, Variable
from sfumato.display import format_compact, format_count
from sfumato.errors import DataError, KindError, SchemaError
from sfumato.numerics.arrays import AnyArray, Booleans, CodeColumn, FloatColumn

LARGEST_EXACT_INTEGER = 2**53
LARGEST, SMALLEST = 1e75, 1e-75  # the fourth powers of these, which moments need, and their sums are numbers still


def floats_of(series: nw.Series[Any], variable: Variable) -> FloatColumn:
    """Return a numeric column as floats, missing values and missing codes as NaN.

    Refuses text, infinities, integers that a float cannot hold exactly, decimals that it cannot tell apart, and numbers
    out of the range in which the powers that statistics take of them are numbers still.
    """
    if not series.dtype.is_numeric():
        if series.null_count() == len(series):
            return np.full(len(series), np.nan)
        raise KindError(
            f"column '{variable.name}' holds {type_name(series.dtype)}, not numbers; "
            f"convert it, or set its kind to nominal or ordinal in the schema"
        )
    _check_integers(series)
    values = np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64)
    if series.dtype.is_decimal() and series.drop_nulls().n_unique() > np.unique(values[~np.isnan(values)]).size:
        raise DataError(
            f"column '{series.name}' holds decimals of more digits than a number of 64 bits, which cannot be told "
            f"apart when they are masked or compared; round them, or set the column's role to identifier"
        )
    _check_range(values, variable.name)
    if not (variable.missing_codes or variable.missing_ranges):
        return values
    codes = _is_missing(values, variable)
    return np.where(codes, np.nan, values) if codes.any() else values


def codes_of(
    series: nw.Series[Any], variable: Variable, categories: tuple[Category, ...] = ()
) -> tuple[CodeColumn, tuple[Category, ...]]:
    """Return a column as codes 0, 1, ... into its categories, missing as -1, and the categories in order.

    A block hands in the `categories` of the whole file, so that one code means one category in every block.
    """
    raw, found = factorise(series)
    positions, values = _without_missing(found, variable)
    categories = categories or order_categories(values, series.dtype, variable)
    lookup = np.full(len(found) + 1, -1, dtype=np.int64)  # the last entry serves the raw code -1
    if len(values) == len(categories) and values == list(categories):  # as of names of people, a million of them
        lookup[positions] = np.arange(len(values))
    else:
        place = {value: code for code, value in enumerate(categories)}
        lookup[positions] = [place[value] for value in values]
    return lookup[raw], categories


def has_only_gaps(series: nw.Series[Any], variable: Variable) -> bool:
    """Tell whether no value of a column of categories can stand for a missing one, neither a code nor NaN."""
    dtype = series.dtype
    is_plain = dtype in (nw.String, nw.Boolean, nw.Categorical) or isinstance(dtype, nw.Enum) or dtype.is_integer()
    return is_plain and not (variable.missing_codes or variable.missing_ranges)


def count_values(series: nw.Series[Any], variable: Variable) -> dict[Category, int]:
    """Return how many rows hold each value that does not stand for a missing one.

    Examples
    --------
    >>> import polars
    >>> region = nw.from_native(polars.Series("region", [3, 9, 3, None]), series_only=True)
    >>> count_values(region, Variable(name="region", kind="nominal", missing_codes=(9,)))
    {3: 2}
    """
    found, counts = tally(series)
    positions, values = _without_missing(found, variable)
    return {value: counts[position] for position, value in zip(positions, values, strict=True)}


def _without_missing(found: list[Any], variable: Variable) -> tuple[list[int], list[Any]]:
    """Return the positions and the values of those that do not stand for a missing one."""
    if variable.missing_codes or variable.missing_ranges or variable.kind is Kind.DATE:
        is_value = [not is_missing_value(value, variable) for value in found]
    else:
        is_value = [value is not None and value == value for value in found]  # only NaN differs from itself
    return [position for position, there in enumerate(is_value) if there], list(compress(found, is_value))


def check_masked(values: FloatColumn, series: nw.Series[Any], variable: Variable) -> None:
    """Refuse masked values that the column could not give back: none, too large ones, and its own missing codes."""
    if np.isnan(values).any():
        raise DataError(f"masked values of column '{variable.name}' are not all numbers; leave the column out")
    largest = min(LARGEST, float(np.finfo(np.float32).max)) if series.dtype == nw.Float32 else LARGEST
    if max(values.max(initial=0.0), -values.min(initial=0.0)) > largest:
        raise DataError(
            f"masked values of column '{variable.name}' are too large for a number; divide it by a unit first"
        )
    stored = np.rint(values) if series.dtype.is_integer() else values
    if _is_missing(stored, variable).any():
        raise DataError(
            f"masked values of column '{variable.name}' fall on its missing codes and would read as no answer; "
            f"give the missing codes numbers far from the values in the file, or leave the column out"
        )


def with_floats(series: nw.Series[Any], observed: Booleans, values: FloatColumn) -> nw.Series[Any]:
    """Return the column with `values` in its observed rows, in its own dtype: an integer column gets rounded values."""
    dtype = series.dtype
    if dtype.is_integer():
        return _scatter(series, observed, _round_to_type(values, series))
    if dtype.is_decimal():
        return with_decimals(series, observed, values)
    return _scatter(series, observed, values.astype(np.float32) if dtype == nw.Float32 else values)


def _scatter(series: nw.Series[Any], observed: Booleans, values: AnyArray) -> nw.Series[Any]:
    if observed.all() and not series.implementation.is_pandas_like():  # pandas has an index to keep
        return nw.new_series(series.name, values, series.dtype, backend=series.implementation)
    return series.scatter(np.flatnonzero(observed), values)


def with_codes(
    series: nw.Series[Any], codes: CodeColumn, changed: CodeColumn, categories: tuple[Category, ...]
) -> nw.Series[Any]:
    """Return the column with category `changed[i]` in row i, in its own dtype; a row that has none keeps what it has.

    Each category is copied from a row that has it, so that text, categoricals and enums come back as they were; one
    that no row has is added in the column's own type.
    """
    if changed.max(initial=-1) >= len(categories) or (changed[codes >= 0] < 0).any():
        raise DataError(
            f"masked codes of column '{series.name}' are not all among its {format_count(len(categories), 'category')}"
        )
    holder = np.full(len(categories), -1, dtype=np.int64)
    holder[codes[codes >= 0]] = np.flatnonzero(codes >= 0)
    known = changed >= 0
    wanted = np.bincount(changed[known], minlength=len(categories)) > 0
    unheld = np.flatnonzero(wanted & (holder < 0))
    holder[unheld] = codes.size + np.arange(unheld.size)
    source = np.arange(codes.size)
    source[known] = holder[changed[known]]
    return (_extend(series, [categories[code] for code in unheld]) if unheld.size else series)[source]


def _extend(series: nw.Series[Any], values: list[Category]) -> nw.Series[Any]:
    """Return the column with more values at its end, in its own dtype."""
    native = series.to_native()
    listed = listed_categories(series)
    try:
        if listed is not None and not set(values) <= listed:
            raise ValueError
        if series.implementation.is_pyarrow():
            import pyarrow

            more = pyarrow.chunked_array([pyarrow.array(values, native.type)])
        elif series.implementation.is_polars():
            more = type(native)(series.name, values, dtype=native.dtype)
        else:
            more = type(native)(values, name=series.name, dtype=native.dtype)
            series = nw.from_native(native.reset_index(drop=True), series_only=True)  # no index joins with the numbers
    except (TypeError, ValueError):
        raise SchemaError(
            f"the type of column '{series.name}' cannot hold every category of its schema; make it text first"
        ) from None
    extra = nw.from_native(more, series_only=True).alias(series.name)
    longer: nw.Series[Any] = nw.concat([series.to_frame(), extra.to_frame()], how="vertical")[series.name]
    return longer


def listed_categories(series: nw.Series[Any]) -> set[Category] | None:
    """Return the only categories that the column's type can hold, or None where it can hold any."""
    if isinstance(series.dtype, nw.Enum):
        return set(series.dtype.categories)
    native = series.to_native()
    if series.implementation.is_pandas_like() and hasattr(native.dtype, "categories"):  # not so dictionaries of Arrow
        return set(native.dtype.categories)
    return None


def _check_range(values: FloatColumn, name: str) -> None:
    largest = max(np.fmax.reduce(values, initial=0.0), -np.fmin.reduce(values, initial=0.0))
    if largest == np.inf:
        raise DataError(f"column '{name}' holds infinite values; replace them or make them missing first")
    if largest > LARGEST:
        raise DataError(
            f"column '{name}' holds numbers beyond {format_compact(LARGEST)}, whose powers are not numbers; divide "
            "it by a unit first"
        )
    if 0 < largest < SMALLEST:
        raise DataError(
            f"column '{name}' holds only numbers within {format_compact(SMALLEST)} of 0, whose powers are 0; "
            f"multiply it by a unit first"
        )


def _check_integers(series: nw.Series[Any]) -> None:
    if not (series.dtype.is_integer() and series.count()):
        return
    if max(abs(int(series.min())), abs(int(series.max()))) > LARGEST_EXACT_INTEGER:
        raise DataError(
            f"column '{series.name}' holds integers beyond 2**53, which cannot be masked exactly; "
            f"divide them by a unit (thousands, say) or set the column's role to identifier"
        )


def _is_missing(values: FloatColumn, variable: Variable) -> Booleans:
    if any(isinstance(code, str) for code in variable.missing_codes):
        raise SchemaError(
            f"missing_codes of the numeric column '{variable.name}' must be numbers; write them without quotes"
        )
    missing = np.isin(values, [float(code) for code in variable.missing_codes])
    for low, high in variable.missing_ranges:
        missing |= (values >= low) & (values <= high)
    return missing


def is_missing_value(value: Any, variable: Variable) -> bool:
    """Tell whether a value stands for none: one of its codes, and among dates a word for missing.

    Examples
    --------
    >>> admitted = Variable(name="admitted", kind="date", missing_codes=("9999-12-31",))
    >>> [is_missing_value(value, admitted) for value in (date(9999, 12, 31), date(2000, 1, 1), "NA", None)]
    [True, False, True, True]
    """
    if value is None or value != value:  # only NaN differs from itself
        return True
    if isinstance(value, date):
        return value.isoformat().removesuffix("T00:00:00") in variable.missing_codes
    if variable.kind is Kind.DATE and isinstance(value, str) and value.strip() in MISSING_WORDS:
        return True
    is_truth_value = isinstance(value, bool)  # which is not the number 0 or 1
    if any(value == code and is_truth_value is isinstance(code, bool) for code in variable.missing_codes):
        return True
    return variable.is_in_missing_range(value)


def order_categories(found: list[Category], dtype: nw.dtypes.DType, variable: Variable) -> tuple[Category, ...]:
    """Return the categories in the schema's order, else the dataframe's own, else ascending."""
    declared: tuple[Category, ...] = variable.categories
    if not declared and isinstance(dtype, nw.Enum):
        declared = tuple(category for category in dtype.categories if category in set(found))
    if declared:
        undeclared = len(set(found) - set(declared))
        if undeclared:
            raise SchemaError(
                f"column '{variable.name}' holds {format_count(undeclared, 'category')} that its schema does not list; "
                f"add them to 'categories' or to 'missing_codes'"
            )
        return declared
    if variable.kind is Kind.ORDINAL and any(isinstance(value, str) for value in found):
        raise SchemaError(
            f"column '{variable.name}' is ordinal text without an order; "
            f"list its 'categories', lowest first, in the schema"
        )
    return tuple(in_order(variable.name, found))


def _round_to_type(values: FloatColumn, series: nw.Series[Any]) -> AnyArray:
    if series.dtype in (nw.Int128, nw.UInt128):
        raise DataError(
            f"column '{series.name}' has the type {series.dtype}, which cannot be masked; make it Int64 first"
        )
    dtype = np.dtype(str(series.dtype).lower())
    if not np.isfinite(values).all():
        raise DataError(
            f"masked values of column '{series.name}' are not all numbers; its type {series.dtype} needs them"
        )
    rounded = np.rint(values)
    limits = np.iinfo(dtype)
    if rounded.size and (rounded.min() < limits.min or rounded.max() > limits.max):
        raise DataError(
            f"masked values of column '{series.name}' do not fit its type {series.dtype}; "
            f"make it Int64 or Float64 first"
        )
    return rounded.astype(dtype)
