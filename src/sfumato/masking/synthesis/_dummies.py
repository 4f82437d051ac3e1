"""Columns of any kind as the predictors of a regression: categories as dummies."""

import numpy as np

from sfumato.data import CATEGORICAL, Microdata
from sfumato.numerics.arrays import FloatColumn, FloatMatrix


def dummy_matrix(data: Microdata, names: tuple[str, ...]) -> FloatMatrix:
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
