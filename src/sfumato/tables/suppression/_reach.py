"""How far intruders can see each primary move under a pattern, and by which deviations."""

from typing import Any

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix, Integers, Rows
from sfumato.tables.problem.problem import Problem

UP, DOWN, WIDTH = 0, 1, 2  # the rows of levels
SIGNS = (1, -1)
TOLERANCE = 1e-8  # of a level: what counts as reached
ZERO_TOLERANCE = 1e-8  # of the smallest level: what counts as not moving


def levels_of(problem: Problem, intruder: int = 0) -> FloatMatrix:
    """Return the levels up and down at which an intruder must be kept, as two rows; the outsider's are the highest."""
    return problem.levels_for(intruder)[:2]


def known_cells(problem: Problem) -> Any:
    """Return a sparse matrix, intruders by cells, with 1 where the intruder knows the cell."""
    from scipy.sparse import csr_array

    sizes = [cells.size for cells in problem.intruders]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    cells = np.concatenate(problem.intruders) if sizes else np.empty(0, dtype=np.int64)
    return csr_array((np.ones(cells.size), cells, starts), shape=(len(sizes), problem.size))


def is_open(problem: Problem) -> Booleans:
    """Return for each intruder, and each primary, whether the intruder is not kept from it."""
    return np.stack([np.isin(problem.primaries, problem.open_to(number)) for number in range(len(problem.intruders))])


class Reach:
    """How far each primary has been seen to move, up and down, by deviations that each intruder cannot rule out.

    A deviation found for one primary and one intruder counts for every other primary that it moves, and for every
    intruder who knows no cell that it moves. What reaches a level stays its proof: another that goes further may move
    more cells.

    Parameters
    ----------
    problem
        The cells and intruders.
    """

    def __init__(self, problem: Problem) -> None:
        self._known = known_cells(problem)
        self._primaries = problem.primaries
        levels = problem.levels_for(problem.everybody)
        self._levels, self._sliding = levels[:2], levels[2]
        self._still = ZERO_TOLERANCE * float(levels.min(where=levels > 0, initial=np.inf))
        shape = (2, len(problem.intruders), problem.primaries.size)
        self._slides = self._sliding > 0
        self._spared = is_open(problem)
        self._reached = np.zeros(shape)
        self._proofs = np.full(shape, -1, dtype=np.int64)
        self._supports: list[Booleans] = []

    def note(self, deviation: FloatColumn) -> None:
        """Count a deviation of all cells, for all whom it serves."""
        support = self.moves(deviation)
        unaware = np.flatnonzero(self._known @ support.astype(np.float64) == 0)
        moved = np.where(support[self._primaries], deviation[self._primaries], 0.0)
        for direction, sign in enumerate(SIGNS):
            reached = self._reached[direction][unaware]
            short = reached < self._levels[direction, unaware] * (1 - TOLERANCE)
            better = (sign * moved > reached) & (short | self._slides[unaware])
            if better.any():
                intruders, primaries = np.nonzero(better)
                self._reached[direction][unaware[intruders], primaries] = sign * moved[primaries]
                self._proofs[direction][unaware[intruders], primaries] = len(self._supports)
        self._supports.append(support)

    def moves(self, deviation: FloatColumn) -> Booleans:
        """Return which cells a deviation moves."""
        return np.abs(deviation) > self._still

    def missing(self, intruder: int) -> list[tuple[int, int]]:
        """Return the primaries and directions whose level the intruder has not been seen to be kept from."""
        reached = self._reached[:, intruder]
        short = (reached < self._levels[:, intruder] * (1 - TOLERANCE)) & ~self._spared[intruder]
        primaries, directions = np.nonzero(short.T)
        return list(zip(primaries.tolist(), directions.tolist(), strict=True))

    def too_narrow(self, intruder: int) -> Rows:
        """Return the primaries whose interval has not been seen to be as wide as it must."""
        width = self._reached[UP, intruder] + self._reached[DOWN, intruder]
        return np.flatnonzero((width < self._sliding[intruder] * (1 - TOLERANCE)) & ~self._spared[intruder])

    def is_reached(self, intruder: int, primary: int, direction: int) -> bool:
        """Tell whether a level is reached."""
        reached, level = self._reached[direction, intruder, primary], self._levels[direction, intruder, primary]
        return bool(reached >= level * (1 - TOLERANCE) or self._spared[intruder, primary])

    def is_wide(self, intruder: int, primary: int) -> bool:
        """Tell whether an interval is as wide as it must be."""
        width = self._reached[UP, intruder, primary] + self._reached[DOWN, intruder, primary]
        return bool(width >= self._sliding[intruder, primary] * (1 - TOLERANCE) or self._spared[intruder, primary])

    def reached(self, intruder: int, primary: int, direction: int) -> float:
        """Return how far a primary has been seen to move."""
        return float(self._reached[direction, intruder, primary])

    def forget(self, cell: int) -> "ReachState":
        """Drop all that was seen by deviations that move a cell, and return it, so that it can be put back."""
        uses = np.array([support[cell] for support in self._supports], dtype=np.bool_)
        lost = (self._proofs >= 0) & uses[self._proofs] if uses.size else np.zeros_like(self._proofs, dtype=np.bool_)
        before = ReachState(self._reached.copy(), self._proofs.copy())
        self._reached[lost], self._proofs[lost] = 0.0, -1
        return before

    def restore(self, forgotten: "ReachState") -> None:
        """Put back what was dropped; what was seen since without the cell holds with it too."""
        better = forgotten.reached > self._reached
        self._reached[better], self._proofs[better] = forgotten.reached[better], forgotten.proofs[better]


class ReachState:
    """What a `Reach` held before it was made to forget."""

    def __init__(self, reached: FloatMatrix, proofs: Integers) -> None:
        self.reached, self.proofs = reached, proofs
