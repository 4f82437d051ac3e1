"""The figures of a pivot table: what each is, what it tells of sums, and when few records decide it."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sfumato.errors import ParameterError, did_you_mean
from sfumato.numerics.arrays import FloatColumn
from sfumato.outputs.facts import COUNT

VALUE, SQUARES, OTHER = "value", "squares", "other"  # what a figure tells of: sums of values, squares, a denominator


@dataclass(frozen=True)
class Statistic:
    """A figure of the records of a cell.

    Parameters
    ----------
    compute
        The figure, of the values of a cell and those of a second variable.
    tells
        What it tells of: `COUNT`, and sums of `VALUE`, `SQUARES`, `OTHER`.
    is_decided_by_few
        Whether fewer than so many records decide the figure; for figures that do not add up.
    """

    compute: Callable[[FloatColumn, FloatColumn], float]
    tells: tuple[str, ...] = ()
    is_decided_by_few: Callable[[FloatColumn, int], bool] | None = None


def quantile_statistic(share: float) -> Statistic:
    """Return a quantile; enough records must lie on each side of it."""

    def is_near_an_end(values: FloatColumn, min_units: int) -> bool:
        return int(np.floor(values.size * min(share, 1 - share))) < min_units

    return Statistic(lambda values, _: float(np.quantile(values, share)), (), is_near_an_end)


def extreme_statistic(pick: Callable[[FloatColumn], float]) -> Statistic:
    """Return the smallest or largest value; enough records must have it."""

    def is_of_few(values: FloatColumn, min_units: int) -> bool:
        return int((values == pick(values)).sum()) < min_units

    return Statistic(lambda values, _: float(pick(values)), (), is_of_few)


STATISTICS: dict[str, Statistic] = {
    "count": Statistic(lambda values, _: values.size, (COUNT,)),
    "sum": Statistic(lambda values, _: float(values.sum()), (VALUE,)),
    "mean": Statistic(lambda values, _: float(values.mean()), (COUNT, VALUE)),
    "std": Statistic(lambda values, _: float(values.std(ddof=1)), (COUNT, VALUE, SQUARES)),
    "ratio": Statistic(lambda values, other: float(values.sum() / other.sum()), (VALUE, OTHER)),
    "median": quantile_statistic(0.5),
    "min": extreme_statistic(np.min),
    "max": extreme_statistic(np.max),
}


def statistic_of(name: str) -> Statistic:
    """Return a statistic by its name; quantiles are called by their percent, as `q25`.

    Examples
    --------
    >>> statistic_of("q25").compute(np.arange(5.0), np.empty(0))
    1.0
    """
    if name in STATISTICS:
        return STATISTICS[name]
    percent = name.removeprefix("q")
    if name.startswith("q") and percent.isdigit() and 0 < int(percent) < 100:
        return quantile_statistic(int(percent) / 100)
    known = ", ".join([*STATISTICS, "q1 to q99"])
    raise ParameterError([f"pivot_table.aggfunc must be of {known}; got {name!r}{did_you_mean(name, STATISTICS)}"])
