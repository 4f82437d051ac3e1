"""The optimiser's primal heuristic: safe patterns near its last choice, or guided by its linear relaxation."""

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.tables.problem.problem import Problem
from sfumato.tables.suppression._effort import Effort
from sfumato.tables.suppression._flows.cheapest_flows import CheapestFlows
from sfumato.tables.suppression._infeasibility import infeasibility_error
from sfumato.tables.suppression._pattern_check import PatternCheck
from sfumato.tables.suppression._reach import DOWN, SIGNS, TOLERANCE, UP, Reach, levels_of

MIN_ROOM = 1e-9  # of the amount: over which the cost of a cell is spread that cannot move


def greedy_pattern(
    problem: Problem, costs: FloatColumn, suppressed: Booleans | None = None, *, effort: Effort | None = None
) -> Booleans:
    """Return a safe pattern of one part, by costs of any kind, on top of cells that are suppressed already.

    When the effort is over before there is one, all is suppressed that may be.
    """
    effort = effort or Effort()
    growing = GreedyPattern(problem, costs, problem.must_suppress if suppressed is None else suppressed, effort)
    order = np.argsort(-levels_of(problem).max(axis=0), kind="stable").tolist()
    for intruder in range(len(problem.intruders)):
        for primary in order:
            if effort.is_over:
                return ~problem.must_publish
            growing.protect(intruder, primary)
    return drop_redundant(problem, growing.suppressed, growing.reach, effort=effort)


def drop_redundant(
    problem: Problem, suppressed: Booleans, reach: Reach | None = None, *, effort: Effort | None = None
) -> Booleans:
    """Return a safe pattern without what it does not need, the dearest dropped first, until the effort is over."""
    effort = effort or Effort()
    check = PatternCheck(problem, suppressed, reach, effort)
    check.is_safe()  # finds all proofs once, before any is dropped
    kept = suppressed.copy()
    candidates = np.flatnonzero(suppressed & ~problem.must_suppress)
    for cell in candidates[np.argsort(-problem.costs[candidates], kind="stable")].tolist():
        kept[cell] = effort.is_over or not check.publish(cell)
    return kept


class GreedyPattern:
    """A pattern that grows: moves primaries at the least cost and suppresses what moved.

    Parameters
    ----------
    problem
        One part, with finite bounds.
    costs
        What suppressing each cell costs.
    suppressed
        The cells suppressed from the start.
    effort
        Counts the work.
    """

    def __init__(self, problem: Problem, costs: FloatColumn, suppressed: Booleans, effort: Effort) -> None:
        self._problem, self._costs = problem, costs
        self._room = np.concatenate([problem.room_above, problem.room_below])
        self._flows = CheapestFlows(problem.relations, problem.room_above, problem.room_below, effort)
        self.suppressed = suppressed.copy()
        self.reach = Reach(problem)

    def protect(self, intruder: int, primary: int) -> None:
        """Suppress what keeps an intruder from a primary."""
        levels = levels_of(self._problem, intruder)[:, primary].tolist()
        for direction in (UP, DOWN):
            if not self.reach.is_reached(intruder, primary, direction):
                self._move(intruder, primary, direction, levels[direction])
        if not self.reach.is_wide(intruder, primary):
            self._widen(intruder, primary)

    def _move(self, intruder: int, primary: int, direction: int, amount: float) -> None:
        if not self._flow(intruder, primary, direction, amount):
            raise infeasibility_error(self._problem, primary, intruder)

    def _widen(self, intruder: int, primary: int) -> None:
        """Move a primary so far up or down, or up and then down, that its interval is wide enough."""
        wanted = float(self._problem.sliding_levels[primary])
        for direction, other in ((UP, DOWN), (DOWN, UP)):
            if self._flow(intruder, primary, direction, wanted - self.reach.reached(intruder, primary, other)):
                return
        check = PatternCheck(self._problem, ~self._problem.must_publish)
        most = check.furthest(intruder, primary, UP) * (1 - TOLERANCE)
        self._move(intruder, primary, UP, most)
        self._move(intruder, primary, DOWN, wanted - most)

    def _flow(self, intruder: int, primary: int, direction: int, amount: float) -> bool:
        """Move a primary by an amount at the least cost, suppress what moved, and tell whether it is possible."""
        cell = int(self._problem.primaries[primary])
        room = float(self._room[cell + direction * self._problem.size])
        if room < amount * (1 - TOLERANCE):
            return False
        self._flows.price(self._unit_costs(amount))
        known = self._problem.intruders[intruder]
        deviation = self._flows.cheapest(cell, SIGNS[direction] * min(amount, room), known)
        if deviation is None:
            return False
        self.reach.note(deviation)
        self.suppressed |= self.reach.moves(deviation)
        return True

    def _unit_costs(self, amount: float) -> FloatColumn:
        """Return what moving each cell up and down costs per unit: all of its cost is spread over what it can move."""
        costs = np.where(self.suppressed, 0.0, self._costs)
        unit: FloatColumn = np.tile(costs, 2) / np.maximum(np.minimum(self._room, amount), MIN_ROOM * amount)
        return unit
