"""Rank interval linkage: an intruder who knows that ranks were swapped, and how far."""

from typing import ClassVar, Self

import numpy as np

from sfumato.comparison.side_by_side import side_by_side
from sfumato.contracts import Correspondence, Knowledge, Measurement, RiskMeasure
from sfumato.data import Kind, Microdata
from sfumato.numerics.arrays import FloatColumn
from sfumato.parameters import Columns, Percent
from sfumato.risk.linkage._interval_linkage import (
    Ends,
    MaxKeys,
    link_inside_intervals,
    linkage_measurement,
    remark_on_mistakes,
    values_at,
)
from sfumato.risk.linkage.distance_linkage import LinkTies

USUAL_WINDOW = 5.0  # percent: that of `RankSwapping`, unless it states another


class RankIntervalLinkage(RiskMeasure):
    """Count the persons who are linked correctly among the records whose ranks are within the window of theirs.

    In each known column the possible records are those whose rank differs by at most `window` percent of the records
    from the rank of the person's original value. Of the records that are possible in all known columns the intruder
    takes the nearest. In scenario i the first i columns are known. The value is the mean over the scenarios of the
    percent of persons linked correctly; the parts are the scenarios, and the figure per record is the percent of
    scenarios in which its person is linked to it. The part `RSLDsure` is the percent of persons whose link
    is sure, the mean over the scenarios too: only one record is possible, so that the intruder knows that it is right.

    The rank of an original value is that of the equal values in the masked column; where several are equal, any of
    their ranks counts, for the person as for the possible records. A value that no masked record has takes the ranks of
    its neighbours on both sides.

    Parameters
    ----------
    columns
        Continuous or ordinal columns (these by the number of their category), the easiest known first.
    window
        Largest difference in rank, in percent of the masked values of the column: that of the rank swapping. When not
        given, what the recipe says, where it is known, else 5.
    max_keys
        The largest number of columns that the intruder knows; the scenarios go up to it or to the number of columns.
    ties
        What a link counts when several masked records are equally near (squared distances within 1e-9 of their size):
        its share of them, or 1 if the right record is among them.
    correspondence
        Who the right person is: the one that the masked record came from, or the nearest over all `columns`.

    Meaning
        0: no person is linked. 100: every person is, in every scenario. After another method than rank swapping, after
        swapping within strata, or with a narrower window than was used, the right record may be impossible, and a low
        figure tells nothing.
    Intruder
        Knows the exact original values of a person's keys, that ranks were swapped, and the window. Links by Euclidean
        distance after standardising by the original's means and standard deviations, inside the possible records only.
    Missing values
        Must fit, as the method leaves them where they were: a person who lacks a value cannot be a record that has it,
        unless a value of that column was filled in, and a person who has one cannot be a record that lacks it, unless
        some were suppressed. The intruder knows this from the method, and that nothing was suppressed from the count of
        missing values. Otherwise a column in which the person's value is missing is not used for that person, and a
        missing masked value leaves its record possible, but the records come first that have most of the known values,
        and of these the nearest: so suppressed values do not hide the others. A record that has neither a value nor a
        missing value that must fit in common with its person is not linked. Of columns that are constant in the
        original only the missing values are used; a scenario in which these tell nothing either links nobody.
    Source
        Nin, Herranz and Torra (2008), Rethinking rank swapping to decrease disclosure risk. Data & Knowledge
        Engineering 64; sure links as in Torra's slides "Masking methods" (2013): re-identification is achieved and
        detected.

    Examples
    --------
    >>> masked = np.array([30.0, 10.0, 50.0, 20.0, 20.0])
    >>> rank_ends(np.array([10.0, 20.0, 40.0]), masked, 20.0)  # one rank up and down
    (array([10., 10., 20.]), array([20., 30., 50.]))
    """

    symbol: ClassVar[str] = "RSLD"
    part_symbols: ClassVar[tuple[str, ...]] = ("RSLDsure",)
    family: ClassVar[str] = "linkage"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS, Kind.ORDINAL})

    columns: Columns
    window: Percent | None = None
    max_keys: MaxKeys = 7
    ties: LinkTies = LinkTies.SHARED
    correspondence: Correspondence = Correspondence.TRUE_RECORD

    def informed_by(self, knowledge: Knowledge) -> Self:
        """Return the measure with the window of the columns, unless it states one."""
        return self.replace(window=knowledge.about(self.columns).rank_window if self.window is None else self.window)

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the percent of persons linked correctly, by number of keys known."""
        window = USUAL_WINDOW if self.window is None else self.window
        files = side_by_side(self, original, masked, self.correspondence)
        found = link_inside_intervals(
            files.original,
            files.masked,
            files.rows,
            lambda known, column: rank_ends(known, column, window),
            self.max_keys,
            self.ties,
        )
        is_true = self.correspondence is Correspondence.TRUE_RECORD
        return linkage_measurement(self, found, remark_on_mistakes(found) if is_true else "")


def rank_ends(known: FloatColumn, masked: FloatColumn, window: float) -> Ends:
    """Return the lowest and highest masked value at most `window` percent of the ranks from each known original value.

    Both are NaN where the original value is missing; some masked value must be there.
    """
    by_rank = np.sort(masked[~np.isnan(masked)])
    reach = int(window * by_rank.size / 100 + 1e-9)  # so that 7 % of 100 records are 7 in floating point too
    first, behind = (np.searchsorted(by_rank, known, side=side) for side in ("left", "right"))
    absent = first == behind  # then the neighbours are those before `first` and at `behind`
    return (
        values_at(first - absent - reach, by_rank, known),
        values_at(behind - 1 + absent + reach, by_rank, known),
    )
