"""Several tables as one: the cells that they share are found, and all relations hold at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sfumato.data import Category
from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, FloatColumn, Rows
from sfumato.tables.cells.table import Table

Identity = frozenset[tuple[str, Category]]  # what tells a cell from others: each code that is no total

EQUALITY_TOLERANCE = 1e-6  # share of the largest value by which a cell may differ between two tables that both have it


@dataclass(frozen=True, eq=False, repr=False)
class LinkedTables:
    """Tables of the same variable over the same units, with the cells that they share counted once.

    Two cells are the same when they agree in every code that is not the total of its dimension: (act=A, product=Total)
    of one table is (act=A, region=Total) of another.

    Parameters
    ----------
    tables
        The tables; one is enough.
    cells
        For each table the number of each of its cells among all cells.
    values
        The value of each cell.
    relations
        The sparse matrix of all relations of all tables.
    names
        What to call each cell.
    unpublished
        For each cell whether no published table has it, though others follow from it and it from them; None where all
        are published.
    table_names
        The name of each table; messages call them by their dimensions where there are none.
    """

    tables: tuple[Table, ...]
    cells: tuple[Rows, ...]
    values: FloatColumn
    relations: Any
    names: tuple[str, ...]
    unpublished: Booleans | None = None
    table_names: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<LinkedTables: {', '.join(map(repr, self.tables))}>"

    @property
    def size(self) -> int:
        """How many different cells there are."""
        return self.values.size

    def title_of(self, cell: int) -> str:
        """Return what to call the first table that has a cell."""
        place = next(place for place, cells in enumerate(self.cells) if cell in cells)
        if self.table_names:
            return f"table '{self.table_names[place]}'"
        return f"the table of {' x '.join(self.tables[place].names)}"


def link(tables: Sequence[Table]) -> LinkedTables:
    """Return tables as one, or say which cell they disagree about."""
    if not tables:
        raise DataError("linked tables: at least one table is needed; got none")
    names = {table.value_name for table in tables}
    if len(names) > 1:
        held = ", ".join(sorted("counts" if name is None else name for name in names))
        raise DataError(f"linked tables must hold the same variable; got {held}")
    if len(tables) == 1:
        table = tables[0]
        return LinkedTables((table,), (np.arange(table.size),), table.values, table.relations, table.cell_names)
    number: dict[Identity, int] = {}
    cells = tuple(
        np.array([number.setdefault(identity, len(number)) for identity in cell_identities(table)], dtype=np.int64)
        for table in tables
    )
    values, owner = np.full(len(number), np.nan), np.full(len(number), -1)
    called = [""] * len(number)
    largest = max(float(np.abs(table.values).max(initial=0.0)) for table in tables)
    for place, (table, places) in enumerate(zip(tables, cells, strict=True)):
        _check_agreement(table, values[places], largest, tables, owner[places])
        owner[places] = np.where(owner[places] < 0, place, owner[places])
        values[places] = np.where(np.isnan(values[places]), table.values, values[places])
        for cell, name in zip(places.tolist(), table.cell_names, strict=True):
            called[cell] = called[cell] or name
    return LinkedTables(tuple(tables), cells, values, stack_relations(tables, cells, len(number)), tuple(called))


def cell_identities(table: Table, fixed: Mapping[str, Category] | None = None) -> list[Identity]:
    """Return for each cell of a table what tells it from cells of other tables: its codes that are no total.

    Parameters
    ----------
    table
        The table.
    fixed
        Codes that all its cells have, as the table is of a part of the records only: of a dimension of the table, the
        code of what its total stands for.
    """
    of_all = dict(fixed or {})
    tops = [_top(table, place) for place in range(len(table.dimensions))]
    pairs = [[(dimension.name, code) for code in dimension.codes] for dimension in table.dimensions]
    beside = [pair for pair in of_all.items() if pair[0] not in table.names]
    under = [[] if name not in of_all else [(name, of_all[name])] for name in table.names]
    found = []
    for row in table.codes.tolist():
        own = list(beside)
        for place, code in enumerate(row):
            own += under[place] if code == tops[place] else [pairs[place][code]]
        found.append(frozenset(own))
    return found


def _top(table: Table, place: int) -> int:
    """Return the code that stands for all leaves of a dimension; -1 when there is none."""
    dimension = table.dimensions[place]
    wide = [code for code, leaves in enumerate(dimension.covered) if leaves.size == dimension.leaves.size]
    return wide[0] if wide else -1


def _check_agreement(table: Table, others: FloatColumn, largest: float, tables: Sequence[Table], owner: Rows) -> None:
    apart = np.abs(table.values - others) > EQUALITY_TOLERANCE * largest
    if apart.any():
        cell = int(np.flatnonzero(apart)[0])
        other, own = (" x ".join(one.names) for one in (tables[owner[cell]], table))
        raise DataError(
            f"linked tables: {table.cell_names[cell]} holds another value in the table of {own} than in that of "
            f"{other}, one of {int(apart.sum())} such cells; make all tables from the same records, or give the "
            "dimensions names of their own"
        )


def stack_relations(tables: Sequence[Table], cells: Sequence[Rows], size: int) -> Any:
    """Return the relations of all tables over the cells of all of them."""
    from scipy.sparse import coo_array, csr_array, vstack

    parts = []
    for table, places in zip(tables, cells, strict=True):
        entries = table.relations.tocoo()
        parts.append(coo_array((entries.data, (entries.row, places[entries.col])), shape=(entries.shape[0], size)))
    return csr_array(vstack(parts))
