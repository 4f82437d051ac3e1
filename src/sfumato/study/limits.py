"""Limits on figures: what may be asked for, who keeps to it, and who comes nearest."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import inf

import numpy as np

from sfumato.contracts import attack_symbol, limited_symbol
from sfumato.contracts.figure_ends import lower_end
from sfumato.display import format_compact
from sfumato.errors import ParameterError, did_you_mean
from sfumato.parameters.limits import Limit, Limits, read_limits
from sfumato.plugins import MEASURES
from sfumato.study.candidate import Candidate
from sfumato.study.figures import OUTLIERS, how_to_have, is_of_outliers

MAX_NAMES = 20  # figures that a message lists


def check_limits(limits: Limits, symbols: Iterable[str], who: str) -> tuple[Limit, ...]:
    """Return limits as they are meant, refusing those of figures that are not among the symbols.

    A limit is a promise: where a figure has a bound, the limit is one on that.
    """
    known, asked = list(symbols), read_limits(limits, who)
    problems = {
        (number,): f"{who}: there is no figure '{limit.figure}'{_way_out(limit.figure, known)}"
        for number, limit in enumerate(asked)
        if limit.figure not in known
    }
    problems |= {
        (number,): f"{who}: {limit.figure} cannot be limited, as nothing is proven of outliers alone; limit {whole}"
        for number, limit in enumerate(asked)
        if (whole := limit.figure.removesuffix(OUTLIERS)) != counted_symbol(whole) and is_of_outliers(limit.figure)
    }
    if problems:
        raise ParameterError(list(problems.values()), list(problems))
    return tuple(replace(limit, figure=counted_symbol(limit.figure)) for limit in asked)


def keeps(candidate: Candidate, limits: Sequence[Limit]) -> bool:
    """Tell whether the means of a candidate are known and within the limits."""
    return all(limit.is_met(_mean(candidate, limit.figure)) for limit in limits)


def nearest_to(candidates: Sequence[Candidate], limits: Sequence[Limit]) -> Candidate:
    """Return the candidate whose worst excess over a limit is smallest, in parts of that figure's range."""
    worst = np.zeros(len(candidates))
    for limit in limits:
        means = np.array([_mean(candidate, limit.figure) for candidate in candidates])
        finite = means[np.isfinite(means)]
        spread = np.ptp(finite) if finite.size else 0.0
        worst = np.maximum(worst, (means - limit.number) / (spread or 1.0))
    return candidates[int(np.argmin(worst))]


def describe_figure(candidate: Candidate, limit: Limit) -> str:
    """Return what a candidate has of a limited figure, by how much that is too much, and whether that is only open."""
    mean = candidate.mean(limit.figure)
    if mean is None or np.isnan(mean):
        return f"{limit.figure} unknown"
    text = f"{limit.figure} {format_compact(mean, 4)}"
    if limit.is_met(mean):
        return text
    attack = attack_symbol(limit.figure, MEASURES.values())
    linked = None if attack is None else candidate.mean(attack)
    if linked is not None and limit.is_met(linked):
        links = f"an attack links {lower_end(linked, mean)}{format_compact(linked, 3)} %"
        return f"{text} ({links}, but it is not proven that none links more)"
    return f"{text}, {format_compact(mean - limit.number, 3)} too much"


def counted_symbol(symbol: str) -> str:
    """Return the symbol of the figure that a limit on another counts: of its bound, where it has one."""
    return limited_symbol(symbol, MEASURES.values())


def _way_out(symbol: str, known: Sequence[str]) -> str:
    return how_to_have(symbol, known) or did_you_mean(symbol, known) or _names(known)


def _names(symbols: Sequence[str]) -> str:
    more = len(symbols) - MAX_NAMES
    return f"; the figures are {', '.join(symbols[:MAX_NAMES])}" + (f" and {more} more" if more > 0 else "")


def _mean(candidate: Candidate, symbol: str) -> float:
    mean = candidate.mean(symbol)
    return inf if mean is None or np.isnan(mean) else mean
