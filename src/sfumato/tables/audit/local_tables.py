"""Feasible tables that move one cell and others around it: small linear programmes that prove primaries one by one."""

import numpy as np

from sfumato.numerics.arrays import Rows
from sfumato.tables.audit.components import Component
from sfumato.tables.audit.solver_options import MOVE_TOLERANCE, OPTIONS
from sfumato.tables.audit.witnesses import Moves
from sfumato.tables.problem.local_programme import LocalProgramme

FIRST_NEIGHBOURS = 60  # cells of the first local programme
NEIGHBOURS_FACTOR = 4  # by which the next programme is larger where one does not do
MAX_NEIGHBOURS = 4000  # cells of the largest local programme; then the whole component is solved
MIN_ROOM = 1e-3  # of the amount: cells with less room cost no more than with so much


class LocalTables:
    """Tables that an intruder cannot rule out and that differ from the true one around one cell only.

    A cell is near another when few steps lead there, each between cells of one relation; a step on a cell with little
    room counts more. Only the nearest cells move: their moves d must add up to nothing, R d = 0, within the bounds, and
    the cell that is asked for moves by what is asked. Each table is checked by additions and comparisons before it
    counts: it keeps the bounds, and its sums differ from the true ones by no more than the component's tolerance, a
    trillionth of its largest value.

    Parameters
    ----------
    component
        The suppressed cells.
    """

    def __init__(self, component: Component) -> None:
        self._tolerance = component.tolerance
        self._above, self._below = component.upper - component.values, component.values - component.lower
        self._relations = component.relations.tocsc()
        self._programme = LocalProgramme(component.relations, OPTIONS)
        room = np.maximum(self._above, self._below)
        self._free = np.divide(1.0, room, out=np.full(room.size, np.inf), where=room > 0.0)
        self._narrowness = self._free  # infinite for cells that cannot move

    def know(self, cells: Rows) -> None:
        """Let the intruder know the values of these cells, by their places in the component, and of no others."""
        self._narrowness = self._free.copy()
        self._narrowness[cells] = np.inf

    def tables(self, cell: int, amount: float) -> tuple[Moves, ...]:
        """Return a table that moves a cell by an amount, and its opposite if the bounds allow; none if none is found.

        Parameters
        ----------
        cell, amount
            The place of the cell in the component, and how far above its value it shall lie; below where negative.
        """
        most = FIRST_NEIGHBOURS
        while self._has_room(cell, amount):
            near, is_all = self._near(cell, amount, most)
            found = self._move(cell, amount, near)
            if found is not None:
                return (found, found.reversed()) if self._keeps_bounds(found.reversed()) else (found,)
            if is_all or most >= MAX_NEIGHBOURS:
                break
            most *= NEIGHBOURS_FACTOR
        return ()

    def is_impossible(self, cell: int, amount: float) -> bool:
        """Tell whether it is certain that no table moves a cell by an amount.

        It is if the cells around it cannot give way even when all cells beyond them move as they like.
        """
        if not self._has_room(cell, amount):
            return True
        near, _ = self._near(cell, amount, FIRST_NEIGHBOURS * NEIGHBOURS_FACTOR)
        return self._distances(cell, amount, near, with_outside=True) is None

    def _has_room(self, cell: int, amount: float) -> bool:
        room = (self._above if amount > 0.0 else self._below)[cell]
        return bool(abs(amount) <= room and self._narrowness[cell] < np.inf)

    def _near(self, cell: int, amount: float, most: int) -> tuple[Rows, bool]:
        """Return the nearest cells, and whether there are no others."""
        near = self._programme.nearest(self._narrowness, 1 / abs(amount), cell, most)
        return np.sort(near), near.size < most

    def _move(self, cell: int, amount: float, near: Rows) -> Moves | None:
        """Return a table that moves only near cells; None when there is none, or when it does not pass the check."""
        found = self._distances(cell, amount, near)
        if found is None:
            return None
        cells = found.cells
        distances = np.clip(found.distances, -self._below[cells], self._above[cells])
        is_moved = np.abs(distances) > MOVE_TOLERANCE * self._tolerance
        moves = Moves(cells[is_moved], distances[is_moved])
        rests = self._relations[:, moves.cells] @ moves.distances
        return moves if np.abs(rests).max(initial=0.0) <= self._tolerance else None

    def _distances(self, cell: int, amount: float, near: Rows, *, with_outside: bool = False) -> Moves | None:
        """Return how far the near cells move by the solver, not yet checked; None when it finds nothing."""
        tied = self._programme.tied(self._narrowness, near, with_outside=with_outside)
        cells = tied.cells
        place, size = int(np.searchsorted(cells, cell)), abs(amount)
        if place == cells.size or cells[place] != cell:
            return None
        lowest, highest = np.zeros(2 * cells.size), np.concatenate([self._above[cells], self._below[cells]]) / size
        costs = 1.0 / np.clip(highest, MIN_ROOM, 1.0)
        both = [place, place + cells.size]
        lowest[both] = highest[both] = (1.0, 0.0) if amount > 0.0 else (0.0, 1.0)
        distances = self._programme.moves(costs, lowest, highest, tied)
        return None if distances is None else Moves(cells, distances * size)

    def _keeps_bounds(self, moves: Moves) -> bool:
        up, down = self._above[moves.cells], self._below[moves.cells]
        return bool(((moves.distances <= up) & (-moves.distances <= down)).all())
