"""MDAV: replace records by the mean of a small group of similar ones."""

from typing import ClassVar

import numpy as np

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import CodeColumn, Kind, Microdata
from sfumato.errors import DataError
from sfumato.kernels.grouping import mdav_groups
from sfumato.parameters import Columns, FloatMatrix, GroupSize, Strata


class Mdav(MaskingMethod):
    """Replace each record by the mean of its group of at least `group_size` similar records.

    Parameters
    ----------
    columns
        Continuous columns, standardised and grouped together. Integer columns get rounded means.
    group_size
        The smallest number of records in a group; groups have up to `2 group_size - 1`.
    within
        Columns whose equal values make the strata; records are then grouped inside each stratum.

    Effect on risk
        On the masked columns each record is equal to at least `group_size - 1` others: `group_size`-anonymity.
    Effect on utility
        Keeps means (up to the rounding of integer columns) and lowers variances; the loss grows with `group_size` and with
        the number of columns grouped together.
    Missing values
        Stay missing. A record is grouped with those that lack the same columns; when fewer than `group_size` records share
        a pattern of missing values the file is refused. Constant columns do not influence the groups.
    Source
        Domingo-Ferrer and Torra (2005), Ordinal, continuous and heterogeneous k-anonymity through microaggregation.

    Examples
    --------
    >>> microaggregated(np.array([[1.0], [2.0], [9.0], [11.0]]), 2)
    array([[ 1.5], [ 1.5], [10. ], [10. ]])
    """

    family: ClassVar[str] = "microaggregation"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.WHOLE

    columns: Columns
    group_size: GroupSize = 3
    within: Strata = ()

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with the chosen columns averaged in groups."""
        return block.map_matrix(self.columns, lambda matrix: microaggregated(matrix, self.group_size))


def microaggregated(matrix: FloatMatrix, group_size: int) -> FloatMatrix:
    """Return `matrix` (records x columns) with each record replaced by its group's mean, by pattern of missing values."""
    masked = matrix.copy()
    patterns, membership = np.unique(np.isnan(matrix), axis=0, return_inverse=True)
    for number, absent in enumerate(patterns):
        rows = np.flatnonzero(membership == number)
        if absent.all():
            continue
        if rows.size < group_size:
            raise DataError(_too_few(rows.size, group_size, bool(absent.any())))
        cells = np.ix_(rows, ~absent)
        groups = mdav_groups(standardised(matrix[cells]), group_size)
        masked[cells] = group_means(matrix[cells], groups)
    return masked


def standardised(matrix: FloatMatrix) -> FloatMatrix:
    """Return the columns with mean 0 and deviation 1; a constant column becomes 0."""
    centred = matrix - matrix.mean(axis=0)
    deviations = centred.std(axis=0)
    return np.asarray(centred / np.where(deviations > 0, deviations, np.inf), dtype=np.float64)


def group_means(matrix: FloatMatrix, groups: CodeColumn) -> FloatMatrix:
    """Return for each record the mean of its group."""
    sizes = np.bincount(groups)
    means = [np.bincount(groups, weights=column) / sizes for column in matrix.T]
    return np.column_stack([mean[groups] for mean in means])


def _too_few(records: int, group_size: int, lacking: bool) -> str:
    which = "records that lack the same columns" if lacking else "records"
    return (
        f"Mdav.group_size must be at most the number of {which}; got {group_size} for {records}: "
        f"take a smaller group_size, join strata, or deal with the missing values first"
    )
