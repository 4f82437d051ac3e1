"""What the microaggregations share: standardised records in, groups out, means of groups back; and missing values.

Records are grouped with those that have values in the same columns. When fewer than `group_size` records share such a
pattern, each of them joins the nearest group of records that have all the values it has. So every published mean is
one of at least `group_size` values, and every record equals, in the values it has, at least `group_size - 1` others.
"""

from collections.abc import Callable

import numpy as np

from sfumato.errors import DataError
from sfumato.parameters import CodeColumn, FloatMatrix

Grouping = Callable[[FloatMatrix], CodeColumn]


def microaggregated(matrix: FloatMatrix, group_size: int, grouping: Grouping) -> FloatMatrix:
    """Return `matrix` (records x columns) with each value replaced by the mean of its group; NaN stays NaN.

    Parameters
    ----------
    matrix
        The records; NaN where a value is missing.
    group_size
        The smallest number of records in a group.
    grouping
        Gives the group number of each of some standardised complete records, groups of at least `group_size`.
    """
    groups = groups_by_pattern(standardised(matrix), group_size, grouping)
    return np.where(np.isnan(matrix), np.nan, group_means(matrix, groups))


def groups_by_pattern(points: FloatMatrix, group_size: int, grouping: Grouping) -> CodeColumn:
    """Return the group number of each standardised record, grouping records that have values in the same columns."""
    patterns, membership = np.unique(np.isnan(points), axis=0, return_inverse=True)
    sizes = np.bincount(membership.ravel(), minlength=len(patterns))
    groups = np.full(len(points), -1, dtype=np.int64)
    absent_in: list[FloatMatrix] = []  # for each group so far, which columns its records lack
    for number in np.flatnonzero((sizes >= group_size) & ~patterns.all(axis=1)):
        rows = np.flatnonzero(membership.ravel() == number)
        found = grouping(np.ascontiguousarray(points[np.ix_(rows, ~patterns[number])]))
        groups[rows] = found + len(absent_in)
        absent_in.extend([patterns[number]] * (int(found.max()) + 1))
    _join_nearest(points, groups, np.array(absent_in, dtype=np.bool_), group_size)
    return groups


def standardised(matrix: FloatMatrix) -> FloatMatrix:
    """Return the columns with mean 0 and deviation 1 over the observed values; a constant column becomes 0."""
    observed = ~np.isnan(matrix)
    counts = np.maximum(observed.sum(axis=0), 1)
    centred = matrix - np.where(observed, matrix, 0.0).sum(axis=0) / counts
    deviations = np.sqrt(np.where(observed, centred**2, 0.0).sum(axis=0) / counts)
    return np.asarray(centred / np.where(deviations > 0, deviations, np.inf), dtype=np.float64)


def group_means(matrix: FloatMatrix, groups: CodeColumn) -> FloatMatrix:
    """Return for each record and column the mean of the observed values of its group; group -1 has none, so NaN."""
    means = np.full(matrix.shape, np.nan)
    for column, mean in zip(matrix.T, means.T, strict=True):
        known = ~np.isnan(column) & (groups >= 0)
        counts = np.bincount(groups[known])
        mean[known] = (np.bincount(groups[known], weights=column[known]) / np.maximum(counts, 1))[groups[known]]
    return means


def _join_nearest(points: FloatMatrix, groups: CodeColumn, absent_in: FloatMatrix, group_size: int) -> None:
    """Put each record of a rare pattern into the nearest group that has all its columns (output: groups)."""
    rare = np.flatnonzero((groups < 0) & ~np.isnan(points).all(axis=1))
    if not rare.size:
        return
    settled = groups >= 0
    if not settled.any():
        raise DataError(_too_few(len(points), group_size))
    centroids = np.full((len(absent_in), points.shape[1]), np.nan)
    centroids[groups[settled]] = group_means(points[settled], groups[settled])
    for row in rare:
        present = ~np.isnan(points[row])
        fitting = np.flatnonzero(~absent_in[:, present].any(axis=1))
        if not fitting.size:
            raise DataError(_no_company(int(present.sum()), group_size))
        distances = ((centroids[np.ix_(fitting, present)] - points[row, present]) ** 2).sum(axis=1)
        groups[row] = fitting[np.argmin(distances)]


def _too_few(records: int, group_size: int) -> str:
    return (
        f"group_size must be at most the number of records, in the file or in each stratum, that have values "
        f"in the same columns; got {group_size} for a file or stratum of {records}: "
        f"take a smaller group_size or join strata"
    )


def _no_company(columns: int, group_size: int) -> str:
    return (
        f"a record has values in {columns} of the columns, and fewer than group_size = {group_size} records "
        f"have values in all of those: mask fewer columns together, or deal with the missing values first"
    )
