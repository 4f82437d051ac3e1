"""Columns that come back in another type, new categories, classes or text; and cells made missing."""

from collections.abc import Container, Iterator, Mapping, Sequence
from math import ceil, floor
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np

from sfumato.data.columns import with_codes
from sfumato.data.distinct_values import factorise
from sfumato.data.forms.like_cells import rebuild_gaps
from sfumato.data.schema import Category, Variable
from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn

MAX_CODE = 2_147_483_620  # what every file of labelled codes can hold; beyond it are Stata's missing values
NULLABLE = {"b": "boolean", "i": "Int", "u": "UInt"}  # what pandas calls the types that can hold a missing value


def text_of(code: Category) -> str:
    """Return a code as text: the same for a whole number whether it is kept as an integer or as a float.

    Examples
    --------
    >>> text_of(-9), text_of(-9.0), text_of(2.5), text_of(True), text_of("Rome")
    ('-9', '-9', '2.5', 'true', 'Rome')
    """
    if isinstance(code, bool):
        return "true" if code else "false"
    return str(int(code)) if isinstance(code, float) and code.is_integer() else str(code)


def labelled_text(code: Category, labels: Mapping[Category, str]) -> str:
    """Return a code with its label behind it, where it has one that says more.

    Examples
    --------
    >>> labelled_text(2, {1: "male", 2: "female"}), labelled_text(3, {}), labelled_text("Rome", {"Rome": "Rome"})
    ('2 (female)', '3', 'Rome')
    """
    code_text, label = text_of(code), labels.get(code, "")
    return f"{code_text} ({label})" if label and label != code_text else code_text


def codes_in_ranges(series: nw.Series[Any], variable: Variable) -> tuple[Category, ...]:
    """Return the codes of a numeric column that lie in its missing ranges, ascending."""
    values = np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64)
    inside = np.zeros(values.shape, dtype=np.bool_)
    for low, high in variable.missing_ranges:
        inside |= (values >= low) & (values <= high)
    return tuple(int(value) if value.is_integer() else value for value in np.unique(values[inside]).tolist())


def free_codes(variable: Variable, taken: Container[object], first: int) -> Iterator[int]:
    """Yield codes that are free: from the first one upwards, and downwards where missing values are all above.

    Parameters
    ----------
    variable
        The column; its missing codes and all in its missing ranges are not free, however far these reach.
    taken
        Other codes that are not free.
    first
        Where to begin.

    Examples
    --------
    >>> from sfumato.data.kinds import Kind
    >>> answers = Variable(name="q1", kind=Kind.NOMINAL, missing_ranges=((5, 1e308),))
    >>> codes = free_codes(answers, {1, 2, 3}, 4)
    >>> [next(codes) for _ in range(3)]
    [4, 0, -1]
    """
    for step in (1, -1):
        code = first if step > 0 else first - 1
        while abs(code) <= MAX_CODE:
            ranges = [(low, high) for low, high in variable.missing_ranges if low <= code <= high]
            if ranges:
                (low, high), *_ = ranges
                beyond = min(high, MAX_CODE) if step > 0 else max(low, -MAX_CODE)
                code = floor(beyond) + 1 if step > 0 else ceil(beyond) - 1
                continue
            if code not in taken and code not in variable.missing_codes:
                yield code
            code += step


def can_hold(series: nw.Series[Any], values: Sequence[Category]) -> bool:
    """Tell whether the type of a column can hold these values as it is."""
    dtype, types = series.dtype, {type(value) for value in values}  # of a million values there are one or two types
    plain = [issubclass(one, bool | int | float | str) for one in types]
    if not all(plain):  # times, bytes and the like, which come from the column itself
        return dtype == nw.Object or not any(plain)
    if dtype in (nw.String, nw.Object):
        return all(issubclass(one, str) for one in types)
    if dtype == nw.Boolean or any(issubclass(one, bool | str) for one in types):
        return dtype == nw.Boolean and all(issubclass(one, bool) for one in types)
    if not dtype.is_integer():
        return dtype.is_float()
    limits, numbers = np.iinfo(str(dtype).lower()), np.array(values, dtype=np.float64)
    is_whole = bool((np.isfinite(numbers) & (numbers == np.floor(numbers))).all())
    return is_whole and all(limits.min <= float(number) <= limits.max for number in _ends(numbers))


