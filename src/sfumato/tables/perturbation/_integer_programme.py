"""A linear programme in which some unknowns are whole numbers, solved within a time limit and with a proven gap."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, FloatColumn

TOLERANCE = 1e-9

OPTIONS: dict[str, bool | int | float | str] = {
    "output_flag": False,
    "threads": 1,  # one thread and one seed: the same solution on every run
    "random_seed": 0,
    "mip_feasibility_tolerance": TOLERANCE,
    "primal_feasibility_tolerance": TOLERANCE,
}


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
    from highspy import HighsModelStatus, HighsSolution

    solver = _solver(programme)
    solver.setOptionValue("time_limit", time_limit)
    solver.setOptionValue("mip_rel_gap", gap)
    if start is not None:
        known = HighsSolution()
        known.col_value = start
        solver.setSolution(known)
    solver.run()
    status, info = solver.getModelStatus(), solver.getInfo()
    if status in (HighsModelStatus.kInfeasible, HighsModelStatus.kUnboundedOrInfeasible):
        return Solution(Outcome.IMPOSSIBLE, np.empty(0), np.inf, np.inf)
    if status not in (HighsModelStatus.kOptimal, HighsModelStatus.kTimeLimit):
        raise DataError(
            f"the solver gave up ({solver.modelStatusToString(status)}); the values or their bounds may lie too many "
            f"orders of magnitude apart: narrow the bounds"
        )
    outcome = Outcome.OPTIMAL if status == HighsModelStatus.kOptimal else Outcome.TIME
    has_whole = bool(programme.is_whole.any())
    cost = float(info.objective_function_value)
    if info.primal_solution_status != 2 or not np.isfinite(cost):  # 2: feasible
        return Solution(outcome, np.empty(0), np.inf, float(info.mip_dual_bound) if has_whole else -np.inf)
    bound = float(info.mip_dual_bound) if has_whole else cost
    return Solution(outcome, np.array(solver.getSolution().col_value), cost, min(bound, cost))


def _solver(programme: IntegerProgramme) -> Any:
    import highspy

    matrix = programme.rows.tocsc()
    model = highspy.HighsLp()
    model.num_row_, model.num_col_ = matrix.shape
    model.offset_ = programme.offset
    model.col_cost_ = programme.costs
    model.col_lower_, model.col_upper_ = programme.lower, programme.upper
    model.row_lower_, model.row_upper_ = programme.row_lower, programme.row_upper
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = matrix.indptr.astype(np.int32)
    model.a_matrix_.index_ = matrix.indices.astype(np.int32)
    model.a_matrix_.value_ = matrix.data.astype(np.float64)
    if programme.is_whole.any():
        kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
        model.integrality_ = [kinds[int(whole)] for whole in programme.is_whole]
    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    for option, setting in OPTIONS.items():
        solver.setOptionValue(option, setting)
    solver.passModel(model)
    return solver
