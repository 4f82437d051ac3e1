"""Columns that hold numbers, also where these are codes."""

import narwhals.stable.v2 as nw
import numpy as np

from sfumato.data import METRIC, Kind, Microdata, column_names
from sfumato.numerics.arrays import FloatColumn

MOSTLY_ZERO = 0.05  # of the records, and more than have any other number: who has none of something is no person


def has_numbers(data: Microdata, name: str) -> bool:
    """Tell whether a column holds numbers or dates that can be computed with, also where they are codes."""
    if data.schema[name].kind in METRIC:
        return not (data.schema[name].kind is Kind.DATE and data.summary.date_problem(name))
    return bool(data.table[name].dtype.is_numeric())


def numbers_of(data: Microdata, name: str) -> FloatColumn:
    """Return the numbers of a column, those of codes too; not a number where one is missing."""
    if data.schema[name].kind in METRIC:
        return data.values(name)
    values = data.table[name].cast(nw.Float64).to_numpy().astype(np.float64)
    return np.where(data.observed(name), values, np.nan)


def is_amount(data: Microdata, name: str) -> bool:
    """Tell whether a column holds amounts, which number nobody: with decimals, or most often zero.

    One that is named like a number of persons, members or households is none.
    """
    if any(called(name) for called in (column_names.is_household, column_names.is_person_number)):
        return False
    if column_names.is_member_number(name) or not data.table[name].dtype.is_numeric():
        return False
    values = numbers_of(data, name)
    values = values[np.isfinite(values)]
    if not values.size or (np.floor(values) != values).any():
        return bool(values.size)
    zeros, most = np.count_nonzero(values == 0), np.bincount(data.numbers(name) + 1)[1:].max()
    return bool(zeros == most and zeros > MOSTLY_ZERO * values.size)
