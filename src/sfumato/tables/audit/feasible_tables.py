"""The tables that an intruder cannot tell from the true one: how far each suppressed cell can move in them."""

from functools import cached_property
from typing import Any

import numpy as np

from sfumato.errors import DataError
from sfumato.numerics.arrays import FloatColumn, Rows
from sfumato.numerics.highs import DUAL, OPTIMAL, PRIMAL, UNBOUNDED, load_model, make_model, status_of
from sfumato.tables.audit.components import Component
from sfumato.tables.audit.local_tables import LocalTables
from sfumato.tables.audit.solver_options import MOVE_TOLERANCE, OPTIONS
from sfumato.tables.audit.witnesses import Moves

SOLVER_SCALE = 1e3  # the largest value in the solver's unit: its tolerance is then the component's own
LARGE_COMPONENT = 5000  # cells: tables that move few of them are tried before the whole component is solved
LARGE_IF_FOR_MANY = 100  # the same where there are several intruders
HUGE_COMPONENT = 20_000  # cells: how far one can move is looked for around it before the whole is solved
ABOVE, BELOW = 1.0, -1.0


class FeasibleTables:
    """All tables that fit what is published of one component, and what an intruder knows beforehand.

    One linear programme in the cells' values y: R y = R a, lower <= y <= upper, and y = a on the known cells. Only
    its objective and the known cells change, and the solver goes on from where it stands.

    Parameters
    ----------
    component
        The suppressed cells.
    is_for_many
        Whether there are several intruders: tables that move few cells are then of more use, as fewer of them know one.
    """

    def __init__(self, component: Component, *, is_for_many: bool = False) -> None:
        self.component = component
        self._is_for_many = is_for_many
        self._unit = 2.0 ** round(np.log2(component.largest / SOLVER_SCALE))  # a power of two: no bits are lost
        self._lower, self._upper = component.lower / self._unit, component.upper / self._unit
        self._values = component.values / self._unit
        self._known: Rows = np.empty(0, dtype=np.int64)
        self._target = 0
        self._table: FloatColumn | None = None
        self._moves: Moves | None = None

    def know(self, cells: Rows) -> None:
        """Let the intruder know the values of these cells, by their places in the component, and of no others."""
        freed, fixed = np.setdiff1d(self._known, cells), np.setdiff1d(cells, self._known)
        self._known = cells
        if "_solver" in self.__dict__:
            for cell in freed.tolist():
                self._solver.changeColBounds(cell, self._lower[cell], self._upper[cell])
            for cell in fixed.tolist():
                self._solver.changeColBounds(cell, self._values[cell], self._values[cell])
        if "_local" in self.__dict__:
            self._local.know(cells)

    def push(self, cell: int, direction: float, enough: float = 1.0) -> float:
        """Return how far a cell can move from its value, `ABOVE` or `BELOW` it; infinity when nothing stops it.

        Parameters
        ----------
        cell
            Its place in the component.
        direction
            `ABOVE` or `BELOW`.
        enough
            How far to push the cell when nothing stops it, so that there is a table to look at.
        """
        if self.component.cells.size >= HUGE_COMPONENT:
            extent = self._local.extent(cell, direction)
            if extent is not None:
                self._moves = extent.moves
                return extent.distance
        self._solver.changeColCost(self._target, 0.0)
        self._target, self._table, self._moves = cell, None, None
        self._solver.changeColCost(cell, -direction)
        if _is_bounded(self._solver):
            # the objective is the cell's own value, so that no table has to be copied to know it
            reached = -direction * self._solver.getInfo().objective_function_value * self._unit
            return max(float(direction * (reached - self.component.values[cell])), 0.0)
        self._table = self._push_to(cell, direction, enough)
        return np.inf

    @property
    def is_large(self) -> bool:
        """Whether tables `around` a cell should be tried first: in a large component, or one with many intruders."""
        least = LARGE_IF_FOR_MANY if self._is_for_many else LARGE_COMPONENT
        return self.component.cells.size >= least

    def around(self, cell: int, amount: float) -> tuple[Moves, ...]:
        """Return tables of a large component that move a cell by an amount or more, and few others, if found."""
        found = self._local.tables(cell, amount)
        return self._local.stretch(found[0]) if found else ()

    def is_stuck(self, cell: int, amount: float) -> bool:
        """Tell whether the cells around one of a large component show that no table at all moves it by an amount."""
        return self._local.is_impossible(cell, amount)

    def moves(self) -> Moves:
        """Return how the table that the last push ended in differs from the true one."""
        if self._moves is not None:
            return self._moves
        component = self.component
        table = self._solution() if self._table is None else self._table
        moves = np.clip(table, component.lower, component.upper) - component.values
        moves[np.abs(moves) <= MOVE_TOLERANCE * component.tolerance] = 0.0
        return Moves.of(moves)

    @cached_property
    def _local(self) -> LocalTables:
        local = LocalTables(self.component)
        local.know(self._known)
        return local

    @cached_property
    def _solver(self) -> Any:
        """The programme of all cells; of a large component it is seldom needed."""
        lower, upper = self._lower.copy(), self._upper.copy()
        lower[self._known] = upper[self._known] = self._values[self._known]
        relations = self.component.relations
        sums = relations @ self._values
        return load_model(OPTIONS, make_model(relations, np.zeros(lower.size), lower, upper, sums, sums))

    def _solution(self) -> FloatColumn:
        table: FloatColumn = np.array(self._solver.getSolution().col_value) * self._unit
        return table

    def _push_to(self, cell: int, direction: float, distance: float) -> FloatColumn:
        end = float(self._values[cell] + direction * distance / self._unit)
        lower, upper = float(self._lower[cell]), float(self._upper[cell])
        self._solver.changeColBounds(cell, *((lower, end) if direction == ABOVE else (end, upper)))
        _is_bounded(self._solver)
        table = self._solution()
        self._solver.changeColBounds(cell, lower, upper)
        return table


def _is_bounded(solver: Any) -> bool:
    """Solve, and return whether the objective has an optimum; the true table is always feasible."""
    for strategy in (PRIMAL, PRIMAL, DUAL):  # from where it stands; from the beginning; from the other side
        solver.setOptionValue("simplex_strategy", strategy)
        solver.run()
        status = status_of(solver)
        if status == OPTIMAL:
            return True
        if status in UNBOUNDED:
            return False
        solver.clearSolver()
    raise DataError(
        f"the solver could not find what an intruder can conclude ({status}); the suppressed "
        f"values or their bounds may lie too many orders of magnitude apart: narrow the bounds"
    )
