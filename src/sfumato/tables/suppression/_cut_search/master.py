"""The master problem: the cheapest choice of cells that satisfies all cuts found so far."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.numerics.highs import DUAL, WHOLE, bound_of, has_solution, make_solver, objective_of, unknowns_of
from sfumato.tables.problem.problem import Problem
from sfumato.tables.suppression._cut_search.cuts import Cut
from sfumato.tables.suppression._effort import Effort

OPTIONS = {"mip_feasibility_tolerance": 1e-9, "primal_feasibility_tolerance": 1e-9}


@dataclass(frozen=True, eq=False)
class LinearRelaxation:
    """The cheapest fractional choice.

    Parameters
    ----------
    shares
        How much of each cell is suppressed.
    cost
        What it costs: no safe pattern costs less.
    reduced_costs
        What suppressing a cell would add to that at least, and sparing it where negative.
    """

    shares: FloatColumn
    cost: float
    reduced_costs: FloatColumn


class Master:
    """Grows by cuts; solved as a linear programme that keeps its basis, or with whole cells.

    Parameters
    ----------
    problem
        One part.
    effort
        Counts the work, and says when to stop.
    """

    def __init__(self, problem: Problem, effort: Effort | None = None) -> None:
        self._problem = problem
        self._effort = effort or Effort()
        self._cuts: dict[tuple[bytes, bytes], Cut] = {}
        self._lower = problem.must_suppress.astype(np.float64)
        self._upper = (~problem.must_publish).astype(np.float64)
        self._costs = np.where(problem.must_suppress, 0.0, problem.costs)
        self._relaxation = self._model([], {"presolve": "off", "solver": "simplex", "simplex_strategy": DUAL})

    def add(self, cuts: Iterable[Cut]) -> None:
        """Add the cuts that are new."""
        new = {made.key: made for made in cuts if made.key not in self._cuts}
        if new:
            self._cuts.update(new)
            _add_rows(self._relaxation, list(new.values()))

    def relax(self) -> LinearRelaxation:
        """Return the cheapest fractional choice."""
        self._relaxation.run()
        self._effort.count(self._relaxation)
        solution = self._relaxation.getSolution()
        return LinearRelaxation(
            shares=np.clip(np.array(solution.col_value), 0.0, 1.0),
            cost=objective_of(self._relaxation),
            reduced_costs=np.array(solution.col_dual),
        )

    def choose(
        self, best: Booleans, relaxed: LinearRelaxation, *, gap: float, with_presolve: bool = True
    ) -> tuple[Booleans, float]:
        """Return the cheapest choice of whole cells, and a bound below all that cost no more than `best`.

        Cells whose reduced cost alone bridges the gap between the relaxation and `best` are settled beforehand; not
        without presolve, where nothing is taken for granted.
        """
        room = self._problem.cost(best) - relaxed.cost
        slack = 1e-6 * (1 + abs(relaxed.cost))
        lower, upper = self._lower.copy(), self._upper.copy()
        if with_presolve:
            upper[(relaxed.reduced_costs > room + slack) & (lower == 0)] = 0.0
            lower[(relaxed.reduced_costs < -room - slack) & (upper == 1)] = 1.0
        options: dict[str, Any] = {"mip_rel_gap": gap, "mip_abs_gap": 0.0, "time_limit": self._effort.seconds_left}
        nodes = self._effort.nodes_left
        if nodes is not None:
            options["mip_max_nodes"] = nodes
        if not with_presolve:
            options["presolve"] = "off"
        model = self._model(list(self._cuts.values()), options)
        columns = np.arange(self._problem.size, dtype=np.int32)
        model.changeColsBounds(columns.size, columns, lower, upper)
        kinds = np.full(columns.size, WHOLE, dtype=np.uint8)
        model.changeColsIntegrality(columns.size, columns, kinds)
        model.setSolution(columns.size, columns, best.astype(np.float64))
        model.run()
        self._effort.count_whole(model, nodes)
        chosen = unknowns_of(model) > 0.5 if has_solution(model) else best
        return chosen, bound_of(model)

    def _model(self, cuts: list[Cut], options: dict[str, Any]) -> Any:
        model = make_solver({**OPTIONS, **options})
        size = self._problem.size
        nothing = np.empty(0, dtype=np.int32)
        model.addCols(size, self._costs, self._lower, self._upper, 0, nothing, nothing, np.empty(0))
        if cuts:
            _add_rows(model, cuts)
        return model


def _add_rows(model: Any, cuts: list[Cut]) -> None:
    starts = np.cumsum([0, *(made.cells.size for made in cuts)])
    model.addRows(
        len(cuts),
        np.ones(len(cuts)),
        np.full(len(cuts), np.inf),
        int(starts[-1]),
        starts[:-1].astype(np.int32),
        np.concatenate([made.cells for made in cuts]).astype(np.int32),
        np.concatenate([made.weights for made in cuts]),
    )
