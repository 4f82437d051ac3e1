"""Symmetric information loss: how far values have moved, as a part of the mean size of both."""

from typing import ClassVar

import numpy as np

from sfumato.comparison.side_by_side import side_by_side
from sfumato.contracts import LossMeasure, Measurement
from sfumato.data import Kind, Microdata
from sfumato.numerics.arrays import FloatMatrix
from sfumato.numerics.known_means import mean_of_known, row_means
from sfumato.numerics.standardisation import NEGLIGIBLE
from sfumato.parameters import Columns

LARGEST = 2.0  # what a value counts that became 0, or the opposite of what it was


class SymmetricInformationLoss(LossMeasure):
    """Average the changes of the values, each divided by the mean size of the original and the masked value.

    A change is |masked - original| / (0.5 (|original| + |masked|)), in percent. Unlike the first part of
    `InformationLoss` it is bounded. It is averaged over the columns of a record, then over records. Where both values
    are 0 the cell is left out; a record with nothing left is left out too. The parts are the columns.

    Parameters
    ----------
    columns
        Continuous columns.

    Meaning
        0: the same values. 200, the largest: every value became 0, was 0, or changed its sign. Small values count as
        much as large ones, so that noise which a large value does not feel is a great loss in columns with many zeros.
    Missing values
        A value that is missing only in the masked file is fully lost and counts 200, as one replaced by 0 does; one
        that was missing in the original is left out. A column with nothing left is 0. The figure per record is its mean
        over columns, NaN where a record has nothing left.
    Source
        Yancey, Winkler and Creecy (2002), Disclosure risk assessment in perturbative microdata protection, section 3.5,
        IL1.

    Examples
    --------
    >>> symmetric_change(np.array([10.0, 0.0, 3.0, 0.0]), np.array([30.0, 7.0, -3.0, 0.0]))
    array([ 1.,  2.,  2., nan])
    """

    symbol: ClassVar[str] = "IL1sym"
    family: ClassVar[str] = "values"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})

    columns: Columns

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the symmetric information loss in percent, with its part in each column."""
        files = side_by_side(self, original, masked)
        change = 100 * symmetric_change(files.corresponding, files.masked)
        by_record = row_means(change)
        parts = {name: mean_of_known(column) for name, column in zip(files.names, change.T, strict=True)}
        return Measurement(self.name(), self.symbol, mean_of_known(by_record), parts=parts, per_record=by_record)


def symmetric_change(original: FloatMatrix, masked: FloatMatrix) -> FloatMatrix:
    """Return |masked - original| / (0.5 (|original| + |masked|)), a suppressed value counting 2.

    It is NaN where both are 0, and where the original is missing.
    """
    size = 0.5 * (np.abs(original) + np.abs(masked))
    change = np.full(size.shape, np.nan)
    np.divide(np.abs(masked - original), size, out=change, where=size > NEGLIGIBLE)
    return np.where(np.isnan(masked) & ~np.isnan(original), LARGEST, change)
