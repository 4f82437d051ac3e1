"""Columns as the models of a synthesiser see them, and what is drawn for a column."""

from dataclasses import dataclass, replace

import numpy as np

from sfumato.data import Kind, Microdata
from sfumato.data.dates import DAY, moments_of
from sfumato.intruder.coded_columns import gap_codes
from sfumato.masking.synthesis._grids.grids import FINEST, DecimalGrid, Grid, find_grid, round_to_grid
from sfumato.masking.synthesis._grids.step_grid import StepGrid
from sfumato.masking.synthesis._tails import limit_column
from sfumato.numerics.arrays import CodeColumn, FloatColumn, Rows


@dataclass(frozen=True, eq=False)
class ObservedColumn:
    """A column of the original file.

    Parameters
    ----------
    name, kind
        What it is called, and its kind.
    values
        Numbers, ordinal codes or days since 1970, NaN where missing; of a nominal column category numbers from 1, and 0
        where missing.
    missing_ranges
        Numbers that stand for no answer, from one to another, and that are no values.
    gaps
        What each cell shows in place of a value: 0 is a value, the ways to show none are numbered from 1. None where
        there is one way.
    grid
        How finely drawn numbers are told, as nearly all of the original are; known after `hide_few`.
    """

    name: str
    kind: Kind
    values: FloatColumn
    missing_ranges: tuple[tuple[float, float], ...] = ()
    gaps: CodeColumn | None = None
    grid: Grid | None = None

    @classmethod
    def of(cls, data: Microdata, name: str) -> "ObservedColumn":
        """Return a column of any kind."""
        variable = data.schema[name]
        kind, gaps = variable.kind, _ways_to_be_missing(data, name)
        if kind is Kind.NOMINAL:
            return cls(name, kind, (data.codes(name)[0] + 1).astype(np.float64), gaps=gaps)
        if kind is Kind.DATE:  # instants, as they are written back
            moments, observed = moments_of(data.table[name], variable, by_clock=False)
            return cls(name, kind, np.where(observed, moments / DAY, np.nan), gaps=gaps)
        if kind is Kind.ORDINAL:
            return cls(name, kind, data.values(name), gaps=gaps)
        codes = tuple((float(code), float(code)) for code in variable.missing_codes)
        return cls(name, kind, data.values(name), (*codes, *variable.missing_ranges), gaps)

    def take_rows(self, rows: Rows) -> "ObservedColumn":
        """Return the column of some records."""
        return replace(self, values=self.values[rows], gaps=None if self.gaps is None else self.gaps[rows])

    def hide_few(self, fewest: int) -> "ObservedColumn":
        """Return the column as models are to see it, without what less than `fewest` numbers alone would show.

        That is how far they lie beyond all others, and that they have finer digits.
        """
        if not self.is_number:
            return self
        grid = find_grid(self.values, self.kind, fewest)
        values = round_to_grid(self.values, grid, fewest)
        return replace(self, values=limit_column(values, fewest, grid), grid=grid)

    @property
    def is_ordered(self) -> bool:
        """Whether the values stand in an order."""
        return self.kind is not Kind.NOMINAL

    @property
    def is_number(self) -> bool:
        """Whether values between those that were observed make sense."""
        return self.kind in (Kind.CONTINUOUS, Kind.DATE)

    def category_codes(self) -> CodeColumn:
        """Return a number for each category, from 1; missing is 0, and each further way to be missing comes last."""
        return self.tell_gaps(np.nan_to_num(self.values + self.is_ordered).astype(np.int64))

    def tell_gaps(self, codes: CodeColumn) -> CodeColumn:
        """Return codes with numbers of their own, above all others, for the second and further ways to be missing."""
        if self.gaps is None or self.gaps.max(initial=0) < 2:
            return codes
        return np.asarray(np.where(self.gaps > 1, codes.max() + self.gaps - 1, codes), dtype=np.int64)

    def away_from_codes(self, numbers: FloatColumn) -> FloatColumn:
        """Return drawn numbers such that none stands for no answer: one that does lies just beside the code instead."""
        if not self.missing_ranges:
            return numbers
        grid = self.grid if isinstance(self.grid, DecimalGrid | StepGrid) else DecimalGrid(FINEST)
        apart = 0.5001 * grid.step  # from there the nearest number of the grid is not the code
        for low, high in sorted(self.missing_ranges, reverse=True):
            beside = grid.round(np.array([low - apart if np.isfinite(low) else high + apart]))
            numbers = np.where((numbers >= low) & (numbers <= high), beside, numbers)
        return numbers


@dataclass(frozen=True, eq=False)
class DrawnColumn:
    """A column of synthetic records.

    Parameters
    ----------
    donors
        For each record the original row whose cell it takes.
    numbers
        What it takes instead; NaN where the donor's cell is copied as it stands.
    """

    donors: Rows
    numbers: FloatColumn

    @classmethod
    def copied(cls, donors: Rows) -> "DrawnColumn":
        """Return a column of copied cells."""
        return cls(donors, np.full(donors.size, np.nan))

    def values(self, original: FloatColumn) -> FloatColumn:
        """Return the values of the drawn records, as those of the original are given."""
        return np.where(np.isnan(self.numbers), original[self.donors], self.numbers)

    def replace_rows(self, rows: Rows, other: "DrawnColumn") -> "DrawnColumn":
        """Return the column with other draws in some rows."""
        donors, numbers = self.donors.copy(), self.numbers.copy()
        donors[rows], numbers[rows] = other.donors, other.numbers
        return DrawnColumn(donors, numbers)


def _ways_to_be_missing(data: Microdata, name: str) -> CodeColumn | None:
    """Return the way in which each cell is missing, the first one in use as 1; None where no codes stand for it."""
    variable = data.schema[name]
    if not variable.missing_codes and not variable.missing_ranges:
        return None
    used, gaps = np.unique(gap_codes([data], name)[0], return_inverse=True)
    return np.asarray(gaps + (used[0] != 0), dtype=np.int64)
