"""Limits on figures, as people write them: `DLD<=5`, `k>=3` or `k=3`, `global_risk<=1` (percent)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite

from sfumato.display import format_compact
from sfumato.errors import ParameterError

SMALLEST_GROUP, SMALLEST_STRICT_GROUP, SUPPRESSED = "k", "strict_k", "suppressed"
LOWER_LIMITED = (SMALLEST_GROUP, SMALLEST_STRICT_GROUP)
WRITTEN = re.compile(
    r"\s*(?P<figure>[^<>=\[]+?(\[[^\[\]]*\][^<>=\[]*?)?)\s*(?P<sign><=|>=|=)\s*(?P<number>[^<>=]+?)\s*"
)


class Comparison(StrEnum):
    """How a figure must stand to the number of a limit."""

    AT_MOST = "<="
    AT_LEAST = ">="


@dataclass(frozen=True)
class Limit:
    """What is demanded of a figure.

    Parameters
    ----------
    figure
        The symbol or the name of the figure; `k` is the size of the smallest group, a gap fitting every value, and
        `strict_k` its size where a gap is a value of its own.
    comparison
        Whether the figure may be at most, or must be at least, the number: at least only for `k` and `strict_k`.
    number
        The number, in the unit of the figure: a share is in percent.
    """

    figure: str
    comparison: Comparison
    number: float

    @property
    def is_lower(self) -> bool:
        """Whether the figure must be at least the number."""
        return self.comparison is Comparison.AT_LEAST

    def is_met(self, value: float) -> bool:
        """Tell whether a value of the figure keeps to the limit; one that is not known does not."""
        return value >= self.number if self.is_lower else value <= self.number

    def __str__(self) -> str:
        return f"{self.figure} {self.comparison} {format_compact(self.number)}"


Limits = Sequence[Limit | str] | Limit | str
"""One limit or several, each a `Limit` or written as in `DLD<=5`."""


def read_limits(limits: Limits, who: str = "limits") -> tuple[Limit, ...]:
    """Return limits that are written as `DLD<=5`, `k>=3` or `k=3`; everything wrong is raised at once.

    Parameters
    ----------
    limits
        The limits.
    who
        What messages call them.

    Examples
    --------
    >>> [str(limit) for limit in read_limits(["k=3", "global_risk<=1"])]
    ['k >= 3', 'global_risk <= 1']
    """
    given = (limits,) if isinstance(limits, Limit | str) else limits
    if not isinstance(given, Sequence):
        raise ParameterError([f"{who} must be a list, as in ['DLD<=5']; got a {type(given).__name__}"])
    read: list[Limit] = []
    problems, places = [], []
    for number, one in enumerate(given):
        limit = one if isinstance(one, Limit) else _read(one, who)
        if isinstance(limit, str):
            problems.append(limit)
            places.append((number,))
        elif limit.figure in [other.figure for other in read]:
            problems.append(f"{who} must limit each figure once; {limit.figure} is there twice")
            places.append((number,))
        else:
            read.append(limit)
    if problems:
        raise ParameterError(problems, places)
    return tuple(read)


def format_limits(limits: Sequence[Limit]) -> str:
    """Return limits as a message writes them.

    Examples
    --------
    >>> format_limits(read_limits(["DR<=20", "IL<=30.5"]))
    'DR <= 20, IL <= 30.5'
    """
    return ", ".join(map(str, limits))


def _read(text: object, who: str) -> Limit | str:
    """Return the limit, or what is wrong with it."""
    found = WRITTEN.fullmatch(text) if isinstance(text, str) else None
    number = _number(found["number"]) if found else None
    if found is None or number is None:
        return f"{who}: a limit is a figure and a number, as in 'DLD<=5' or 'k>=3'; got {_limit_text(text)}"
    figure, sign = found["figure"], found["sign"]
    if figure in LOWER_LIMITED:
        if sign == Comparison.AT_MOST or number < 2 or not number.is_integer():
            return (
                f"{who}: {figure} must be at least a whole number from 2 on, as in '{figure}>=3'; "
                f"got {_limit_text(text)}"
            )
        return Limit(figure, Comparison.AT_LEAST, number)
    if sign != Comparison.AT_MOST:
        return f"{who}: {figure} may have an upper limit, as in '{figure}<=5'; got {_limit_text(text)}"
    return Limit(figure, Comparison.AT_MOST, number)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if isfinite(number) else None


def _limit_text(text: object) -> str:
    return f"'{text}'" if isinstance(text, str) else f"a {type(text).__name__}"
