"""Safe patterns for the optimiser: near a choice that it made, or led by what its relaxation hides."""

import numpy as np

from sfumato.data import FloatColumn, Mask, Rows
from sfumato.tables.attacker import simplex_model, solve
from sfumato.tables.checking import PatternCheck
from sfumato.tables.infeasibility import cannot_be_protected
from sfumato.tables.problem import Problem
from sfumato.tables.reach import DOWN, SIGNS, TOLERANCE, UP, Reach, levels_of

DUAL = 1  # costs are 0 or more, and only the cell that is moved is out of place
LEAST_ROOM = 1e-9  # of the amount: over which the cost of a cell is spread that cannot move


def led_pattern(problem: Problem, costs: FloatColumn, suppressed: Mask | None = None) -> Mask:
    """Return a safe pattern of one part, by costs of any kind, on top of cells that are hidden already."""
    flows = Flows(problem, costs, problem.hidden if suppressed is None else suppressed)
    order = np.argsort(-levels_of(problem).max(axis=0), kind="stable").tolist()
    for attacker in range(len(problem.attackers)):
        for primary in order:
            flows.protect(attacker, primary)
    return without_needless(problem, flows.suppressed, flows.reach)


def without_needless(problem: Problem, suppressed: Mask, reach: Reach | None = None) -> Mask:
    """Return a safe pattern without the cells that it does not need, the dearest dropped first."""
    check = PatternCheck(problem, suppressed, reach)
    kept = suppressed.copy()
    candidates = np.flatnonzero(suppressed & ~problem.hidden)
    for cell in candidates[np.argsort(-problem.costs[candidates], kind="stable")].tolist():
        kept[cell] = not check.publish(cell)
    return kept


class Flows:
    """A pattern that grows: moves primaries at the least cost and hides what moved.

    Parameters
    ----------
    problem
        One part, with finite bounds.
    costs
        What hiding each cell costs.
    suppressed
        The cells hidden from the start.
    """

    def __init__(self, problem: Problem, costs: FloatColumn, suppressed: Mask) -> None:
        from scipy.sparse import hstack

        self._problem, self._costs = problem, costs
        self._levels = levels_of(problem)
        self._room = np.concatenate([problem.room_above, problem.room_below])
        self._columns = np.arange(self._room.size, dtype=np.int32)
        both = hstack([problem.relations, -problem.relations])
        self._model = simplex_model(both, np.zeros(self._room.size), np.zeros(self._room.size), self._room)
        self._model.setOptionValue("simplex_strategy", DUAL)
        self.suppressed = suppressed.copy()
        self.reach = Reach(problem)

    def protect(self, attacker: int, primary: int) -> None:
        """Hide what keeps an attacker from a primary."""
        for direction in (UP, DOWN):
            if not self.reach.is_reached(attacker, primary, direction):
                self._move(attacker, primary, direction, float(self._levels[direction, primary]))
        if not self.reach.is_wide(attacker, primary):
            self._widen(attacker, primary)

    def _move(self, attacker: int, primary: int, direction: int, amount: float) -> None:
        if not self._flow(attacker, primary, direction, amount):
            raise cannot_be_protected(self._problem, primary, attacker)

    def _widen(self, attacker: int, primary: int) -> None:
        """Move a primary so far up or down, or up and then down, that its interval is wide enough."""
        wanted = float(self._problem.sliding_levels[primary])
        for direction, other in ((UP, DOWN), (DOWN, UP)):
            if self._flow(attacker, primary, direction, wanted - self.reach.reached(attacker, primary, other)):
                return
        check = PatternCheck(self._problem, ~self._problem.published)
        most = check.furthest(attacker, primary, UP) * (1 - TOLERANCE)
        self._move(attacker, primary, UP, most)
        self._move(attacker, primary, DOWN, wanted - most)

    def _flow(self, attacker: int, primary: int, direction: int, amount: float) -> bool:
        """Move a primary by an amount at the least cost, hide what moved, and tell whether it is possible at all."""
        problem = self._problem
        cell, sign = int(problem.primaries[primary]), SIGNS[direction]
        target = np.array([cell, cell + problem.size])
        moved = np.array([max(sign, 0), max(-sign, 0)]) * min(amount, float(self._room[target[direction]]))
        if moved.sum() < amount * (1 - TOLERANCE):
            return False
        known = problem.attackers[attacker]
        fixed = np.concatenate([known, known + problem.size])
        self._confine(fixed, np.zeros(fixed.size), np.zeros(fixed.size))
        self._confine(target, moved, moved)
        self._model.changeColsCost(self._columns.size, self._columns, self._unit_costs(amount))
        self._model.clearSolver()
        is_possible = solve(self._model)
        if is_possible:
            values = np.array(self._model.getSolution().col_value)
            deviation = values[: problem.size] - values[problem.size :]
            self.reach.note(deviation)
            self.suppressed |= self.reach.moves(deviation)
        self._confine(fixed, np.zeros(fixed.size), self._room[fixed])
        self._confine(target, np.zeros(2), self._room[target])
        return is_possible

    def _unit_costs(self, amount: float) -> FloatColumn:
        """Return what moving each cell up and down costs per unit: all of its cost is spread over what it can move."""
        costs = np.where(self.suppressed, 0.0, self._costs)
        unit: FloatColumn = np.tile(costs, 2) / np.maximum(np.minimum(self._room, amount), LEAST_ROOM * amount)
        return unit

    def _confine(self, columns: Rows, lowest: FloatColumn, highest: FloatColumn) -> None:
        self._model.changeColsBounds(columns.size, columns.astype(np.int32), lowest, highest)
