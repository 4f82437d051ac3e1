"""What a limit on a figure counts: its upper end, where it has two, since a limit is a promise."""

from collections.abc import Iterable
from typing import NamedTuple

from sfumato.contracts.figure_ends import NO_BOUND_AT, lower_end
from sfumato.contracts.measures import Measure, Measurement
from sfumato.display import format_number
from sfumato.parameters.limits import Limit

NOT_SHOWN = "not shown"  # how the reason begins where no attack exceeds a limit, but one may


class HeldLimit(NamedTuple):
    """The figure that a limit counts, whether it is within the limit, and a reason where the figure has two ends."""

    figure: float
    is_met: bool
    reason: str = ""

    @property
    def is_open(self) -> bool:
        """Whether no attack that was tried exceeds the limit, and yet it is not proven that none does."""
        return self.reason.startswith(NOT_SHOWN)


def limited_symbol(symbol: str, measures: Iterable[Measure | type[Measure]]) -> str:
    """Return the symbol of the figure that a limit counts: that of the bound where the figure has one.

    Examples
    --------
    >>> from sfumato.risk import DistanceLinkage, WorstCaseLinkage
    >>> [limited_symbol(symbol, [DistanceLinkage, WorstCaseLinkage]) for symbol in ("DLD", "WCL", "WCL[window=5]")]
    ['DLD', 'WCB', 'WCB[window=5]']
    """
    bounds = {measure.symbol: measure.bound_symbol for measure in measures if measure.bound_symbol}
    base, bracket, parameters = symbol.partition("[")
    return f"{bounds.get(base, base)}{bracket}{parameters}"


def attack_symbol(symbol: str, measures: Iterable[Measure | type[Measure]]) -> str | None:
    """Return the symbol of the measure whose bound a figure is; nothing where it is none.

    Examples
    --------
    >>> from sfumato.risk import WorstCaseLinkage
    >>> attack_symbol("WCB[window=5]", [WorstCaseLinkage]), attack_symbol("WCL", [WorstCaseLinkage])
    ('WCL[window=5]', None)
    """
    attacks = {measure.bound_symbol: measure.symbol for measure in measures if measure.bound_symbol}
    base, bracket, parameters = symbol.partition("[")
    return f"{attacks[base]}{bracket}{parameters}" if base in attacks else None


def hold_limit(limit: Limit, found: Measurement) -> HeldLimit:
    """Return whether a limit on a measure is met: by what nobody exceeds, where that is known beside the figure itself.

    Examples
    --------
    >>> limit = Limit("WCL", "<=", 10)
    >>> hold_limit(limit, Measurement("worst_case_linkage", "WCL", 5.2, bound=7.6))
    HeldLimit(figure=7.6, is_met=True, reason='an attack links at least 5.20 %, and nobody more than 7.60 %')
    >>> hold_limit(limit, Measurement("worst_case_linkage", "WCL", 5.2, bound=12.3)).reason
    'not shown: an attack links at least 5.20 %, but it is proven only that nobody links more than 12.30 %'
    >>> hold_limit(limit, Measurement("worst_case_linkage", "WCL", 5.2, bound=100, unproven=("rank_swapping",))).reason
    'not shown: an attack links at least 5.20 %, but no bound is proven for rank_swapping: others may link more'
    """
    if found.bound is None:
        return HeldLimit(found.value, limit.is_met(found.value))
    attack, bound = (f"{format_number(value)} {found.unit}".rstrip() for value in (found.value, found.bound))
    links = f"an attack links {lower_end(found.value, found.bound)}{attack}"
    if limit.is_met(found.bound):
        reason = f"{links}, and nobody more than {bound}"
    elif not limit.is_met(found.value):
        reason = links
    elif found.bound < NO_BOUND_AT:
        reason = f"{NOT_SHOWN}: {links}, but it is proven only that nobody links more than {bound}"
    else:
        steps = " and ".join(found.unproven) or "this recipe"
        reason = f"{NOT_SHOWN}: {links}, but no bound is proven for {steps}: others may link more"
    return HeldLimit(found.bound, limit.is_met(found.bound), reason)
