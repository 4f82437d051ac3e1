"""Flows: deviations that move one cell, found among the cells around it."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from sfumato.data import FloatColumn, Rows
from sfumato.kernels.nearby_cells import nearest_cells, tied_cells
from sfumato.tables.hiding.attacker import SIMPLEX_OPTIONS, solve
from sfumato.tables.problem import Problem

REACHED = 1e-9  # of a level: what may be lacking
STILL = 1e-7  # of the amount asked for: what counts as not moving
SMALL = 1e-3  # of the usual cost: what is not worth looking for a cheaper flow
NEAREST = 100  # cells are looked at first
WIDER = 4  # times as many are looked at when these do not do
FAR = 1600  # hidden cells are looked at before a secondary is called needed
WIDEST = 3200  # cells are looked at for something cheaper than the first flow found
WIDE = 600  # cells are looked at for what could be hidden instead of a secondary, once there are many cells
MANY = 10_000
DUAL = 1  # costs are 0 or more, and only the cell asked for is out of place
COLUMNWISE, MINIMISE = 1, 1  # the solver's numbers for how the matrix is given, and for the sense of the objective


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
        What hiding a cell costs usually: cells that cost less count as near.
    """

    def __init__(self, problem: Problem, usual_cost: float) -> None:
        import highspy

        self._room_above, self._room_below = problem.room_above, problem.room_below
        self._usual = usual_cost
        self._wide = WIDE if problem.size > MANY else WIDEST
        lines, cells = problem.relations.tocsr(), problem.relations.tocsc()
        self._graph = (
            lines.indptr.astype(np.int64),
            lines.indices.astype(np.int64),
            cells.indptr.astype(np.int64),
            cells.indices.astype(np.int64),
        )
        self._signs = cells.data.astype(np.float64)
        line_count, cell_count = problem.relations.shape
        self._is_out = np.zeros(cell_count, dtype=np.bool_), np.zeros(line_count, dtype=np.bool_)
        self._work = np.zeros(line_count, dtype=np.int64), np.full(cell_count, -1, dtype=np.int64)
        self._solver = highspy.Highs()  # type: ignore[no-untyped-call]
        for option, value in {**SIMPLEX_OPTIONS, "simplex_strategy": DUAL}.items():
            self._solver.setOptionValue(option, value)

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
        most = NEAREST
        while True:
            near, is_all = self._near(cell, prices, most)
            first = self._flow(cell, amount, prices, near)
            if first is None and not is_all:
                most *= WIDER
                continue
            if first is None or is_all or first.price < SMALL * self._usual:
                return first
            within = self._within(cell, prices, first.price, WIDEST)
            cheaper = self._flow(cell, amount, prices, np.union1d(within, first.cells)) if within.size > most else None
            return first if cheaper is None else cheaper

    def within(self, cell: int, amount: float, prices: FloatColumn, budget: float) -> Flow | None:
        """Return a flow alike if one is found whose cells each cost less than the budget to come to."""
        return self._flow(cell, amount, prices, self._within(cell, prices, budget, self._wide))

    def nearby(self, cell: int, amount: float, prices: FloatColumn, far: int | None = FAR) -> Flow | None:
        """Return a flow alike, or nothing as soon as it is certain that there is none, or none is found near enough.

        Parameters
        ----------
        cell, amount, prices
            As for `cheapest`.
        far
            How many cells are near enough; with None all are, so that nothing is returned only if there is no flow.
        """
        most = NEAREST
        while True:
            near, is_all = self._near(cell, prices, most)
            flow = self._flow(cell, amount, prices, near)
            if flow is not None or is_all or (far is not None and most >= far):
                return flow
            if self._flow(cell, amount, prices, near, with_outside=True) is None:
                return None
            most *= WIDER

    def _within(self, cell: int, prices: FloatColumn, price: float, most: int) -> Rows:
        """Return the cells that cost at most so much to come to, the nearest of them if they are many."""
        return np.sort(nearest_cells(*self._graph, prices, 0.0, cell, price, most, *self._is_out))

    def _near(self, cell: int, prices: FloatColumn, most: int) -> tuple[Rows, bool]:
        """Return the cells near to one, by few steps and by cheap steps, and whether there are no others."""
        by_steps = nearest_cells(*self._graph, prices, self._usual, cell, np.inf, most, *self._is_out)
        if by_steps.size < most:
            return np.sort(by_steps), True
        by_price = nearest_cells(*self._graph, prices, 0.0, cell, np.inf, most, *self._is_out)
        return np.union1d(by_steps, by_price), False

    def _flow(
        self, cell: int, amount: float, prices: FloatColumn, near: Rows, *, with_outside: bool = False
    ) -> Flow | None:
        room = self._room_above if amount > 0 else self._room_below
        size = abs(amount)
        if room[cell] < size * (1 - REACHED):
            return None
        cells, starts, rows, signs, lines = tied_cells(
            *self._graph, self._signs, prices, near, with_outside, *self._work
        )
        place = int(np.searchsorted(cells, cell))
        if place == cells.size or cells[place] != cell:
            return None
        up, down = self._room_above[cells] / size, self._room_below[cells] / size
        lowest, highest = np.zeros(2 * cells.size), np.concatenate([up, down])
        lowest[place if amount > 0 else place + cells.size] = 1.0
        highest[[place, place + cells.size]] = (1.0, 0.0) if amount > 0 else (0.0, 1.0)
        unit = np.concatenate([prices[cells] / np.clip(up, 1e-9, 1.0), prices[cells] / np.clip(down, 1e-9, 1.0)])
        moves = self._solved(unit, lowest, highest, starts, rows, signs, lines)
        if moves is None:
            return None
        moves = np.clip(moves, -down, up)
        is_moved = np.abs(moves) > STILL
        price = float(self._solver.getInfo().objective_function_value)
        return Flow(cells[is_moved], moves[is_moved] * size, price)

    def _solved(
        self,
        costs: FloatColumn,
        lowest: FloatColumn,
        highest: FloatColumn,
        starts: Any,
        rows: Any,
        signs: Any,
        lines: int,
    ) -> FloatColumn | None:
        """Return moves up less moves down of least cost, nothing where there are none; columns are up, then down."""
        still = np.zeros(lines)
        self._solver.passModel(
            costs.size,
            lines,
            2 * rows.size,
            COLUMNWISE,
            MINIMISE,
            0.0,
            costs,
            lowest,
            highest,
            still,
            still,
            np.concatenate([starts[:-1], starts[:-1] + starts[-1]]),
            np.concatenate([rows, rows]),
            np.concatenate([signs, -signs]),
            np.zeros(costs.size, dtype=np.int32),
        )
        if not solve(self._solver):
            return None
        values = np.array(self._solver.getSolution().col_value)
        moves: FloatColumn = values[: costs.size // 2] - values[costs.size // 2 :]
        return moves
