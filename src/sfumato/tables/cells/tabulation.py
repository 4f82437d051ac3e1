"""Add up records to all cells of a table, totals included, with the largest contributions to each."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np

from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, CodeColumn, CodeMatrix, FloatColumn, FloatMatrix, Rows
from sfumato.tables.cells.cell_keys import cell_keys
from sfumato.tables.cells.contributions import NOBODY, Contributions
from sfumato.tables.cells.dimension import Dimension
from sfumato.tables.cells.groupings import check_leaf
from sfumato.tables.cells.holdings import Shares, add_spread, shares_of
from sfumato.tables.cells.layers import codes_of_keys, each_layer, lowest_ranks
from sfumato.tables.cells.records import Columns, Records
from sfumato.tables.cells.relations import keys_of

MAX_ZEROS = 10**8  # combinations of leaves that may be asked for at once


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells on the way up.

    Parameters
    ----------
    keys
        One number per cell, ascending.
    sums
        (cells, 4): the weighted value, the number of contributors, their contributions in absolute size, and how much
        of these is below 0. The last three leave out holdings that contribute to several cells of the finest level.
    ranks
        (cells, kept): the ranks of the largest contributors.
    asking
        (cells, 0 or 1): the rank of the largest contributor that asked for protection.
    nobody
        The rank that stands for nobody.
    """

    keys: CodeColumn
    sums: FloatMatrix
    ranks: CodeMatrix
    asking: CodeMatrix
    nobody: int


def tabulate(
    dimensions: Sequence[Dimension], records: Records, kept: int, possible: CodeColumn
) -> tuple[CodeMatrix, FloatColumn, FloatColumn, Contributions]:
    """Return the codes, values, counts and contributions of all cells that records add up to.

    Contributors are ranked once, by size. A unit that stands behind one cell of the finest level is then followed by
    its rank alone; only holdings that are spread over several have to be added up anew for each total.

    Parameters
    ----------
    dimensions
        What adds up to what.
    records
        The records as arrays.
    kept
        How many of the largest contributions to keep.
    possible
        Keys of cells of the finest level that exist whether or not a record is in them.
    """
    keys = keys_of(dimensions, records.places)
    lone, spread = shares_of(keys, records).split_spread()
    lone = lone.by_size()
    finest = _finest(keys, records, lone, kept, possible)
    cells = _join_layers(list(each_layer(finest, dimensions, _merge_layer)))
    contributions, counts = _contributions(cells, lone), cells.sums[:, 1]
    if spread.size:
        contributions, counts = add_spread(contributions, counts, cells.keys, spread, dimensions)
    return codes_of_keys(cells.keys, dimensions), cells.sums[:, 0].copy(), counts.copy(), contributions


def possible_keys(dimensions: Sequence[Dimension], zeros: Any) -> CodeColumn:
    """Return the keys of the cells that `zeros` of `Table.from_records` asks for."""
    if zeros is False:
        return np.empty(0, dtype=np.int64)
    if zeros is not True:
        return keys_of(dimensions, _read_possible(dimensions, Columns(zeros)))
    combinations = prod(dimension.leaves.size for dimension in dimensions)
    if combinations > MAX_ZEROS:
        raise DataError(
            f"Table: `zeros` asks for {combinations} cells of the finest level; list the possible ones instead"
        )
    grids = np.meshgrid(*(dimension.leaves for dimension in dimensions), indexing="ij")
    return keys_of(dimensions, np.stack([grid.ravel() for grid in grids], axis=1))


def keys_of_cells(
    dimensions: Sequence[Dimension], records: Records, data: Any, name: str, possible: CodeColumn
) -> CodeColumn:
    """Return the key of each cell, from the column of the records' keys; cells are in the order of `tabulate`."""
    own, ones = Columns(data).numbers(name), np.ones(len(records.values))
    counted = replace(
        records, values=own, shadows=own, weights=ones, counts=ones, units=np.arange(ones.size), has_holdings=False
    )
    return cell_keys(tabulate(dimensions, counted, 0, possible)[1], name)


def _finest(keys: CodeColumn, records: Records, lone: Shares, kept: int, possible: CodeColumn) -> Cells:
    """Return the cells of the finest level, those that are only possible included."""
    found, number = np.unique(np.concatenate([keys, possible]), return_inverse=True)
    place = np.searchsorted(found, lone.keys)
    weighted = lone.amounts * lone.weights
    columns = [
        np.bincount(number[: keys.size], records.values * records.weights, found.size),
        np.bincount(place, lone.counts, found.size),
        np.bincount(place, weighted, found.size),
        np.bincount(place, np.where(lone.signed < 0, weighted, 0.0), found.size),
    ]
    ranks = lowest_ranks(place, np.arange(lone.size), found.size, kept, lone.size)
    asks = np.flatnonzero(lone.asking)
    asking = lowest_ranks(place[asks], asks, found.size, int(records.knows_requests), lone.size)
    return Cells(found, np.stack(columns, axis=1), ranks, asking, lone.size)


def _merge_layer(cells: Cells, there: Booleans, keys: CodeColumn) -> Cells:
    """Return the cells one layer up."""
    found, number = np.unique(keys, return_inverse=True)
    sums = np.empty((found.size, cells.sums.shape[1]))
    for column, summed in zip(cells.sums.T, sums.T, strict=True):
        summed[:] = np.bincount(number, column[there], found.size)
    ranks = _lowest(cells.ranks[there], number, found.size, cells.nobody)
    return Cells(found, sums, ranks, _lowest(cells.asking[there], number, found.size, cells.nobody), cells.nobody)


def _lowest(ranks: CodeMatrix, number: Rows, cell_count: int, nobody: int) -> CodeMatrix:
    kept = ranks.shape[1]
    return lowest_ranks(np.repeat(number, kept), ranks.ravel(), cell_count, kept, nobody)


def _join_layers(parts: Sequence[Cells]) -> Cells:
    """Return all cells in one, by ascending key."""
    keys = np.concatenate([part.keys for part in parts])
    order = np.argsort(keys, kind="stable")
    sums = np.concatenate([part.sums for part in parts])[order]
    ranks = np.concatenate([part.ranks for part in parts])[order]
    asking = np.concatenate([part.asking for part in parts])[order]
    return Cells(keys[order], sums, ranks, asking, parts[0].nobody)


def _contributions(cells: Cells, lone: Shares) -> Contributions:
    """Return the contributions behind the ranks of each cell."""
    amounts = np.append(lone.amounts, 0.0)
    return Contributions(
        amounts[cells.ranks],
        np.append(lone.units, NOBODY)[cells.ranks],
        np.append(lone.weights, 1.0)[cells.ranks],
        cells.sums[:, 2].copy(),
        cells.sums[:, 3].copy(),
        amounts[cells.asking[:, 0]] if cells.asking.shape[1] else None,
    )


def _read_possible(dimensions: Sequence[Dimension], columns: Columns) -> CodeMatrix:
    """Return the places of the leaves that a dataframe of possible cells lists."""
    places = []
    for dimension in dimensions:
        codes, categories = columns.codes(dimension.name)
        if (codes < 0).any():
            raise DataError(f"Table: the cells listed in zeros must have a code of '{dimension.name}' in every row")
        for category in categories:
            check_leaf(dimension, category)
        places.append(np.array([dimension.place[category] for category in categories], dtype=np.int64)[codes])
    return np.stack(places, axis=1)
