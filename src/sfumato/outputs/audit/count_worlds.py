"""Other files that would give the same outputs: whole numbers of records in each atom that fit all that is shown."""

from typing import Any

import numpy as np

from sfumato.numerics.arrays import FloatColumn, FloatMatrix, Rows
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
MAX_CORNERS = 8  # corners of a linear programme that are tried for whole numbers before a search: most have one
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
        self._solver = load_model(LINEAR, self._model(np.zeros(groups), self._ends))

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

    def fill(self, group: int, others: Rows, wanted: float) -> FloatColumn | None:
        """Return a world in which a group has as many records as wanted and many others too, if a corner is one."""
        low, high = self._ends[0].copy(), self._ends[1].copy()
        high[others] = wanted  # none of them needs more, and what it would take others lack
        low[group], high[group] = wanted, self._ends[1][group]
        costs = np.zeros(low.size)
        costs[others] = -1.0
        costs[group] = 0.0
        world = self._corner_within(low, high, costs)
        set_bounds(self._solver, np.arange(low.size), *self._ends)
        return world

    def reach(self, group: int, wanted: float) -> FloatColumn | None:
        """Return a world in which a group has as many records as wanted; None if none is found."""
        low = self._ends[0].copy()
        low[group] = wanted
        draws = np.random.default_rng(group).normal(size=(MAX_CORNERS, low.size))
        world = self._first_whole(low, self._ends[1], draws)
        set_bounds(self._solver, np.arange(low.size), *self._ends)
        return world

    def _first_whole(self, low: FloatColumn, high: FloatColumn, draws: FloatMatrix) -> FloatColumn | None:
        """Return a corner in whole numbers, by one set of costs after the other, or what a search finds."""
        for costs in draws:
            world = self._corner_within(low, high, costs)
            if world is not None:
                return world
            if not has_solution(self._solver):
                return None
        solver = load_model(INTEGER, self._model(np.zeros(low.size), (low, high), is_whole=True))
        solver.run()
        return self._whole(unknowns_of(solver)) if has_solution(solver) else None

    def _corner_within(self, low: FloatColumn, high: FloatColumn, costs: FloatColumn) -> FloatColumn | None:
        set_bounds(self._solver, np.arange(low.size), low, high)
        return self.corner(costs)

    def _search(self, costs: FloatColumn, wanted: float) -> FloatColumn | None:
        """Return the same by a search over whole numbers, where the linear programme has others."""
        solver = load_model(
            {**INTEGER, "objective_target": wanted + 0.5}, self._model(costs, self._ends, is_whole=True)
        )
        solver.run()
        return self._whole(unknowns_of(solver)) if has_solution(solver) else None

    def _whole(self, unknowns: FloatColumn) -> FloatColumn | None:
        """Return a solution in whole numbers if it is one and fits every figure; the solver is not believed."""
        world = np.rint(unknowns)
        if np.abs(unknowns - world).max(initial=0.0) > WHOLE_NUMBER or (world < 0).any():
            return None
        figures = self._sets @ world
        return world if ((figures >= self._lower) & (figures <= self._upper)).all() else None

    def _model(self, costs: FloatColumn, ends: tuple[FloatColumn, FloatColumn], *, is_whole: bool = False) -> Any:
        whole = np.full(costs.size, is_whole)
        return make_model(self._sets, costs, *ends, self._lower, self._upper, is_whole=whole)
