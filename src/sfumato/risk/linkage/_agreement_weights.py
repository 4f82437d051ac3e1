"""Weights of agreement that fall linearly from full agreement to the tolerance, and the links that they make."""

import numpy as np

from sfumato.kernels.linkage.agreement import weigh_all, weigh_pairs
from sfumato.numerics.arrays import CodeMatrix, FloatColumn, FloatMatrix
from sfumato.risk.linkage._assignment import Linked, link_candidates, link_table
from sfumato.risk.linkage._candidates import Blocks, nearest_candidates
from sfumato.risk.linkage._discrepancies import Discrepancies

LARGEST_TABLE = 5000  # records of a block, in the larger file, that are compared each with each


def link_by_agreement(
    files: Discrepancies, blocks: Blocks, agreement: FloatColumn, tolerance: float, candidates: int
) -> Linked:
    """Link by weights that fall linearly: each record with each in small blocks, with candidates in large ones."""
    linked, weight = np.full(len(files.masked), -1, dtype=np.int64), np.zeros(len(files.masked))
    small = [block for block in blocks if not has_large([block])]
    large = [block for block in blocks if has_large([block])]
    for original_rows, masked_rows in small:
        found, weight[masked_rows] = link_table(
            weight_table(files.take(original_rows, masked_rows), agreement, tolerance)
        )
        linked[masked_rows] = np.append(original_rows, -1)[found]  # the last entry serves the answer -1
    if large:
        some = np.concatenate([masked_rows for _, masked_rows in large])
        found, found_weight = link_candidates_by_agreement(files, large, agreement, tolerance, candidates)
        linked[some], weight[some] = found[some], found_weight[some]
    return linked, weight


def has_large(blocks: Blocks) -> bool:
    """Tell whether some block is too large to compare each record with each."""
    return any(max(map(len, block)) > LARGEST_TABLE for block in blocks)


def link_candidates_by_agreement(
    files: Discrepancies, blocks: Blocks, agreement: FloatColumn, tolerance: float, candidates: int
) -> Linked:
    """Link by weights that fall linearly, each masked record with one of its nearest candidates."""
    near = nearest_candidates(files, blocks, candidates)
    return link_candidates(near, candidate_weights(files, near, agreement, tolerance), 0.0, len(files.original))


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
