"""Intervals: a parameter of a space may lie anywhere between two numbers."""

import re
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10

from sfumato.display import format_compact
from sfumato.documents import format_value
from sfumato.errors import ParameterError

BETWEEN = re.compile(r"between\((?P<parts>[^()]*)\)")
BROKEN_INTERVAL = "between("
LOGARITHMIC = "logarithmic"
DIGITS = 4  # a value between two numbers is rounded to so many, so that recipes can be read
EXAMPLE = '"between(1, 30)" or "between(0.01, 1, logarithmic)"'


@dataclass(frozen=True)
class Interval:
    """All numbers from `low` to `high`, both included; of a parameter that takes whole numbers only these.

    Parameters
    ----------
    low, high
        The ends.
    logarithmic
        Look at ratios instead of differences, so that 0.01 to 0.1 gets as much attention as 0.1 to 1.
    """

    low: float
    high: float
    logarithmic: bool = False

    def __str__(self) -> str:
        scale = f", {LOGARITHMIC}" if self.logarithmic else ""
        return f"between({format_compact(self.low)}, {format_compact(self.high)}{scale})"

    def whole_ends(self) -> tuple[int, int]:
        """Return the lowest and the highest whole number inside."""
        return ceil(self.low), floor(self.high)

    def round_inside(self, value: float) -> float:
        """Return a number of the interval with few digits, still inside.

        Examples
        --------
        >>> between(0.5, 40).round_inside(13.3333333)
        13.33
        """
        if value == 0:
            return value
        return min(max(round(value, DIGITS - 1 - floor(log10(abs(value)))), self.low), self.high)


def between(low: float, high: float, *, logarithmic: bool = False) -> Interval:
    """Return the interval from `low` to `high`, to stand in a space where a single number belongs.

    Parameters
    ----------
    low, high
        The ends, both included. A parameter that takes whole numbers gets only these.
    logarithmic
        Look at ratios instead of differences; the interval must then lie above 0.

    Examples
    --------
    >>> print(between(0.01, 1, logarithmic=True))
    between(0.01, 1, logarithmic)
    """
    for end in (low, high):
        if isinstance(end, bool) or not isinstance(end, int | float) or not isfinite(end):
            raise ParameterError([f"between must have two finite numbers as ends; got {format_value(end)}"])
    if not low < high:
        raise ParameterError(
            [f"between must have its lower end first; got {format_compact(low)} and {format_compact(high)}"]
        )
    if logarithmic and low <= 0:
        raise ParameterError([f"between must lie above 0 to be logarithmic; got {format_compact(low)}"])
    return Interval(low, high, logarithmic)


def read_interval(text: str, who: str) -> Interval:
    """Return the interval that a space file writes, as `between(1, 30)`; `who` is the parameter that it is of."""
    found = BETWEEN.fullmatch(text.strip())
    parts = [] if found is None else [part.strip() for part in found["parts"].split(",")]
    place = [(who.rpartition(".")[2],)]
    if len(parts) == 3 and parts[2] == LOGARITHMIC:
        parts, logarithmic = parts[:2], True
    else:
        logarithmic = False
    try:
        low, high = map(float, parts)
    except ValueError:
        quotes = "; inside braces an interval needs quotes" if found is None else ""
        raise ParameterError([f"{who} must be an interval as in {EXAMPLE}; got {text!r}{quotes}"], place) from None
    try:
        return between(low, high, logarithmic=logarithmic)
    except ParameterError as error:
        raise ParameterError([f"{who}: {error}"], place) from None
