"""A linear programme in which some unknowns are whole numbers, solved within a time limit and with a proven gap."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.numerics.highs import (
    INFEASIBLE,
    MAYBE_INFEASIBLE,
    OPTIMAL,
    TIME_LIMIT,
    Options,
    bound_of,
    has_solution,
    load_model,
    make_model,
    objective_of,
    start_from,
    status_of,
    unknowns_of,
)

TOLERANCE = 1e-9

OPTIONS: Options = {"mip_feasibility_tolerance": TOLERANCE, "primal_feasibility_tolerance": TOLERANCE}


class Outcome(StrEnum):
    """How a solver's search ended."""

    OPTIMAL = "optimal"
    """No solution costs less, but for the gap that was allowed."""
    TIME = "time"
    """The time limit was reached; there may be a solution, and the bound says how much better another could be."""
    IMPOSSIBLE = "impossible"
    """There is no solution."""


@dataclass(frozen=True, eq=False)
class IntegerProgramme:
    """The least offset + costs x with lower <= x <= upper and row_lower <= A x <= row_upper.

    Parameters
    ----------
    costs, lower, upper
        Of each unknown.
    is_whole
        The unknowns that are whole numbers.
    rows, row_lower, row_upper
        The sparse matrix A and its bounds.
    offset
        What is added to the costs.
    """

    costs: FloatColumn
    lower: FloatColumn
    upper: FloatColumn
    is_whole: Booleans
    rows: Any  # scipy.sparse array
    row_lower: FloatColumn
    row_upper: FloatColumn
    offset: float = 0.0


@dataclass(frozen=True, eq=False)
class Solution:
    """What was found.

    Parameters
    ----------
    outcome
        How the search ended.
    unknowns
        The best solution; empty when none was found.
    cost
        What it costs; infinity when none was found.
    bound
        No solution costs less.
    """

    outcome: Outcome
    unknowns: FloatColumn
    cost: float
    bound: float

    @property
    def is_found(self) -> bool:
        """Whether there is a solution to look at."""
        return bool(np.isfinite(self.cost))


def solve(programme: IntegerProgramme, *, time_limit: float, gap: float, start: FloatColumn | None = None) -> Solution:
    """Return the best solution found.

    Parameters
    ----------
    programme
        What to solve.
    time_limit
        In seconds.
    gap
        How much cheaper another solution may be, as a share of the cost, for the search to end.
    start
        A solution that is known already.
    """
    model = make_model(
        programme.rows,
        programme.costs,
        programme.lower,
        programme.upper,
        programme.row_lower,
        programme.row_upper,
        is_whole=programme.is_whole,
        offset=programme.offset,
    )
    solver = load_model({**OPTIONS, "time_limit": time_limit, "mip_rel_gap": gap}, model)
    if start is not None:
        start_from(solver, start)
    solver.run()
    status = status_of(solver)
    if status in (INFEASIBLE, MAYBE_INFEASIBLE):
        return Solution(Outcome.IMPOSSIBLE, np.empty(0), np.inf, np.inf)
    if status not in (OPTIMAL, TIME_LIMIT):
        raise DataError(
            f"the solver gave up ({status}); the values or their bounds may lie too many orders of magnitude apart: "
            f"narrow the bounds"
        )
    outcome = Outcome.OPTIMAL if status == OPTIMAL else Outcome.TIME
    has_whole, cost = bool(programme.is_whole.any()), objective_of(solver)
    if not has_solution(solver) or not np.isfinite(cost):
        return Solution(outcome, np.empty(0), np.inf, bound_of(solver) if has_whole else -np.inf)
    bound = bound_of(solver) if has_whole else cost
    return Solution(outcome, unknowns_of(solver), cost, min(bound, cost))
