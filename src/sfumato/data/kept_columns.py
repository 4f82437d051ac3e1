"""The columns of a file as numbers and as codes, read once: numbers while the file is not large."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.data.columns import codes_of, floats_of
from sfumato.data.dates import days_of
from sfumato.data.distinct_values import factorise
from sfumato.data.kinds import Kind
from sfumato.numerics.arrays import CodeColumn, FloatColumn
from sfumato.numerics.ranking import in_order

if TYPE_CHECKING:
    from sfumato.data.microdata import Microdata
    from sfumato.data.schema import Category

KEPT_RECORDS = 1_000_000  # numbers of larger files are read anew each time: copies of them are what memory goes into
KEPT_CODES = 4_000_000  # codes take half the room of numbers or less, and those of households are long to find
KEPT_IN_PIECES = 4_000_000  # of larger files no column is kept in pieces, not even the one that was asked for last
SMALL = 2  # bytes: codes of few categories take no more, and are kept of files of any size


class KeptColumns:
    """What was read of the columns of a file; who asks again gets a copy, and may change it."""

    def __init__(self) -> None:
        self._values: dict[str, FloatColumn] = {}
        self._codes: dict[str, tuple[CodeColumn, tuple[Category, ...]]] = {}
        self._numbers: dict[str, CodeColumn] = {}
        self._orders: dict[str, CodeColumn] = {}
        self._empty: dict[str, bool] = {}
        self._pieces: tuple[tuple[str, ...], list[tuple[Microdata, KeptColumns]]] | None = None

    def values(self, data: "Microdata", name: str) -> FloatColumn:
        """Return a column of the file as floats, codes or days; missing is NaN."""
        kept = self._values.get(name)
        if kept is None:
            kept = _read_values(data, name)
            if data.n > KEPT_RECORDS:
                return kept
            self._values[name] = kept
        return kept.copy() if kept.flags.writeable else kept

    def codes(self, data: "Microdata", name: str) -> "tuple[CodeColumn, tuple[Category, ...]]":
        """Return a column of the file as codes into the categories of the whole file, and the categories."""
        kept = self._codes.get(name)
        if kept is None:
            known = () if data.summary.is_of(data) else data.summary.categories(name)
            kept = codes_of(data.table.get_column(name), data.schema[name], known)
            codes, categories = kept
            smallest = np.min_scalar_type(-len(categories) - 1)
            if data.n <= KEPT_CODES or smallest.itemsize <= SMALL:
                self._codes[name] = codes.astype(smallest), categories
            return kept
        codes, categories = kept
        return codes.astype(np.int64), categories

    def numbers(self, data: "Microdata", name: str) -> CodeColumn:
        """Return a number for each different value of a column as it stands, missing codes too; -1 for none."""
        kept = self._numbers.get(name)
        if kept is None:
            numbers, found = factorise(data.table.get_column(name))
            if data.n <= KEPT_CODES:
                self._numbers[name] = numbers.astype(np.min_scalar_type(-len(found) - 1))
            return numbers
        return kept.astype(np.int64)

    def value_order(self, data: "Microdata", name: str) -> CodeColumn:
        """Return a number for each different value of a column as floats, in their order; missing is -1."""
        kept = self._orders.get(name)
        if kept is None:
            order = in_order(self.values(data, name))
            if data.n <= KEPT_CODES:
                self._orders[name] = order.astype(np.min_scalar_type(-int(order.max(initial=0)) - 2))
            return order
        return kept.astype(np.int64)

    def is_empty(self, data: "Microdata", name: str) -> bool:
        """Tell whether a column of the file holds nothing at all."""
        if name not in self._empty:
            self._empty[name] = data.table.get_column(name).null_count() == data.n
        return self._empty[name]

    def pieces(self, data: "Microdata", names: tuple[str, ...], rows: int) -> "Iterator[Microdata]":
        """Yield some columns of the file in pieces of so many rows, or the file itself where it has no more.

        A single column is kept, as much is asked of each.
        """
        if data.n <= rows:
            yield data
            return
        if len(names) > 1 or data.n > KEPT_IN_PIECES:
            for piece in _cut(data, names, rows):
                yield piece.as_block_of(data)
            return
        kept = self._pieces
        if kept is None or kept[0] != names:
            self._pieces = kept = names, [(piece, KeptColumns()) for piece in _cut(data, names, rows)]
        for piece, columns in kept[1]:  # which do not know the file, as it would refer to itself
            block = piece.as_block_of(data)
            object.__setattr__(block, "_columns", columns)
            yield block

    def without(self, *names: str) -> "KeptColumns":
        """Return what was read of the other columns, for a file in which they are the same."""
        others = KeptColumns()
        others._values = {other: kept for other, kept in self._values.items() if other not in names}
        others._codes = {other: kept for other, kept in self._codes.items() if other not in names}
        others._numbers = {other: kept for other, kept in self._numbers.items() if other not in names}
        others._orders = {other: kept for other, kept in self._orders.items() if other not in names}
        others._empty = {other: kept for other, kept in self._empty.items() if other not in names}
        return others

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), ()  # another process reads what it needs


def _read_values(data: "Microdata", name: str) -> FloatColumn:
    variable = data.schema[name]
    if variable.kind is Kind.ORDINAL:
        codes, _ = data.codes(name)
        return np.where(codes >= 0, codes.astype(np.float64), np.nan)
    if variable.kind is Kind.DATE:
        return days_of(data.table.get_column(name), variable)
    return floats_of(data.table.get_column(name), variable)


def _cut(data: "Microdata", names: tuple[str, ...], rows: int) -> "Iterator[Microdata]":
    chosen = data.take_columns(names)
    return (chosen.take_rows(slice(start, start + rows)) for start in range(0, data.n, rows))
