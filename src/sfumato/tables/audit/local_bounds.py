"""How far a cell of a large component can move at most, as the relations around it show."""

from typing import Any

import numpy as np

from sfumato.numerics.arrays import FloatColumn, Rows
from sfumato.tables.audit.components import Component
from sfumato.tables.problem.local_programme import LocalProgramme

ROUNDED_TO = 9  # decimals of multipliers: those of sums are small fractions, and any multipliers give a bound


class LocalBounds:
    """Bounds on how far a cell can move, from small programmes in which all cells beyond the near ones move freely.

    The solver is not believed: for any multipliers y of the relations, moves d that add up to nothing have
    c'd = (c + R'y)'d, which is at most what each cell alone could add to it. The multipliers of the solution make that
    a good bound; whatever they are, it is a bound.

    Parameters
    ----------
    component
        The suppressed cells.
    programme
        The relations around a cell.
    """

    def __init__(self, component: Component, programme: LocalProgramme) -> None:
        self._above, self._below = component.upper - component.values, component.values - component.lower
        self._programme = programme

    def highest(self, cell: int, sign: float, size: float, near: Rows, narrowness: FloatColumn) -> float:
        """Return a bound on how far a cell can move to one side; infinite where there is none.

        Parameters
        ----------
        cell, sign
            Its place in the component, and 1 for above its value, -1 for below.
        size
            About how far it may move, for the scale of the programme.
        near
            The cells whose relations are looked at, ascending.
        narrowness
            Infinite for cells that stand still.
        """
        tied = self._programme.tied(narrowness, near, with_outside=True)
        cells: Any = tied.cells
        place = int(np.searchsorted(cells, cell))
        if place == cells.size or cells[place] != cell:
            return 0.0  # it is alone in a relation
        lowest, highest = np.zeros(2 * cells.size), np.concatenate([self._above[cells], self._below[cells]]) / size
        costs = np.zeros(2 * cells.size)
        ahead, back = (place, place + cells.size) if sign > 0.0 else (place + cells.size, place)
        costs[ahead], highest[back] = -1.0, 0.0
        if self._programme.moves(costs, lowest, highest, tied) is None:
            return np.inf
        multipliers = np.append(np.round(self._programme.relation_prices, ROUNDED_TO), 0.0)
        owners = np.repeat(np.arange(cells.size), np.diff(tied.starts))
        factors = np.bincount(owners, weights=tied.signs * multipliers[tied.rows], minlength=cells.size)
        factors[place] += sign
        moved = np.flatnonzero(np.abs(factors) > 0.0)
        rooms = np.where(factors > 0.0, self._above[cells], self._below[cells])[moved]
        return float((np.abs(factors[moved]) * rooms).sum())
