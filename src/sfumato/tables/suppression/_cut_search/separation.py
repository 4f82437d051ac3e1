"""Cuts that a choice of cells violates, whole or fractional."""

from typing import NamedTuple

import numpy as np

from sfumato.numerics.arrays import FloatColumn
from sfumato.tables.problem.problem import Problem
from sfumato.tables.suppression._cut_search.cuts import Cut, Side, cut
from sfumato.tables.suppression._effort import Effort
from sfumato.tables.suppression._intruder_programme import IntruderProgramme
from sfumato.tables.suppression._pattern_check import Failure
from sfumato.tables.suppression._reach import DOWN, SIGNS, UP, WIDTH

VIOLATION = 1e-4  # of the right side, which is 1: what is worth a cut
PUBLISHED_SHARE = 1e-4  # the share to which published cells count as suppressed: so the cuts hold few of them
BOTH = WIDTH


class Demand(NamedTuple):
    """A primary that an intruder should see move: up, down, or in both directions together for a sliding level."""

    intruder: int
    primary: int
    direction: int


class Separator:
    """Finds violated cuts by the intruder's linear programme in moves that are shares of the level asked for.

    No cell is let move by more than the level: a cell that could is worth no more in a cut than one that just can, and
    so the programme finds cuts that are violated after their weights are clipped. Cuts are valid whatever the prices,
    and therefore whatever the bounds.

    Parameters
    ----------
    problem
        One part, with finite bounds.
    effort
        Counts the work.
    """

    def __init__(self, problem: Problem, effort: Effort | None = None) -> None:
        self._problem = problem
        self._model = IntruderProgramme(problem.relations, -problem.room_below, problem.room_above, effort)

    def demands(self, intruder: int) -> list[Demand]:
        """Return all that an intruder should see, the highest level first; a sliding level where it says more."""
        levels = self._problem.levels_for(intruder)
        asked = levels > 0
        asked[BOTH] &= levels[BOTH] > levels[:BOTH].sum(axis=0)
        asked[:, np.isin(self._problem.primaries, self._problem.open_to(intruder))] = False
        every = [Demand(intruder, int(primary), int(direction)) for direction, primary in np.argwhere(asked)]
        return sorted(every, key=lambda demand: (-levels[demand.direction, demand.primary], demand))

    def violated(self, demand: Demand, shares: FloatColumn) -> Cut | None:
        """Return a cut that the shares of the cells that are suppressed violate, or nothing where none is found."""
        problem = self._problem
        level = float(problem.levels_for(demand.intruder)[demand.direction, demand.primary])
        known = problem.intruders[demand.intruder]
        free = np.maximum(shares, PUBLISHED_SHARE)
        free[known] = 0.0
        self._model.confine_all(
            -np.minimum(problem.room_below / level, 1.0) * free, np.minimum(problem.room_above / level, 1.0) * free
        )
        cell, moved, sides = int(problem.primaries[demand.primary]), 0.0, []
        for direction in (UP, DOWN) if demand.direction == BOTH else (demand.direction,):
            moved += self._model.furthest(cell, SIGNS[direction])
            if moved >= 1 - VIOLATION:
                return None
            sides.append(Side(cell, SIGNS[direction], self._model.relation_prices()))
        made = cut(problem, known, sides, level)
        return made if made is not None and made.value(shares) < 1 - VIOLATION else None

    def cuts_of(self, failure: Failure, shares: FloatColumn) -> list[Cut]:
        """Return the cuts that a failure of a choice of whole cells gives: a strong one, and one that is sure."""
        strong = self.violated(demand_of(failure), shares)
        sure = cut(self._problem, self._problem.intruders[failure.intruder], failure.sides, failure.level)
        return [made for made in (strong, sure) if made is not None]


def demand_of(failure: Failure) -> Demand:
    """Return what is not met where a pattern fails."""
    direction = BOTH if len(failure.sides) == BOTH else SIGNS.index(failure.sides[0].sign)
    return Demand(failure.intruder, failure.primary, direction)
