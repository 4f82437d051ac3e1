"""What formulas and conditions can ask of dates, which they read as days since 1970."""

import ast
from collections.abc import Callable, Mapping
from datetime import date
from types import MappingProxyType

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, Integers

EPOCH = date(1970, 1, 1)


def completed_years(later: FloatColumn, earlier: FloatColumn) -> FloatColumn:
    """Return how many birthdays lie between two dates; NaN where one is missing.

    Examples
    --------
    >>> completed_years(np.array([days_of_text("2021-03-01")] * 2), np.array([days_of_text("2000-02-29"), np.nan]))
    array([21., nan])
    """
    later, earlier = np.broadcast_arrays(np.asarray(later, dtype=np.float64), np.asarray(earlier, dtype=np.float64))
    (last, last_day, has_last), (first, first_day, has_first) = _calendar(later), _calendar(earlier)
    return np.where(has_last & has_first, last - first - (last_day < first_day), np.nan)


def calendar_year(days: FloatColumn) -> FloatColumn:
    """Return the year of each date; NaN where it is missing."""
    year, _, known = _calendar(np.asarray(days, dtype=np.float64))
    return np.where(known, year, np.nan)


FUNCTIONS: Mapping[str, Callable[..., FloatColumn]] = MappingProxyType(
    {"years": completed_years, "year": calendar_year}
)


def date_sides(node: ast.expr) -> tuple[ast.expr, ...] | None:
    """Return the dates that `years(one - other)` or `year(one)` is asked of; none where it is no such call."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS:
        return None
    if node.keywords or len(node.args) != 1:
        return None
    inside = node.args[0]
    if node.func.id == "year":
        return (inside,)
    return (inside.left, inside.right) if isinstance(inside, ast.BinOp) and isinstance(inside.op, ast.Sub) else None


def days_of_text(text: str) -> float:
    """Return a date written as 2021-12-31 as days since 1970; NaN where it is none.

    Examples
    --------
    >>> days_of_text("1970-01-11"), days_of_text("11/01/1970")
    (10.0, nan)
    """
    try:
        return float((date.fromisoformat(text) - EPOCH).days)
    except ValueError:
        return float("nan")


def _calendar(days: FloatColumn) -> tuple[Integers, Integers, Booleans]:
    """Return the year of each date, its day in the year such that birthdays compare, and whether there is one."""
    known = ~np.isnan(days)
    whole = np.floor(np.where(known, days, 0.0)).astype(np.int64).astype("datetime64[D]")
    months = whole.astype("datetime64[M]")
    day = (whole - months.astype("datetime64[D]")).astype(np.int64)
    number = months.astype(np.int64)
    return number // 12 + EPOCH.year, number % 12 * 31 + day, known
