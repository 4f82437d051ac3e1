"""Who exchanges values with whom, as an intruder learns who runs the swapping on the original file."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sfumato.intruder.learnt.displacements import displacement_table
from sfumato.intruder.learnt.pairs import RankScale
from sfumato.kernels.linkage.exchange_messages import chance_totals
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix

MIN_UNIQUE = 50  # values from which the share of those that stay is told
MAX_STAYS = 0.99


class Partners(NamedTuple):
    """How probable it is that two originals exchange their values, as in `ExchangedCells`."""

    ranks: FloatColumn
    levels: CodeColumn
    chances: FloatMatrix
    totals: FloatColumn
    groups: CodeColumn
    stays: float


def partners_of(known: FloatColumn, runs: Sequence[FloatColumn], groups: CodeColumn) -> Partners:
    """Return how values move, by what became of the original ones in some runs, inside groups of originals."""
    scale = RankScale.of(known)
    ranks = scale.ranks(known)
    table = displacement_table(np.tile(ranks, len(runs)), np.concatenate([scale.ranks(run) for run in runs]))
    chances, is_missing = np.exp(table), np.isnan(ranks)
    levels = np.clip(np.where(is_missing, 0.0, ranks) * len(chances), 0, len(chances) - 1).astype(np.int64)
    levels[is_missing] = -1
    ranks = np.where(is_missing, 0.0, ranks)
    _, places, counts = np.unique(known, return_inverse=True, return_counts=True)
    is_unique = (counts[places] == 1) & ~is_missing
    stays = np.mean([run[is_unique] == known[is_unique] for run in runs]) if is_unique.sum() >= MIN_UNIQUE else 0.0
    stays = min(float(stays), MAX_STAYS)
    totals = chance_totals(ranks, levels, chances, groups) / (1.0 - stays)
    return Partners(ranks, levels, chances, totals, groups, stays)
