"""Run the loop of post-masking optimisation in pieces, with a trace."""

from dataclasses import dataclass

import numpy as np

from sfumato.contracts.improvement import ImprovementEnding
from sfumato.improve._moment_terms import moment_terms, term_sums
from sfumato.improve._problem import Problem, mean_loss
from sfumato.kernels.improvement.hill_climbing import Cells, MomentClimbState, Originals, Terms, climb
from sfumato.kernels.improvement.record_variation import UNKNOWN, record_variations
from sfumato.kernels.neighbours.kd_tree import grow_tree
from sfumato.numerics.arrays import FloatColumn, FloatMatrix, Rows

PIECE = 4096  # tries between two points of the trace
TOLERANCE = 0.01  # equation (8) of the source


@dataclass(frozen=True, eq=False)
class Start:
    """Where a climb begins: the moments, the originals, and how the masked file stands to them."""

    terms: Terms
    originals: Originals
    state: MomentClimbState

    @property
    def loss(self) -> float:
        """IL1 in percent."""
        return mean_loss(self.state.variations)


@dataclass(frozen=True, eq=False)
class Climb:
    """Where a climb ended: the values (records x columns), why, and the trace of tries, E and IL1 in percent."""

    values: FloatMatrix
    ended: ImprovementEnding
    steps: Rows
    errors: FloatColumn
    losses: FloatColumn


def start_climb(problem: Problem, order: int, compares_raw: bool) -> Start:
    """Return the start of a climb: steps 1, 2, 6 and 7 of the algorithm."""
    original_points = problem.points(problem.original)
    compared = problem.original if compares_raw else original_points
    originals = Originals(original_points, grow_tree(original_points), compared, problem.means, problem.spread)
    values, points = problem.masked.copy(), problem.points(problem.masked)
    nearest = problem.nearest(points)
    variations = record_variations(compared, nearest, values if compares_raw else points)
    terms = moment_terms(original_points, order)
    n = np.count_nonzero(problem.complete)
    sums = term_sums(points[problem.complete], terms.factors)
    known = variations[variations != UNKNOWN]
    figures = np.array([((sums / n - terms.targets) ** 2).sum(), known.sum(), known.size, n], dtype=np.float64)
    state = MomentClimbState(values, points, values if compares_raw else points, nearest, variations, sums, figures)
    return Start(terms, originals, state)


def climb_moments(
    begun: Start, cells: Cells, aim: float, target: float, max_steps: int, scale: float, rng: np.random.Generator
) -> Climb:
    """Return where random changes lead to: step 8 of the algorithm.

    Parameters
    ----------
    begun
        Where to begin; its state is used up.
    cells
        What may change.
    aim
        The IL1 to come near to, in percent.
    target, max_steps
        The E to stop below, and how many changes to try at most.
    scale
        The standard deviation of a change of a standardised value.
    rng
        The generator: for each piece first the cells, then the changes.
    """
    state = begun.state
    trace = [(0, *_figures(state))]
    while state.figures[0] >= target and trace[-1][0] < max_steps and cells.columns.size:
        size = min(PIECE, max_steps - trace[-1][0])
        places, shifts = rng.integers(cells.columns.size, size=size), scale * rng.standard_normal(size)
        tried, _ = climb(begun.terms, begun.originals, cells, state, aim / 100, TOLERANCE, target, places, shifts)
        trace.append((trace[-1][0] + tried, *_figures(state)))
    steps, errors, losses = zip(*trace, strict=True)
    stopped = ImprovementEnding.LIMIT if cells.columns.size else ImprovementEnding.SETTLED
    ended = ImprovementEnding.TARGET if errors[-1] < target else stopped
    return Climb(state.values, ended, np.array(steps), np.array(errors), np.array(losses))


def _figures(state: MomentClimbState) -> tuple[float, float]:
    """Return E and IL1 in percent."""
    return float(state.figures[0]), 100 * float(state.figures[1] / max(state.figures[2], 1.0))
