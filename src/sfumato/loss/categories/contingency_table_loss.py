"""Contingency table loss: how far the counts in the tables of one, two or more columns have moved."""

from collections.abc import Iterator, Mapping
from math import prod
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.comparison.copies import mean_over_copies
from sfumato.comparison.side_by_side import CategoricalColumns, categories_of_both
from sfumato.contracts import LossMeasure, Measurement
from sfumato.data import CATEGORICAL, Kind, Microdata
from sfumato.numerics.arrays import CodeColumn, CodeMatrix
from sfumato.parameters import Columns

ROOM = 4  # cells are tallied in one array while it has at most this many places per record, else by sorting

Chosen = tuple[int, ...]
"""The places of the columns that make a table."""


class ContingencyTableLoss(LossMeasure):
    """Compare the counts in the tables of each column, of each two, and so on up to `max_dimensions` columns.

    The value is the mean total variation of the tables: the sum of the absolute differences of the counts, as a share
    of the largest that is possible (twice the number of records). The parts are `CTBIL`, the published sum of the
    absolute differences over all cells of all tables, `CTBILC`, the same per cell (a cell for each combination of
    categories that either file has), and the value by the number of columns in a table.

    Parameters
    ----------
    columns
        Nominal or ordinal columns.
    max_dimensions
        The largest number of columns in a table. The number of tables grows quickly with it: 20 columns make 20 tables
        of one column, 190 of two and 1140 of three.

    Meaning
        0: the same counts in every table, whoever the records are. 100: no table shares a cell, as when every column
        was recoded into new categories.
    Missing values
        Missing is a category of its own, so that with one column in a table `CTBIL` is twice the number of
        suppressions. Where the masked file is a sample, its counts are multiplied by the number of original records
        over that of masked ones; of several synthetic copies in a file the figures are the means over the copies. There
        is no figure per record.
    Source
        Domingo-Ferrer and Torra (2001), Disclosure control methods and information loss for microdata, eq. 1.

    Examples
    --------
    >>> original, masked = np.array([[0, 0], [0, 0], [1, 1]]), np.array([[0, 0], [0, 1], [1, 1]])
    >>> table_differences(original, masked, max_dimensions=2)
    {(0,): 0.0, (0, 1): 2.0, (1,): 2.0}
    """

    symbol: ClassVar[str] = "CTL"
    part_symbols: ClassVar[tuple[str, ...]] = ("CTBIL", "CTBILC")
    part_units: ClassVar[Mapping[str, str]] = {"CTBIL": "records", "CTBILC": "records per cell"}
    family: ClassVar[str] = "categories"
    needs_pairs: ClassVar[bool] = False
    kinds: ClassVar[frozenset[Kind]] = CATEGORICAL

    columns: Columns
    max_dimensions: Annotated[int, Field(ge=1)] = 2

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the mean total variation in percent, with the published sums and the figure by dimension."""
        return mean_over_copies(original, masked, self._measure_copy)

    def _measure_copy(self, original: Microdata, masked: Microdata) -> Measurement:
        files = categories_of_both(self, original, masked)
        differences = table_differences(files.original, files.masked, self.max_dimensions)
        total, largest = sum(differences.values()), 2 * original.n
        parts = {"CTBIL": total, "CTBILC": total / _cells(files, differences)}
        for dimension in range(1, min(self.max_dimensions, len(files.names)) + 1):
            of_dimension = [found for chosen, found in differences.items() if len(chosen) == dimension]
            parts[f"dimension {dimension}"] = 100 * sum(of_dimension) / (largest * len(of_dimension))
        return Measurement(self.name(), self.symbol, 100 * total / (largest * len(differences)), parts=parts)


def table_differences(original: CodeMatrix, masked: CodeMatrix, max_dimensions: int) -> dict[Chosen, float]:
    """Return the sum of the absolute differences of the counts of each table, by the columns that make it.

    Codes are 0, 1, ... and -1 for missing; the counts of the masked file are scaled to the size of the original.
    """
    columns = [number_cells(column + 1) for column in np.concatenate([original, masked]).T]
    return {
        chosen: _difference(cells[: len(original)], cells[len(original) :])
        for chosen, cells in _tables(columns, max_dimensions)
    }


def number_cells(cells: CodeColumn) -> CodeColumn:
    """Return the cells numbered 0, 1, ... without gaps, in their order.

    Examples
    --------
    >>> number_cells(np.array([7, 0, 7, 1000]))
    array([1, 0, 1, 2])
    """
    places = int(cells.max()) + 1
    if places > ROOM * cells.size:
        return np.unique(cells, return_inverse=True)[1]
    occurs = np.bincount(cells, minlength=places) > 0
    return (np.cumsum(occurs) - 1)[cells]


def _tables(
    columns: list[CodeColumn], max_dimensions: int, chosen: Chosen = (), cells: CodeColumn | None = None
) -> Iterator[tuple[Chosen, CodeColumn]]:
    """Yield the columns of each table with the cell of each record; a table is refined before the next is made."""
    for place in range(chosen[-1] + 1 if chosen else 0, len(columns)):
        column = columns[place]
        # both are below the number of records, so that their product is far from the largest integer
        refined = column if cells is None else number_cells(cells * (int(column.max()) + 1) + column)
        yield (*chosen, place), refined
        if len(chosen) + 1 < max_dimensions:
            yield from _tables(columns, max_dimensions, (*chosen, place), refined)


def _difference(original: CodeColumn, masked: CodeColumn) -> float:
    size = int(max(original.max(), masked.max())) + 1
    before, after = (np.bincount(cells, minlength=size) for cells in (original, masked))
    return float(np.abs(before - after * (original.size / masked.size)).sum())


def _cells(files: CategoricalColumns, tables: dict[Chosen, float]) -> int:
    """Return the number of cells of all tables, with one for missing where a file has missing values."""
    lowest = np.minimum(files.original.min(axis=0), files.masked.min(axis=0)).tolist()
    sizes = [len(categories) + (low < 0) for categories, low in zip(files.categories, lowest, strict=True)]
    return sum(prod(sizes[place] for place in chosen) for chosen in tables)
