"""Safety rules as batches of tau-Argus write them (`P(15,1)|FREQ(3,30)`), as rules of tables."""

from collections.abc import Sequence
from pathlib import Path

from sfumato.display import format_compact
from sfumato.errors import FileError, did_you_mean
from sfumato.tables import PQ, Dominance, MinUnits, PPercent, Request, Rule, ZeroUnsafe
from sfumato.tables.tau_argus.batch import Call

OF_INDIVIDUALS = {
    "P": 2,
    "NK": 2,
    "PQ": 2,
    "FREQ": 1,
    "REQ": 1,
}  # how many rules of a kind stand before those of holdings
WITHOUT_RULE = ("MAN", "MIS", "WGT")
KNOWN = ("P", "NK", "PQ", "FREQ", "ZERO", "REQ", *WITHOUT_RULE)
MANUAL_MARGIN = 20.0  # percent: what tau-Argus takes where a batch does not say


def is_of_holdings(calls: Sequence[Call]) -> bool:
    """Tell whether some rule is of holdings, as the third and fourth of dominance and p % and the second others are."""
    return any(_has_numbers(call) and place >= OF_INDIVIDUALS.get(call.name, 99) for place, call in _numbered(calls))


def is_set(calls: Sequence[Call], name: str) -> bool:
    """Tell whether a choice is made, as `WGT(1)` and `MIS(1)` do.

    Parameters
    ----------
    calls
        The rules of a table.
    name
        The choice.
    """
    return any(call.name == name and call.numbers[:1] == (1.0,) for call in calls)


def manual_margin(calls: Sequence[Call]) -> float:
    """Return the protection level, in percent of the value, of cells that are unsafe because somebody says so."""
    return next((call.numbers[0] for call in calls if call.name == "MAN" and call.numbers), MANUAL_MARGIN)


def rules_of(calls: Sequence[Call], path: Path | str) -> tuple[Rule, ...]:
    """Return the rules of a table.

    Parameters
    ----------
    calls
        What stands behind `<SAFETYRULE>`.
    path
        The batch, for messages.
    """
    found = [_rule(call, path) for call in calls if call.name not in WITHOUT_RULE and _has_numbers(call)]
    return tuple(dict.fromkeys(found))


def _numbered(calls: Sequence[Call]) -> list[tuple[int, Call]]:
    """Return each rule with its place among those of its kind."""
    return [(sum(other.name == call.name for other in calls[:place]), call) for place, call in enumerate(calls)]


def _has_numbers(call: Call) -> bool:
    return any(number > 0 for number in call.numbers)


def _rule(call: Call, path: Path | str) -> Rule:
    first, second, third, fourth = (*call.numbers, 0.0, 0.0, 0.0, 0.0)[:4]
    if call.name == "P":
        return _p_rule(call, path)
    if call.name == "NK":
        return Dominance(n=int(first), max_percent=second)
    if call.name == "PQ":
        return PQ(p=first, q=second, followers=int(third) or 1)
    if call.name == "FREQ":
        return MinUnits(units=int(first), margin=second or 30.0)
    if call.name == "ZERO":
        return ZeroUnsafe(protection_level=first)
    if call.name == "REQ":
        share = min(percent for percent in (first, second) if percent > 0)
        return Request(max_percent=share, margin=(fourth if len(call.numbers) > 3 else third) or 30.0)
    near = did_you_mean(call.name, KNOWN)
    raise FileError(f"{path}: there is no safety rule {call.name}{near}; known are {', '.join(KNOWN)}")


def _p_rule(call: Call, path: Path | str) -> Rule:
    """Return the rule of `P(p)`, `P(p,n)` or `P(p,q,n)`."""
    if len(call.numbers) < 3:
        p, followers = (*call.numbers, 0.0)[:2]
        return PPercent(p=p, followers=int(followers) or 1)
    p, q, followers = call.numbers[:3]
    if not p < q <= 100:
        given = ",".join(map(format_compact, call.numbers[:3]))
        raise FileError(f"{path}: P(p,q,n) needs a p below q, and a q of at most 100; got P({given})")
    return PPercent(p=p, followers=int(followers) or 1) if q == 100 else PQ(p=p, q=q, followers=int(followers) or 1)
