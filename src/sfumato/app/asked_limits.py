"""What was asked of a proposed recipe, as limits that its result and its report are held against."""

from collections.abc import Mapping
from typing import Any

from sfumato.display import format_compact
from sfumato.parameters.limits import SMALLEST_GROUP, SMALLEST_STRICT_GROUP, SUPPRESSED


def asked_limits(asked: Mapping[str, Any]) -> list[str]:
    """Return what was asked of a proposed recipe as limits of a report, as the command takes them.

    Examples
    --------
    >>> asked_limits({"k": 3, "strict": True, "max_suppressed": 5.0})
    ['k>=3', 'strict_k>=3', 'suppressed<=5']
    """
    limits = [f"{SMALLEST_GROUP}>={asked['k']}"] if "k" in asked else []
    limits += [f"{SMALLEST_STRICT_GROUP}>={asked['k']}"] if asked.get("strict") else []
    limits += [f"{SUPPRESSED}<={format_compact(asked['max_suppressed'])}"] if "max_suppressed" in asked else []
    return [*limits, *asked.get("limits", ())]


def held_words(asked: Mapping[str, Any]) -> str:
    """Return what of a proposal the report is held against, and what it is not.

    Examples
    --------
    >>> held_words({"k": 3})
    'It is held against what was asked for: k>=3.'
    >>> held_words({"k": 3, "l": 2, "t": 0.4})
    'It is held against what was asked for: k>=3, but not l = 2, t = 0.4: measure these in the masked file.'
    >>> held_words({})
    'No limit was asked for.'
    """
    limits = asked_limits(asked)
    if not limits:
        return "No limit was asked for."
    left_out = [f"{name} = {format_compact(asked[name])}" for name in ("l", "t") if name in asked]
    but = f", but not {', '.join(left_out)}: measure these in the masked file" if left_out else ""
    return f"It is held against what was asked for: {', '.join(limits)}{but}."


def of_keys(asked: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the limits on the risk by the keys, as its task takes them; what is suppressed is no risk.

    Examples
    --------
    >>> of_keys({"k": 3, "max_suppressed": 5.0, "combinations": 2}), of_keys(None)
    ({'limits': ['k>=3'], 'combinations': 2}, {})
    """
    limits = [limit for limit in asked_limits(asked or {}) if not limit.startswith(SUPPRESSED)]
    together = {name: asked[name] for name in ("combinations",) if asked and name in asked}
    return {"limits": limits, **together} if limits else {}
