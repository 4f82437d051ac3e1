"""Limits that were checked: what the file has; for limits on k, what is left of it to whoever reads the whole file."""

from collections.abc import Sequence
from typing import NamedTuple

from sfumato.display import format_compact
from sfumato.keys.findings.key_findings import KeyFindings
from sfumato.parameters.limits import SMALLEST_STRICT_GROUP, Limit

UNCOUNTED = "other columns tell a key, and it cannot be counted who is found so"


class CheckedLimit(NamedTuple):
    """A limit, what the file has, whether that is within the limit, the unit of both, and why where that is not plain.

    Where the figure has two ends, it is the upper one.
    """

    limit: Limit
    figure: float
    is_met: bool
    unit: str = ""
    reason: str = ""

    @property
    def limit_text(self) -> str:
        """The limit with its unit, so that nobody takes 0.01 for one percent."""
        return f"{self.limit} {self.unit}".rstrip()

    @property
    def figure_text(self) -> str:
        """What the file has, with its unit."""
        return f"{format_compact(self.figure)} {self.unit}".rstrip()

    @property
    def finding(self) -> str:
        """What the file has, or why that keeps to the limit or not."""
        return self.reason or f"it is {self.figure_text}"


def hold_limits_on_k(checked: Sequence[CheckedLimit], findings: KeyFindings) -> tuple[CheckedLimit, ...]:
    """Return limits on k as they are met against somebody who reads all that the file tells; others as they are.

    Every verb that judges such a limit does it by this rule. What breaks k is counted: keys that other columns tell,
    gaps that tell their value, households that columns tell, several records of one person. What may only help
    somebody, such as a rare value beside a gap, is told elsewhere and not judged.

    Parameters
    ----------
    checked
        The limits by the keys alone.
    findings
        What the file tells beside the keys.
    """
    return tuple(_hold(one, findings) if one.limit.is_lower else one for one in checked)


def _hold(checked: CheckedLimit, findings: KeyFindings) -> CheckedLimit:
    fewest = findings.fewest(is_strict=checked.limit.figure == SMALLEST_STRICT_GROUP)
    figure = checked.figure if fewest is None else min(checked.figure, float(fewest))
    if findings.is_uncounted and checked.is_met:
        return checked._replace(is_met=False, reason=UNCOUNTED)
    return checked._replace(figure=figure, is_met=checked.limit.is_met(figure))