def _ends(numbers: FloatColumn) -> list[float]:
    """Return the least and the largest number; nothing of no numbers."""
    return [float(numbers.min()), float(numbers.max())] if numbers.size else []


def missing_codes_after(
    series: nw.Series[Any], values: Sequence[Category], codes: Sequence[Category]
) -> dict[Category, Category]:
    """Return what the codes that stand for missing become in the type of a column with other values.

    They stay, as text where the values are text. Text cannot stay among numbers, and is refused.
    """
    if can_hold(series, values):
        return {code: code for code in codes}
    if all(isinstance(value, str) for value in values):
        return {code: text_of(code) for code in codes}
    if any(isinstance(code, str) for code in codes):
        raise DataError(
            f"column '{series.name}' would become numbers, which cannot hold its missing codes; "
            f"make those codes missing first, or choose text as the new categories"
        )
    return {code: code for code in codes}


def recode_column(
    series: nw.Series[Any],
    values: Sequence[Category],
    places: CodeColumn,
    missing: Mapping[Category, Category],
    *,
    listed: bool = False,
) -> nw.Series[Any]:
    """Return the column with `values[places[i]]` in row i; where the place is -1 a missing value or code stays.

    Parameters
    ----------
    series
        The column. Its type is kept where it can hold the values; a type that lists its categories lists the new ones.
        Else text comes as text, in place of numbers as a categorical, whole numbers as 64-bit integers, other numbers
        as floats.
    values, places
        The new values, each once, and which of them each row has.
    missing
        What the codes that stand for missing become, as `missing_codes_after` tells.
    listed
        Whether text comes as a type that lists the values in their order: enum, ordered categorical, dictionary.
    """
    if can_hold(series, values):
        return with_codes(series, np.full(places.shape, -1, dtype=np.int64), places, tuple(values))
    stays = places_of(series, tuple(missing))
    kept = tuple(dict.fromkeys(missing.values()))
    position = np.array([len(values) + kept.index(code) for code in missing.values()] + [-1], dtype=np.int64)
    return _gather_values(series, (*values, *kept), np.where(places >= 0, places, position[stays]), listed)


def places_of(series: nw.Series[Any], codes: Sequence[Category]) -> CodeColumn:
    """Return for each row which of a few codes it holds, -1 where none."""
    if not codes:
        return np.full(len(series), -1, dtype=np.int64)
    rows, found = factorise(series)
    place = {(code, isinstance(code, bool)): position for position, code in enumerate(codes)}
    places = [place.get((value, isinstance(value, bool)), -1) for value in found]
    return np.array([*places, -1], dtype=np.int64)[rows]


def set_missing(series: nw.Series[Any], cells: Booleans) -> nw.Series[Any]:
    """Return the column without the values of some rows; plain integers of pandas become its nullable ones."""
    if not cells.any():
        return series
    if series.implementation.is_pandas_like():
        native = series.to_native()
        kind = native.dtype.kind if isinstance(native.dtype, np.dtype) else ""
        if kind in NULLABLE:
            native = native.astype(NULLABLE[kind] + ("" if kind == "b" else str(8 * native.dtype.itemsize)))
        if isinstance(native.dtype, np.dtype):
            return nw.from_native(native.mask(cells), series_only=True)
        series = nw.from_native(native, series_only=True)
    return rebuild_gaps(series, ~cells & ~np.asarray(series.is_null().to_numpy(), dtype=np.bool_))


def _gather_values(
    series: nw.Series[Any], values: Sequence[Category], places: CodeColumn, listed: bool
) -> nw.Series[Any]:
    """Return a column of the same name and backend with `values[places[i]]` in row i, and none where it is -1."""
    filled = [*values, values[0]]  # the last serves the place -1
    holder = nw.new_series(series.name, filled, _type_of(series, values, listed), backend=series.implementation)
    return set_missing(holder[np.where(places < 0, len(values), places)], places < 0)


def _type_of(series: nw.Series[Any], values: Sequence[Category], listed: bool) -> Any:
    if all(isinstance(value, str) for value in values):
        if not (listed or isinstance(series.dtype, nw.Enum)):
            return nw.Categorical if series.dtype == nw.Categorical or series.dtype.is_numeric() else nw.String
        return nw.Categorical if series.implementation.is_pyarrow() else nw.Enum([str(value) for value in values])
    if all(isinstance(value, bool) for value in values):
        return nw.Boolean
    return nw.Int64 if all(float(value).is_integer() for value in values) else nw.Float64
