"""Flows: deviations that move one cell, found among the cells around it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.numerics.arrays import FloatColumn, Rows
from sfumato.tables.problem.local_programme import LocalProgramme
from sfumato.tables.problem.problem import Problem
from sfumato.tables.suppression._effort import Effort
from sfumato.tables.suppression._intruder_programme import SIMPLEX_OPTIONS

LEVEL_TOLERANCE = 1e-9  # of a level: what may be lacking
ZERO_TOLERANCE = 1e-7  # of the amount asked for: what counts as not moving
MIN_SAVING = 1e-3  # of the usual cost: for less no cheaper flow is looked for
FIRST_NEIGHBOURS = 100  # cells of the first local programme
NEIGHBOURS_FACTOR = 4  # by which the next programme is larger where one does not do
MAX_NEIGHBOURS = 1600  # suppressed cells that are tried before a secondary is called needed
MAX_CANDIDATES = 3200  # cells that are tried for something cheaper than the first flow found
MAX_CANDIDATES_IF_LARGE = (
    600  # cells are looked at for what could be suppressed instead of a secondary, once there are many cells
)
LARGE_PROBLEM = 10_000  # cells
WIDE_WORK = 150.0  # after so much work of a problem, large programmes give way to small ones
WIDE_NEIGHBOURS, NARROW_NEIGHBOURS = 25_600, 1600  # cells around one that are tried before and after that
# Where they do not do, cells are chosen that can move with it: how many others each of their relations has, and how
# many they are in all.
CLOSED = ((2, 2000), (4, 6000), (6, 9000), (8, 14_000), (12, 24_000))
CLOSED_FEW = ((1, 200), (2, 2000))  # the same where all cells may move: tried before more cells around the one are
CLOSED_FLOOR = 0.1  # of the usual cost: what is added to each price when such cells are chosen


@dataclass(frozen=True, eq=False)
class Flow:
    """A deviation that keeps all sums: the cells that move, and how far.

    Parameters
    ----------
    cells, moves
        The cells, and by how much their values change.
    price
        What moving them costs.
    """

    cells: Rows
    moves: FloatColumn
    price: float


class LocalFlows:
    """Finds flows of little price.

    Parameters
    ----------
    problem
        One part, with finite bounds.
    usual_cost
        What suppressing a cell costs usually: cells that cost less count as near.
    effort
        Counts the work.

    Attributes
    ----------
    is_certain
        Where `nearby` found nothing last: whether it is certain that there is no flow.
    """

    def __init__(self, problem: Problem, usual_cost: float, effort: Effort | None = None) -> None:
        self._effort = effort or Effort()
        self._begun = self._effort.done
        self._room_above, self._room_below = problem.room_above, problem.room_below
        self._rooms = np.minimum(self._room_above, self._room_below)
        self._usual = usual_cost
        self._wide = MAX_CANDIDATES_IF_LARGE if problem.size > LARGE_PROBLEM else MAX_CANDIDATES
        self._programme = LocalProgramme(problem.relations, SIMPLEX_OPTIONS)
        self.is_certain = False

    def cheapest(self, cell: int, amount: float, prices: FloatColumn) -> Flow | None:
        """Return a cheap flow that moves a cell by an amount, down where it is negative; nothing where there is none.

        Whatever is cheaper lies within the price of the first flow that is found; there the cheapest is looked for.

        Parameters
        ----------
        cell, amount
            The cell, and how far it moves.
        prices
            What it costs to move each cell by the amount, or by all its room where that is less. Cells of infinite
            price stand still.
        """
        most = FIRST_NEIGHBOURS
        while True:
            near, is_all = self._near(cell, prices, most)
            first = self._flow(cell, amount, prices, near)
            if first is None and not is_all:
                if most >= self._most_around and (closed := self._closed(cell, amount, prices, CLOSED)) is not None:
                    return closed
                most *= NEIGHBOURS_FACTOR
                continue
            if first is None or is_all or first.price < MIN_SAVING * self._usual:
                return first
            candidates = MAX_CANDIDATES if self._is_wide else MAX_CANDIDATES_IF_LARGE
            within = self._within(cell, prices, first.price, candidates)
            cheaper = self._flow(cell, amount, prices, np.union1d(within, first.cells)) if within.size > most else None
            return first if cheaper is None else cheaper

    def _closed(self, cell: int, amount: float, prices: FloatColumn, sizes: Sequence[tuple[int, int]]) -> Flow | None:
        """Return a flow of cells that are chosen to move together, if one is found."""
        floor = CLOSED_FLOOR * self._usual
        for width, most in sizes:
            chosen = self._programme.closed(prices, floor, self._rooms, abs(amount), cell, width, most)
            flow = self._flow(cell, amount, prices, np.sort(chosen))
            if flow is not None:
                return flow
        return None

    @property
    def _most_around(self) -> int:
        """How many cells around one are tried before others are chosen that can move with it."""
        return WIDE_NEIGHBOURS if self._is_wide else NARROW_NEIGHBOURS

    @property
    def _is_wide(self) -> bool:
        """Whether so little work was done that much of it may go into one flow."""
        return self._effort.done - self._begun < WIDE_WORK

    def within(self, cell: int, amount: float, prices: FloatColumn, budget: float) -> Flow | None:
        """Return a flow alike if one is found whose cells each cost less than the budget to come to."""
        return self._flow(cell, amount, prices, self._within(cell, prices, budget, self._wide))

    def nearby(self, cell: int, amount: float, prices: FloatColumn, far: int | None = MAX_NEIGHBOURS) -> Flow | None:
        """Return a flow alike, or nothing as soon as it is certain that there is none, or none is found near enough.

        Parameters
        ----------
        cell, amount, prices
            As for `cheapest`.
        far
            How many cells are near enough; with None all are, so that nothing is returned only if there is no flow.
        """
        most = FIRST_NEIGHBOURS
        while True:
            near, is_all = self._near(cell, prices, most)
            flow = self._flow(cell, amount, prices, near)
            if flow is not None or is_all or (far is not None and most >= far):
                self.is_certain = is_all
                return flow
            if self._flow(cell, amount, prices, near, with_outside=True) is None:
                self.is_certain = True
                return None
            if far is None and most == FIRST_NEIGHBOURS:
                closed = self._closed(cell, amount, prices, CLOSED_FEW)
                if closed is not None:
                    return closed
            most *= NEIGHBOURS_FACTOR

    def _within(self, cell: int, prices: FloatColumn, price: float, most: int) -> Rows:
        """Return the cells that cost at most so much to come to, the nearest of them if they are many."""
        return np.sort(self._programme.nearest(prices, 0.0, cell, most, within=price))

    def _near(self, cell: int, prices: FloatColumn, most: int) -> tuple[Rows, bool]:
        """Return the cells near to one, by few steps and by cheap steps, and whether there are no others."""
        by_steps = self._programme.nearest(prices, self._usual, cell, most)
        if by_steps.size < most:
            return np.sort(by_steps), True
        by_price = self._programme.nearest(prices, 0.0, cell, most)
        return np.union1d(by_steps, by_price), False

    def _flow(
        self, cell: int, amount: float, prices: FloatColumn, near: Rows, *, with_outside: bool = False
    ) -> Flow | None:
        room = self._room_above if amount > 0 else self._room_below
        size = abs(amount)
        if room[cell] < size * (1 - LEVEL_TOLERANCE):
            return None
        tied = self._programme.tied(prices, near, with_outside=with_outside)
        cells = tied.cells
        place = int(np.searchsorted(cells, cell))
        if place == cells.size or cells[place] != cell:
            return None
        up, down = self._room_above[cells] / size, self._room_below[cells] / size
        lowest, highest = np.zeros(2 * cells.size), np.concatenate([up, down])
        lowest[place if amount > 0 else place + cells.size] = 1.0
        highest[[place, place + cells.size]] = (1.0, 0.0) if amount > 0 else (0.0, 1.0)
        unit = np.concatenate([prices[cells] / np.clip(up, 1e-9, 1.0), prices[cells] / np.clip(down, 1e-9, 1.0)])
        moves = self._programme.moves(unit, lowest, highest, tied)
        self._effort.count_steps(tied.lines + unit.size, self._programme.iterations)
        if moves is None:
            return None
        moves = np.clip(moves, -down, up)
        is_moved = np.abs(moves) > ZERO_TOLERANCE
        return Flow(cells[is_moved], moves[is_moved] * size, self._programme.objective)
