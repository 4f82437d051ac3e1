"""What the interval measures share: the widths, and the way from intervals to a measurement."""

from collections.abc import Iterable, Sequence
from typing import Annotated

import numpy as np
from pydantic import Field

from sfumato.contracts import Measurement, RiskMeasure
from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.numerics.known_means import row_means
from sfumato.parameters import Percent

Widths = Annotated[tuple[Percent, ...], Field(min_length=1)]
"""Half widths of intervals, in percent."""

ONE_TO_TEN = tuple(float(width) for width in range(1, 11))

Interval = tuple[FloatColumn, FloatColumn]


def share_inside(values: FloatColumn, intervals: Iterable[Interval]) -> FloatColumn:
    """Return for each value the share of its intervals (low, high) that hold it; NaN is in none, NaN ends hold nothing.

    A missing value has nothing to disclose: its share is NaN.

    Examples
    --------
    >>> values, low = np.array([3.0, 8.0, np.nan]), np.array([1.0, 1.0, 1.0])
    >>> share_inside(values, [(low, low + 4), (low, low + 9)])
    array([1. , 0.5, nan])
    """
    inside = np.mean([(values >= low) & (values <= high) for low, high in intervals], axis=0)
    return np.where(np.isnan(values), np.nan, inside)


def interval_measurement(measure: RiskMeasure, names: Sequence[str], shares: FloatMatrix) -> Measurement:
    """Return the mean over columns of the percent of values inside, by column and by record.

    `shares` has a row per masked record and a column per name; NaN, where there was nothing to disclose, is left out of
    a column's mean and of a record's. A column or record with nothing to disclose has 0.
    """
    percent = 100 * shares
    by_column = np.nan_to_num(row_means(percent.T))
    parts = {name: float(part) for name, part in zip(names, by_column, strict=True)}
    value = float(by_column.mean())
    return Measurement(measure.name(), measure.symbol, value, parts=parts, per_record=np.nan_to_num(row_means(percent)))
