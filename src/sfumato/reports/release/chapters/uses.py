"""What users can still do with a release, analysis by analysis, in words that both editions may have."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from sfumato.comparison.side_by_side import common_codes
from sfumato.data import CATEGORICAL, Kind, Microdata, role
from sfumato.data.kinds import CONTENT_ROLES
from sfumato.display import format_compact
from sfumato.numerics.arrays import FloatMatrix
from sfumato.reports.release.chapters.compared_statistics import (
    ComparedMean,
    ComparedRegression,
    ComparedTable,
    has_same_classes,
    weights_of_both,
)
from sfumato.reports.release.measured_release import MeasuredRelease
from sfumato.reports.release.sections import Audience, WordTable

TITLE = "What users can still do"
NOT_RELEASED = "Not possible: not released"
CLOSE, FAR = 5.0, 20.0  # percent that a share, a mean or a table may move: hardly, and too far
CLOSE_TOTAL, FAR_TOTAL = 1.0, 5.0  # percent of the total
CLOSE_CORRELATION, FAR_CORRELATION = 0.05, 0.2
CLOSE_OVERLAP, FAR_OVERLAP = 80.0, 0.0  # percent that confidence intervals have in common
MAX_NAMED = 8
MAX_CLOSE = 4  # names of what hardly moved: more are counted
THRESHOLDS = (
    f"About as with the original: shares, tables and means moved by less than {format_compact(CLOSE)} % (means: of "
    f"their spread), totals by less than {format_compact(CLOSE_TOTAL)} %, correlations by less than "
    f"{format_compact(CLOSE_CORRELATION)}, and confidence intervals have more than {format_compact(CLOSE_OVERLAP)} % "
    f"in common. Not reliable: more than {format_compact(FAR)} %, totals {format_compact(FAR_TOTAL)} %, correlations "
    f"{format_compact(FAR_CORRELATION)}, or intervals that do not meet. With care: between."
)
AS_BEFORE, WITH_CARE, NOT_RELIABLE = "about as with the original", "with care", "not reliable"


class Change(NamedTuple):
    """What is compared, by name, and how far it moved."""

    name: str
    size: float


def uses_table(
    measured: MeasuredRelease,
    means: Sequence[ComparedMean],
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
    means, tables, fit
        The statistics of both files.
    names, change
        The numbers that are correlated, and how far each correlation moved.
    """
    original, released = measured.original, measured.released
    totals = [Change(one.name, abs(one.total_change)) for one in means]
    rows = [
        ("Shares of categories", _judge(category_changes(original, released), CLOSE, FAR)),
        ("Means", _judge([Change(one.name, abs(one.change)) for one in means], CLOSE, FAR)),
        ("Totals", "" if measured.is_synthetic else _judge(totals, CLOSE_TOTAL, FAR_TOTAL)),
        ("Tables of two variables", _judge([Change(" by ".join(one.names), one.moved) for one in tables], CLOSE, FAR)),
        ("Relations between two numbers", _judge(_pairs(names, change), CLOSE_CORRELATION, FAR_CORRELATION)),
    ]
    if fit is not None:
        lost = [Change(one.name, 100 - one.overlap) for one in fit.coefficients]
        rows.append((f"Regressions such as {fit.formula}", _judge(lost, 100 - CLOSE_OVERLAP, 100 - FAR_OVERLAP)))
    rows.append(("In other classes than before", _list(_recoded(original, released))))
    rows.append((NOT_RELEASED, _list(_left_out(original, released))))
    rows += [("Estimates for the population", _about_weights(original, released))]
    rows += [("Households", _about_households(original, released))] if original.select(role("household")) else []
    rows.append(("Single records", _about_records(measured)))
    shown = tuple(row for row in rows if row[1])
    for_all = tuple(row for row in shown if row[0] != NOT_RELEASED)
    headings = ("analysis", "gives")
    return WordTable(TITLE, headings, shown), WordTable(TITLE, headings, for_all, Audience.PUBLIC)


def category_changes(original: Microdata, released: Microdata) -> list[Change]:
    """Return for each categorical variable of the same classes how much of the records, or weights, moved."""
    weights = weights_of_both(original, released)
    counted = (None, None) if weights is None else (weights.before, weights.after)
    found = []
    for name in _content(original, released):
        if original.schema[name].kind in CATEGORICAL and has_same_classes(original, released, name):
            *codes, categories = common_codes(original, released, name)
            shares = []
            for column, weight in zip(codes, counted, strict=True):
                counts = np.bincount(column + 1, weight, minlength=len(categories) + 1)
                shares.append(counts / max(float(counts.sum()), 1e-300))
            found.append(Change(name, 50 * float(np.abs(shares[0] - shares[1]).sum())))
    return found


def _content(original: Microdata, released: Microdata) -> list[str]:
    return [one.name for one in original.schema.variables if one.role in CONTENT_ROLES and one.name in released.schema]


def _pairs(names: tuple[str, ...], change: FloatMatrix | None) -> list[Change]:
    if change is None:
        return []
    return [
        Change(f"{names[one]} and {names[other]}", float(change[one, other]))
        for one in range(len(names))
        for other in range(one)
        if change[one, other] == change[one, other]
    ]


def _judge(changes: Sequence[Change], close: float, far: float) -> str:
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
    return "; ".join(f"{judged}: {_list(some)}" for judged, some in groups.items() if some)


def _list(names: Iterable[str]) -> str:
    listed = [*names]
    more = f" and {len(listed) - MAX_NAMED} more" if len(listed) > MAX_NAMED else ""
    return f"{', '.join(listed[:MAX_NAMED])}{more}"


def _recoded(original: Microdata, released: Microdata) -> list[str]:
    return [name for name in _content(original, released) if not has_same_classes(original, released, name)]


def _left_out(original: Microdata, released: Microdata) -> list[str]:
    return [one.name for one in original.schema.variables if one.name not in released.schema]


def _about_weights(original: Microdata, released: Microdata) -> str:
    held = original.select(role("weight"))
    if not held:
        return ""
    if weights_of_both(original, released) is None:
        return "not possible: the weight is not released, or not as positive numbers for every record"
    return f"possible with {held[0]}; errors must be estimated without the sampling design unless it is released"


def _about_households(original: Microdata, released: Microdata) -> str:
    name = original.select(role("household"))[0]
    told = name in released.schema and bool(released.observed(name).any())
    return "possible: the file tells who lives together" if told else "not possible: who lives together is not released"


def _about_records(measured: MeasuredRelease) -> str:
    if measured.is_synthetic:
        return "never: no record is that of a person"
    numbers = [
        one.name
        for one in measured.released.schema.variables
        if one.kind is Kind.CONTINUOUS and one.role in CONTENT_ROLES
    ]
    changed = " numbers may have been changed," if numbers and measured.question.steps else ""
    return f"never:{changed} values may have been taken out or exchanged, and no record should be followed up"
