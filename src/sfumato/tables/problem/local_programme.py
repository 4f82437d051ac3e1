"""The cells around one cell, and the small linear programme of how they move together."""

from typing import Any, NamedTuple

import numpy as np

from sfumato.kernels.tables.nearby_cells import nearest_cells, tied_cells
from sfumato.numerics.arrays import FloatColumn, Rows

DUAL = 1  # costs are 0 or more, and only the cell asked for is out of place
COLUMNWISE, MINIMISE = 1, 1  # the solver's numbers for how the matrix is given, and for the sense of the objective


class Tied(NamedTuple):
    """Some cells and the relations among them: a sparse matrix by columns, with so many lines."""

    cells: Rows
    starts: Any
    rows: Any
    signs: Any
    lines: int


class LocalProgramme:
    """Finds cells near to one, and moves of them that keep all sums at least cost.

    It knows nothing of patterns or attackers: who asks says what a cell costs and how far it may move.

    Parameters
    ----------
    relations
        The sparse matrix of the relations (relations by cells).
    options
        How the solver is set.
    """

    def __init__(self, relations: Any, options: dict[str, bool | int | float | str]) -> None:
        import highspy

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
        self._solver = highspy.Highs()  # type: ignore[no-untyped-call]
        for option, value in {**options, "simplex_strategy": DUAL}.items():
            self._solver.setOptionValue(option, value)

    @property
    def objective(self) -> float:
        """What the last moves that were found cost."""
        return float(self._solver.getInfo().objective_function_value)

    def nearest(self, prices: FloatColumn, step: float, cell: int, most: int, *, within: float = np.inf) -> Rows:
        """Return the cells nearest to one, itself included.

        Parameters
        ----------
        prices, step
            What coming to each cell costs, and each step in addition; cells of infinite price are not come to.
        cell, most
            The cell, and how many to return at most.
        within
            The highest price of a cell to be returned.
        """
        return nearest_cells(*self._graph, prices, step, cell, within, most, *self._is_out)

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

    def moves(self, costs: FloatColumn, lowest: FloatColumn, highest: FloatColumn, tied: Tied) -> FloatColumn | None:
        """Return moves up less moves down of least cost, nothing where there are none; columns are up, then down."""
        still = np.zeros(tied.lines)
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
            still,
            still,
            np.concatenate([tied.starts[:-1], tied.starts[:-1] + tied.starts[-1]]),
            np.concatenate([tied.rows, tied.rows]),
            np.concatenate([tied.signs, -tied.signs]),
            np.zeros(costs.size, dtype=np.int32),
        )
        if not solve(self._solver):
            return None
        values = np.array(self._solver.getSolution().col_value)
        half = costs.size // 2
        moves: FloatColumn = values[:half] - values[half:]
        return moves


def solve(model: Any) -> bool:
    """Solve a linear programme and tell whether it has a solution; a basis that misleads the simplex is thrown away."""
    import highspy

    settled = (highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kInfeasible)
    model.run()
    if model.getModelStatus() not in settled:
        model.clearSolver()
        model.run()
    return bool(model.getModelStatus() == highspy.HighsModelStatus.kOptimal)
