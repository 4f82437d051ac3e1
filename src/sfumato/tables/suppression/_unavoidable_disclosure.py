"""What insiders learn whatever is suppressed, from their own cells and the bounds alone; no pattern can prevent it."""

from dataclasses import replace
from functools import cached_property

import numpy as np

from sfumato.numerics.arrays import Rows
from sfumato.tables.problem.problem import OUTSIDER, Problem
from sfumato.tables.suppression._flows.flow_proofs import ROW_SIGNS, FlowProofs, goal_levels
from sfumato.tables.suppression._flows.local_flows import Flow, LocalFlows
from sfumato.tables.suppression._pattern_check import PatternCheck
from sfumato.tables.suppression._reach import DOWN, TOLERANCE, UP, WIDTH, levels_of

MOVE_PRICE = 1.0  # the price of moving a cell that has much room


def spare_unavoidable(problem: Problem) -> tuple[Problem, int]:
    """Return the problem with insiders spared what they learn anyway, and how many primaries of how many that is.

    Somebody who is alone in one part of a total knows that the total is at least that much. Where that is nearer than
    the level of the total, suppressing every cell would not help: no pattern can keep them from it. They are kept from
    all other primaries.

    Parameters
    ----------
    problem
        What to protect, and from whom; the first intruder is the outsider.
    """
    found = _find_learnt(problem)
    if not found:
        return problem, 0
    nothing: Rows = np.empty(0, dtype=np.int64)
    before = problem.spared or (nothing,) * len(problem.intruders)
    spared = tuple(np.union1d(cells, found.get(number, nothing)) for number, cells in enumerate(before))
    return replace(problem, spared=spared), sum(cells.size for cells in found.values())


def _find_learnt(problem: Problem) -> dict[int, Rows]:
    """Return for insiders, by number, the primaries that they learn too much of when all is suppressed that may be."""
    if len(problem.intruders) == 1:
        return {}
    learnt = _Learnt(problem)
    for primary in np.argsort(-levels_of(problem).max(axis=0), kind="stable").tolist():
        learnt.look_at(primary)
    found = sorted((number, cells) for number, cells in learnt.cells.items() if number != OUTSIDER)
    return {number: np.array(sorted(cells), dtype=np.int64) for number, cells in found}


class _Learnt:
    """The primaries that intruders learn too much of, as far as they were looked at.

    A flow that keeps one intruder from a primary keeps everybody from it who knows none of its cells. As all may be
    suppressed, most flows are short, and few of them are needed.
    """

    def __init__(self, problem: Problem) -> None:
        self.cells: dict[int, set[int]] = {}
        self._problem, self._levels = problem, goal_levels(problem, levels_of(problem)) * (1 - TOLERANCE)
        self._proofs, self._flows = FlowProofs(problem, self._levels), LocalFlows(problem, MOVE_PRICE)
        room = np.where(problem.must_publish, 0.0, np.maximum(problem.room_above, problem.room_below))
        self._narrowness = np.divide(1.0, room, out=np.full(room.size, np.inf), where=room > 0.0)

    def look_at(self, primary: int) -> None:
        """Find which intruders learn too much of a primary."""
        if self._problem.sliding_levels[primary] > levels_of(self._problem)[:, primary].sum():
            self._look_at_width(primary)
            return
        for row in range(len(self._levels)):
            while (intruder := self._proofs.open_to(primary, row)) is not None:
                flow = self._flow(intruder, primary, row)
                if flow is not None:
                    self._proofs.add(flow)
                else:
                    self._note(intruder, primary)
                    self._proofs.pass_over(primary, intruder)

    def _look_at_width(self, primary: int) -> None:
        """Find the same of a primary whose interval must be wide, whichever way: only the whole table can tell."""
        for intruder in range(len(self._problem.intruders)):
            is_target = self._problem.primaries[primary] not in self._problem.open_to(intruder)
            if is_target and not self._is_kept(intruder, primary):
                self._note(intruder, primary)

    def _note(self, intruder: int, primary: int) -> None:
        self.cells.setdefault(intruder, set()).add(int(self._problem.primaries[primary]))

    def _flow(self, intruder: int, primary: int, row: int) -> Flow | None:
        """Return a flow that moves a primary by its level, past what an intruder knows; nothing where there is none."""
        amount = float(self._levels[row, primary])
        prices = MOVE_PRICE + amount * self._narrowness  # cells with little room are far away
        prices[self._problem.intruders[intruder]] = np.inf
        cell = int(self._problem.primaries[primary])
        return self._flows.nearby(cell, ROW_SIGNS[row] * amount, prices, far=None)

    def _is_kept(self, intruder: int, primary: int) -> bool:
        up, down = (self._whole.furthest(intruder, primary, direction) for direction in (UP, DOWN))
        levels = self._problem.levels_for(intruder)[:, primary] * (1 - TOLERANCE)
        return bool(up >= levels[UP] and down >= levels[DOWN] and up + down >= levels[WIDTH])

    @cached_property
    def _whole(self) -> PatternCheck:
        return PatternCheck(self._problem, ~self._problem.must_publish)
