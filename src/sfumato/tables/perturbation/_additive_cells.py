"""Cells that add up: all that rounding needs to know of a problem."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, FloatColumn, Rows
from sfumato.tables.problem.problem import Problem

ADDITIVE = 1e-9  # of the sum of the absolute values in a relation: a larger rest is no rounding


@dataclass(frozen=True, eq=False)
class AdditiveCells:
    """Values for which every relation holds.

    Parameters
    ----------
    values
        What each cell holds.
    relations
        The sparse matrix A with A values = 0: +1 for a part, -1 for its total.
    names
        What to call each cell in messages.
    """

    values: FloatColumn
    relations: Any  # scipy.sparse.csr_array
    names: tuple[str, ...]

    @classmethod
    def of(cls, problem: Problem) -> Self:
        """Return the cells of a problem, which must all have values that add up."""
        names = tuple(problem.cell_name(cell) for cell in range(problem.size))
        return cls(problem.values, problem.relations, names)._check()

    def tied_groups(self, free: Booleans) -> list[tuple[Rows, Rows]]:
        """Return the groups of free cells that relations tie together, each with those relations.

        Parameters
        ----------
        free
            Which cells can change; the others tie nothing.
        """
        from scipy.sparse import block_array
        from scipy.sparse.csgraph import connected_components

        cells = np.flatnonzero(free)
        if not cells.size:
            return []
        ties = abs(self.relations[:, cells])
        if not ties.shape[0]:
            return [(np.array([cell]), np.empty(0, dtype=np.int64)) for cell in cells]
        labels = connected_components(block_array([[None, ties], [ties.T, None]]), directed=False)[1]
        of_relations, of_cells = labels[: ties.shape[0]], labels[ties.shape[0] :]
        used = np.unique(of_cells)
        return [
            (cells[found], np.flatnonzero(of_relations == label))
            for label, found in zip(used.tolist(), _places(of_cells, used), strict=True)
        ]

    def _check(self) -> Self:
        lacking = np.flatnonzero(~np.isfinite(self.values))
        if lacking.size:
            raise DataError(
                f"every cell must have a value; {lacking.size} have none, the first {self.names[lacking[0]]}"
            )
        rests = np.abs(self.relations @ self.values)
        broken = np.flatnonzero(rests > ADDITIVE * (abs(self.relations) @ np.abs(self.values)))
        if broken.size:
            row = self.relations[[broken[0]]].tocoo()
            total = self.names[row.col[np.argmin(row.data)]]
            raise DataError(
                f"the values must add up; {broken.size} of {rests.size} relations do not hold, the first that of "
                f"{total}: make the table additive first"
            )
        return self


def _places(labels: Rows, used: Rows) -> list[Rows]:
    """Return for each used label the places that have it, ascending."""
    order = np.argsort(labels, kind="stable")
    return np.split(order, np.searchsorted(labels[order], used[1:]))
