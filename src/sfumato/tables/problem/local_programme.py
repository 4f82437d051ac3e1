"""The cells around one cell, and the small linear programme of how they move together."""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.tables.closed_cells import closed_cells
from sfumato.kernels.tables.nearby_cells import nearest_cells, tied_cells
from sfumato.numerics.arrays import FloatColumn, Rows
from sfumato.numerics.highs import (
    COLUMNWISE,
    DUAL,
    MINIMISE,
    Options,
    iterations_of,
    make_solver,
    multipliers_of,
    objective_of,
    point_iterations_of,
    solve,
    solve_within,
    unknowns_of,
)

LARGE_PROGRAMME = 5000  # columns: from here on the simplex, where it takes long, gives way to an interior point method
MAX_STEPS = 4000, 0.25  # of the simplex until then: so many, or so many per column if that is more
POINT_STEPS = 150  # steps of the simplex that one of the interior point method counts for


class Tied(NamedTuple):
    """Some cells and the relations among them: a sparse matrix by columns, with so many lines."""

    cells: Rows
    starts: Any
    rows: Any
    signs: Any
    lines: int


class LocalProgramme:
    """Finds cells near to one, and moves of them that keep all sums at least cost.

    It knows nothing of patterns or intruders: who asks says what a cell costs and how far it may move.

    Parameters
    ----------
    relations
        The sparse matrix of the relations (relations by cells).
    options
        How the solver is set.
    """

    def __init__(self, relations: Any, options: Options) -> None:
        lines, cells = relations.tocsr(), relations.tocsc()
        self._graph = (
            lines.indptr.astype(np.int64),
            lines.indices.astype(np.int64),
            cells.indptr.astype(np.int64),
            cells.indices.astype(np.int64),
        )
        self._signs = cells.data.astype(np.float64)
        line_count, cell_count = relations.shape
        self._is_out = np.zeros(cell_count, dtype=np.bool_), np.zeros(line_count, dtype=np.bool_)
        self._work = np.zeros(line_count, dtype=np.int64), np.full(cell_count, -1, dtype=np.int64)
        # costs are 0 or more, and only the cell asked for is out of place
        self._solver = make_solver({**options, "simplex_strategy": DUAL})
        self._steps = 0

    @property
    def objective(self) -> float:
        """What the last moves that were found cost."""
        return objective_of(self._solver)

    @property
    def relation_prices(self) -> FloatColumn:
        """What each relation of the last moves that were found costs: its multiplier at the optimum."""
        return multipliers_of(self._solver)

    @property
    def iterations(self) -> int:
        """How many steps of the simplex the last search for moves took."""
        return self._steps

    def nearest(self, prices: FloatColumn, step: float, cell: int, max_cells: int, *, within: float = np.inf) -> Rows:
        """Return the cells nearest to one, itself included.

        Parameters
        ----------
        prices, step
            What coming to each cell costs, and each step in addition; cells of infinite price are not come to.
        cell, max_cells
            The cell, and how many to return at most.
        within
            The highest price of a cell to be returned.
        """
        return nearest_cells(*self._graph, prices, step, cell, within, max_cells, *self._is_out)

    def closed(
        self,
        prices: FloatColumn,
        floor: float,
        rooms: FloatColumn,
        amount: float,
        cell: int,
        width: int,
        max_cells: int,
    ) -> Rows:
        """Return cells that can move with one, itself included: each with so many others in each of its relations.

        Parameters
        ----------
        prices, floor
            What moving each cell costs, and what is added to each; cells of infinite price stand still.
        rooms, amount
            How far each cell can move, and how far it should.
        cell, width, max_cells
            The cell, how many others each relation shall have, and how many cells to return at most.
        """
        counts, _ = self._work
        return closed_cells(*self._graph, prices, floor, rooms, amount, cell, width, max_cells, self._is_out[0], counts)

    def tied(self, prices: FloatColumn, near: Rows, *, with_outside: bool) -> Tied:
        """Return those near cells that can move, with the relations that bind them.

        Parameters
        ----------
        prices
            Infinite for the cells that stand still.
        near
            The cells, ascending.
        with_outside
            Leave out relations that cells beyond these are in, as if those moved as they like.
        """
        return Tied(*tied_cells(*self._graph, self._signs, prices, near, with_outside, *self._work))

    def moves(
        self,
        costs: FloatColumn,
        lowest: FloatColumn,
        highest: FloatColumn,
        tied: Tied,
        ends: tuple[FloatColumn, FloatColumn] | None = None,
    ) -> FloatColumn | None:
        """Return moves up less moves down of least cost, nothing where there are none; columns are up, then down.

        Parameters
        ----------
        costs, lowest, highest
            What moving each cell costs, and how far it must and may move: first all up, then all down.
        tied
            The cells and their relations.
        ends
            Between what the moves of each relation add up to; to nothing when not given.
        """
        still = np.zeros(tied.lines)
        least, most = (still, still) if ends is None else ends
        self._solver.passModel(
            costs.size,
            tied.lines,
            2 * tied.rows.size,
            COLUMNWISE,
            MINIMISE,
            0.0,
            costs,
            lowest,
            highest,
            least,
            most,
            np.concatenate([tied.starts[:-1], tied.starts[:-1] + tied.starts[-1]]),
            np.concatenate([tied.rows, tied.rows]),
            np.concatenate([tied.signs, -tied.signs]),
            np.zeros(costs.size, dtype=np.int32),
        )
        if not self._solve(costs.size):
            return None
        values = unknowns_of(self._solver)
        half = costs.size // 2
        moves: FloatColumn = values[:half] - values[half:]
        return moves

    def _solve(self, columns: int) -> bool:
        """Solve the programme by the simplex, or where that takes many steps by an interior point method.

        Most large programmes take the simplex few steps, and the other method ten times as long or more; of some it
        is the other way round. Steps are counted and not seconds, so that the same programme gets the same solution.
        """
        self._set(solver="simplex", presolve="off")
        if columns < LARGE_PROGRAMME:
            is_possible: bool | None = solve(self._solver)
            self._steps = iterations_of(self._solver)
            return bool(is_possible)
        least, share = MAX_STEPS
        is_possible = solve_within(self._solver, max(least, int(share * columns)))
        self._steps = iterations_of(self._solver)
        if is_possible is None:
            self._solver.clearSolver()
            self._set(solver="ipm", presolve="on")
            is_possible = solve(self._solver)
            self._steps += iterations_of(self._solver) + POINT_STEPS * point_iterations_of(self._solver)
        return is_possible

    def _set(self, **options: str) -> None:
        for name, value in options.items():
            self._solver.setOptionValue(name, value)
