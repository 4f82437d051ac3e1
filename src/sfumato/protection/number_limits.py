"""Limits on what intruders learn who know more than the keys: measured after protection, which does not aim at them."""

from collections.abc import Sequence
from functools import cache

from sfumato.assessment import Assessment
from sfumato.contracts import hold_limit
from sfumato.contracts.limited_figures import NOT_SHOWN
from sfumato.display import format_compact
from sfumato.errors import DataError
from sfumato.keys.findings.causes import BY_KEYS
from sfumato.keys.recomputed_values import Recomputed
from sfumato.parameters.limits import SUPPRESSED, Limit
from sfumato.reports.checked_limits import CheckedLimit
from sfumato.risk import RISKS

WORST_CASE = "worst_case_linkage"
INTERVALS = ("interval_disclosure", "deviation_interval_disclosure")  # of those who look for values
OTHERS = ("distance_linkage", "best_subset_linkage", *INTERVALS)


@cache
def worst_case_figures() -> tuple[str, ...]:
    """Return the figures of the worst case, by name and by symbol; only who sets a limit needs to load the measure."""
    return (WORST_CASE, RISKS[WORST_CASE].symbol, *RISKS[WORST_CASE].part_symbols)


@cache
def number_figures() -> tuple[str, ...]:
    """Return the figures of intruders who know more than the keys, by name and by symbol."""
    return (*worst_case_figures(), *(word for name in OTHERS for word in (name, RISKS[name].symbol)))


def check_number_limits(
    assessment: Assessment, limits: Sequence[Limit], recomputed: Sequence[Recomputed] = ()
) -> tuple[CheckedLimit, ...]:
    """Return the limits on figures of such intruders, and whether they are met.

    Masked values that can be computed from other columns lie in the intervals of those who look for values.
    """
    asked = [limit for limit in limits if limit.figure in number_figures()]
    if not asked:
        return ()
    known = {word: found for found in assessment.measurements for word in (found.name, found.symbol)}
    parts = {
        symbol: found for found in assessment.measurements for symbol in worst_case_figures() if symbol in found.parts
    }
    for limit in asked:
        if limit.figure not in known and limit.figure not in parts:
            raise DataError(
                f"{limit.figure} cannot be measured: the protected file has no column left that it compares with the "
                f"original; leave out the limit"
            )
    told = max((one.percent for one in recomputed), default=0.0)
    checked = []
    for limit in asked:
        if limit.figure in parts:
            found = parts[limit.figure]
            figure = found.parts[limit.figure]
            checked.append(CheckedLimit(limit, figure, limit.is_met(figure), found.unit))
            continue
        found = known[limit.figure]
        figure, is_met, reason = hold_limit(limit, found)
        if found.name in INTERVALS:
            figure = max(figure, told)
            is_met = limit.is_met(figure)
        checked.append(CheckedLimit(limit, figure, is_met, found.unit, reason))
    return tuple(checked)


def what_to_do(limits: Sequence[CheckedLimit]) -> str:
    """Return what may help where limits are not met."""
    not_held = [checked for checked in limits if not checked.is_met and (checked.limit.is_lower or checked.causes)]
    not_met = [checked for checked in limits if not checked.is_met and checked not in not_held]
    unmet = [checked.limit.figure for checked in not_met]
    advice: list[str] = []
    advice += dict.fromkeys(cause.advice for checked in not_held for cause in checked.causes or (BY_KEYS,))
    if SUPPRESSED in unmet:
        advice.append(
            "allow more suppression, or make it unnecessary: join categories by hierarchies, leave out a key, or drop "
            "or coarsen the columns that tell a part of a key (see the notes)"
        )
    if any(figure not in (*number_figures(), SUPPRESSED) for figure in unmet):
        advice.append("take a larger k, broader hierarchies or fewer keys")
    open_limits = [checked.limit for checked in not_met if checked.reason.startswith(NOT_SHOWN)]
    if open_limits:
        advice.append(
            f"choose steps for numbers for which a bound is proven, such as larger groups of mdav, noise or pram, or, "
            f"if the strongest attack that is known will do, limit that: "
            f"{RISKS[WORST_CASE].attack_symbol}<={format_compact(open_limits[0].number)}"
        )
    if any(figure in number_figures() for figure in unmet) and len(open_limits) < len(unmet):
        advice.append(
            "no recoding or suppression of keys stops somebody who knows the numbers: mask these more (steps for "
            "numbers with larger groups or wider windows), or leave columns out of the file"
        )
    return "; ".join(advice)
