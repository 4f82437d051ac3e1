"""What a researcher wrote: names, one or several, and the request as it is written down."""

import re
from collections.abc import Sequence
from typing import Any

from sfumato.errors import DataError
from sfumato.outputs.statistics import OTHER, Statistic

Names = str | Sequence[str]


def names_of(given: Names) -> tuple[str, ...]:
    """Return one name or several as several."""
    return (given,) if isinstance(given, str) else tuple(given)


def log_name(given: str) -> str:
    """Return the name of a log, which its outputs and their folders begin with."""
    if re.fullmatch(r"\w[\w .-]*", given):
        return given
    raise DataError(f"OutputLog.name must be of letters, digits, spaces, points and hyphens; got {given!r}")


def values_of(values: str | tuple[str, str], chosen: dict[str, Statistic]) -> tuple[str, ...]:
    """Return the columns that statistics summarise; a ratio needs two."""
    names = names_of(values)
    wanted = 2 if any(OTHER in statistic.tells for statistic in chosen.values()) else 1
    if len(names) != wanted:
        count = "two columns" if wanted > 1 else "one column"
        raise DataError(f"pivot_table.values must name {count} for {', '.join(chosen)}; got {len(names)}")
    return names


def request_text(kind: str, **given: Any) -> str:
    """Return a request as the call that it was, without what was left out.

    Examples
    --------
    >>> request_text("crosstab", index="town", columns=(), where=None)
    "crosstab(index='town')"
    """
    parts = [f"{name}={value!r}" for name, value in given.items() if value not in (None, (), [], False)]
    return f"{kind}({', '.join(parts)})"
