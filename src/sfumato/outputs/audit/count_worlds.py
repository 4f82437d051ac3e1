"""Other files that would give the same outputs: whole numbers of records in each atom that fit all that is shown."""

from typing import Any

import numpy as np

from sfumato.numerics.arrays import FloatColumn, Rows
from sfumato.numerics.highs import (
    DUAL,
    Options,
    has_solution,
    load_model,
    make_model,
    objective_of,
    set_bounds,
    solve,
    unknowns_of,
)

WHOLE_NUMBER = 1e-6  # a count this near to a whole number is one
MAX_NODES = 5000  # of a search; what it has not settled by then counts as not protected
LINEAR: Options = {"simplex_strategy": DUAL, "presolve": "off"}
INTEGER: Options = {"mip_max_nodes": MAX_NODES, "mip_rel_gap": 0.0, "mip_abs_gap": 0.9}


class CountWorlds:
    """The worlds that a reader cannot tell from the real one: counts of groups that give the same shown figures.

    Parameters
    ----------
    sets
        The sparse 0/1 matrix of the figures that are known (figures x groups).
    lower, upper
        The bounds of the figures.
    largest
        No group has more records than this.
    """

    def __init__(self, sets: Any, lower: FloatColumn, upper: FloatColumn, largest: float) -> None:
        self._sets, self._lower, self._upper = sets, lower, upper
        groups = sets.shape[1]
        self._ends = np.zeros(groups), np.full(groups, largest)
        self._solver = load_model(LINEAR, self._model(np.zeros(groups)))

    def most_of_atoms(self) -> FloatColumn:
        """Return how many records each group has at most: as many as the smallest figure that it lies in."""
        columns = self._sets.tocsc()
        most = self._ends[1].copy()
        np.minimum.at(most, np.repeat(np.arange(most.size), np.diff(columns.indptr)), self._upper[columns.indices])
        return most

    def lowest(self, costs: FloatColumn, wanted: float) -> FloatColumn | None:
        """Return a world in which costs, in whole numbers, add up to at most a wanted figure; None if none is found."""
        self._solver.changeColsCost(costs.size, np.arange(costs.size, dtype=np.int32), costs)
        if not solve(self._solver) or objective_of(self._solver) > wanted + WHOLE_NUMBER:
            return None
        world = self._whole(unknowns_of(self._solver))
        return self._search(costs, wanted) if world is None else world

    def corner(self, costs: FloatColumn) -> FloatColumn | None:
        """Return a world in which costs add up to as little as they can, if the linear programme has one."""
        self._solver.changeColsCost(costs.size, np.arange(costs.size, dtype=np.int32), costs)
        return self._whole(unknowns_of(self._solver)) if solve(self._solver) else None

    def fill(self, groups: Rows, most: float) -> FloatColumn | None:
        """Return a world in which many groups have as many records as wanted, and none of them more; or None."""
        costs = np.zeros(self._ends[0].size)
        costs[groups] = -1.0
        set_bounds(self._solver, groups, self._ends[0][groups], np.full(groups.size, most))
        self._solver.changeColsCost(costs.size, np.arange(costs.size, dtype=np.int32), costs)
        world = self._whole(unknowns_of(self._solver)) if solve(self._solver) else None
        set_bounds(self._solver, groups, self._ends[0][groups], self._ends[1][groups])
        return world

    def _search(self, costs: FloatColumn, wanted: float) -> FloatColumn | None:
        """Return the same by a search over whole numbers, where the linear programme has others."""
        solver = load_model({**INTEGER, "objective_target": wanted + 0.5}, self._model(costs, is_whole=True))
        solver.run()
        return self._whole(unknowns_of(solver)) if has_solution(solver) else None

    def _whole(self, unknowns: FloatColumn) -> FloatColumn | None:
        """Return a solution in whole numbers if it is one and fits every figure; the solver is not believed."""
        world = np.rint(unknowns)
        if np.abs(unknowns - world).max(initial=0.0) > WHOLE_NUMBER or (world < 0).any():
            return None
        figures = self._sets @ world
        return world if ((figures >= self._lower) & (figures <= self._upper)).all() else None

    def _model(self, costs: FloatColumn, *, is_whole: bool = False) -> Any:
        whole = np.full(costs.size, is_whole)
        return make_model(self._sets, costs, *self._ends, self._lower, self._upper, is_whole=whole)
