"""Which values of a column go with which categories of a key, in some records: counted once where both are few."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from sfumato.numerics.arrays import Booleans, CodeColumn, Rows


@dataclass(frozen=True, eq=False)
class HeldValues:
    """The values of a column, and the categories of a key beside them.

    Parameters
    ----------
    held, category
        The value and the category of each record that has a value.
    values, count
        How many values and categories there are.
    """

    held: CodeColumn
    category: CodeColumn
    values: int
    count: int

    @classmethod
    def of(cls, column: CodeColumn, categories: CodeColumn, units: Rows, count: int) -> Self:
        """Return those of some rows of a file, each of which is named once."""
        values = int(column.max(initial=-1)) + 1
        if units.size < column.size:
            column, categories = column[units], categories[units]
        is_known = column >= 0
        if not is_known.all():
            column, categories = column[is_known], categories[is_known]
        return cls(column, categories, values, count)

    @cached_property
    def holders(self) -> CodeColumn:
        """How many records have each value."""
        return np.bincount(self.held, minlength=self.values) if self._table is None else self._table.sum(axis=1)

    @cached_property
    def members(self) -> CodeColumn:
        """How many records are of each category."""
        return np.bincount(self.category, minlength=self.count) if self._table is None else self._table.sum(axis=0)

    def ends(self) -> tuple[CodeColumn, CodeColumn]:
        """Return the lowest and the highest value that goes with each category, any where none does.

        Examples
        --------
        >>> HeldValues(np.array([3, 0, 2, 2, 1]), np.array([0, 0, 1, 1, 1]), values=4, count=2).ends()
        (array([0, 1]), array([3, 2]))
        """
        if self._table is not None:
            return ends_of_rows(self._table.T > 0)
        low, high = np.full(self.count, self.values - 1), np.zeros(self.count, dtype=np.int64)
        np.minimum.at(low, self.category, self.held)
        np.maximum.at(high, self.category, self.held)
        return low, high

    def cells(self, some: CodeColumn) -> CodeColumn:
        """Return how many records have each of some values and each category, those of all other values in a last row.

        Examples
        --------
        >>> HeldValues(np.array([3, 0, 2, 2, 1]), np.array([0, 0, 1, 1, 1]), values=4, count=2).cells(np.array([2]))
        array([[0, 2],
               [2, 1]])
        """
        number = np.full(self.values, some.size)
        number[some] = np.arange(some.size)
        if self._table is not None:
            return np.vstack([self._table[some], self._table[number == some.size].sum(axis=0)])
        codes = number[self.held] * self.count + self.category
        return np.bincount(codes, minlength=(some.size + 1) * self.count).reshape(-1, self.count)

    @cached_property
    def _table(self) -> CodeColumn | None:
        """How many records have each value and category; None where that is more to look at than the records."""
        if self.values * self.count > self.held.size:
            return None
        codes = self.held * self.count + self.category
        return np.bincount(codes, minlength=self.values * self.count).reshape(self.values, self.count)


def ends_of_rows(is_there: Booleans) -> tuple[CodeColumn, CodeColumn]:
    """Return the first and the last place of each row that is true; any where none is."""
    return is_there.argmax(axis=1), is_there.shape[1] - 1 - is_there[:, ::-1].argmax(axis=1)


def join_columns(cells: CodeColumn, groups: CodeColumn) -> CodeColumn:
    """Return a table of counts in which the columns of one group are added up.

    Examples
    --------
    >>> join_columns(np.array([[1, 2, 4], [0, 8, 0]]), np.array([1, 0, 1]))
    array([[2, 5],
           [8, 0]])
    """
    shape = len(cells), int(groups.max()) + 1
    places = np.arange(shape[0])[:, None] * shape[1] + groups
    added = np.bincount(places.ravel(), weights=cells.ravel(), minlength=shape[0] * shape[1])  # exact below 2^53
    return np.asarray(added.reshape(shape), dtype=np.int64)
