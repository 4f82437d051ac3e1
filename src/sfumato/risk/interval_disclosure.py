"""Interval disclosure: the original value lies within a few ranks of the masked one."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import ClassVar

import numpy as np

from sfumato.comparison import side_by_side
from sfumato.contracts import Correspondence, Measurement, RiskMeasure
from sfumato.data import Kind, Microdata
from sfumato.parameters import Columns, FloatColumn
from sfumato.risk.intervals import ONE_TO_TEN, Interval, Widths, interval_measurement, share_inside


class Ties(StrEnum):
    """Where the interval around a value starts when several masked records have that value."""

    RANGE = "range"
    """At their lowest and their highest rank."""
    MID = "mid"
    """At the middle of their ranks."""


class IntervalDisclosure(RiskMeasure):
    """Count the original values that lie within a few percent of the ranks around their masked values.

    Around each masked value stands the interval from the value `width` percent of the records lower in the masked
    column to the one as many ranks higher. The value is the mean over columns and widths of the percent of original
    values inside; the parts are the columns, and the figure per record is the mean over its columns and the widths.

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
    >>> masked = np.array([10.0, 20.0, 30.0, 40.0])
    >>> [low, high], = rank_intervals(masked, [25.0], Ties.RANGE)
    >>> low, high
    (array([10., 10., 20., 30.]), array([20., 30., 40., 40.]))
    """

    symbol: ClassVar[str] = "ID"
    family: ClassVar[str] = "interval disclosure"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS, Kind.ORDINAL})

    columns: Columns
    widths: Widths = ONE_TO_TEN
    ties: Ties = Ties.RANGE
    correspondence: Correspondence = Correspondence.TRUE_RECORD

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the percent of original values in the rank intervals around their masked values."""
        files = side_by_side(self, original, masked, self.correspondence)
        columns = zip(files.corresponding.T, files.masked.T, strict=True)
        shares = [share_inside(before, rank_intervals(after, self.widths, self.ties)) for before, after in columns]
        return interval_measurement(self, files.names, np.column_stack(shares))


def rank_intervals(masked: FloatColumn, widths: Sequence[float], ties: Ties) -> Iterator[Interval]:
    """Yield for each width the lowest and highest value at most so many percent of the ranks from each masked value.

    The ends of an interval are masked values; those of a missing value are NaN.
    """
    by_rank = np.sort(masked[~np.isnan(masked)])
    there = np.flatnonzero(~np.isnan(masked))
    lowest = np.searchsorted(by_rank, masked[there], side="left")
    highest = np.searchsorted(by_rank, masked[there], side="right") - 1
    middle = (lowest + highest) / 2
    for width in widths:
        reach = width * by_rank.size / 100 + 1e-9  # so that 7 % of 100 records are 7 in floating point too
        if ties is Ties.RANGE:
            first, last = lowest - int(reach), highest + int(reach)
        else:
            first, last = np.ceil(middle - reach).astype(np.int64), np.floor(middle + reach).astype(np.int64)
        low, high = np.full(masked.size, np.nan), np.full(masked.size, np.nan)
        low[there] = np.minimum(by_rank[np.maximum(first, 0)], masked[there])
        high[there] = np.maximum(by_rank[np.minimum(last, by_rank.size - 1)], masked[there])
        yield low, high
