"""Individual ranking linkage: an intruder who knows that each column was averaged over runs of its sorted values."""

from typing import ClassVar

import numpy as np

from sfumato.comparison.side_by_side import side_by_side
from sfumato.contracts import Measurement, RiskMeasure
from sfumato.data import Kind, Microdata
from sfumato.numerics.arrays import FloatColumn
from sfumato.parameters import Columns
from sfumato.risk.linkage._interval_linkage import (
    Ends,
    MaxKeys,
    link_inside_intervals,
    linkage_measurement,
    remark_on_mistakes,
    values_at,
)
from sfumato.risk.linkage.distance_linkage import LinkTies


class IndividualRankingLinkage(RiskMeasure):
    """Count the persons who are linked correctly among the records in the groups where their values must have gone.

    Means of runs of sorted values keep the order of a column: who has the r-th smallest value has the r-th smallest
    masked value, and a value lies between the next group means below and above it. In each known column the possible
    records are those whose group agrees with both. Of the records that are possible in all known columns the intruder
    takes the nearest. In scenario i the first i columns are known. The value is the mean over the scenarios of the
    percent of persons linked correctly; the parts are the scenarios, and the figure per record is the percent of
    scenarios in which its person is linked to it. The part `IRLDsure` is the percent of persons whose link
    is sure, the mean over the scenarios too: only one record is possible, so that the intruder knows that it is right.

    Parameters
    ----------
    columns
        Continuous columns, the easiest known first.
    max_keys
        The largest number of columns that the intruder knows; the scenarios go up to it or to the number of columns.
    ties
        What a link counts when several masked records are equally near (squared distances within 1e-9 of their size):
        its share of them, or 1 if the right record is among them.

    Meaning
        0: no person is linked. 100: every person is, in every scenario. A person who shares all known groups with
        k - 1 others counts one k-th of a link. After a method that does not keep the order of each column, or does so
        only within strata, the right record may be impossible, and a low figure tells nothing.
    Intruder
        Knows the exact original values of the keys of every person in the masked file, and the method, but not the size
        of its groups: groups are the records with equal masked values. Links by Euclidean distance after standardising
        by the original's means and standard deviations, inside the possible records only.
    Missing values
        Must fit, as the method leaves them where they were: a person who lacks a value cannot be a record that has it,
        unless a value of that column was filled in, and a person who has one cannot be a record that lacks it, unless
        some were suppressed. The intruder knows this from the method, and that nothing was suppressed from the count of
        missing values. Otherwise a column in which the person's value is missing is not used for that person, and a
        missing masked value leaves its record possible, but the records come first that have most of the known values,
        and of these the nearest: so suppressed values do not hide the others. Where a column has more values in one
        file than in the other, all ranks count that the difference allows. A record that has neither a value nor a
        missing value that must fit in common with its person is not linked. Of columns that are constant in the
        original only the missing values are used; a scenario in which these tell nothing either links nobody.
    Source
        Winkler (2002), Single-ranking micro-aggregation and re-identification; the ranks from Nin and Torra (2009),
        Analysis of the univariate microaggregation disclosure risk. New Generation Computing 27.

    Examples
    --------
    >>> original = np.array([1.0, 2.0, 4.0, 8.0, 9.0])
    >>> masked = np.array([1.5, 1.5, 7.0, 7.0, 7.0])
    >>> group_ends(original, masked)
    (array([1.5, 1.5, 7. , 7. , 7. ]), array([1.5, 1.5, 7. , 7. , 7. ]))
    """

    symbol: ClassVar[str] = "IRLD"
    part_symbols: ClassVar[tuple[str, ...]] = ("IRLDsure",)
    family: ClassVar[str] = "linkage"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})

    columns: Columns
    max_keys: MaxKeys = 7
    ties: LinkTies = LinkTies.SHARED

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the percent of persons linked correctly, by number of keys known."""
        files = side_by_side(self, original, masked)
        found = link_inside_intervals(files.original, files.masked, files.rows, group_ends, self.max_keys, self.ties)
        return linkage_measurement(self, found, remark_on_mistakes(found))


def group_ends(known: FloatColumn, masked: FloatColumn) -> Ends:
    """Return the lowest and highest masked value that fits the rank and the size of each known original value.

    Both are NaN where the original value is missing; some masked value must be there.
    """
    by_rank, by_size = same_rank_ends(known, masked), neighbouring_ends(known, masked)
    return np.maximum(by_rank[0], by_size[0]), np.minimum(by_rank[1], by_size[1])


def same_rank_ends(known: FloatColumn, masked: FloatColumn) -> Ends:
    """Return the masked values at the lowest and highest rank that each known value may have in the masked column.

    Examples
    --------
    >>> same_rank_ends(np.array([1.0, 2.0, 4.0, 4.0, 9.0]), np.array([1.5, 1.5, 5.0, 6.0, 6.0]))
    (array([1.5, 1.5, 5. , 5. , 6. ]), array([1.5, 1.5, 6. , 6. , 6. ]))
    """
    before, after = (np.sort(column[~np.isnan(column)]) for column in (known, masked))
    more = after.size - before.size
    lowest = np.searchsorted(before, known, side="left") + min(more, 0)
    highest = np.searchsorted(before, known, side="right") - 1 + max(more, 0)
    return values_at(lowest, after, known), values_at(highest, after, known)


def neighbouring_ends(known: FloatColumn, masked: FloatColumn) -> Ends:
    """Return the next masked values below and above each known value; beyond the outermost there is only that.

    Examples
    --------
    >>> neighbouring_ends(np.array([1.0, 2.0, 5.0, 9.0]), np.array([1.5, 1.5, 5.0, 6.0]))
    (array([1.5, 1.5, 1.5, 6. ]), array([1.5, 5. , 6. , 6. ]))
    """
    groups = np.unique(masked[~np.isnan(masked)])
    below, above = np.searchsorted(groups, known, side="left") - 1, np.searchsorted(groups, known, side="right")
    return values_at(below, groups, known), values_at(above, groups, known)
