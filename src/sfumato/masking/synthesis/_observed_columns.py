"""Columns as the models of a synthesiser see them, and what is drawn for a column."""

from dataclasses import dataclass

import numpy as np

from sfumato.data import Kind, Microdata
from sfumato.data.dates import DAY, moments_of
from sfumato.numerics.arrays import FloatColumn, Rows

COARSEST, FINEST = -3, 6  # decimals that are tried when it is asked how finely a column is told


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
    """

    name: str
    kind: Kind
    values: FloatColumn
    missing_ranges: tuple[tuple[float, float], ...] = ()

    @classmethod
    def of(cls, data: Microdata, name: str) -> "ObservedColumn":
        """Return a column of any kind."""
        kind = data.schema[name].kind
        if kind is Kind.NOMINAL:
            return cls(name, kind, (data.codes(name)[0] + 1).astype(np.float64))
        if kind is Kind.DATE:  # instants, as they are written back
            moments, observed = moments_of(data.table[name], data.schema[name], by_clock=False)
            return cls(name, kind, np.where(observed, moments / DAY, np.nan))
        variable = data.schema[name]
        if kind is Kind.ORDINAL:
            return cls(name, kind, data.values(name))
        codes = tuple((float(code), float(code)) for code in variable.missing_codes)
        return cls(name, kind, data.values(name), (*codes, *variable.missing_ranges))

    @property
    def is_ordered(self) -> bool:
        """Whether the values stand in an order."""
        return self.kind is not Kind.NOMINAL

    @property
    def is_number(self) -> bool:
        """Whether values between those that were observed make sense."""
        return self.kind in (Kind.CONTINUOUS, Kind.DATE)

    def away_from_codes(self, numbers: FloatColumn) -> FloatColumn:
        """Return drawn numbers such that none stands for no answer: one that does lies just beside the code instead."""
        if not self.missing_ranges:
            return numbers
        decimals = decimals_of(self.values[~np.isnan(self.values)])
        step = 10.0 ** -(FINEST if decimals is None else decimals)
        for low, high in sorted(self.missing_ranges, reverse=True):
            beside = low - step if np.isfinite(low) else high + step
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


def decimals_of(values: FloatColumn) -> int | None:
    """Return after how many decimals all values end, less than 0 for tens and so on; none where they do not end.

    Examples
    --------
    >>> decimals_of(np.array([1200.0, 300.0])), decimals_of(np.array([1.25, 3.0])), decimals_of(np.array([1 / 3]))
    (-2, 2, None)
    """
    for decimals in range(COARSEST, FINEST + 1):
        if np.array_equal(np.round(values, decimals), values):
            return decimals
    return None
