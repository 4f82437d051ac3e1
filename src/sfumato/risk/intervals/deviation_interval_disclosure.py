"""Deviation interval disclosure: the original value lies within a part of a standard deviation of the masked one."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np

from sfumato.comparison.blocks import BlockFigures, Records, Sums, measure_in_blocks
from sfumato.comparison.side_by_side import compare_block, corresponding_rows
from sfumato.contracts import Correspondence, Measurement, RiskMeasure
from sfumato.data import Kind, Microdata
from sfumato.numerics.arrays import FloatColumn, Rows
from sfumato.numerics.known_means import known_sums, means_of_sums, row_means
from sfumato.parameters import Columns
from sfumato.risk.intervals._intervals import ONE_TO_TEN, Interval, Widths, share_inside


class DeviationIntervalDisclosure(RiskMeasure):
    """Count the original values that lie within a few percent of a standard deviation of their masked values.

    The value is the mean over columns and widths of the percent of original values inside the intervals; the parts are
    the columns, and the figure per record is the mean over its columns and the widths. It complements
    `IntervalDisclosure` where there are outliers: a few ranks can be a long way there, and a small part of a deviation
    few ranks elsewhere.

    Parameters
    ----------
    columns
        Continuous columns.
    widths
        Distances on either side of the masked value, in percent of the standard deviation of the original column.
    correspondence
        The original record whose values the intruder is after: that of the masked record, or the nearest over all
        `columns`.

    Meaning
        0: no original value is near its masked one. 100: all are, even in the narrowest intervals.
    Intruder
        Sees the masked file only, knows which masked record is the person's, and takes the masked value for the
        original give or take so much.
    Missing values
        A missing masked value discloses nothing; a missing original value has nothing to disclose and is left out. In a
        column that was constant only an unchanged value is inside.
    Source
        Mateo-Sanz, Sebé and Domingo-Ferrer (2004), Outlier protection in continuous microdata masking.

    Examples
    --------
    >>> [low, high], = deviation_intervals(np.array([10.0, 20.0]), 5.0, [10.0])
    >>> low, high
    (array([ 9.5, 19.5]), array([10.5, 20.5]))
    """

    symbol: ClassVar[str] = "SDID"
    family: ClassVar[str] = "intervals"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})

    columns: Columns
    widths: Widths = ONE_TO_TEN
    correspondence: Correspondence = Correspondence.TRUE_RECORD

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the percent of original values in the intervals around their masked values."""
        rows = corresponding_rows(self, original, masked, self.correspondence)
        return measure_in_blocks(self, original, masked, rows)

    def look(self, original: Microdata, masked: Microdata, rows: Rows) -> BlockFigures:
        """Return the shares of a block."""
        files = compare_block(self, original, masked, rows)
        spreads = np.where(original.summary.varying(files.names), original.summary.deviations(files.names), 0.0)
        columns = zip(files.corresponding.T, files.masked.T, spreads, strict=True)
        shares = [
            share_inside(before, deviation_intervals(after, float(spread), self.widths))
            for before, after, spread in columns
        ]
        percent = 100 * np.column_stack(shares)
        return BlockFigures({"percent": known_sums(percent)}, np.nan_to_num(row_means(percent)))

    def conclude(self, original: Records, masked: Records, sums: Sums) -> Measurement:
        """Return the mean over columns."""
        by_column, _ = means_of_sums(sums["percent"])
        parts = dict(zip(original.schema.select(self.columns), by_column.tolist(), strict=True))
        return Measurement(self.name(), self.symbol, float(by_column.mean()), parts=parts)


def deviation_intervals(masked: FloatColumn, deviation: float, widths: Sequence[float]) -> Iterator[Interval]:
    """Yield for each width the values so many percent of a deviation below and above each masked value."""
    for width in widths:
        reach = width * deviation / 100
        yield masked - reach, masked + reach
