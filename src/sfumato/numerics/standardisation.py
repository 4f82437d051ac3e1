"""Columns on one scale."""

import numpy as np

from sfumato.numerics.arrays import FloatColumn, FloatMatrix


def standardised(matrix: FloatMatrix) -> FloatMatrix:
    """Return the columns with mean 0 and deviation 1 over the observed values; a constant column becomes 0."""
    return np.column_stack([_z_scores(column) for column in matrix.T])


def _z_scores(column: FloatColumn) -> FloatColumn:
    observed = column[~np.isnan(column)]
    if not observed.size:
        return column
    deviation = float(np.std(observed))
    return (column - np.mean(observed)) / (deviation if deviation > 0 else np.inf)
