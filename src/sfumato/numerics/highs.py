"""Linear and integer programmes with HiGHS: models, options and results, in one place.

Callers get the solver itself, so that one who solves the same model many times changes its costs and bounds directly.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, Rows, SmallIntegers

Options = Mapping[str, bool | int | float | str]

REPRODUCIBLE: Options = {"output_flag": False, "threads": 1, "random_seed": 0}  # the same solution on every run
DUAL, PRIMAL = 1, 4  # simplex strategies
OPTIMAL, INFEASIBLE, TIME_LIMIT = "Optimal", "Infeasible", "Time limit reached"  # as `status_of` says them
MAYBE_INFEASIBLE = "Primal infeasible or unbounded"
UNBOUNDED = ("Unbounded", MAYBE_INFEASIBLE)
WHOLE = 1  # the solver's number for an unknown that is a whole number
COLUMNWISE, MINIMISE = 1, 1  # the solver's numbers for how a matrix is given, and for the sense of the objective


def make_solver(options: Options) -> Any:
    """Return a solver without a model, set to give the same solution on every run."""
    import highspy

    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    for option, setting in {**REPRODUCIBLE, **options}.items():
        solver.setOptionValue(option, setting)
    return solver


def make_model(
    rows: Any,
    costs: FloatColumn,
    lower: FloatColumn,
    upper: FloatColumn,
    row_lower: FloatColumn,
    row_upper: FloatColumn,
    *,
    is_whole: Booleans | None = None,
    offset: float = 0.0,
) -> Any:
    """Return the model of the least offset + costs x with lower <= x <= upper and row_lower <= A x <= row_upper.

    Parameters
    ----------
    rows, row_lower, row_upper
        The sparse matrix A and its bounds.
    costs, lower, upper
        Of each unknown.
    is_whole
        The unknowns that are whole numbers; none when not given.
    offset
        What is added to the costs.
    """
    import highspy

    matrix = rows.tocsc()
    model = highspy.HighsLp()
    model.num_row_, model.num_col_ = matrix.shape
    model.offset_ = offset
    model.col_cost_ = costs
    model.col_lower_, model.col_upper_ = lower, upper
    model.row_lower_, model.row_upper_ = row_lower, row_upper
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = matrix.indptr.astype(np.int32)
    model.a_matrix_.index_ = matrix.indices.astype(np.int32)
    model.a_matrix_.value_ = matrix.data.astype(np.float64)
    if is_whole is not None and is_whole.any():
        kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
        model.integrality_ = [kinds[int(whole)] for whole in is_whole]
    return model


def load_model(options: Options, model: Any) -> Any:
    """Return a solver with a model."""
    solver = make_solver(options)
    solver.passModel(model)
    return solver


def set_bounds(solver: Any, unknowns: Rows | SmallIntegers, lower: FloatColumn, upper: FloatColumn) -> None:
    """Give some unknowns of a solver's model other bounds."""
    solver.changeColsBounds(unknowns.size, unknowns.astype(np.int32), lower, upper)


def start_from(solver: Any, unknowns: FloatColumn) -> None:
    """Give a solver a solution that is known already."""
    import highspy

    known = highspy.HighsSolution()
    known.col_value = unknowns
    solver.setSolution(known)


def solve(solver: Any) -> bool:
    """Solve a linear programme and tell whether it has a solution; a basis that misleads the simplex is thrown away."""
    import highspy

    settled = (highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kInfeasible)
    solver.run()
    if solver.getModelStatus() not in settled:
        solver.clearSolver()
        solver.run()
    return bool(solver.getModelStatus() == highspy.HighsModelStatus.kOptimal)


def solve_within(solver: Any, max_steps: int) -> bool | None:
    """Tell whether a linear programme has a solution; nothing where so many steps of the simplex do not tell."""
    import highspy

    unlimited = solver.getOptionValue("simplex_iteration_limit")[1]
    solver.setOptionValue("simplex_iteration_limit", max_steps)
    solver.run()
    solver.setOptionValue("simplex_iteration_limit", unlimited)
    status = solver.getModelStatus()
    if status not in (highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kInfeasible):
        return None
    return bool(status == highspy.HighsModelStatus.kOptimal)


def status_of(solver: Any) -> str:
    """Return how the last run ended, in the solver's words: see `OPTIMAL` and the other constants."""
    return str(solver.modelStatusToString(solver.getModelStatus()))


def has_solution(solver: Any) -> bool:
    """Tell whether the last run found a solution, optimal or not."""
    import highspy

    return bool(solver.getInfo().primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible)


def size_of(solver: Any) -> int:
    """Return how many rows and columns the model of a solver has."""
    return int(solver.getNumRow() + solver.getNumCol())


def iterations_of(solver: Any) -> int:
    """Return how many steps of the simplex the last run took, with whole numbers those of all nodes."""
    return max(int(solver.getInfo().simplex_iteration_count), 0)


def point_iterations_of(solver: Any) -> int:
    """Return how many steps the interior point method took in the last run; none where the simplex solved it."""
    return max(int(solver.getInfo().ipm_iteration_count), 0)


def nodes_of(solver: Any) -> int:
    """Return how many nodes the last search with whole numbers went through."""
    return max(int(solver.getInfo().mip_node_count), 0)


def objective_of(solver: Any) -> float:
    """Return what the last solution costs."""
    return float(solver.getInfo().objective_function_value)


def bound_of(solver: Any) -> float:
    """Return a bound below the cost of every solution of a programme with whole numbers."""
    return float(solver.getInfo().mip_dual_bound)


def unknowns_of(solver: Any) -> FloatColumn:
    """Return the unknowns of the last solution."""
    return np.array(solver.getSolution().col_value)


def multipliers_of(solver: Any) -> FloatColumn:
    """Return the multiplier of each row of the last solution."""
    return np.array(solver.getSolution().row_dual)
