"""MDAV (maximum distance to average vector) by looking at all remaining records again for every group."""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.microaggregation.free_records import farthest_free, measure_squares
from sfumato.numerics.arrays import Floats, Integers


@compiled
def group_by_scan(points: Floats, k: int) -> Integers:
    """Return the group number of each record as `mdav_groups` does, which see; quickest for few records."""
    groups = np.full(len(points), -1, dtype=np.int64)
    group_remaining(points, np.arange(len(points)), column_sums(points), k, 0, groups)
    return groups


@compiled
def column_sums(points: Floats) -> Floats:
    """Return the sum of each column of the records, shape (n, d)."""
    total = np.zeros(points.shape[1])
    for i in range(len(points)):
        for j in range(total.size):
            total[j] += points[i, j]
    return total


@compiled
def group_remaining(points: Floats, rows: Integers, total: Floats, k: int, group: int, groups: Integers) -> None:
    """Group the records that have no group yet.

    Parameters
    ----------
    points, rows
        The remaining records, shape (left, d), and their rows in `groups`, rising; `rows` is used up.
    total
        The sum of each column over the remaining records, shape (d,); used up.
    k
        The smallest number of records in a group.
    group
        The number of the next group.
    groups
        Output: the group number of each record, -1 for those that remain.
    """
    columns = points.T.copy()  # one variable after another in memory: the distance loops then run over records
    left = len(rows)
    distances = np.empty(left)
    while left >= 3 * k:
        measure_squares(columns, total / left, left, distances)
        first = farthest_free(distances, rows, groups, left)
        measure_squares(columns, columns[:, first].copy(), left, distances)
        _claim(distances, rows, groups, left, k, first, group)
        second = farthest_free(distances, rows, groups, left)
        measure_squares(columns, columns[:, second].copy(), left, distances)
        _claim(distances, rows, groups, left, k, second, group + 1)
        left = _close_ranks(columns, rows, groups, total, left)
        group += 2
    if left >= 2 * k:
        measure_squares(columns, total / left, left, distances)
        first = farthest_free(distances, rows, groups, left)
        measure_squares(columns, columns[:, first].copy(), left, distances)
        _claim(distances, rows, groups, left, k, first, group)
        left = _close_ranks(columns, rows, groups, total, left)
        group += 1
    for i in range(left):
        groups[rows[i]] = group


@compiled
def _claim(distances: Floats, rows: Integers, groups: Integers, left: int, k: int, centre: int, group: int) -> None:
    """Give the record at `centre` and its nearest free ones the number `group` (output: groups)."""
    groups[rows[centre]] = group
    wanted = k - 1
    nearest = np.empty(wanted, dtype=np.int64)
    count = 0
    for i in range(left):
        if groups[rows[i]] >= 0 or (count == wanted and distances[i] >= distances[nearest[count - 1]]):
            continue
        count = min(count + 1, wanted)
        slot = count - 1
        while slot > 0 and distances[nearest[slot - 1]] > distances[i]:
            nearest[slot] = nearest[slot - 1]
            slot -= 1
        nearest[slot] = i
    for i in range(count):
        groups[rows[nearest[i]]] = group


@compiled
def _close_ranks(columns: Floats, rows: Integers, groups: Integers, total: Floats, left: int) -> int:
    """Drop the grouped records from the front of `columns` and `rows`, keeping their order, and from `total`."""
    kept = 0
    for i in range(left):
        if groups[rows[i]] < 0:
            if kept < i:
                rows[kept] = rows[i]
                for j in range(len(columns)):
                    columns[j, kept] = columns[j, i]
            kept += 1
        else:
            for j in range(len(columns)):
                total[j] -= columns[j, i]
    return kept
