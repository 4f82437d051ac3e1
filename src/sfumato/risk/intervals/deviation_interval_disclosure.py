"""Deviation interval disclosure: the original value lies within a part of a standard deviation of the masked one."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np

from sfumato.comparison.side_by_side import side_by_side
from sfumato.contracts import Correspondence, Measurement, RiskMeasure
from sfumato.data import Kind, Microdata
from sfumato.numerics.arrays import FloatColumn
from sfumato.numerics.standardisation import standard_deviations
from sfumato.parameters import Columns
from sfumato.risk.intervals._intervals import ONE_TO_TEN, Interval, Widths, interval_measurement, share_inside


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
        files = side_by_side(self, original, masked, self.correspondence)
        columns = zip(files.corresponding.T, files.masked.T, standard_deviations(files.original), strict=True)
        shares = [
            share_inside(before, deviation_intervals(after, float(spread), self.widths))
            for before, after, spread in columns
        ]
        return interval_measurement(self, files.names, np.column_stack(shares))


def deviation_intervals(masked: FloatColumn, deviation: float, widths: Sequence[float]) -> Iterator[Interval]:
    """Yield for each width the values so many percent of a deviation below and above each masked value."""
    for width in widths:
        reach = width * deviation / 100
        yield masked - reach, masked + reach
