"""Standardised information loss: how far values have moved, in standard deviations of their column."""

from typing import ClassVar

import numpy as np

from sfumato.comparison.blocks import BlockFigures, Records, Sums, measure_in_blocks
from sfumato.comparison.side_by_side import compare_block, corresponding_rows
from sfumato.contracts import LossMeasure, Measurement
from sfumato.data import METRIC, Kind, Microdata
from sfumato.numerics.arrays import FloatColumn, FloatMatrix, Rows
from sfumato.numerics.known_means import known_sums, means_of_sums, row_means
from sfumato.parameters import Columns


class StandardisedInformationLoss(LossMeasure):
    """Average the changes of the values, each divided by sqrt(2) times the standard deviation of its original column.

    Unlike the first part of `InformationLoss` it does not blow up near 0. The parts are the columns.

    Parameters
    ----------
    columns
        Continuous or date columns; dates have moved by days.

    Meaning
        0: the same values. 100: a typical value has moved by sqrt(2) standard deviations, about as far as if it had
        been replaced by that of any other record (for normal values a random exchange gives 80). There is no upper
        bound.
    Missing values
        A value that is missing only in the masked file is fully lost and counts 100; one that was missing in the
        original is left out. In a column that was constant an unchanged value counts 0 and a changed one 100. A column
        with nothing left is 0. The figure per record is its mean over columns, NaN where a record has nothing left.
    Source
        Yancey, Winkler and Creecy (2002), Disclosure risk assessment in perturbative microdata protection.

    Examples
    --------
    >>> standardised_change(np.array([[1.0], [3.0]]), np.array([[2.0], [3.0]]), np.array([np.sqrt(2)]))
    array([[0.5], [0. ]])
    """

    symbol: ClassVar[str] = "IL1s"
    family: ClassVar[str] = "values"
    kinds: ClassVar[frozenset[Kind]] = METRIC

    columns: Columns

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the standardised information loss in percent, with its part in each column."""
        return measure_in_blocks(self, original, masked, corresponding_rows(self, original, masked))

    def look(self, original: Microdata, masked: Microdata, rows: Rows) -> BlockFigures:
        """Return the changes of a block."""
        files = compare_block(self, original, masked, rows)
        spread = np.where(original.summary.varying(files.names), original.summary.deviations(files.names), 0.0)
        change = 100 * standardised_change(files.corresponding, files.masked, spread)
        return BlockFigures({"change": known_sums(change)}, row_means(change))

    def conclude(self, original: Records, masked: Records, sums: Sums) -> Measurement:
        """Return the mean change, by column and over all."""
        by_column, value = means_of_sums(sums["change"])
        parts = dict(zip(original.schema.select(self.columns), by_column.tolist(), strict=True))
        return Measurement(self.name(), self.symbol, value, parts=parts)


def standardised_change(original: FloatMatrix, masked: FloatMatrix, spread: FloatColumn) -> FloatMatrix:
    """Return |masked - original| / (sqrt(2) spread), a suppressed value counting 1; NaN where the original is."""
    change = masked - original
    np.abs(change, out=change)
    scale = np.sqrt(2) * spread
    if (scale > 0).all():
        change /= scale
    else:
        change = np.divide(change, scale, out=np.sign(change), where=np.broadcast_to(scale > 0, change.shape))
    lost = np.isnan(masked)
    if lost.any():
        change[lost & ~np.isnan(original)] = 1.0
    return change
