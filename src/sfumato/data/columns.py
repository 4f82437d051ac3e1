"""Columns in and out of the user's dataframe: the only file that knows how pandas, polars and pyarrow differ."""

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from sfumato.data.kinds import Kind
from sfumato.data.schema import Code, Variable
from sfumato.errors import DataError, KindError, SchemaError

FloatColumn = NDArray[np.float64]
FloatMatrix = NDArray[np.float64]
CodeColumn = NDArray[np.int64]
Mask = NDArray[np.bool_]
Rows = NDArray[np.int64]

LARGEST_EXACT_INTEGER = 2**53


def floats_of(series: nw.Series[Any], variable: Variable) -> FloatColumn:
    """Return a numeric column as floats, missing values and missing codes as NaN.

    Refuses text, infinities, and integers that a float cannot hold exactly.
    """
    if not series.dtype.is_numeric():
        raise KindError(
            f"column '{variable.name}' holds {_described(series.dtype)}, not numbers; "
            f"convert it, or set its kind to nominal or ordinal in the schema"
        )
    _check_integers(series)
    values = np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64)
    if np.isinf(values).any():
        raise DataError(f"column '{variable.name}' holds infinite values; replace them or make them missing first")
    codes = _missing(values, variable)
    return np.where(codes, np.nan, values) if codes.any() else values


def codes_of(series: nw.Series[Any], variable: Variable) -> tuple[CodeColumn, tuple[Code, ...]]:
    """Return a column as codes 0, 1, ... into its categories, missing as -1, and the categories in order."""
    raw, found = _factorised(series)
    absent = {position for position, value in enumerate(found) if _stands_for_missing(value, variable)}
    present = [(position, value) for position, value in enumerate(found) if position not in absent]
    categories = _ordered([value for _, value in present], series.dtype, variable)
    place = {value: code for code, value in enumerate(categories)}
    lookup = np.full(len(found) + 1, -1, dtype=np.int64)  # the last entry serves the raw code -1
    for position, value in present:
        lookup[position] = place[value]
    return lookup[raw], categories


def with_floats(series: nw.Series[Any], rows: Rows, values: FloatColumn) -> nw.Series[Any]:
    """Return the column with `values` at `rows`, in its own dtype: an integer column gets rounded values."""
    dtype = series.dtype
    if dtype.is_integer():
        return _scattered(series, rows, _rounded(values, series))
    if dtype.is_decimal():
        changed = nw.new_series(series.name, values, nw.Float64, backend=series.implementation)
        return series.scatter(rows, changed.cast(dtype))
    return _scattered(series, rows, values.astype(np.float32) if dtype == nw.Float32 else values)


def _scattered(series: nw.Series[Any], rows: Rows, values: NDArray[Any]) -> nw.Series[Any]:
    if rows.size == len(series) and not series.implementation.is_pandas_like():  # pandas has an index to keep
        return nw.new_series(series.name, values, series.dtype, backend=series.implementation)
    return series.scatter(rows, values)


def with_codes(series: nw.Series[Any], codes: CodeColumn, changed: CodeColumn) -> nw.Series[Any]:
    """Return the column with category `changed[i]` in row i, in its own dtype; code -1 leaves a row as it is.

    Each category is copied from a row that has it, so that text, categoricals and enums come back as they were.
    """
    holder = np.full(int(codes.max(initial=-1)) + 1, -1, dtype=np.int64)
    holder[codes[codes >= 0]] = np.flatnonzero(codes >= 0)
    source = np.arange(codes.size)
    known = changed >= 0
    source[known] = holder[changed[known]]
    return series[source]


def _check_integers(series: nw.Series[Any]) -> None:
    if series.dtype.is_integer() and len(series) and series.count():
        if max(abs(int(series.min())), abs(int(series.max()))) > LARGEST_EXACT_INTEGER:
            raise DataError(
                f"column '{series.name}' holds integers beyond 2**53, which cannot be masked exactly; "
                f"divide them by a unit (thousands, say) or set the column's role to identifier"
            )


def _missing(values: FloatColumn, variable: Variable) -> Mask:
    numbers = [float(code) for code in variable.missing_codes if not isinstance(code, str)]
    missing = np.isin(values, numbers)
    for low, high in variable.missing_ranges:
        missing |= (values >= low) & (values <= high)
    return missing


def _stands_for_missing(value: Code, variable: Variable) -> bool:
    if value in variable.missing_codes:
        return True
    return not isinstance(value, str) and any(low <= value <= high for low, high in variable.missing_ranges)


def _factorised(series: nw.Series[Any]) -> tuple[CodeColumn, list[Any]]:
    """Return codes into the distinct values found, missing as -1."""
    native = series.to_native()
    if series.implementation.is_pandas_like():
        codes, found = native.factorize()
        return codes.astype(np.int64), [_scalar(value) for value in found]
    if series.implementation.is_pyarrow():
        encoded = native.combine_chunks().dictionary_encode() if not _is_dictionary(native) else native.combine_chunks()
        codes = encoded.indices.cast("int64").fill_null(-1).to_numpy(zero_copy_only=False)
        return codes, encoded.dictionary.to_pylist()
    numbers = native.rank("dense").fill_null(0).to_numpy().astype(np.int64) - 1
    return numbers, native.drop_nulls().unique().sort().to_list()


def _is_dictionary(native: Any) -> bool:
    import pyarrow.types

    return bool(pyarrow.types.is_dictionary(native.type))


def _scalar(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _ordered(found: list[Code], dtype: nw.dtypes.DType, variable: Variable) -> tuple[Code, ...]:
    """Return the categories in the schema's order, else the dataframe's own, else ascending."""
    declared: tuple[Code, ...] = variable.categories
    if not declared and isinstance(dtype, nw.Enum):
        declared = tuple(category for category in dtype.categories if category in set(found))
    if declared:
        undeclared = len(set(found) - set(declared))
        if undeclared:
            raise SchemaError(
                f"column '{variable.name}' holds {undeclared} categories that its schema does not list; "
                f"add them to 'categories' or to 'missing_codes'"
            )
        return declared
    if variable.kind is Kind.ORDINAL and any(isinstance(value, str) for value in found):
        raise SchemaError(
            f"column '{variable.name}' is ordinal text without an order; list its 'categories', lowest first, in the schema"
        )
    return tuple(sorted(found, key=lambda value: (isinstance(value, str), value)))


def _rounded(values: FloatColumn, series: nw.Series[Any]) -> NDArray[np.integer[Any]]:
    dtype = np.dtype(str(series.dtype).lower())
    rounded = np.rint(values)
    limits = np.iinfo(dtype)
    if rounded.size and (rounded.min() < limits.min or rounded.max() > limits.max):
        raise DataError(
            f"masked values of column '{series.name}' do not fit its type {series.dtype}; make it Int64 or Float64 first"
        )
    return rounded.astype(dtype)


def _described(dtype: nw.dtypes.DType) -> str:
    if dtype == nw.Boolean:
        return "true/false values"
    return "text" if dtype in (nw.String, nw.Object, nw.Categorical) else f"values of type {dtype}"
