"""Weights of agreement that fall in a line: equal for all columns, or given for each."""

import numpy as np

from sfumato.kernels.linkage.agreement import weigh_all, weigh_pairs
from sfumato.numerics.arrays import CodeMatrix, FloatColumn, FloatMatrix
from sfumato.risk.linkage._discrepancies import Discrepancies


def weight_table(files: Discrepancies, agreement: FloatColumn, tolerance: float) -> FloatMatrix:
    """Return the total weight of every masked record (rows) with every original one.

    A column weighs its `agreement` weight where values are equal, falling in a line to 0 at the tolerance; a missing
    value weighs 0.
    """
    table = np.zeros((len(files.masked), len(files.original)))
    original, scales, masked = (np.ascontiguousarray(part.T) for part in (files.original, files.scales, files.masked))
    weigh_all(original, scales, masked, agreement / tolerance, agreement, table)
    return table


def candidate_weights(
    files: Discrepancies, candidates: CodeMatrix, agreement: FloatColumn, tolerance: float
) -> FloatMatrix:
    """Return the total weight of every masked record with each of its candidates, as `weight_table` has it."""
    weights = np.empty(candidates.shape)
    original, scales, masked = (np.ascontiguousarray(part) for part in (files.original, files.scales, files.masked))
    weigh_pairs(original, scales, masked, candidates, agreement / tolerance, agreement, weights)
    return weights
