"""Columns that a method only reads: their names, and their values as the predictors of a regression."""

import numpy as np

from sfumato.contracts import MaskingMethod
from sfumato.data import CATEGORICAL, Kind, Microdata, Selection, Selector
from sfumato.errors import DataError, KindError
from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.parameters import Strata

Given = Strata
"""Columns that a method only reads, by name or by rule; none is allowed, as for strata."""


def given_columns(method: MaskingMethod, data: Microdata, selection: Selection) -> tuple[str, ...]:
    """Return the names of the columns that a method reads, after checking them against the data.

    A rule such as `numeric` leaves out the columns that are masked; to name one of those is refused.
    """
    who, masked = type(method).__name__, data.select(method.columns)
    names = data.select(selection)
    if isinstance(selection, Selector):
        names = tuple(name for name in names if name not in masked)
        if not names:
            raise DataError(f"{who}.given: {selection} picks no column beside those that are masked; name the columns")
    for name in names:
        if name in masked:
            raise DataError(f"{who}.given: '{name}' is also in columns; name it in one of the two")
        if data.schema[name].kind is Kind.DATE:
            raise KindError(f"{who}.given: '{name}' is date; expected continuous, nominal or ordinal columns")
        if not data.summary.observed(name):
            raise DataError(f"{who}.given: '{name}' has no observed value; leave it out")
    return names


def predictors(data: Microdata, names: tuple[str, ...]) -> FloatMatrix:
    """Return columns as the predictors of a regression (records x predictors); missing is NaN.

    A continuous column is one predictor. A nominal or ordinal one is a dummy for each category but the first.
    """
    parts = [part for name in names for part in _parts(data, name)]
    return np.array(parts, dtype=np.float64).reshape(len(parts), data.n).T


def _parts(data: Microdata, name: str) -> list[FloatColumn]:
    if data.schema[name].kind not in CATEGORICAL:
        return [data.values(name)]
    codes, categories = data.codes(name)
    present = np.flatnonzero(np.bincount(codes[codes >= 0], minlength=len(categories)))
    if present.size < 2:  # a predictor that explains nothing, but still tells who lacks a value
        return [np.where(codes >= 0, 0.0, np.nan)]
    return [np.where(codes >= 0, codes == code, np.nan) for code in present[1:]]
