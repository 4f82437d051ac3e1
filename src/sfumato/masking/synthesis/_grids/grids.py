"""How finely a column is told: in hundreds, in cents or in quarters, by the day or by the month.

What is drawn ends where nearly all values do. The finer digits of fewer than `fewest` records do not count: they would
show in the whole file that these records were there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from sfumato.data import Kind
from sfumato.masking.synthesis._grids.step_grid import find_step_grid
from sfumato.numerics.arrays import FloatColumn

COARSEST, FINEST = -3, 6  # decimals that are tried
SPIKE_SHARE = 0.01  # of the records: a number that so many have, and
SPIKE_RATIO = 10  # so many times as many as have a usual one, stands by itself


class Grid(Protocol):
    """Numbers that lie in steps."""

    def round(self, values: FloatColumn) -> FloatColumn:
        """Return the nearest number of the grid for each value; NaN stays."""


@dataclass(frozen=True)
class DecimalGrid:
    """Numbers that end after so many decimals, less than 0 for tens and so on."""

    decimals: int

    @property
    def step(self) -> float:
        """How far apart they lie."""
        return float(10.0**-self.decimals)

    def round(self, values: FloatColumn) -> FloatColumn:
        """Return the values with so many decimals."""
        return np.round(values, self.decimals)


@dataclass(frozen=True)
class DayGrid:
    """Days since 1970 that are whole ones, or have so many parts: hours, minutes, seconds."""

    parts: int

    def round(self, values: FloatColumn) -> FloatColumn:
        """Return the nearest whole part of a day."""
        return np.rint(values * self.parts) / self.parts


@dataclass(frozen=True)
class CalendarGrid:
    """Days since 1970 on which a year or a month begins."""

    unit: Literal["Y", "M"]

    def round(self, values: FloatColumn) -> FloatColumn:
        """Return the nearest first day.

        Examples
        --------
        >>> CalendarGrid("M").round(np.array([14.0, 17.0, np.nan]))
        array([ 0., 31., nan])
        """
        known = ~np.isnan(values)
        days = values[known]
        unit = np.floor(days).astype("datetime64[D]").astype(f"datetime64[{self.unit}]")
        first, after = ((unit + add).astype("datetime64[D]").astype(np.float64) for add in (0, 1))
        rounded = np.array(values)
        rounded[known] = np.where(days - first < after - days, first, after)
        return rounded


NUMBER_GRIDS = tuple(DecimalGrid(decimals) for decimals in range(COARSEST, FINEST + 1))
WHOLE_DAYS = DayGrid(1)
PARTS = (24, 48, 96, 144, 288, 1440, 86400)  # hours, half and quarter ones, ten and five minutes, minutes, seconds
DATE_GRIDS: tuple[Grid, ...] = (CalendarGrid("Y"), CalendarGrid("M"), WHOLE_DAYS, *map(DayGrid, PARTS))
DAYS_OF_WEEK = 7


def find_grid(values: FloatColumn, kind: Kind, fewest: int) -> Grid | None:
    """Return the coarsest grid that all values lie on but for fewer than `fewest`; none where there is none.

    Numbers that many records have, such as a minimum wage, are left aside where other values remain.

    Examples
    --------
    >>> find_grid(np.array([1200.0, 300.0] * 5 + [7.25]), Kind.CONTINUOUS, 2)
    DecimalGrid(decimals=-2)
    >>> find_grid(np.array([1.25, 3.0]), Kind.CONTINUOUS, 1), find_grid(np.array([1 / 3]), Kind.CONTINUOUS, 1)
    (DecimalGrid(decimals=2), None)
    >>> find_grid(np.arange(50) * 0.125, Kind.CONTINUOUS, 5).step
    0.125
    """
    known = values[~np.isnan(values)]
    usual = known[~np.isin(known, find_spikes(values, fewest))]
    grids: Sequence[Grid] = DATE_GRIDS if kind is Kind.DATE else NUMBER_GRIDS
    looked_at = usual if usual.size else known
    grid = next((grid for grid in grids if np.count_nonzero(grid.round(looked_at) != looked_at) < fewest), None)
    return _coarser(grid, looked_at, fewest) or grid


def _coarser(grid: Grid | None, values: FloatColumn, fewest: int) -> Grid | None:
    """Return wider steps than those of a grid that the values lie in: of numbers, or by days of one weekday."""
    if grid == WHOLE_DAYS:
        return find_step_grid(values, 0, fewest, (DAYS_OF_WEEK,))
    return find_step_grid(values, grid.decimals, fewest) if isinstance(grid, DecimalGrid) else None


def round_to_grid(values: FloatColumn, grid: Grid | None, fewest: int) -> FloatColumn:
    """Return a column on its grid, but for numbers that many records have."""
    if grid is None:
        return values
    return np.where(np.isin(values, find_spikes(values, fewest)), values, grid.round(values))


def find_spikes(values: FloatColumn, fewest: int) -> FloatColumn:
    """Return the numbers that many records have, `fewest` at least, rising.

    Examples
    --------
    >>> find_spikes(np.array([0.0] * 20 + [np.nan] + list(range(1, 11))), 5)
    array([0.])
    """
    distinct, counts = np.unique(values[~np.isnan(values)], return_counts=True)
    if not distinct.size:
        return distinct
    return distinct[counts >= max(SPIKE_SHARE * values.size, SPIKE_RATIO * float(np.median(counts)), fewest)]
