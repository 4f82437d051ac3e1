"""Whether a pattern keeps every intruder from every primary, and which cells it could do without."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, Rows
from sfumato.tables.problem.problem import Problem
from sfumato.tables.suppression._cut_search.cuts import Side
from sfumato.tables.suppression._effort import Effort
from sfumato.tables.suppression._flows.cheapest_flows import CheapestFlows
from sfumato.tables.suppression._intruder_programme import IntruderProgramme
from sfumato.tables.suppression._reach import DOWN, SIGNS, UP, WIDTH, Reach


@dataclass(frozen=True, eq=False)
class Failure:
    """A primary that an intruder learns too much of, and what shows it.

    Parameters
    ----------
    intruder
        Which intruder.
    primary
        Which of the primaries.
    sides
        The directions in which it should be able to move further: one, or both for a sliding level.
    level
        How far it should.
    """

    intruder: int
    primary: int
    sides: tuple[Side, ...]
    level: float


class PatternCheck:
    """Checks one pattern, and what remains of it when cells are published again.

    Parameters
    ----------
    problem
        The cells, what to protect and from whom; with finite bounds.
    suppressed
        The pattern.
    reach
        What is known already of how far this pattern lets primaries move.
    effort
        Counts the work.
    """

    def __init__(
        self, problem: Problem, suppressed: Booleans, reach: Reach | None = None, effort: Effort | None = None
    ) -> None:
        self._problem = problem
        self._cells = np.flatnonzero(suppressed)
        self._places = np.full(problem.size, -1)
        self._places[self._cells] = np.arange(self._cells.size)
        self._lowest = -problem.room_below[self._cells]
        self._highest = problem.room_above[self._cells].copy()
        self._known = [self._within(cells) for cells in problem.intruders]
        self._model = IntruderProgramme(problem.relations[:, self._cells], self._lowest, self._highest, effort)
        self._reach = Reach(problem) if reach is None else reach
        self._facing = 0
        self._flows = CheapestFlows(problem.relations[:, self._cells], self._highest, -self._lowest, effort)

    def failures(self) -> Iterator[Failure]:
        """Yield all that is not protected, one after the other, as it is found."""
        for intruder in range(len(self._known)):
            yield from self._failures_of(intruder)

    def is_safe(self) -> bool:
        """Tell whether all is protected."""
        return next(self.failures(), None) is None

    def publish(self, cell: int) -> bool:
        """Publish a cell if all stays protected, and tell whether it was."""
        self._face(0)
        place = self._places[[cell]]
        still = np.zeros(1)
        forgotten = self._reach.forget(cell)
        before = self._lowest[place], self._highest[place]
        self._lowest[place] = self._highest[place] = 0.0
        self._model.confine(place, still, still)
        self._flows.limit(place, still, still)
        if self.is_safe():
            return True
        self._face(0)
        self._reach.restore(forgotten)
        self._lowest[place], self._highest[place] = before
        self._model.confine(place, *before)
        self._flows.limit(place, before[1], -before[0])
        return False

    def furthest(self, intruder: int, primary: int, direction: int) -> float:
        """Return how far a primary can move."""
        self._push(intruder, primary, direction)
        return self._reach.reached(intruder, primary, direction)

    def _failures_of(self, intruder: int) -> Iterator[Failure]:
        levels = self._problem.levels_for(intruder)
        for primary, direction in self._reach.missing(intruder):
            if not self._reach.is_reached(intruder, primary, direction):
                if self._is_moved_narrowly(intruder, primary, direction):
                    continue
                side = self._push(intruder, primary, direction)
                if not self._reach.is_reached(intruder, primary, direction):
                    yield Failure(intruder, primary, (side,), float(levels[direction, primary]))
        for primary in self._reach.too_narrow(intruder).tolist():
            sides = (self._push(intruder, primary, UP), self._push(intruder, primary, DOWN))
            if not self._reach.is_wide(intruder, primary):
                yield Failure(intruder, primary, sides, float(levels[WIDTH, primary]))

    def _is_moved_narrowly(self, intruder: int, primary: int, direction: int) -> bool:
        """Move a primary by its level with few cells, so that few intruders know one; only where there are insiders."""
        if len(self._known) == 1:
            return False
        cell = int(self._places[self._problem.primaries[primary]])
        level = float(self._problem.levels_for(intruder)[direction, primary])
        moves = self._flows.cheapest(cell, SIGNS[direction] * level, self._known[intruder])
        if moves is None:
            return False
        self._note(moves)
        return self._reach.is_reached(intruder, primary, direction)

    def _push(self, intruder: int, primary: int, direction: int) -> Side:
        """Move a primary as far as it goes, note the deviation, and return what stops it."""
        self._face(intruder)
        cell = int(self._problem.primaries[primary])
        self._model.furthest(int(self._places[cell]), SIGNS[direction])
        self._note(self._model.deviation())
        return Side(cell, SIGNS[direction], self._model.relation_prices())

    def _note(self, moves: FloatColumn) -> None:
        deviation = np.zeros(self._problem.size)
        deviation[self._cells] = moves
        self._reach.note(deviation)

    def _face(self, intruder: int) -> None:
        """Let the model know what this intruder knows, and no more."""
        if intruder == self._facing:
            return
        freed, fixed = self._known[self._facing], self._known[intruder]
        still: FloatColumn = np.zeros(fixed.size)
        self._model.confine(freed, self._lowest[freed], self._highest[freed])
        self._model.confine(fixed, still, still)
        self._facing = intruder

    def _within(self, cells: Rows) -> Rows:
        """Return the places of those cells that the pattern suppresses."""
        places = self._places[cells]
        return places[places >= 0]
