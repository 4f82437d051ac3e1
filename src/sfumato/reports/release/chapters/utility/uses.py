"""What users can still do with a release, analysis by analysis, in words that both editions may have."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from sfumato.comparison.recoding import has_same_classes
from sfumato.data import Microdata, role
from sfumato.display import format_compact, format_count
from sfumato.numerics.arrays import FloatMatrix
from sfumato.reports.release.chapters.utility.amounts import amounts_of
from sfumato.reports.release.chapters.utility.category_shares import category_changes, content_of_both, halved_in_words
from sfumato.reports.release.chapters.utility.compared_regression import ComparedCoefficient, ComparedRegression
from sfumato.reports.release.chapters.utility.compared_statistics import (
    MIN_GROUP,
    ComparedMean,
    ComparedTable,
    GroupMean,
)
from sfumato.reports.release.chapters.utility.further_uses import (
    about_households,
    about_records,
    about_sums,
    about_weights,
)
from sfumato.reports.release.chapters.utility.judged_means import (
    AS_BEFORE,
    CLOSE,
    CLOSE_AMOUNT,
    FAR,
    FAR_AMOUNT,
    NOT_RELIABLE,
    WITH_CARE,
    severity,
)
from sfumato.reports.release.chapters.utility.kept_structure import (
    different_rows,
    spread_changes,
    spread_moved,
)
from sfumato.reports.release.chapters.utility.means_and_totals import NO_TOTALS
from sfumato.reports.release.chapters.utility.regression_part import regression_in_words
from sfumato.reports.release.measured_release import MeasuredRelease
from sfumato.reports.release.sections import Audience, WordTable

TITLE = "What users can still do"
SHARES = "Shares of categories"
NOT_RELEASED = "Not possible: not released"
CLOSE_CORRELATION, FAR_CORRELATION = 0.05, 0.2
CLOSE_OVERLAP, FAR_OVERLAP = 80.0, 0.0  # percent that confidence intervals have in common
SEPARATOR = "\u00a0/ "  # between the variables of a pair
OUTSIDE = 101.0  # percent: more than intervals can differ that meet
MAX_REPEATED = 2  # times that a row may occur on average before errors are called far too small
MAX_NAMED = 8
MAX_CLOSE = 4  # names of what hardly moved: more are counted
THRESHOLDS = (
    f"About as with the original: of all records less than {format_compact(CLOSE)} % count in another category, or in "
    f"another cell of a table; means and totals moved by less than {format_compact(CLOSE_AMOUNT)} % of themselves; "
    f"means, standard deviations and quantiles by less than {format_compact(CLOSE)} % of the spread; the share of "
    f"zeros by less than {format_compact(CLOSE)} % of the records; correlations by less than "
    f"{format_compact(CLOSE_CORRELATION)}; and confidence intervals have more than "
    f"{format_compact(CLOSE_OVERLAP)} % in common. Not reliable: more than {format_compact(FAR)} %, means "
    f"and totals {format_compact(FAR_AMOUNT)} % of themselves, correlations "
    f"{format_compact(FAR_CORRELATION)}, or intervals that do not meet, or an effect outside its original interval; "
    f"also where a single category, or those with an amount other than 0, lost or gained more than half of their own "
    f"share, though they may be few of all records. With care: between."
)


class Change(NamedTuple):
    """What is compared, by name, and how far it moved."""

    name: str
    size: float


def uses_table(
    measured: MeasuredRelease,
    means: Sequence[ComparedMean],
    groups: Sequence[GroupMean],
    tables: Sequence[ComparedTable],
    names: tuple[str, ...],
    change: FloatMatrix | None,
    fit: ComparedRegression | None,
) -> tuple[WordTable, WordTable]:
    """Return the table for the house and for everybody: an analysis a row, and for which variables it gives as much.

    Everybody is not told which variables are kept back.

    Parameters
    ----------
    measured
        What was measured.
    means, groups, tables, fit
        The statistics of both files.
    names, change
        The numbers that are correlated, and how far each correlation moved.
    """
    original, released = measured.original, measured.released
    amounts = amounts_of(original, released, tuple(one.name for one in means))
    totals = [Change(one.name, abs(one.total_change)) for one in means if one.name in amounts]
    spread = [Change(*one) for one in spread_changes(original, released, means).items()]
    moved = [Change(SEPARATOR.join(one.names), one.moved) for one in tables]
    rows = [
        (SHARES, _about_shares(original, released, for_all=False)),
        ("Means of the whole file", _judge([Change(one.name, severity(one)) for one in means], 1, 2)),
        ("Means within categories", _about_groups(groups)),
        ("Totals of amounts", _judge(totals, CLOSE_AMOUNT, FAR_AMOUNT)),
        ("Spread, quantiles, zeros", _judge(spread, CLOSE, FAR)),
        ("Standard errors", _about_errors(measured, means)),
        ("Tables of two variables", _judge(moved, CLOSE, FAR)),
        ("Relations between two numbers", _judge(_pairs(names, change), CLOSE_CORRELATION, FAR_CORRELATION)),
        ("Sums between variables", about_sums(measured)),
    ]
    if measured.is_synthetic:
        rows = [(name, NO_TOTALS if name == "Totals of amounts" and means else text) for name, text in rows]
    if fit is not None:
        moved_apart = [_fitted(one) for one in fit.coefficients]
        judged = _judge(moved_apart, 100 - CLOSE_OVERLAP, 100 - FAR_OVERLAP)
        lost = regression_in_words(fit, released.n)
        rows.append((f"Regressions such as {fit.formula}", f"{judged}. {lost.rstrip('.')}"))
    rows.append(("In other classes than before", _list(recoded_variables(original, released))))
    rows.append((NOT_RELEASED, _list(_left_out(original, released))))
    rows += [("Estimates for the population", about_weights(measured))]
    rows += [("Households", about_households(original, released))] if original.select(role("household")) else []
    rows.append(("Single records", about_records(measured)))
    shown = tuple(row for row in rows if row[1])
    told = {SHARES: _about_shares(original, released, for_all=True)}
    for_all = tuple((name, told.get(name, text)) for name, text in shown if name != NOT_RELEASED)
    headings = ("analysis", "gives")
    return WordTable(TITLE, headings, shown), WordTable(TITLE, headings, for_all, Audience.PUBLIC)


def _about_shares(original: Microdata, released: Microdata, *, for_all: bool) -> str:
    """Return how far shares moved; a variable is not reliable where one of its categories lost or gained half."""
    changes = category_changes(original, released)
    told = _judge([Change(one.name, max(one.size, 2 * FAR if one.halved else 0.0)) for one in changes], CLOSE, FAR)
    halved = halved_in_words(changes, for_all=for_all)
    return f"{told}.{halved}" if halved else told


def _about_groups(means: Sequence[GroupMean]) -> str:
    """Return how far means within categories moved: of each number and variable the worst, and how many of all."""
    sizes: dict[str, float] = {}
    moved = [FAR if one.mean is None else severity(one.mean) for one in means]
    for one, size in zip(means, moved, strict=True):
        name = f"{one.number}{SEPARATOR}{one.by}"
        sizes[name] = max(size, sizes.get(name, 0.0))
    if not means:
        return ""
    far = count_unreliable(means)
    told = _judge([Change(*pair) for pair in sizes.items()], 1, 2, between=".\n")
    return f"{told}.\nOf {count_group_means(means)} {far:,} are not reliable"


def count_group_means(means: Sequence[GroupMean]) -> str:
    """Return how many means within categories there are, and of how many numbers and variables they are.

    Examples
    --------
    >>> count_group_means([GroupMean("pay", "sex", None, 30, 1.0, 1.0), GroupMean("pay", "sex", None, 25, 1.0, 1.0)])
    '2 means (1 number within the categories of 1 variable; at least 20 persons in each have the number)'
    """
    numbers, variables = len({one.number for one in means}), len({one.by for one in means})
    return (
        f"{format_count(len(means), 'mean')} ({format_count(numbers, 'number')} within the categories of "
        f"{format_count(variables, 'variable')}; at least {MIN_GROUP} persons in each have the number)"
    )


def count_unreliable(means: Sequence[GroupMean]) -> int:
    """Return how many means within categories moved too far, or are gone."""
    return sum(one.mean is None or severity(one.mean) > 2 for one in means)


def _pairs(names: tuple[str, ...], change: FloatMatrix | None) -> list[Change]:
    if change is None:
        return []
    return [
        Change(f"{names[one]}{SEPARATOR}{names[other]}", float(change[one, other]))
        for one in range(len(names))
        for other in range(one)
        if change[one, other] == change[one, other]
    ]


def _fitted(one: ComparedCoefficient) -> Change:
    """Return how little the intervals of a coefficient have in common; one whose sign turned is never as before.

    One that lies outside the interval from the original is not reliable, however wide its own interval is.
    A sign is one only where the effect can be told from 0 in either file.
    """
    turned = one.before * one.after < 0 and (one.is_clear_before or one.is_clear_after)
    least = OUTSIDE if one.is_outside else 100 - CLOSE_OVERLAP if turned else -np.inf
    return Change(f"{one.name} (sign turned)" if turned else one.name, max(100 - one.overlap, least))


def _judge(changes: Sequence[Change], close: float, far: float, between: str = "; ") -> str:
    """Return which of the things compared moved hardly, some, or too far."""
    if not changes:
        return ""
    ordered = sorted(changes, key=lambda one: -one.size)
    groups = {
        NOT_RELIABLE: [one.name for one in ordered if one.size > far],
        WITH_CARE: [one.name for one in ordered if close <= one.size <= far],
        AS_BEFORE: [one.name for one in ordered if one.size < close],
    }
    if len(filled := [judged for judged, some in groups.items() if some]) == 1:
        return f"{filled[0]}, all {len(changes):,}" if len(changes) > 1 else filled[0]
    if len(same := groups[AS_BEFORE]) > MAX_CLOSE:
        groups[AS_BEFORE] = [f"the other {len(same):,}"]
    return between.join(f"{judged}: {_list(some)}" for judged, some in groups.items() if some)


def _list(names: Iterable[str]) -> str:
    listed = [*names]
    if any(SEPARATOR in name for name in listed):
        return _list_pairs(listed)
    more = f" and {len(listed) - MAX_NAMED} more" if len(listed) > MAX_NAMED else ""
    return f"{', '.join(listed[:MAX_NAMED])}{more}"


def _list_pairs(pairs: Sequence[str]) -> str:
    """Return pairs of variables, all of them, those of one variable together.

    Examples
    --------
    >>> _list_pairs([f"tax{SEPARATOR}age", f"tax{SEPARATOR}pay", f"age{SEPARATOR}rent"])
    'tax with age, pay; age with rent'
    """
    left = [tuple(pair.split(SEPARATOR)) for pair in pairs]
    groups = []
    while left:
        names = [name for pair in left for name in pair]
        first = max(dict.fromkeys(names), key=names.count)
        others = [pair[1] if pair[0] == first else pair[0] for pair in left if first in pair]
        groups.append(f"{first} with {', '.join(others)}")
        left = [pair for pair in left if first not in pair]
    return "; ".join(groups)


def recoded_variables(original: Microdata, released: Microdata) -> list[str]:
    """Return the variables that both files have in other classes, so that their tables cannot be compared."""
    return [name for name in content_of_both(original, released) if not has_same_classes(original, released, name)]


def _left_out(original: Microdata, released: Microdata) -> list[str]:
    return [one.name for one in original.schema.variables if one.name not in released.schema]


def _about_errors(measured: MeasuredRelease, means: Sequence[ComparedMean]) -> str:
    """Return whether errors that users compute from the released records are right."""
    original, released = measured.original, measured.released
    if measured.is_synthetic:
        more = "more" if released.n > original.n else "no more"
        return (
            f"too small if computed as of real records: models add errors, and there are {more} records than originals"
        )
    rows = different_rows(released)
    if MAX_REPEATED * rows < released.n and rows < different_rows(original):
        return (
            f"far too small if all {released.n:,} rows count: only {rows:,} differ, as rows were made equal in groups; "
            f"tests and intervals from this file mislead"
        )
    spreads = [Change(one.name, spread_moved(one)) for one in means]
    return f"{_judge(spreads, CLOSE, FAR)}, as the spread (standard deviation) moved" if spreads else AS_BEFORE
