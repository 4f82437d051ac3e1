"""Limits on what intruders learn who know more than the keys: measured after protection, which does not aim at them."""

from collections.abc import Sequence

from sfumato.assessment import Assessment
from sfumato.errors import DataError
from sfumato.keys.exposure import Exposure
from sfumato.parameters.limits import Limit
from sfumato.report.risk_report import CheckedLimit
from sfumato.risk import DeviationIntervalDisclosure, DistanceLinkage, IntervalDisclosure, WorstCaseLinkage

WORST_CASE = (WorstCaseLinkage.name(), WorstCaseLinkage.symbol)
NUMBER_FIGURES = (
    *WORST_CASE,
    *(
        word
        for measure in (DistanceLinkage, IntervalDisclosure, DeviationIntervalDisclosure)
        for word in (measure.name(), measure.symbol)
    ),
)
"""The figures of intruders who know more than the keys, by name and by symbol."""


def check_number_limits(assessment: Assessment, limits: Sequence[Limit]) -> tuple[CheckedLimit, ...]:
    """Return the limits on figures of such intruders, and whether they are met."""
    known = {word: found for found in assessment.measurements for word in (found.name, found.symbol)}
    asked = [limit for limit in limits if limit.figure in NUMBER_FIGURES]
    for limit in asked:
        if limit.figure not in known:
            raise DataError(
                f"{limit.figure} cannot be measured: the protected file has no column left that it compares with the "
                f"original; leave out the limit"
            )
    measured = [(limit, known[limit.figure]) for limit in asked]
    return tuple(CheckedLimit(limit, found.value, limit.is_met(found.value), found.unit) for limit, found in measured)


def check_exposure_limits(checked: Sequence[CheckedLimit], exposure: Exposure) -> tuple[CheckedLimit, ...]:
    """Return limits on k as they are met against somebody who reads keys off other columns too; others as they are."""
    if not exposure.records or exposure.smallest is None:
        return tuple(checked)
    found = []
    for one in checked:
        figure = min(one.figure, float(exposure.smallest))
        found.append(one._replace(figure=figure, is_met=one.limit.is_met(figure)) if one.limit.is_lower else one)
    return tuple(found)


def what_to_do(limits: Sequence[CheckedLimit]) -> str:
    """Return what may help where limits are not met."""
    unmet = [checked.limit.figure for checked in limits if not checked.is_met and not checked.limit.is_lower]
    advice = []
    if any(checked.limit.is_lower and not checked.is_met for checked in limits):
        advice.append("leave out the columns off which a key can be read, or make them keys too (see the notes)")
    if any(figure not in NUMBER_FIGURES for figure in unmet):
        advice.append("take a larger k, broader hierarchies or fewer keys")
    if any(figure in NUMBER_FIGURES for figure in unmet):
        advice.append(
            "no recoding or suppression of keys stops somebody who knows the numbers: mask these more (steps for "
            "numbers with larger groups or wider windows), or leave columns out of the file"
        )
    return "; ".join(advice)
