"""A column of several files as numbers that can be held against each other."""

from collections.abc import Sequence

import numpy as np

from sfumato.data import METRIC, Category, Kind, Microdata
from sfumato.data.column_recoding import text_of
from sfumato.data.periods import first_day
from sfumato.kernels.keys.counting import classes_of
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix

CLASSES = 60  # of a number that only the original has as a number
ROUNDING = 2.0**-40  # of a number that was written and read again, relative to itself, at most


def coded_columns(files: Sequence[Microdata], name: str) -> tuple[list[FloatColumn], bool]:
    """Return a column of each file, and whether it is a number in all of them; missing is NaN.

    Categories are codes into those of all the files. Where a number became classes, the original number is put into
    classes of equal size, which have codes of their own. Where a date became a period, the period stands where it
    begins, in days. Where some files have text and others labelled codes, as labelled formats keep classes, the labels
    take the place of the codes.
    """
    if all(file.schema[name].kind in METRIC for file in files):
        return [file.values(name) for file in files], True
    if any(file.schema[name].kind is Kind.DATE for file in files):
        columns = [column for file in files if (column := _days(file, name)) is not None]
        if len(columns) == len(files):
            return columns, True
    places: dict[Category, int] = {}
    found = []
    has_text = any(_is_text(file, name) for file in files)
    for file in files:
        if file.schema[name].kind in METRIC:
            found.append(_quantile_classes(file.values(name)))
            continue
        codes, categories = file.codes(name)
        categories = _labels(file, name, categories) if has_text else categories
        lookup = [places.setdefault(category, len(places)) for category in categories]
        found.append(np.array([*lookup, np.nan])[codes])  # the last entry serves the code -1
    return found, False


def coded_matrices(files: Sequence[Microdata], names: tuple[str, ...]) -> tuple[list[FloatMatrix], tuple[bool, ...]]:
    """Return several columns of each file (records x columns), and which of them are numbers."""
    columns, numbers = zip(*(coded_columns(files, name) for name in names), strict=True)
    return [np.column_stack(file) for file in zip(*columns, strict=True)], numbers


def combination_codes(files: Sequence[Microdata], names: tuple[str, ...]) -> list[CodeColumn]:
    """Return a number for each record of each file, equal for those with the same values in some columns.

    Examples
    --------
    >>> from polars import DataFrame
    >>> file = Microdata(DataFrame({"area": ["n", "s", None, "n"], "sex": ["f", "f", "f", "f"]}))
    >>> combination_codes([file, file.take_rows(np.array([1]))], ("area", "sex"))
    [array([0, 1, 2, 0]), array([1])]
    """
    lengths = [file.n for file in files]
    codes = np.zeros((1, sum(lengths)), dtype=np.int64)
    if names:
        columns = [np.concatenate(coded_columns(files, name)[0]) for name in names]
        codes = np.array([np.unique(column, return_inverse=True)[1] for column in columns], dtype=np.int64)
    return np.split(classes_of(codes).numbers, np.cumsum(lengths)[:-1])


def gap_codes(files: Sequence[Microdata], name: str) -> list[CodeColumn]:
    """Return what the cells of each file show in place of a value: 0 is a value, 1 nothing, others a code for missing.

    Codes such as 98 and 99 tell who gave which answer: readers see them, and so does an intruder.

    Examples
    --------
    >>> from polars import DataFrame
    >>> from sfumato.data import Schema
    >>> schema = Schema.from_yaml("variables: {age: {kind: continuous, missing_codes: [98, 99]}}")
    >>> gap_codes([Microdata(DataFrame({"age": [40, 99, None, 98, 99]}), schema)], "age")
    [array([0, 2, 1, 3, 2])]
    """
    numbers: dict[str | None, int] = {None: 1}
    found = []
    for file in files:
        codes = np.zeros(file.n, dtype=np.int64)
        gaps = np.flatnonzero(~file.observed(name))
        codes[gaps] = numbers[None]
        cells = file.table.get_column(name)[gaps]
        filled = np.flatnonzero(~cells.is_null().to_numpy())
        for place, value in zip(gaps[filled], cells[filled].to_list(), strict=True):
            shown = None if value != value else text_of(value)
            codes[place] = numbers.setdefault(shown, len(numbers) + 1)
        found.append(codes)
    return found


def _days(file: Microdata, name: str) -> FloatColumn | None:
    """Return a column as days; None where its categories are not all periods."""
    if file.schema[name].kind in METRIC:
        return file.values(name)
    codes, categories = file.codes(name)
    starts = [first_day(str(category)) for category in _labels(file, name, categories)]
    if any(start is None for start in starts):
        return None
    return np.array([*(np.nan if start is None else start for start in starts), np.nan], dtype=np.float64)[codes]


def _is_text(file: Microdata, name: str) -> bool:
    if file.schema[name].kind in METRIC:
        return False
    return any(isinstance(category, str) for category in file.summary.categories(name))


def _labels(file: Microdata, name: str, categories: tuple[Category, ...]) -> tuple[Category, ...]:
    """Return the labels of the categories where each has one of its own, else the categories themselves."""
    labels = file.schema[name].value_labels
    named = {category: labels[category] for category in categories if category in labels}
    return tuple(named.values()) if len(set(named.values())) == len(categories) else categories


def _quantile_classes(column: FloatColumn) -> FloatColumn:
    rising = np.sort(column[~np.isnan(column)])
    cuts = np.unique(rising[(np.arange(1, CLASSES) * len(rising)) // CLASSES])
    return np.where(np.isnan(column), np.nan, np.searchsorted(cuts, column, side="right"))


def equality_codes(before: FloatColumn, after: FloatColumn) -> tuple[CodeColumn, CodeColumn]:
    """Return codes of both columns that are the same where the values are; missing is equal to missing.

    A masked value that was rounded on its way, as formats of sixteen digits do, is the original value nearest to it.
    Original values stay apart however little they differ: readers see the difference, and so does an intruder.

    Examples
    --------
    >>> equality_codes(np.array([0.1 + 0.2, np.nan]), np.array([np.nan, 0.3, 7.0]))
    (array([0, 2]), array([2, 0, 1]))
    """
    values = np.concatenate([before, _unrounded(after, np.unique(before[np.isfinite(before)]))]) + 0.0
    _, codes = np.unique(values, return_inverse=True)
    return codes[: len(before)], codes[len(before) :]


def _unrounded(column: FloatColumn, known: FloatColumn) -> FloatColumn:
    """Return a column with each value replaced by the nearest of the rising `known` ones, where rounding parts them."""
    if not known.size or np.isin(column[~np.isnan(column)], known).all():
        return column
    above = np.searchsorted(known, column).clip(1, max(known.size - 1, 1))
    lower, upper = known[above - 1], known[above.clip(max=known.size - 1)]
    nearest = np.where(np.abs(column - lower) <= np.abs(upper - column), lower, upper)
    is_near = np.isfinite(column) & (np.abs(column - nearest) <= ROUNDING * np.abs(column))
    return np.where(is_near, nearest, column)
