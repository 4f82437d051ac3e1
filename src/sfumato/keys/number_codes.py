"""Columns that hold numbers, also where these are codes."""

import narwhals.stable.v2 as nw
import numpy as np

from sfumato.data import METRIC, Kind, Microdata
from sfumato.numerics.arrays import FloatColumn


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
