"""How the solver is set for audits."""

from sfumato.numerics.highs import PRIMAL, Options

FEASIBILITY_TOLERANCE = 1e-9  # the solver's tolerance in its unit
MOVE_TOLERANCE = 1e-2  # a move below this part of a component's tolerance is rounding

OPTIONS: Options = {
    "presolve": "off",
    "solver": "simplex",
    "simplex_strategy": PRIMAL,  # the last table found stays feasible when only the objective changes
    "simplex_scale_strategy": 0,  # the relations are of ones already
    "primal_feasibility_tolerance": FEASIBILITY_TOLERANCE,
    "dual_feasibility_tolerance": FEASIBILITY_TOLERANCE,
}
