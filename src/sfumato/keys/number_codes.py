"""Numbers as codes in the order of their values."""

import narwhals.stable.v2 as nw
import numpy as np

from sfumato.data import METRIC, Kind, Microdata
from sfumato.numerics.arrays import CodeColumn, FloatColumn
from sfumato.numerics.ranking import small_whole_numbers


def in_order(values: FloatColumn) -> CodeColumn:
    """Return numbers as codes in their order, missing as -1.

    Examples
    --------
    >>> in_order(np.array([7.0, np.nan, 5.0, 7.0])), in_order(np.array([0.5, np.nan, -1e9, 0.5]))
    (array([ 1, -1,  0,  1]), array([ 1, -1,  0,  1]))
    """
    known = ~np.isnan(values)
    whole = small_whole_numbers(values[known])
    if whole is None:
        different, codes = np.unique(values, return_inverse=True)
        return np.where(np.isnan(different)[codes], -1, codes)
    found = np.full(values.size, -1, dtype=np.int64)
    found[known] = (np.cumsum(np.bincount(whole) > 0) - 1)[whole]
    return found


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
