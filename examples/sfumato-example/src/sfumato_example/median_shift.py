"""Median shift: how far the medians have moved."""

from typing import ClassVar

import numpy as np

from sfumato.contracts import LossMeasure, Measurement, check_records
from sfumato.data import Kind, Microdata
from sfumato.numerics.arrays import FloatColumn
from sfumato.parameters import Columns


class MedianShift(LossMeasure):
    """Compare the median of each column in both files.

    The value is the mean over columns of the distance between the two medians, in percent of the distance between the
    quartiles of the original. The parts are the distances of the columns.

    Parameters
    ----------
    columns
        Continuous columns.

    Meaning
        0: the medians are where they were. 100: on average they moved by the distance between the quartiles.
    Missing values
        Are left out of the medians and the quartiles.
    Source
        Robust statistics, as an example of a measure of one's own.

    Examples
    --------
    >>> shift(np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.array([2.0, 3.0, 4.0, np.nan]))
    0.0
    >>> shift(np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.array([4.0, 4.0, 4.0]))
    50.0
    """

    symbol: ClassVar[str] = "MSH"
    family: ClassVar[str] = "distributions"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})

    columns: Columns

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the mean shift of the medians in percent, and that of each column."""
        names = self.common_columns(original, masked)
        check_records(type(self).__name__, original, masked)
        shifts = {name: shift(original.values(name), masked.values(name)) for name in names}
        return Measurement(self.name(), self.symbol, float(np.mean(list(shifts.values()))), parts=shifts)


def shift(original: FloatColumn, masked: FloatColumn) -> float:
    """Return the distance between two medians in percent of that between the original's quartiles."""
    low, middle, high = np.nanquantile(original, [0.25, 0.5, 0.75])
    moved = abs(float(np.nanmedian(masked) - middle))
    if high == low:  # half the values are the same: any move is a whole one
        return 100.0 if moved else 0.0
    return 100 * moved / float(high - low)
