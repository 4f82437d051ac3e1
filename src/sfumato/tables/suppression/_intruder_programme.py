"""What an intruder can work out: how far a suppressed cell can move while published cells and all sums stay."""

from typing import Any

import numpy as np

from sfumato.numerics.arrays import FloatColumn, Rows
from sfumato.numerics.highs import PRIMAL, Options, load_model, make_model, objective_of, set_bounds, solve, unknowns_of
from sfumato.tables.suppression._effort import Effort

SIMPLEX_OPTIONS: Options = {
    "presolve": "off",
    "solver": "simplex",
    "simplex_strategy": PRIMAL,  # another objective leaves the basis feasible
    "primal_feasibility_tolerance": 1e-9,
    "dual_feasibility_tolerance": 1e-9,
}


class IntruderProgramme:
    """A linear programme over deviations d from the true values: A d = 0, and each d within its bounds.

    The literature calls it the attacker problem. One model answers many questions: only the objective and the bounds
    change, and each answer starts from the last one's basis.

    Parameters
    ----------
    relations
        The sparse matrix A, relations by cells.
    lowest, highest
        The bounds of each cell's deviation, below and above 0; finite. Both are 0 for a cell that the intruder knows.
    effort
        Counts the work.
    """

    def __init__(self, relations: Any, lowest: FloatColumn, highest: FloatColumn, effort: Effort | None = None) -> None:
        self._relations = relations
        self._effort = effort or Effort()
        self._cells = np.arange(lowest.size)
        self._model = simplex_model(relations, np.zeros(lowest.size), lowest, highest)
        self._asked: int | None = None

    def furthest(self, cell: int, sign: int) -> float:
        """Return how far a cell can move up (sign 1) or down (sign -1)."""
        if self._asked is not None:
            self._model.changeColCost(self._asked, 0.0)
        self._asked = cell
        self._model.changeColCost(cell, float(-sign))
        solve(self._model)
        self._effort.count(self._model)
        return max(-objective_of(self._model), 0.0)

    def deviation(self) -> FloatColumn:
        """Return the deviations of all cells that gave the last answer."""
        return unknowns_of(self._model)

    def relation_prices(self) -> FloatColumn:
        """Return the last answer's price of each relation: c - A' prices are the reduced costs of the minimisation."""
        return np.array(self._model.getSolution().row_dual)

    def confine(self, cells: Rows, lowest: FloatColumn, highest: FloatColumn) -> None:
        """Give some cells other bounds."""
        set_bounds(self._model, cells, lowest, highest)

    def confine_all(self, lowest: FloatColumn, highest: FloatColumn) -> None:
        """Give all cells other bounds."""
        set_bounds(self._model, self._cells, lowest, highest)


def simplex_model(relations: Any, costs: FloatColumn, lowest: FloatColumn, highest: FloatColumn) -> Any:
    """Return the solver's model of: the least costs' d with A d = 0 and d within its bounds."""
    still = np.zeros(relations.shape[0])
    return load_model(SIMPLEX_OPTIONS, make_model(relations, costs, lowest, highest, still, still))
