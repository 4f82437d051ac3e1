"""How likely pairs of records are, by all coordinates and by their joint densities."""

from dataclasses import replace

import numpy as np

from sfumato.contracts import Likelihood
from sfumato.numerics.arrays import CodeMatrix, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.densities import Untold

PAIRS_AT_A_TIME = 1 << 20


def log_likelihoods(
    likelihood: Likelihood, before: FloatMatrix, after: FloatMatrix, candidates: CodeMatrix
) -> FloatMatrix:
    """Return the log likelihood of each candidate; 0 where there is none.

    Parameters
    ----------
    likelihood
        The coordinates.
    before, after
        The places of originals and of masked records in these, one column for each.
    candidates
        Rows of `before` for each row of `after`; below 0 for none.
    """
    total = np.zeros(candidates.shape)
    joints = {id(one.joint): one.joint for one in likelihood if one.joint is not None}
    together = [(joint, [c for c, one in enumerate(likelihood) if one.joint is joint]) for joint in joints.values()]
    step = max(PAIRS_AT_A_TIME // max(candidates.shape[1], 1), 1)
    for start in range(0, len(candidates), step):
        piece = slice(start, start + step)
        rows = np.maximum(candidates[piece], 0)
        for c, one in enumerate(likelihood):
            if one.joint is None:
                known = ~np.isnan(after[piece, c])  # a coordinate of another stratum tells nothing
                some = slice(None) if known.all() else np.flatnonzero(known)
                total[piece][some] += one.density.log_density(before[:, c][rows[some]], after[piece, c][some, None])
        for joint, members in together:
            total[piece] += joint.log_densities(before[:, members], after[piece][:, members], candidates[piece])
    return np.where(candidates < 0, 0.0, total)


def searched(likelihood: Likelihood) -> Likelihood:
    """Return the coordinates that tell something by themselves, each by itself."""
    return tuple(replace(one, joint=None) for one in likelihood if not isinstance(one.density, Untold))


def places(likelihood: Likelihood, originals: int, masked: int) -> tuple[FloatMatrix, FloatMatrix]:
    """Return where originals and masked records stand in all coordinates (records x coordinates)."""
    before = np.column_stack([np.empty((originals, 0)), *(one.before for one in likelihood)])
    return before, np.column_stack([np.empty((masked, 0)), *(one.after for one in likelihood)])


def true_log_densities(likelihood: Likelihood, rows: Rows) -> FloatColumn:
    """Return the log density of each masked record given the original in its row."""
    if not likelihood:
        return np.zeros(len(rows))
    before, after = places(likelihood, len(likelihood[0].before), len(rows))
    return log_likelihoods(likelihood, before, after, rows[:, None])[:, 0]
