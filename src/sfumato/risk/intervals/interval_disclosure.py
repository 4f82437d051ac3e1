"""Interval disclosure: the original value lies within a few ranks of the masked one."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from sfumato.comparison.side_by_side import side_by_side
from sfumato.contracts import Correspondence, Measurement, RankTies, RiskMeasure
from sfumato.data import Kind, Microdata
from sfumato.kernels.linkage.rank_intervals import count_intervals_holding
from sfumato.numerics.arrays import FloatColumn
from sfumato.numerics.ranking import reaches_of
from sfumato.parameters import Columns
from sfumato.risk.intervals._intervals import ONE_TO_TEN, Widths, interval_measurement


class IntervalDisclosure(RiskMeasure):
    """Count the original values that lie within a few percent of the ranks around their masked values.

    Around each masked value stands the interval from the value `width` percent of the records lower in the masked
    column to the one as many ranks higher; at least to the next rank, as a small file has no narrower interval. The
    value is the mean over columns and widths of the percent of original values inside; the parts are the columns, and
    the figure per record is the mean over its columns and the widths.

    Parameters
    ----------
    columns
        Continuous or ordinal columns (these by the number of their category).
    widths
        Ranks on either side of the masked value, in percent of the records.
    ties
        Where the interval starts when masked values are equal.
    correspondence
        The original record whose values the intruder is after: that of the masked record, or the nearest over all
        `columns`.

    Meaning
        0: no original value is near its masked one. 100: all are, even in the narrowest intervals. Values that were
        moved at random over the whole file have about twice the mean width, 11 for the default widths.
    Intruder
        Sees the masked file only, knows which masked record is the person's, and takes the values around the masked one
        as bounds of the original.
    Missing values
        A missing masked value discloses nothing; ranks are of the masked values that are there. A missing original
        value has nothing to disclose and is left out.
    Source
        Domingo-Ferrer and Torra (2001), A quantitative comparison of disclosure control methods for microdata.

    Examples
    --------
    >>> incomes, masked = np.array([10.0, 20.0, 30.0, 50.0]), np.array([30.0, 20.0, 10.0, 50.0])
    >>> share_within(incomes, masked, [25.0, 50.0], RankTies.RANGE)
    array([0.5, 1. , 0.5, 1. ])
    """

    symbol: ClassVar[str] = "ID"
    family: ClassVar[str] = "intervals"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS, Kind.ORDINAL})

    columns: Columns
    widths: Widths = ONE_TO_TEN
    ties: RankTies = RankTies.RANGE
    correspondence: Correspondence = Correspondence.TRUE_RECORD

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the percent of original values in the rank intervals around their masked values."""
        files = side_by_side(self, original, masked, self.correspondence)
        columns = zip(files.original.T, files.masked.T, strict=True)
        shares = [share_within(before[files.rows], after, self.widths, self.ties) for before, after in columns]
        return interval_measurement(self, files.names, np.vstack(shares).T)  # each column in one piece


def share_within(original: FloatColumn, masked: FloatColumn, widths: Sequence[float], ties: RankTies) -> FloatColumn:
    """Return for each record the share of its intervals, one of each width, that hold the original value.

    A width is in percent of the known masked values, one rank at least. The share is 0 where the masked value is
    missing, and NaN where the original is.
    """
    order = np.argsort(masked)[: np.count_nonzero(~np.isnan(masked))]  # NaN is sorted last
    reaches = reaches_of(widths, order.size)
    shares = np.zeros(masked.size)
    shares[order] = (
        count_intervals_holding(original[order], masked[order], reaches, ties is RankTies.MID) / reaches.size
    )
    return np.where(np.isnan(original), np.nan, shares)
