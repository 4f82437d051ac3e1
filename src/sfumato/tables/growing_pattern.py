"""A pattern that grows until all primaries are protected, and then gives up what it can do without."""

import time

import numpy as np

from sfumato.data import FloatColumn, FloatMatrix, Mask, Rows
from sfumato.tables.flow_proofs import FlowProofs
from sfumato.tables.infeasibility import cannot_be_protected
from sfumato.tables.local_flows import Flow, LocalFlows
from sfumato.tables.problem import Problem
from sfumato.tables.reach import SIGNS

LITTLE = 1e-6  # of a usual cost: the price of a cell that is hidden already, so that flows are short
ENOUGH = 1e-3  # of the cost: exchanges that gain less than this in one round are the last


class GrowingPattern:
    """A pattern, the flows that prove it safe, and what moving each cell would cost.

    Parameters
    ----------
    problem
        One part, with finite bounds and without equal cells.
    costs
        What hiding each cell costs.
    levels
        How far each primary must be able to move: up, and down.
    suppressed
        The cells hidden from the start.
    """

    def __init__(self, problem: Problem, costs: FloatColumn, levels: FloatMatrix, suppressed: Mask) -> None:
        self.suppressed = suppressed.copy()
        self._problem, self._costs, self._levels = problem, costs, levels
        paid = costs[~problem.hidden & (costs > 0)]
        usual = float(np.median(paid)) if paid.size else 1.0
        self._flows = LocalFlows(problem, usual)
        self._proofs = FlowProofs(problem, levels)
        self._little = LITTLE * usual
        self._prices = np.where(suppressed, 0.0, costs) + self._little
        self._prices[problem.published] = np.inf
        self._is_changed = np.ones(problem.size, dtype=np.bool_)  # since an exchange of the cell was tried

    @property
    def cost(self) -> float:
        """What the secondaries cost."""
        return float(self._costs[self.suppressed & ~self._problem.hidden].sum())

    def protect(self, primary: int) -> None:
        """Hide what keeps all attackers from a primary."""
        for direction in range(len(SIGNS)):
            while (attacker := self._proofs.open_to(primary, direction)) is not None:
                flow = self._flow(primary, direction, attacker)
                if flow is None:
                    raise cannot_be_protected(self._problem, primary, attacker)
                self._proofs.add(flow)
                self._hide(flow.cells)

    def exchange(self, end: float) -> None:
        """Publish secondaries for which cheaper ones can be hidden, the dearest first, until a time on the clock."""
        before = np.inf
        while self.cost < before * (1 - ENOUGH) and time.monotonic() < end:
            before = self.cost
            for cell in self._secondaries():
                if self._is_changed[cell] and time.monotonic() < end:
                    self._is_changed[cell] = False
                    self._do_without(cell, at_most=float(self._costs[cell]))

    def publish(self, end: float) -> None:
        """Publish the secondaries that are not needed, the dearest first, until a time on the clock."""
        self._prices[~self.suppressed] = np.inf
        waiting = self._secondaries()
        self._prices[waiting] += self._costs[waiting]  # so that flows found on the way keep off them
        for cell in waiting:
            if time.monotonic() < end:
                self._do_without(cell, at_most=0.0)

    def _do_without(self, cell: int, *, at_most: float) -> bool:
        """Publish a cell if what must be hidden instead costs less than `at_most`, or nothing at all."""
        proofs, price = self._proofs, float(self._prices[cell])
        lost = proofs.using(cell)
        goals = proofs.served(lost)
        proofs.declare_void(lost)
        self._prices[cell] = np.inf
        found: list[int] = []
        added: list[Rows] = []
        for primary, direction in goals:
            while (attacker := proofs.open_to(primary, direction)) is not None:
                flow = self._flow(primary, direction, attacker, is_final=at_most == 0.0)
                new = None if flow is None else flow.cells[~self.suppressed[flow.cells]]
                at_most -= 0.0 if new is None else float(self._costs[new].sum())
                if flow is None or new is None or (new.size and at_most <= 0.0):
                    self._undo(found, added)
                    proofs.declare_void(lost, is_void=False)
                    self._prices[cell] = self._little
                    return False
                found.append(proofs.add(flow))
                added.append(new)
                self._hide(new)
        self.suppressed[cell] = False
        self._prices[cell] = np.inf if price else 0.0
        return True
