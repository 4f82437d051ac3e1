"""Cuts: what every safe pattern satisfies, as sums of weighted cells of which enough must be suppressed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.numerics.arrays import FloatColumn, Rows
from sfumato.tables.problem.problem import Problem

PRICE_DECIMALS = 9  # any prices give a valid cut; rounded ones give a clean one
NEGLIGIBLE = 1e-7  # weights below this are taken off the right side instead


@dataclass(frozen=True)
class Side:
    """One direction in which a primary should be able to move, and what the relations cost that keep it from it.

    Parameters
    ----------
    cell
        The primary cell.
    sign
        1 for up, -1 for down.
    prices
        One per relation, from the intruder's linear programme.
    """

    cell: int
    sign: int
    prices: FloatColumn


@dataclass(frozen=True, eq=False)
class Cut:
    """Of these cells so many must be suppressed that their weights add up to 1 or more."""

    cells: Rows
    weights: FloatColumn

    def value(self, shares: FloatColumn) -> float:
        """Return the left side, given the share of each cell that is suppressed."""
        return float((self.weights * shares[self.cells]).sum())  # a product of the BLAS adds in an order of its own

    @property
    def key(self) -> tuple[bytes, bytes]:
        """What two equal cuts have in common."""
        return self.cells.tobytes(), np.round(self.weights, 6).tobytes()


def cut(problem: Problem, known: Rows, sides: Sequence[Side], level: float) -> Cut | None:
    """Return the cut that some sides of one primary give together, or nothing when suppressed cells alone satisfy it.

    The intruder's optimum is at most the sum over cells of (alpha UB + beta LB) x, with alpha and beta the positive and
    negative parts of all reduced costs, whatever the prices; it must reach the level. Cells that are suppressed anyway
    move to the right side, and no weight needs to be above what remains there.

    Source
        Fischetti and Salazar (2001), Solving the cell suppression problem on tabular data with linear constraints.
    """
    sums = np.zeros(problem.size)
    for side in sides:
        pull = problem.relations.T @ np.round(side.prices, PRICE_DECIMALS)
        pull[side.cell] += side.sign
        sums += np.where(pull > 0, pull * problem.room_above, -pull * problem.room_below)
    sums[known] = 0.0
    return cut_of(problem, np.arange(problem.size), sums, level)


def cut_of(problem: Problem, cells: Rows, moves: FloatColumn, level: float) -> Cut | None:
    """Return the cut which says that those of some cells that are suppressed must together reach a level."""
    suppressed = problem.must_suppress[cells]
    wanted = level - float(moves[suppressed].sum())
    if wanted <= NEGLIGIBLE * level:
        return None
    weights = np.where(suppressed | problem.must_publish[cells], 0.0, np.minimum(moves / wanted, 1.0))
    small = weights < NEGLIGIBLE
    return Cut(cells[~small], np.minimum(weights[~small] / (1 - weights[small].sum()), 1.0))
