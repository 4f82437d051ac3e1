"""Several tables as one: the cells that they share are found, and all relations hold at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sfumato.errors import DataError
from sfumato.numerics.arrays import FloatColumn, Rows
from sfumato.tables.cells.table import Table

EQUALITY_TOLERANCE = 1e-6  # share of the largest value by which a cell may differ between two tables that both have it


@dataclass(frozen=True, eq=False)
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
    """

    tables: tuple[Table, ...]
    cells: tuple[Rows, ...]
    values: FloatColumn
    relations: Any
    names: tuple[str, ...]

    @property
    def size(self) -> int:
        """How many different cells there are."""
        return self.values.size


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
    number: dict[frozenset[tuple[str, int]], int] = {}
    cells = tuple(_number_cells(table, number) for table in tables)
    values = np.full(len(number), np.nan)
    called = [""] * len(number)
    largest = max(float(np.abs(table.values).max(initial=0.0)) for table in tables)
    for table, places in zip(tables, cells, strict=True):
        _check_agreement(table, values[places], largest)
        values[places] = np.where(np.isnan(values[places]), table.values, values[places])
        for place, name in zip(places.tolist(), table.cell_names, strict=True):
            called[place] = called[place] or name
    return LinkedTables(tuple(tables), cells, values, _stack_relations(tables, cells, len(number)), tuple(called))


def _number_cells(table: Table, number: dict[Any, int]) -> Rows:
    """Return the number of each cell, giving new ones where a cell is new."""
    tops = [_top(table, place) for place in range(len(table.dimensions))]
    codes = [dimension.codes for dimension in table.dimensions]
    places = np.empty(table.size, dtype=np.int64)
    for cell, row in enumerate(table.codes.tolist()):
        key = frozenset(
            (name, codes[place][code])
            for place, (name, code) in enumerate(zip(table.names, row, strict=True))
            if code != tops[place]
        )
        places[cell] = number.setdefault(key, len(number))
    return places


def _top(table: Table, place: int) -> int:
    """Return the code that stands for all leaves of a dimension; -1 when there is none."""
    dimension = table.dimensions[place]
    wide = [code for code, leaves in enumerate(dimension.covered) if leaves.size == dimension.leaves.size]
    return wide[0] if wide else -1


def _check_agreement(table: Table, others: FloatColumn, largest: float) -> None:
    apart = np.abs(table.values - others) > EQUALITY_TOLERANCE * largest
    if apart.any():
        cell = int(np.flatnonzero(apart)[0])
        raise DataError(
            f"linked tables: {table.cell_names[cell]} holds another value in another table; "
            "make all tables from the same records, or give the dimensions names of their own"
        )


def _stack_relations(tables: Sequence[Table], cells: Sequence[Rows], size: int) -> Any:
    from scipy.sparse import coo_array, csr_array, vstack

    parts = []
    for table, places in zip(tables, cells, strict=True):
        entries = table.relations.tocoo()
        parts.append(coo_array((entries.data, (entries.row, places[entries.col])), shape=(entries.shape[0], size)))
    return csr_array(vstack(parts))
