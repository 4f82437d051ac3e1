"""Limits on figures: what may be asked for, who keeps to it, and who comes nearest."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf, isfinite

import numpy as np

from sfumato.documents import format_value
from sfumato.errors import did_you_mean
from sfumato.study.candidate import Candidate
from sfumato.study.figures import how_to_have

Limits = Mapping[str, float]
"""The largest figure that is allowed, by symbol."""
MOST_NAMES = 20  # figures that a message lists


def limit_problems(limits: Mapping[str, object], symbols: Iterable[str], who: str) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with limits, each with its symbol; `symbols` are those of the figures that there are."""
    known = list(symbols)
    for symbol, limit in limits.items():
        if symbol not in known:
            way_out = how_to_have(str(symbol), known) or did_you_mean(str(symbol), known) or _names(known)
            yield symbol, f"{who}: there is no figure '{symbol}'{way_out}"
        elif isinstance(limit, bool) or not isinstance(limit, int | float) or not isfinite(limit):
            yield symbol, f"{who}.{symbol} must be a number; got {format_value(limit)}"


def keeps(candidate: Candidate, limits: Limits) -> bool:
    """Tell whether the means of a candidate are known and at most the limits."""
    return all(_mean(candidate, symbol) <= limit for symbol, limit in limits.items())


def nearest_to(candidates: Sequence[Candidate], limits: Limits) -> Candidate:
    """Return the candidate whose worst excess over a limit is smallest, in parts of that figure's range."""
    worst = np.zeros(len(candidates))
    for symbol, limit in limits.items():
        means = np.array([_mean(candidate, symbol) for candidate in candidates])
        finite = means[np.isfinite(means)]
        spread = np.ptp(finite) if finite.size else 0.0
        worst = np.maximum(worst, (means - limit) / (spread or 1.0))
    return candidates[int(np.argmin(worst))]


def format_limits(limits: Limits) -> str:
    """Return limits as a message writes them.

    Examples
    --------
    >>> format_limits({"DR": 20, "IL": 30.5})
    'DR <= 20, IL <= 30.5'
    """
    return ", ".join(f"{symbol} <= {limit:g}" for symbol, limit in limits.items())


def _names(symbols: Sequence[str]) -> str:
    more = len(symbols) - MOST_NAMES
    return f"; the figures are {', '.join(symbols[:MOST_NAMES])}" + (f" and {more} more" if more > 0 else "")


def _mean(candidate: Candidate, symbol: str) -> float:
    mean = candidate.mean(symbol)
    return inf if mean is None or np.isnan(mean) else mean
