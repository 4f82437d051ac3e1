"""Group near records of nominal, ordinal and continuous columns: the loop of MDAV with Gower's distance."""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.microaggregation.free_records import farthest_free, nearest_free
from sfumato.numerics.arrays import Floats, Integers

NOMINAL, ORDINAL, CONTINUOUS = 0, 1, 2


@compiled
def gower_mdav_groups(points: Floats, forms: Integers, weights: Floats, k: int) -> Integers:
    """Return the group number of each record, groups of `k` to `2 k - 1` records.

    Parameters
    ----------
    points
        Records, shape (n, d), n >= k; the categories of nominal and ordinal columns as codes 0, 1, ...
    forms
        NOMINAL, ORDINAL or CONTINUOUS for each column, shape (d,).
    weights
        What a difference of 1 in an ordinal or continuous column counts, and a difference in a nominal one, shape (d,).
    k
        The smallest number of records in a group.

    Notes
    -----
    While at least 2k records are free: the one farthest from their centre takes its k - 1 nearest and, if at least 3k
    were free, the one farthest from that does the same. What remains is the last group. The centre has the most
    frequent nominal category (the lowest of equally frequent ones), the lower median of the ordinal ones and the mean
    of continuous values. Of equally far or near records the one in the lowest row comes first.
    """
    n = len(points)
    columns = points.T.copy()  # one variable after another in memory: the distance loops then run over records
    rows = np.arange(n)
    groups = np.full(n, -1, dtype=np.int64)
    distances = np.empty(n)
    tallies, totals = _count_codes(columns, forms), columns.sum(axis=1)
    left, group = n, 0
    while left >= 2 * k:
        _measure_gower(columns, _centre(tallies, totals, forms, left), forms, weights, left, distances)
        for _ in range(2 if left >= 3 * k else 1):
            far = farthest_free(distances, rows, groups, left)
            _measure_gower(columns, columns[:, far].copy(), forms, weights, left, distances)
            _claim(distances, rows, groups, left, k, far, group)
            group += 1
        left = _close_ranks(columns, rows, groups, forms, tallies, totals, left)
    for i in range(left):
        groups[rows[i]] = group
    return groups


@compiled
def _count_codes(columns: Floats, forms: Integers) -> Integers:
    """Return how many records have each code, shape (d, codes); 0 for continuous columns."""
    codes = 1
    for j in range(forms.size):
        if forms[j] != CONTINUOUS:
            codes = max(codes, int(columns[j].max()) + 1)
    tallies = np.zeros((forms.size, codes), dtype=np.int64)
    for j in range(forms.size):
        if forms[j] != CONTINUOUS:
            for code in columns[j]:
                tallies[j, int(code)] += 1
    return tallies


@compiled
def _centre(tallies: Integers, totals: Floats, forms: Integers, left: int) -> Floats:
    """Return the most frequent category, the lower median or the mean of each column over the free records."""
    centre = np.empty(forms.size)
    for j in range(forms.size):
        if forms[j] == NOMINAL:
            centre[j] = np.argmax(tallies[j])
        elif forms[j] == ORDINAL:
            code, below = 0, tallies[j, 0]
            while 2 * below < left:
                code += 1
                below += tallies[j, code]
            centre[j] = code
        else:
            centre[j] = totals[j] / left
    return centre


@compiled
def _measure_gower(
    columns: Floats, centre: Floats, forms: Integers, weights: Floats, left: int, distances: Floats
) -> None:
    """Put Gower's distance of the first `left` records from `centre`, summed over columns, into `distances`."""
    distances[:left] = 0.0
    for j in range(centre.size):
        column, origin, weight = columns[j], centre[j], weights[j]
        if forms[j] == NOMINAL:
            for i in range(left):
                distances[i] += weight if column[i] != origin else 0.0
        else:
            for i in range(left):
                distances[i] += weight * abs(column[i] - origin)


@compiled
def _claim(distances: Floats, rows: Integers, groups: Integers, left: int, k: int, centre: int, group: int) -> None:
    """Give the record at `centre` and its nearest free ones the number `group` (output: groups)."""
    groups[rows[centre]] = group
    for _ in range(k - 1):
        groups[rows[nearest_free(distances, rows, groups, left)]] = group


@compiled
def _close_ranks(
    columns: Floats, rows: Integers, groups: Integers, forms: Integers, tallies: Integers, totals: Floats, left: int
) -> int:
    """Drop the grouped records from the front of `columns` and `rows`, from `tallies` and from `totals`."""
    kept = 0
    for i in range(left):
        if groups[rows[i]] < 0:
            if kept < i:
                rows[kept] = rows[i]
                for j in range(len(columns)):
                    columns[j, kept] = columns[j, i]
            kept += 1
            continue
        for j in range(forms.size):
            if forms[j] == CONTINUOUS:
                totals[j] -= columns[j, i]
            else:
                tallies[j, int(columns[j, i])] -= 1
    return kept
