"""Columns on one scale, by two conventions.

`standardise_both` compares a masked file with its original: deviations have the divisor n - 1, and a column that is
constant in the original is left out. `z_scores` makes the columns of one file comparable: divisor n, and a constant
column becomes 0, so that no column is lost.
"""

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix

NEGLIGIBLE = 1e-100  # numbers below this count as 0: their squares, and what is divided by them, would leave the range


def varies(matrix: FloatMatrix) -> Booleans:
    """Tell for each column whether its observed values differ; each column must have one."""
    return np.asarray(np.nanmax(matrix, axis=0) - np.nanmin(matrix, axis=0) > NEGLIGIBLE, dtype=np.bool_)


def standard_deviations(matrix: FloatMatrix) -> FloatColumn:
    """Return the standard deviation of the observed values of each column (divisor n - 1), 0 where they are equal."""
    some = varies(matrix)
    spread = np.zeros(matrix.shape[1])
    spread[some] = np.nanstd(matrix[:, some], axis=0, ddof=1)
    return spread


def standardise_both(original: FloatMatrix, masked: FloatMatrix) -> tuple[FloatMatrix, FloatMatrix]:
    """Return both matrices by the original's means and deviations, without the columns that are constant there."""
    some = varies(original)
    means, spread = np.nanmean(original[:, some], axis=0), np.nanstd(original[:, some], axis=0, ddof=1)
    return (original[:, some] - means) / spread, (masked[:, some] - means) / spread


def z_scores(matrix: FloatMatrix) -> FloatMatrix:
    """Return the columns with mean 0 and deviation 1 over the observed values; a constant column becomes 0."""
    return np.column_stack([_column_scores(column) for column in matrix.T])


def _column_scores(column: FloatColumn) -> FloatColumn:
    observed = column[~np.isnan(column)]
    if not observed.size:
        return column
    if observed.max() - observed.min() <= NEGLIGIBLE:
        return column - column  # 0, and NaN where missing
    return (column - np.mean(observed)) / float(np.std(observed))
