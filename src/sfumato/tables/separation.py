"""Cuts that a fractional choice of cells violates."""

import numpy as np

from sfumato.data import FloatColumn
from sfumato.tables.attacker import Attacker
from sfumato.tables.checking import Failure
from sfumato.tables.cuts import Cut, Side, cut
from sfumato.tables.problem import Problem
from sfumato.tables.reach import DOWN, SIGNS, UP, known_cells, levels_of

VIOLATION = 1e-4  # of the right side, which is 1: what is worth a cut
LITTLE = 1e-4  # the share to which published cells count as hidden: so the cuts hold few of them


class Separator:
    """Finds violated cuts by the attacker's linear programme in moves that are shares of the level asked for.

    No cell is let move by more than the level: a cell that could is worth no more in a cut than one that just can, and
    so the programme finds cuts that are violated after their weights are clipped. Cuts are valid whatever the prices,
    and therefore whatever the bounds.

    Parameters
    ----------
    problem
        One part, with finite bounds.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._levels = levels_of(problem)
        self._model = Attacker(problem.relations, -problem.room_below, problem.room_above)
        self._known = known_cells(problem)
        self.demands = self._all_demands()

    def cut_for(self, demand: tuple[int, int], shares: FloatColumn) -> list[Cut]:
        """Return the violated cuts for one primary and direction (both when 2), one per attacker who gives another."""
        primary, direction = demand
        level = self._level(demand)
        free = np.maximum(shares, LITTLE)
        highest = np.minimum(self._problem.room_above / level, 1.0) * free
        lowest = -np.minimum(self._problem.room_below / level, 1.0) * free
        cell = int(self._problem.primaries[primary])
        directions = (UP, DOWN) if direction == 2 else (direction,)
        found = []
        unproven = np.asarray(self._known[:, [cell]].todense())[:, 0] == 0
        for attacker in range(len(self._problem.attackers)):
            if not unproven[attacker]:
                continue
            known = self._problem.attackers[attacker]
            highest_here, lowest_here = highest.copy(), lowest.copy()
            highest_here[known] = lowest_here[known] = 0.0
            self._model.confine_all(lowest_here, highest_here)
            sides, support, moved = [], np.zeros(self._problem.size, dtype=np.bool_), 0.0
            for each in directions:
                moved += self._model.furthest(cell, SIGNS[each])
                sides.append(Side(cell, SIGNS[each], self._model.relation_prices()))
                support |= np.abs(self._model.deviation()) > 1e-9
            if moved < 1 - VIOLATION:
                made = cut(self._problem, known, sides, level)
                if made is not None and made.value(shares) < 1 - VIOLATION:
                    found.append(made)
            else:
                unproven &= self._known @ support.astype(np.float64) > 0
        return found

    def cut_of_failure(self, failure: Failure) -> Cut | None:
        """Return the cut that the prices of a failure give."""
        known = self._problem.attackers[failure.attacker]
        return cut(self._problem, known, failure.sides, failure.level)

    def _all_demands(self) -> list[tuple[int, int]]:
        sliding = self._problem.sliding_levels
        both = np.flatnonzero(sliding > self._levels.sum(axis=0))
        single = [(int(primary), int(direction)) for direction, primary in np.argwhere(self._levels > 0)]
        every = single + [(int(primary), 2) for primary in both]
        return sorted(every, key=lambda demand: (-self._level(demand), demand))

    def _level(self, demand: tuple[int, int]) -> float:
        primary, direction = demand
        return float(self._problem.sliding_levels[primary] if direction == 2 else self._levels[direction, primary])
