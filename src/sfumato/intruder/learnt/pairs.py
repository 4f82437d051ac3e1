"""Original records and what became of them: what an intruder learns from."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sfumato.contracts import Likelihood
from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.ranking import places_among

MAX_VALUES = 5000  # of masked values that a scale of ranks is made from


@dataclass(frozen=True, eq=False)
class Pairs:
    """Columns of original records and of what became of them: numbers as they are, categories as codes.

    Parameters
    ----------
    original
        The columns of all original records; missing is NaN (records x columns).
    rows
        For each pair the row of the original.
    after
        The columns of what became of it (pairs x columns).
    is_number
        Which columns are numbers, or ordered codes, in both.
    """

    original: FloatMatrix
    rows: Rows
    after: FloatMatrix
    is_number: tuple[bool, ...]

    @cached_property
    def scales(self) -> tuple["RankScale", ...]:
        """The values of each column before and after masking as ranks."""
        step = -(-len(self.after) // MAX_VALUES)
        return tuple(
            RankScale.of(self.original[:, place], self.after[::step, place]) for place in range(self.original.shape[1])
        )

    @cached_property
    def ranks(self) -> dict[int, tuple[FloatColumn, FloatColumn]]:
        """The values of each column of numbers as ranks: of the originals, and of what became of them."""
        numbers = [(place, scale) for place, scale in enumerate(self.scales) if self.is_number[place]]
        return {
            place: (scale.ranks(self.original[:, place]), scale.ranks(self.after[:, place])) for place, scale in numbers
        }

    @cached_property
    def keeps_missing(self) -> Booleans:
        """For each column whether masking leaves what is missing as it is, and nothing else is."""
        found = np.isnan(self.original)[self.rows] == np.isnan(self.after)
        return np.asarray(found.all(axis=0), dtype=np.bool_)

    def columns(self, places: Rows) -> "Pairs":
        """Return the pairs with some of the columns alone."""
        kinds = tuple(self.is_number[place] for place in places.tolist())
        return Pairs(self.original[:, places], self.rows, self.after[:, places], kinds)


Learner = Callable[[Pairs, Rows, FloatMatrix], Likelihood]
"""Learns from pairs the likelihood of masked records (third) given the originals in some rows (second)."""


@dataclass(frozen=True, eq=False)
class RankScale:
    """Sorted values with how many lie below each of them, and below the next.

    Examples
    --------
    >>> RankScale.of(np.array([5.0, 1.0]), np.array([2.0, 2.0])).ranks(np.array([0.0, 2.0, 3.0, 5.0, np.nan]))
    array([0.   , 0.5  , 0.75 , 0.875,   nan])
    """

    values: FloatColumn
    below: FloatColumn

    @classmethod
    def of(cls, *columns: FloatColumn) -> "RankScale":
        """Return the scale of all the values that are there."""
        known = np.concatenate([column[~np.isnan(column)] for column in columns])
        values, counts = np.unique(known, return_counts=True)
        return cls(values, np.concatenate([[0], np.cumsum(counts)]).astype(np.float64))

    def ranks(self, column: FloatColumn) -> FloatColumn:
        """Return where values stand, from 0 to 1, equal ones in the middle; missing stays missing."""
        if not self.values.size:  # all are missing where the scale was learnt
            return np.where(np.isnan(column), np.nan, 0.5)
        place = places_among(self.values, column)
        is_there = self.values[np.minimum(place, len(self.values) - 1)] == column
        middle = (self.below[place] + self.below[np.minimum(place + is_there, len(self.values))]) / 2
        return np.where(np.isnan(column), np.nan, middle / max(self.below[-1], 1.0))
