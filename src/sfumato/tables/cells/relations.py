"""Which cells of a table add up to which: the relations that bind whatever is published."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sfumato.errors import DataError
from sfumato.numerics.arrays import CodeColumn, CodeMatrix, Integers, Rows
from sfumato.tables.cells.dimension import Dimension

LARGEST_KEY = 2**62


def strides(dimensions: Sequence[Dimension]) -> CodeColumn:
    """Return by how much the key of a cell grows with the place of its code in each dimension."""
    sizes = [len(dimension.codes) for dimension in dimensions]
    steps = [1]
    for size in reversed(sizes[1:]):
        steps.append(steps[-1] * size)
    if steps[-1] * sizes[0] > LARGEST_KEY:
        raise DataError(
            f"the table has too many possible cells: {' x '.join(map(str, sizes))}; take out a dimension or split it"
        )
    return np.array(steps[::-1], dtype=np.int64)


def keys_of(dimensions: Sequence[Dimension], codes: CodeMatrix) -> CodeColumn:
    """Return one number per cell, ascending in the order of the codes, first dimension first."""
    keys: CodeColumn = codes @ strides(dimensions)
    return keys


def relations_of(dimensions: Sequence[Dimension], codes: CodeMatrix) -> Any:
    """Return the sparse matrix A (relations, cells): +1 for each part that exists, -1 for its total.

    There is one row for each sum of a dimension and each choice of the other codes, wherever the total and at least one
    part exist. Rows go by dimension, then by the cell of the total.

    Parameters
    ----------
    dimensions
        What adds up to what.
    codes
        The place of each cell's code in each dimension, one row per cell; the cells in any order.
    """
    from scipy.sparse import csr_array

    keys = keys_of(dimensions, codes)
    order = np.argsort(keys, kind="stable")
    rows, columns, signs, count = [], [], [], 0
    for position, (dimension, stride) in enumerate(zip(dimensions, strides(dimensions), strict=True)):
        cells, sums, total_keys = _memberships(dimension, codes[:, position], keys, int(stride))
        totals = _find_cells(keys, order, total_keys)
        there = totals >= 0
        cells, sums, totals = cells[there], sums[there], totals[there]
        labels, row = np.unique(totals * max(len(dimension.sums), 1) + sums, return_inverse=True)
        rows += [row + count, np.arange(labels.size) + count]
        columns += [cells, labels // max(len(dimension.sums), 1)]
        signs += [np.ones(cells.size), -np.ones(labels.size)]
        count += labels.size
    entries = (np.concatenate(signs), (np.concatenate(rows), np.concatenate(columns)))
    matrix = csr_array(entries, shape=(count, len(codes)))
    matrix.sort_indices()
    return matrix


def lacking_totals(dimensions: Sequence[Dimension], codes: CodeMatrix) -> list[tuple[int, int, int]]:
    """Return (cell, dimension, place of the total) for cells whose total in a dimension is not there."""
    keys = keys_of(dimensions, codes)
    order = np.argsort(keys, kind="stable")
    lacking = []
    for position, (dimension, stride) in enumerate(zip(dimensions, strides(dimensions), strict=True)):
        cells, sums, total_keys = _memberships(dimension, codes[:, position], keys, int(stride))
        absent = np.flatnonzero(_find_cells(keys, order, total_keys) < 0)
        lacking += [(int(cells[entry]), position, dimension.sums[sums[entry]][0]) for entry in absent]
    return lacking


def _memberships(
    dimension: Dimension, places: CodeColumn, keys: CodeColumn, stride: int
) -> tuple[Rows, CodeColumn, CodeColumn]:
    """Return each cell with each sum of the dimension that its code is a part of, and the key of that sum's total."""
    edges = [(part, number, total) for number, (total, parts) in enumerate(dimension.sums) for part in parts]
    part, number, total = np.array(sorted(edges), dtype=np.int64).reshape(-1, 3).T
    first = np.searchsorted(part, places)
    times = np.searchsorted(part, places, side="right") - first
    cells = np.repeat(np.arange(places.size), times)
    edge = np.repeat(first, times) + _count_up(times)
    return cells, number[edge], keys[cells] + (total[edge] - places[cells]) * stride


def _count_up(times: Integers) -> Integers:
    """Return 0, 1, ... up to each number of times, one after another."""
    ends = np.cumsum(times)
    counted: Integers = np.arange(ends[-1] if times.size else 0) - np.repeat(ends - times, times)
    return counted


def _find_cells(keys: CodeColumn, order: Rows, wanted: CodeColumn) -> Rows:
    """Return the cell of each wanted key, -1 where there is none."""
    if not keys.size:
        return np.full(wanted.size, -1, dtype=np.int64)
    cells = order[np.minimum(np.searchsorted(keys, wanted, sorter=order), keys.size - 1)]
    return np.where(keys[cells] == wanted, cells, -1)
