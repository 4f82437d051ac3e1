"""From discrepancies to links: by the weights of the source, or by estimated ones."""

import numpy as np

from sfumato.numerics.arrays import CodeMatrix, FloatColumn, Rows, ShortIntegers
from sfumato.risk.linkage._agreement_weights import candidate_weights, weight_table
from sfumato.risk.linkage._candidates import nearest_candidates
from sfumato.risk.linkage._discrepancies import Discrepancies
from sfumato.risk.linkage._estimated_weights import (
    Curves,
    Estimate,
    counted,
    curves_of,
    estimated,
    fitted,
    levels_of,
    total_weights,
)
from sfumato.risk.linkage._links import Linked, link_candidates, link_table

NEARER = 1e-6  # what agreement in full weighs more than the lowest level of disagreement, to settle ties
LARGEST_TABLE = 5000  # records of a block, in the larger file, that are compared each with each

Blocks = list[tuple[Rows, Rows]]
"""The original and the masked rows of each block."""


def link_by_agreement(
    files: Discrepancies, blocks: Blocks, agreement: FloatColumn, tolerance: float, candidates: int
) -> Linked:
    """Link by weights that fall in a line: each record with each in small blocks, with candidates in large ones."""
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
    """Link by weights that fall in a line, each masked record with one of its nearest candidates."""
    near = nearest_candidates(files, blocks, candidates)
    return link_candidates(near, candidate_weights(files, near, agreement, tolerance), 0.0, len(files.original))


def link_by_estimate(files: Discrepancies, blocks: Blocks, reach: float, candidates: int) -> tuple[Linked, Estimate]:
    """Link by weights estimated in rounds of expectation and maximisation, each masked record with a candidate."""
    near = nearest_candidates(files, blocks, candidates)
    curves = curves_of(files, reach)
    levels = levels_of(files, near, curves)
    estimate = estimated(levels, curves)
    return _link_by_curves(files, near, levels, curves, estimate.weights), estimate


def link_by_one_step(files: Discrepancies, blocks: Blocks, reach: float, tolerance: float, candidates: int) -> Linked:
    """Link by weights fitted once to the links that equal weights make, each masked record with a candidate."""
    near = nearest_candidates(files, blocks, candidates)
    equal = candidate_weights(files, near, np.ones(len(files.names)), tolerance)
    linked, _ = link_candidates(near, equal, 0.0, len(files.original))
    curves = curves_of(files, reach)
    levels = levels_of(files, near, curves)
    weights = fitted(counted(levels, linked, near, curves), curves)
    return _link_by_curves(files, near, levels, curves, weights)


def _link_by_curves(
    files: Discrepancies, near: CodeMatrix, levels: ShortIntegers, curves: Curves, weights: FloatColumn
) -> Linked:
    """Link by weights of levels; of pairs with equal weights the ones that are nearer to each other."""
    nearer = candidate_weights(files, near, NEARER * np.ones(len(files.names)), curves.reach)
    return link_candidates(near, total_weights(levels, weights) + nearer, curves.floor(weights), len(files.original))
