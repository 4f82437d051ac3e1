"""Limits on the risk of a file, as people write them: `k=3`, `global_risk<=0.01`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sfumato.errors import ParameterError, did_you_mean

ANONYMITY = "k"
WRITTEN = re.compile(r"\s*(?P<name>[A-Za-z_]+)\s*(?P<sign><=|>=|=)\s*(?P<number>\S+)\s*")


@dataclass(frozen=True)
class RiskLimit:
    """What is demanded of a file.

    Parameters
    ----------
    name
        The figure; `k` for the size of the smallest class.
    number
        The largest figure that is allowed; for `k` the least one.
    """

    name: str
    number: float

    @property
    def is_least(self) -> bool:
        """Whether more is better."""
        return self.name == ANONYMITY

    def is_met(self, figure: float) -> bool:
        """Tell whether a figure keeps to the limit."""
        return figure >= self.number if self.is_least else figure <= self.number

    def __str__(self) -> str:
        return f"{self.name} {'>=' if self.is_least else '<='} {self.number:g}"


def read_risk_limits(written: Sequence[str], figures: Sequence[str]) -> tuple[RiskLimit, ...]:
    """Return limits that are written as `k=3` or `global_risk<=0.01`; everything wrong is told at once.

    Parameters
    ----------
    written
        The limits.
    figures
        The names of the figures that may have one.

    Examples
    --------
    >>> [str(limit) for limit in read_risk_limits(["k=3", "global_risk <= 0.01"], ["global_risk"])]
    ['k >= 3', 'global_risk <= 0.01']
    """
    limits, problems = [], []
    for text in written:
        limit = _read(text, figures)
        if isinstance(limit, RiskLimit):
            limits.append(limit)
        else:
            problems.append(limit)
    if problems:
        raise ParameterError(problems)
    return tuple(limits)


def as_limits(written: Sequence[str] | str) -> tuple[str, ...]:
    """Return limits as a list; a single one may stand by itself."""
    return (written,) if isinstance(written, str) else tuple(written)


def _read(text: str, figures: Sequence[str]) -> RiskLimit | str:
    """Return the limit, or what is wrong with it."""
    found = WRITTEN.fullmatch(text)
    try:
        number = float(found["number"]) if found else float("nan")
    except ValueError:
        number = float("nan")
    if found is None or number != number:
        return f"a limit must be written as k=3 or global_risk<=0.01; got '{text}'"
    name, sign = found["name"], found["sign"]
    if name == ANONYMITY:
        whole = number.is_integer() and number >= 2
        return (
            RiskLimit(name, number)
            if whole and sign != "<="
            else f"k must be a whole number of at least 2, as in k=3; got '{text}'"
        )
    if name not in figures:
        known = (ANONYMITY, *figures)
        return f"there is no figure '{name}'{did_you_mean(name, known) or '; there are ' + ', '.join(known)}"
    return RiskLimit(name, number) if sign == "<=" else f"{name} may have an upper limit, as in {name}<=1; got '{text}'"
