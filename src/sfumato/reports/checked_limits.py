"""Limits that were checked: what the file has; for limits on k, what is left of it to whoever reads the whole file."""

from collections.abc import Sequence
from typing import NamedTuple

from sfumato.display import format_compact
from sfumato.keys.findings.causes import BY_KEYS as KEYS_ALONE
from sfumato.keys.findings.causes import Cause
from sfumato.keys.findings.key_findings import KeyFindings
from sfumato.parameters.limits import SMALLEST_STRICT_GROUP, Limit

BY_KEYS = "by the keys alone"
BY_KEYS_AND_MORE = f"{BY_KEYS}, and by what was looked for in other columns"
NOT_OF_AMOUNTS = "it says nothing of amounts, and some are told: see the notes"
LEARNT_ALL_THE_SAME = "somebody who learns what goes with which keys finds some persons all the same: see the notes"
UNCOUNTED = "other columns tell a key, and it cannot be counted who is found so"


class CheckedLimit(NamedTuple):
    """A limit, what the file has, whether that is within the limit, the unit of both, and why where that is not plain.

    Where the figure has two ends, it is the upper one. The scope says by what a limit on k is judged, and on what it is
    silent; the causes, against whom one that is not met does not hold.
    """

    limit: Limit
    figure: float
    is_met: bool
    unit: str = ""
    reason: str = ""
    scope: str = ""
    causes: tuple[Cause, ...] = ()

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


def hold_limits_on_k(
    checked: Sequence[CheckedLimit], findings: KeyFindings, scope: str = BY_KEYS_AND_MORE
) -> tuple[CheckedLimit, ...]:
    """Return limits on k as they are met against somebody who reads all that the file tells; others as they are.

    Every verb that judges such a limit does it by this rule. What breaks k is counted: keys that other columns tell,
    gaps that tell their value, households that columns tell, several records of one person. What may only help
    somebody, such as a rare value beside a gap, is told elsewhere and not judged. Nor is a mean that tells an amount:
    k says how many persons a record may be of, and a limit that is met says that it is silent on amounts.

    Parameters
    ----------
    checked
        The limits by the keys alone.
    findings
        What the file tells beside the keys.
    scope
        By what they are judged.
    """
    if findings.learnt is not None and findings.learnt.is_found:
        scope = f"{scope}; {LEARNT_ALL_THE_SAME}"
    return tuple(_hold(one._replace(scope=scope), findings) if one.limit.is_lower else one for one in checked)


def tell_silence(checked: Sequence[CheckedLimit], *, tells_amounts: bool) -> tuple[CheckedLimit, ...]:
    """Return limits, those on k saying that they are silent on amounts where the file tells some."""
    if not tells_amounts:
        return tuple(checked)
    return tuple(one._replace(scope=f"{one.scope}; {NOT_OF_AMOUNTS}") if one.limit.is_lower else one for one in checked)


def _hold(checked: CheckedLimit, findings: KeyFindings) -> CheckedLimit:
    k, is_strict = int(checked.limit.number), checked.limit.figure == SMALLEST_STRICT_GROUP
    fewest, causes = findings.fewest(is_strict=is_strict), findings.causes(k, is_strict=is_strict)
    by_keys = () if checked.is_met or checked.causes else (KEYS_ALONE,)
    checked = checked._replace(causes=tuple(dict.fromkeys((*by_keys, *checked.causes, *causes))))
    figure = checked.figure if fewest is None else min(checked.figure, float(fewest))
    if findings.is_uncounted and checked.is_met:
        return checked._replace(is_met=False, reason=UNCOUNTED)
    return checked._replace(figure=figure, is_met=checked.limit.is_met(figure))
