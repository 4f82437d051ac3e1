"""What the microaggregations share: standardised records in, groups out, means of groups back."""

from collections.abc import Callable
from typing import Protocol

import numpy as np

from sfumato.data import Microdata
from sfumato.errors import DataError
from sfumato.kernels.microaggregation.local_search import refine_groups
from sfumato.masking.microaggregation._column_sets import Sets, column_sets
from sfumato.masking.microaggregation._missing_patterns import groups_by_pattern, join_nearest_groups
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, FloatMatrix
from sfumato.numerics.ranking import stable_order
from sfumato.numerics.standardisation import z_scores
from sfumato.parameters import Columns

Grouping = Callable[[FloatMatrix], CodeColumn]
Averages = Callable[[FloatColumn], FloatColumn]


class ColumnMicroaggregation(Protocol):
    """A method that groups the values of each column separately."""

    @property
    def columns(self) -> Columns:
        """The columns to mask."""

    @property
    def k(self) -> int:
        """The smallest number of records in a group."""


class Microaggregation(ColumnMicroaggregation, Protocol):
    """A method that groups records by several columns together."""

    @property
    def column_groups(self) -> Sets | None:
        """The columns that are grouped together, where they are named."""

    @property
    def columns_at_a_time(self) -> int | None:
        """How many columns are grouped together, where that is given."""


def average_column_sets(
    block: Microdata,
    method: Microaggregation,
    grouping: Grouping,
    *,
    refine: bool = False,
    units: CodeColumn | None = None,
) -> Microdata:
    """Return a copy of the block with the method's columns averaged in groups, one set of columns after another.

    With `refine` a local search goes on from the groups. With the number of each record's household as `units` these
    are grouped instead of records.
    """
    who = type(method).__name__

    def refined(points: FloatMatrix) -> CodeColumn:
        return refine_groups(points, grouping(points), method.k)

    group = refined if refine else grouping
    for names in column_sets(block.select(method.columns), method.column_groups, method.columns_at_a_time):
        block = block.map_matrix(names, lambda matrix: microaggregate(matrix, method.k, group, who, units))
    return block


def microaggregate(
    matrix: FloatMatrix, k: int, grouping: Grouping, who: str, units: CodeColumn | None = None
) -> FloatMatrix:
    """Return `matrix` (records x columns) with each value replaced by the mean of its group; NaN stays NaN.

    Parameters
    ----------
    matrix
        The records; NaN where a value is missing.
    k
        The smallest number of records in a group.
    grouping
        Gives the group number of each of some standardised complete records, groups of at least `k`.
    who
        The name of the method, for messages.
    units
        The number of each record's household, from 0, where households are grouped, by the means of their members.
    """
    if units is not None:
        means = microaggregate(means_by_group(matrix, units), k, grouping, who)
        return np.where(np.isnan(matrix), np.nan, means[units])
    groups = near_groups(z_scores(matrix), k, grouping, who)
    return np.where(np.isnan(matrix), np.nan, group_means(matrix, groups))


def near_groups(points: FloatMatrix, k: int, grouping: Grouping, who: str) -> CodeColumn:
    """Return the group number of each standardised record, NaN where a value is missing; -1 where all are."""

    def group_rows(rows: CodeColumn, present: Booleans) -> CodeColumn:
        return grouping(np.ascontiguousarray(points[np.ix_(rows, present)]))

    groups, rare = groups_by_pattern(np.isnan(points), k, group_rows, who)
    if not rare:
        return groups
    return join_nearest_groups(points, groups, rare, means_by_group(points, groups), squared_distances)


def average_columns(block: Microdata, method: ColumnMicroaggregation, averages: Averages) -> Microdata:
    """Return a copy of the block with the observed values of each of the method's columns averaged in groups."""

    def change(name: str, column: FloatColumn) -> FloatColumn:
        if 0 < column.size < method.k:
            raise DataError(
                f"{type(method).__name__}.k must be at most the number of values in a column; got "
                f"{method.k} for {column.size} in '{name}': take a smaller k, join strata, or leave "
                f"the column out"
            )
        return averages(column)

    return block.map_columns(method.columns, change)


def means_by_rank(column: FloatColumn, grouping: Grouping) -> FloatColumn:
    """Return the values of a column averaged in groups; `grouping` gets them in rising order, as one column."""
    by_rank = stable_order(column)
    groups = np.empty(column.size, dtype=np.int64)
    groups[by_rank] = grouping(column[by_rank, None])
    return group_means(column[:, None], groups)[:, 0]


def group_means(matrix: FloatMatrix, groups: CodeColumn) -> FloatMatrix:
    """Return for each record and column the mean of the observed values of its group; group -1 has none, so NaN."""
    return np.where((groups >= 0)[:, None], means_by_group(matrix, groups)[groups], np.nan)


def means_by_group(matrix: FloatMatrix, groups: CodeColumn) -> FloatMatrix:
    """Return the mean of the observed values of each group and column (groups x columns), NaN where there are none."""
    count = groups.max(initial=0) + 1  # one without values where there are no groups
    means = [_means(column, groups, ~np.isnan(column) & (groups >= 0), count) for column in matrix.T]
    return np.column_stack(means)


def _means(column: FloatColumn, groups: CodeColumn, known: Booleans, count: int) -> FloatColumn:
    column, groups = column[known], groups[known]
    anchor = np.full(count, np.nan)
    anchor[groups] = column  # one value of each group; measured from it, equal values have exactly their mean
    sums = np.bincount(groups, weights=column - anchor[groups], minlength=count)
    return np.asarray(anchor + sums / np.maximum(np.bincount(groups, minlength=count), 1), dtype=np.float64)


def squared_distances(centres: FloatMatrix, point: FloatColumn, present: Booleans) -> FloatColumn:
    """Return the squared distance of each centre from a record over the columns that it has."""
    return np.asarray(((centres[:, present] - point[present]) ** 2).sum(axis=1), dtype=np.float64)
