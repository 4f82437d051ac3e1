"""What is said of limits on risk: which are not met, and how a share was understood."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sfumato.parameters.percent_hints import may_be_share, percent_hint

if TYPE_CHECKING:
    from sfumato.reports.checked_limits import CheckedLimit


def limit_notices(limits: "Iterable[CheckedLimit]") -> tuple[str, ...]:
    """Return which limits are not met, and how limits between 0 and 1 on percentages are understood."""
    limits = tuple(limits)
    unmet = [f"{one.limit_text} ({one.finding})" for one in limits if not one.is_met]
    shares = [one.limit for one in limits if one.unit == "%" and may_be_share(one.limit.number)]
    return (
        *(f"The limit on {percent_hint(limit.figure, limit.number)}." for limit in shares),
        *([f"Not within limits: {', '.join(unmet)}."] if unmet else []),
    )
