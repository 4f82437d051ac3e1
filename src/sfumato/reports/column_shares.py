"""A column of an original and of a synthetic file as shares of records, for a picture that singles nobody out."""

from dataclasses import dataclass

import numpy as np

from sfumato.data import Microdata
from sfumato.numerics.arrays import FloatColumn, Rows
from sfumato.reports.column_classes import MIN_RECORDS, OTHER, ColumnClasses, classify

AND_FEW = "and few others"


@dataclass(frozen=True, eq=False)
class ColumnShares:
    """The shares of both files in the classes of a column.

    Parameters
    ----------
    name
        The column, or the group of records.
    labels
        What the bars stand for: categories. Of a number what has no bar: numbers that many have, ways to be missing.
    edges
        The edges of the classes of a number, which come before the labels; none for categories.
    original, synthetic
        The percent of the records of each file in each class; NaN where a category is counted under others, and of the
        original for a number that none or few of it have.
    is_date
        Whether the edges are days, counted as `sfumato.data.dates` does.
    """

    name: str
    labels: tuple[str, ...]
    edges: FloatColumn
    original: FloatColumn
    synthetic: FloatColumn
    is_date: bool = False


def column_shares(original: Microdata, synthetic: Microdata, name: str) -> ColumnShares:
    """Return the shares of a column; classes with fewer than ten original records are joined with others."""
    classes = classify(original, synthetic, name)
    return group_shares(classes, np.arange(original.n), np.arange(synthetic.n), name)


def group_shares(classes: ColumnClasses, original: Rows, synthetic: Rows, name: str) -> ColumnShares:
    """Return the shares of some records of both files, a group of this name, in classes made for all records.

    Classes with fewer than ten original records of the group are joined with others.
    """
    size = classes.bins + len(classes.labels)
    before, after = (
        np.bincount(codes[rows], minlength=size).astype(np.float64)
        for codes, rows in ((classes.original, original), (classes.synthetic, synthetic))
    )
    join = _join_numbers if classes.bins else _join_categories
    labels, edges, before, after = join(classes, before, after)
    sides = [
        _shares_without_few(before, original.size, classes.untold),
        _shares_without_few(after, synthetic.size, classes.untold, least=MIN_RECORDS),
    ]
    shown = [place for place in range(before.size) if place not in classes.untold or not np.isnan(sides[1][place])]
    if len(shown) < before.size:
        labels = tuple(labels[place] for place in shown)
    return ColumnShares(name, labels, edges, sides[0][shown], sides[1][shown], classes.is_date)


def _shares_without_few(
    counts: FloatColumn, records: int, untold: tuple[int, ...], least: float = np.inf
) -> FloatColumn:
    """Return shares in percent without those of classes of few records; of the others only, so that none is told."""
    hidden = [place for place in untold if counts[place] < least]
    shares = 100 * counts / max(records - float(counts[hidden].sum()), 1.0)
    shares[hidden] = np.nan
    return shares


Joined = tuple[tuple[str, ...], FloatColumn, FloatColumn, FloatColumn]
"""Labels, edges, and the counts of both files."""


def _join_categories(classes: ColumnClasses, before: FloatColumn, after: FloatColumn) -> Joined:
    """Return the counts with those of few records under others, NaN in their place."""
    other = next((place for place, label in enumerate(classes.labels) if label.startswith(OTHER)), -1)
    rising = [place for place in np.argsort(before, kind="stable").tolist() if place != other]
    joined = [place for place in rising if before[place] < MIN_RECORDS]
    if other < 0 or not before[joined].sum():
        return classes.labels, classes.edges, before, after
    while len(joined) < len(rising) and before[[other, *joined]].sum() < MIN_RECORDS:
        joined.append(rising[len(joined)])  # the rarest joins those that are too few by themselves
    for column in (before, after):
        column[other] += column[joined].sum()
        column[joined] = np.nan
    return classes.labels, classes.edges, before, after


def _join_numbers(classes: ColumnClasses, before: FloatColumn, after: FloatColumn) -> Joined:
    """Return the counts with neighbouring bins of few records joined; what has no bin and few records is left out."""
    bins, labels, kept = classes.bins, list(classes.labels), []
    for place, own_bin in enumerate(classes.within, bins):
        if own_bin >= 0 and before[place] < MIN_RECORDS:  # many have that number, but few of this group
            for column in (before, after):
                column[own_bin] += column[place]
        elif before[place] >= MIN_RECORDS or (before[place] == 0 and after[place] > 0):
            kept.append(place)
    if 0 < before[:bins].sum() < MIN_RECORDS:
        apart = [place for place in kept if classes.within[place - bins] >= 0]
        for column in (before, after):
            column[apart[:1]] += column[:bins].sum()
            column[:bins] = 0
        labels = [f"{label} {AND_FEW}" if place in apart[:1] else label for place, label in enumerate(labels, bins)]
    starts = _joined_starts(before[:bins])
    edges = np.append(classes.edges[starts], classes.edges[-1])
    before[list(classes.made)] = np.nan  # none or few have them: which of both is not told
    before, after = (
        np.concatenate([np.add.reduceat(column[:bins], starts), column[kept]]) for column in (before, after)
    )
    return tuple(labels[place - bins] for place in kept), edges, before, after


def _joined_starts(counts: FloatColumn) -> Rows:
    """Return where bins begin when each is joined with the next until it holds enough records.

    Examples
    --------
    >>> _joined_starts(np.array([30.0, 4, 5, 12, 4, 3]))
    array([0, 1])
    """
    starts, held = [0], 0.0
    for place, count in enumerate(counts.tolist(), 1):
        held += count
        if held >= MIN_RECORDS:
            starts.append(place)
            held = 0.0
    return np.array(starts[:-1] or [0])  # what is left at the end joins the last
