"""Outliers: the records farthest from the mean record, for whom risk and loss are shown separately."""

from dataclasses import dataclass, field
from math import ceil

import numpy as np

from sfumato.contracts import paired_rows
from sfumato.data import Microdata
from sfumato.numerics.arrays import Booleans, FloatMatrix
from sfumato.numerics.standardisation import standardise_both

SHARE = 5.0


@dataclass(frozen=True, eq=False)
class Outliers:
    """Which masked records are those of outliers.

    Parameters
    ----------
    share
        How many of the original records count as outliers, in percent.
    columns
        The columns in which they stand out.
    among
        For each masked record whether its original is one of them.
    """

    share: float
    columns: tuple[str, ...]
    among: Booleans = field(repr=False)

    @property
    def records(self) -> int:
        """The number of masked records that are outliers'."""
        return int(self.among.sum())


def outliers_of(original: Microdata, masked: Microdata, columns: tuple[str, ...], share: float = SHARE) -> Outliers:
    """Return the masked records whose originals are the `share` percent farthest from the mean record."""
    far = farthest(original.matrix(columns), share)
    return Outliers(share, columns, far[paired_rows(original, masked)])


def farthest(matrix: FloatMatrix, share: float) -> Booleans:
    """Tell for each record whether it is among the `share` percent (rounded up) farthest from the mean record.

    Columns are standardised first. A missing value is left out, the distance scaled up for it; of equally far records
    the first ones count.

    Examples
    --------
    >>> farthest(np.array([[1.0], [2.0], [30.0], [1.5]]), 25.0)
    array([False, False,  True, False])
    """
    points, _ = standardise_both(matrix, matrix[:0])
    compared = np.maximum(np.count_nonzero(~np.isnan(points), axis=1), 1)
    distances = np.nansum(points**2, axis=1) / compared
    count = ceil(len(matrix) * share / 100 - 1e-9)  # 5 % of 60 records are 3 in floating point too
    among = np.zeros(len(matrix), dtype=np.bool_)
    among[np.argsort(-distances, kind="stable")[:count]] = True
    return among
