"""Feasible tables that move one cell and others around it: small linear programmes that prove primaries one by one."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sfumato.numerics.arrays import Rows
from sfumato.tables.audit.components import Component
from sfumato.tables.audit.local_bounds import LocalBounds
from sfumato.tables.audit.solver_options import MOVE_TOLERANCE, OPTIONS
from sfumato.tables.audit.witnesses import Moves
from sfumato.tables.problem.local_programme import LocalProgramme

FIRST_NEIGHBOURS = 60  # cells of the first local programme
NEIGHBOURS_FACTOR = 4  # by which the next programme is larger where one does not do
# Where the first two do not do, cells are chosen that can move together: so many others in each of their relations, and
# so many in all. Then come more of the nearest cells, and more that are chosen; then the whole component is solved.
CHOSEN, MORE_NEIGHBOURS = ((1, 400), (2, 1000)), (2000, 4000)
MORE_CHOSEN = ((4, 6000), (6, 9000), (8, 14_000), (12, 24_000))
DOUBTS = FIRST_NEIGHBOURS * NEIGHBOURS_FACTOR, 2000  # neighbours of which it is looked whether they let the cell move
BOUNDING_NEIGHBOURS = (60, 240, 960, 3840, 15_360)  # cells whose relations are looked at for how far one can move
MIN_SIZE = 1e-6  # of the largest value: how far a cell may move is looked for in no smaller unit
MIN_ROOM = 1e-3  # of the amount: cells with less room cost no more than with so much


class Extent(NamedTuple):
    """How far a cell can move, and the table in which it does."""

    distance: float
    moves: Moves


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
        self._values, self._least = np.abs(component.values), MIN_SIZE * component.largest
        self._relations = component.relations.tocsc()
        self._programme = LocalProgramme(component.relations, OPTIONS)
        self._bounds = LocalBounds(component, self._programme)
        room = np.maximum(self._above, self._below)
        self._free = np.divide(1.0, room, out=np.full(room.size, np.inf), where=room > 0.0)
        self._narrowness = self._free  # infinite for cells that cannot move
        self._equal = np.where(room > 0.0, 1.0, np.inf)
        self._narrower = np.minimum(self._above, self._below)

    def know(self, cells: Rows) -> None:
        """Let the intruder know the values of these cells, by their places in the component, and of no others."""
        self._narrowness = self._free.copy()
        self._narrowness[cells] = np.inf
        self._equal = np.where(self._narrowness < np.inf, 1.0, np.inf)

    def tables(self, cell: int, amount: float) -> tuple[Moves, ...]:
        """Return a table that moves a cell by an amount, and its opposite if the bounds allow; none if none is found.

        Parameters
        ----------
        cell, amount
            The place of the cell in the component, and how far above its value it shall lie; below where negative.
        """
        for cells in self._groups(cell, amount) if self._has_room(cell, amount) else ():
            found = self._move(cell, amount, cells)
            if found is not None:
                return (found, found.reversed()) if self._keeps_bounds(found.reversed()) else (found,)
        return ()

    def stretch(self, moves: Moves) -> tuple[Moves, ...]:
        """Return how far the cells can move together as they do in a table, and in the opposite direction.

        Tables farther from the true one prove more of the primaries that move in them.
        """
        ahead, back = self._farthest(moves), self._farthest(moves.reversed())
        return tuple(table for table in (ahead or moves, back) if table is not None)

    def extent(self, cell: int, sign: float) -> Extent | None:
        """Return how far a cell can move to one side; None where the cells around it do not show it.

        The relations around it give a bound; where a table is found that goes as far, that is how far it can move.

        Parameters
        ----------
        cell, sign
            Its place in the component, and 1 for above its value, -1 for below.
        """
        bound = tried = float((self._above if sign > 0.0 else self._below)[cell])
        size = max(float(self._values[cell]), self._least)
        for most in BOUNDING_NEIGHBOURS:
            near, is_all = self._near(cell, size, most)
            bound = min(bound, self._bounds.highest(cell, sign, size, near, self._narrowness))
            if bound <= self._tolerance:
                return Extent(0.0, Moves.of(np.zeros(0)))
            is_first = most == BOUNDING_NEIGHBOURS[0]
            if bound < np.inf and (is_first or bound < tried - self._tolerance):
                tried = bound
                found = self.tables(cell, sign * (bound - self._tolerance / 2))
                if found:
                    return Extent(bound, found[0])
            if is_all:
                break
        return None

    def is_impossible(self, cell: int, amount: float) -> bool:
        """Tell whether it is certain that no table moves a cell by an amount.

        It is if the cells around it cannot give way even when all cells beyond them move as they like.
        """
        if not self._has_room(cell, amount):
            return True
        near, _ = self._near(cell, amount, FIRST_NEIGHBOURS * NEIGHBOURS_FACTOR)
        return self._is_stuck(cell, amount, near)

    def _is_stuck(self, cell: int, amount: float, near: Rows) -> bool:
        return self._distances(cell, amount, near, with_outside=True) is None

    def _has_room(self, cell: int, amount: float) -> bool:
        room = (self._above if amount > 0.0 else self._below)[cell]
        return bool(abs(amount) <= room and self._narrowness[cell] < np.inf)

    def _groups(self, cell: int, amount: float) -> Iterator[Rows]:
        """Yield cells among which the others that move may be found, more and more."""
        neighbours = (FIRST_NEIGHBOURS, FIRST_NEIGHBOURS * NEIGHBOURS_FACTOR)
        for nearest, chosen in ((neighbours, CHOSEN), (MORE_NEIGHBOURS, MORE_CHOSEN)):
            for most in nearest:
                near, is_all = self._near(cell, amount, most)
                yield near
                if is_all or (most in DOUBTS and self._is_stuck(cell, amount, near)):
                    return
            for width, most in chosen:
                yield self._chosen(cell, amount, width, most)

    def _chosen(self, cell: int, amount: float, width: int, most: int) -> Rows:
        """Return cells that can move together, of which as many as possible have room for the amount."""
        return np.sort(self._programme.closed(self._equal, 0.0, self._narrower, abs(amount), cell, width, most))

    def _farthest(self, moves: Moves) -> Moves | None:
        """Return a table as far in a direction as the bounds allow; None when they allow nothing, or everything."""
        above, below = self._above[moves.cells], self._below[moves.cells]
        times = (np.where(moves.distances > 0.0, above, below) / np.abs(moves.distances)).min(initial=np.inf)
        if not 0.0 < times < np.inf:
            return None
        return self._if_additive(Moves(moves.cells, np.clip(times * moves.distances, -below, above)))

    def _if_additive(self, moves: Moves) -> Moves | None:
        rests = self._relations[:, moves.cells] @ moves.distances
        return moves if np.abs(rests).max(initial=0.0) <= self._tolerance else None

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
        return self._if_additive(Moves(cells[is_moved], distances[is_moved]))

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
