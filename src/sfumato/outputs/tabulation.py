"""Cross-classify records: every cell of a table and of its totals, as sets of records."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from sfumato.data import Category, Kind, Microdata
from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, CodeColumn, CodeMatrix
from sfumato.outputs.facts import COUNT, Facts

ALL = -1  # the code of a total
TOTAL_NAME = "all records"


@dataclass(frozen=True, eq=False)
class Dimension:
    """A column that a table is made by.

    Parameters
    ----------
    name
        Its name.
    codes
        For each record its category; -1 where there is none.
    categories
        What the categories are called.
    """

    name: str
    codes: CodeColumn
    categories: tuple[Category, ...]


@dataclass(frozen=True, eq=False)
class CrossTable:
    """The cells of a table with all its totals.

    Parameters
    ----------
    dimensions
        What it is made by.
    codes
        (cells, dimensions): the category of each cell in each dimension; `ALL` where it is a total over it.
    groups
        For each record the cell without totals that it falls into; -1 for none.
    members
        The sparse matrix (cells x groups) of what adds up to each cell.
    """

    dimensions: tuple[Dimension, ...]
    codes: CodeMatrix
    groups: CodeColumn
    members: Any

    @property
    def names(self) -> tuple[str, ...]:
        """What each cell is called: its categories."""
        return tuple(self._name(row) for row in self.codes.tolist())

    def _name(self, codes: list[int]) -> str:
        pairs = zip(self.dimensions, codes, strict=True)
        return ", ".join(f"{one.name}={one.categories[code]}" for one, code in pairs if code != ALL) or TOTAL_NAME

    def facts(self, output: str, is_asked: Booleans, measures: Sequence[str] = (COUNT,), rounding: int = 0) -> Facts:
        """Return the cells as facts of an output, all that are asked for shown."""
        return Facts(
            output, self.groups, self.members, self.names, is_asked, is_asked.copy(), tuple(measures), rounding
        )

    def is_total(self, places: Sequence[int]) -> Booleans:
        """Tell which cells are totals over all the given dimensions and over no other."""
        wanted = np.isin(np.arange(len(self.dimensions)), list(places))
        return np.asarray(((self.codes == ALL) == wanted).all(axis=1), dtype=np.bool_)


def dimension_of(who: str, data: Microdata, name: str) -> Dimension:
    """Return a column as a dimension; numbers with many values are refused, as each would be a category."""
    kind = data.schema[name].kind
    if kind is Kind.DATE:
        raise DataError(f"{who}: '{name}' holds dates; make years or other groups of them first")
    if kind is not Kind.CONTINUOUS:
        codes, categories = data.codes(name)
        return Dimension(name, codes, categories)
    values = data.values(name)
    distinct = np.unique(values[~np.isnan(values)])
    if distinct.size > max(50, data.n // 20):
        raise DataError(f"{who}: '{name}' has {distinct.size} different numbers; make groups of them first")
    codes = np.where(np.isnan(values), -1, np.searchsorted(distinct, values))
    return Dimension(name, codes, tuple(int(one) if float(one).is_integer() else one for one in distinct.tolist()))


def cross_tabulate(dimensions: Sequence[Dimension], selected: Booleans) -> CrossTable:
    """Return the cells that the selected records fall into, and all totals; combinations without records are no cells.

    Parameters
    ----------
    dimensions
        What to make cells by; without any there is one cell.
    selected
        The records to take; those without a category in some dimension are left out.
    """
    from scipy.sparse import csr_array

    codes = np.stack([one.codes for one in dimensions], axis=1) if dimensions else np.zeros((selected.size, 0), int)
    inside = selected & (codes >= 0).all(axis=1)
    finest, numbers = np.unique(codes[inside], axis=0, return_inverse=True)
    groups = np.full(selected.size, -1, dtype=np.int64)
    groups[inside] = numbers.reshape(-1)
    cells, rows, columns = [], [], []
    first = 0
    for over in product((False, True), repeat=len(dimensions)):
        merged, place = np.unique(np.where(over, ALL, finest), axis=0, return_inverse=True)
        cells.append(merged)
        rows.append(first + place.reshape(-1))
        columns.append(np.arange(finest.shape[0]))
        first += merged.shape[0]
    row, column = np.concatenate(rows), np.concatenate(columns)
    members = csr_array((np.ones(row.size), (row, column)), shape=(first, finest.shape[0]))
    return CrossTable(tuple(dimensions), np.concatenate(cells).astype(np.int64), groups, members)
