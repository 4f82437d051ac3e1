"""Run the loop of score optimisation in pieces, with a trace."""

from dataclasses import dataclass

import numpy as np

from sfumato.contracts.improvement import ImprovementEnding
from sfumato.improve._moment_map import second_moments
from sfumato.improve._score_start import ScoreStart
from sfumato.kernels.improvement.hill_climbing import Cells
from sfumato.kernels.improvement.moment_losses import moment_losses
from sfumato.kernels.improvement.record_variation import UNKNOWN
from sfumato.kernels.improvement.score_climbing import (
    HELD,
    KNOWN,
    LINKS,
    SCORE,
    VARIATIONS,
    climb_score,
    weighted_sum,
)
from sfumato.numerics.arrays import FloatColumn, FloatMatrix, Rows

PIECE = 4096  # tries between two points of the trace
FINEST = 0.03  # the smallest scale of a change, in parts of the largest
SYMBOLS = ("score", "IL", "DLD", "ID")


@dataclass(frozen=True, eq=False)
class ScoreClimb:
    """Where a climb ended: the values (records x columns), why, and the trace.

    The trace has the tries, E, IL1 in percent, and in percent by symbol the weighted sum, IL, DLD and ID.
    """

    values: FloatMatrix
    ended: ImprovementEnding
    steps: Rows
    errors: FloatColumn
    losses: FloatColumn
    figures: dict[str, FloatColumn]


def run_climb(begun: ScoreStart, cells: Cells, max_steps: int, scale: float, rng: np.random.Generator) -> ScoreClimb:
    """Return where random changes lead to.

    Parameters
    ----------
    begun
        Where to begin; its state is used up.
    cells
        What may change.
    max_steps
        How many changes to try at most; a whole piece of tries in vain is the end too.
    scale
        The largest standard deviation of a change of a standardised value.
    rng
        The generator: for each piece first the cells, then the changes, then their scales.
    """
    steps, trace = [0], [_figures(begun)]
    ended = ImprovementEnding.LIMIT if cells.columns.size else ImprovementEnding.SETTLED
    while steps[-1] < max_steps and ended is ImprovementEnding.LIMIT:
        size = min(PIECE, max_steps - steps[-1])
        places = rng.integers(cells.columns.size, size=size)
        shifts = scale * rng.standard_normal(size) * FINEST ** rng.random(size)
        kept = climb_score(begun.moments, begun.originals, cells, begun.targets, begun.state, places, shifts)
        _refresh(begun)
        steps.append(steps[-1] + size)
        trace.append(_figures(begun))
        if not kept and size == PIECE:
            ended = ImprovementEnding.SETTLED
    errors, losses, *others = np.array(trace).T
    figures = dict(zip(SYMBOLS, others, strict=True))
    return ScoreClimb(begun.state.values, ended, np.array(steps), errors, losses, figures)


def _refresh(begun: ScoreStart) -> None:
    """Recompute the sums that rounding has blurred."""
    state = begun.state
    known = state.variations[state.variations != UNKNOWN]
    state.sums[:] = state.points.sum(axis=0)
    state.products[:] = len(state.points) * second_moments(state.points)
    state.figures[VARIATIONS], state.figures[LINKS] = known.sum(), state.links.sum()
    state.figures[SCORE] = weighted_sum(begun.moments, begun.targets, state, state.figures)


def _figures(begun: ScoreStart) -> FloatColumn:
    """Return E, and in percent IL1, the weighted sum, IL, DLD and ID."""
    state, original = begun.state, begun.originals.points
    m, figures = len(state.points), state.figures
    first = state.sums / m - original.mean(axis=0)
    second = np.triu(state.products / m - second_moments(original))
    loss = figures[VARIATIONS] / max(figures[KNOWN], 1.0)
    parts = (loss, *moment_losses(begun.moments, state.sums, state.products, m))
    linkage, disclosure = figures[LINKS] / state.links.size, figures[HELD] / begun.intervals
    percent = 100 * np.array([loss, figures[SCORE], np.mean(parts), linkage, disclosure])
    return np.concatenate([[(first**2).sum() + (second**2).sum()], percent])
