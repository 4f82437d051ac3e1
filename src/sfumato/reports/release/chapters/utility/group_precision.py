"""How precise the means of groups still are, by the size of the group: by sampling, by protection, and by both."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from sfumato.numerics.arrays import FloatColumn
from sfumato.reports.release.chapters.utility.compared_statistics import MIN_GROUP, GroupMean
from sfumato.reports.release.figure import PERCENT, Origin, ReportFigure, Side, Words, make_figure
from sfumato.reports.release.sections import Audience, FigureRow, FigureTable, Part, Prose, Subheading

TITLE = "How precise means of groups are"
SIZES = (MIN_GROUP, 50, 100, 200, 500, 1000)
"""Records from which on each class of sizes begins."""
MIN_MEANS = 10  # means of a size that everybody is told of
TWO_SIDED = 1.96  # standard errors that a mean is from 0 at least, to be told from it
MOST = 0.9  # of the means of a size move by no more than what is told
COLUMNS = {
    "means": "means",
    "sampling": "sampling error",
    "moved": "moved from the original",
    "most": "how far nine in ten moved",
    "together": "both together",
    "shown": "error that this file shows",
}
"""What the table tells of each size, and the heading of its column."""
MEANS = Words(
    "Means of groups of a size",
    "{value} means of groups of SIZE were compared.",
    "Many.",
    "Few: the figures beside it rest on them.",
    "The means of every number within every category of each variable that is the same in both files, where so many "
    "original records have the number; one that is gone, or cannot be told from 0, does not count.",
    "record",
)
SAMPLING = Words(
    "Sampling error of group means",
    "For groups of SIZE the sampling error of a mean is {value} of it.",
    "Below 5 %.",
    "Above 20 %: so few records tell little in any file.",
    "The standard error of the mean in the original, linearised where records have weights, in percent of the mean; "
    "the middle one of all means of the size.",
    "weight",
)
MOVED = Words(
    "How far group means moved",
    "For groups of SIZE the mean moved by {value} of what it was.",
    "Below the sampling error, which users expect anyway.",
    "Above it: the file misleads by more than a sample of this size.",
    "The difference of the means of both files in percent of the mean in the original; the middle one of all means of "
    "the size.",
    "information loss",
)
FARTHEST = Words(
    "How far nine in ten group means moved at most",
    "Nine in ten of the means of groups of SIZE moved by {value} of what they were, or by less.",
    "Below 10 %.",
    "Above 50 %: single groups are off by half.",
    "The smallest change that at least nine in ten of the means of the size do not exceed.",
    "information loss",
)
TOGETHER = Words(
    "Error of group means, both together",
    "For groups of SIZE the error of a mean is {value} of it, by sampling and by what moved.",
    "Below 10 %.",
    "Above 30 %: the mean says little.",
    "The root of the sum of the squares of the sampling error and of the change, in percent of the mean in the "
    "original; the middle one of all means of the size.",
    "information loss",
)
SHOWN = Words(
    "Error of group means that the file shows",
    "For groups of SIZE users compute an error of {value} of the mean from the released records.",
    "About that of both together.",
    "Far below it: tests find what is not there.",
    "The standard error of the mean in the released file, in percent of that mean; the middle one of all means of the "
    "size.",
    "information loss",
)
HOW_COUNTED = (
    "In percent of the mean, for groups by how many original records they have; of all means of a size the middle one: "
    "half are better, half worse. The sampling error is there in the original, too. The error that this file shows is "
    "what users compute from it: what moved is not in it."
)


LEFT_OUT = f" Sizes of groups with fewer than {MIN_MEANS} means are left out here."


class GroupPrecision(NamedTuple):
    """The errors of the means of groups of one size, in percent of the means."""

    low: int
    high: int | None
    means: int
    sampling: float
    moved: float
    most: float
    together: float
    shown: float
    within: int
    """Means that moved by less than their own sampling error."""

    @property
    def size(self) -> str:
        """The size in words."""
        return f"{self.low:,} records and more" if self.high is None else f"{self.low:,} to {self.high:,} records"


def measure_precision(means: Sequence[GroupMean]) -> list[GroupPrecision]:
    """Return the errors for each size that has means."""
    found = []
    for low, high in zip(SIZES, (*SIZES[1:], None), strict=True):
        some = [one for one in means if one.records >= low and (high is None or one.records < high)]
        rows = [_errors(one) for one in some if is_compared(one)]
        if not rows:
            continue
        sampling, moved, shown = np.array(rows).T
        together = np.sqrt(sampling**2 + moved**2)
        most = float(np.quantile(moved, MOST, method="inverted_cdf"))
        middle = (_middle(sampling), _middle(moved), most, _middle(together), _middle(shown))
        within = int((moved < sampling).sum())
        found.append(GroupPrecision(low, None if high is None else high - 1, len(rows), *middle, within))
    return found


def is_compared(one: GroupMean) -> bool:
    """Tell whether a mean is left and can be told from 0 in the original: in percent of 0 nothing can be said."""
    return one.mean is not None and abs(one.mean.before) > TWO_SIDED * one.error_before


def precision_parts(means: Sequence[GroupMean]) -> tuple[list[Part], list[ReportFigure]]:
    """Return the table for the house and that for everybody, and their figures; nothing without groups."""
    found = measure_precision(means)
    if not found:
        return [], []
    told = [one for one in found if one.means >= MIN_MEANS]
    left_out = sum(not is_compared(one) for one in means)
    parts: list[Part] = [Subheading(TITLE, Audience.ALL if told else Audience.HOUSE)]
    for rows, audience in ((found, Audience.HOUSE), (told, Audience.PUBLIC)):
        if rows:
            parts += [
                Prose(_in_words(rows, len(means), left_out, is_part=len(rows) < len(found)), audience=audience),
                _table(rows, audience),
                Prose(HOW_COUNTED, audience=audience),
            ]
    return parts, [figure for one in found for figure in _figures(one)]


def _errors(one: GroupMean) -> tuple[float, float, float]:
    """Return the sampling error, the change and the error that users compute, in percent."""
    if one.mean is None:
        return (np.nan,) * 3
    shown = 100 * one.error_after / abs(one.mean.after) if one.mean.after else np.nan
    return 100 * one.error_before / abs(one.mean.before), abs(one.mean.relative_change), shown


def _middle(values: FloatColumn) -> float:
    known = values[~np.isnan(values)]
    return float(np.median(known)) if known.size else 0.0


def _in_words(rows: Sequence[GroupPrecision], of_all: int, left_out: int, *, is_part: bool) -> str:
    """Return how many means moved by less than sampling explains."""
    within, means = sum(one.within for one in rows), sum(one.means for one in rows)
    others = f" Not in it: {left_out:,} that are gone, or cannot be told from 0 in the original." if left_out else ""
    return (
        f"Of {of_all:,} means of groups {means:,} are in this table, and {within:,} of these moved by less "
        f"than their sampling error, which they have in the original, too.{others}{LEFT_OUT if is_part else ''}"
    )


def _table(rows: Sequence[GroupPrecision], audience: Audience) -> FigureTable:
    places = tuple(range(len(COLUMNS)))
    lines = tuple(FigureRow(one.size, tuple(_path(one, what) for what in COLUMNS)) for one in rows)
    return FigureTable("", tuple(COLUMNS.values()), lines, audience, public_columns=places)


def _path(one: GroupPrecision, what: str) -> str:
    return f"utility/groups/{one.low}/{what}"


def _figures(one: GroupPrecision) -> Iterator[ReportFigure]:
    values = {
        "means": (MEANS, float(one.means)),
        "sampling": (SAMPLING, one.sampling),
        "moved": (MOVED, one.moved),
        "most": (FARTHEST, one.most),
        "together": (TOGETHER, one.together),
        "shown": (SHOWN, one.shown),
    }
    for what, (words, value) in values.items():
        unit = "means" if what == "means" else PERCENT
        side = Side.RELEASED if what == "shown" else Side.BOTH
        words = replace(words, sentence=words.sentence.replace("SIZE", one.size))
        figure = make_figure(_path(one, what), value, unit, words, Origin("group_means", side, (), what))
        yield replace(figure, is_rounded_up=unit == PERCENT and side is Side.BOTH)
