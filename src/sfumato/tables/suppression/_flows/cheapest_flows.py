"""Flows of least cost: deviations that move one cell by an amount, and others as cheaply as the sums allow."""

from typing import Any

import numpy as np

from sfumato.numerics.arrays import FloatColumn, Rows
from sfumato.numerics.highs import DUAL, set_bounds, solve, unknowns_of
from sfumato.tables.suppression._effort import Effort
from sfumato.tables.suppression._intruder_programme import simplex_model


class CheapestFlows:
    """A linear programme over moves up and moves down of all cells.

    Parameters
    ----------
    relations
        The sparse matrix A, relations by cells.
    above, below
        How far each cell can move up and down; finite.
    effort
        Counts the work.
    """

    def __init__(self, relations: Any, above: FloatColumn, below: FloatColumn, effort: Effort | None = None) -> None:
        from scipy.sparse import hstack

        self._effort = effort or Effort()
        self._size = above.size
        self._room = np.concatenate([above, below])
        self._columns = np.arange(2 * above.size, dtype=np.int32)
        none = np.zeros(2 * above.size)
        self._model = simplex_model(hstack([relations, -relations]), none + 1.0, none, self._room)
        self._model.setOptionValue("simplex_strategy", DUAL)

    def price(self, costs: FloatColumn) -> None:
        """Set what moving each cell up and down costs per unit, 0 or more: first all up, then all down; 1 at first."""
        self._model.changeColsCost(self._columns.size, self._columns, costs)

    def limit(self, cells: Rows, above: FloatColumn, below: FloatColumn) -> None:
        """Set how far some cells can move up and down."""
        columns = np.concatenate([cells, cells + self._size])
        self._room[columns] = np.concatenate([above, below])
        set_bounds(self._model, columns, np.zeros(columns.size), self._room[columns])

    def cheapest(self, cell: int, amount: float, known: Rows) -> FloatColumn | None:
        """Return the cheapest deviation that moves a cell by an amount and known cells not at all, if there is one."""
        ends = np.array([cell, cell + self._size])
        moved = np.maximum([amount, -amount], 0.0)
        if (moved > self._room[ends]).any():
            return None
        fixed = np.concatenate([known, known + self._size])
        set_bounds(self._model, fixed, np.zeros(fixed.size), np.zeros(fixed.size))
        set_bounds(self._model, ends, moved, moved)
        self._model.clearSolver()
        is_possible = solve(self._model)
        self._effort.count(self._model)
        values = unknowns_of(self._model) if is_possible else None
        set_bounds(self._model, fixed, np.zeros(fixed.size), self._room[fixed])
        set_bounds(self._model, ends, np.zeros(2), self._room[ends])
        return None if values is None else values[: self._size] - values[self._size :]
