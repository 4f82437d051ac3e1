"""A pattern that grows until all primaries are protected, and then gives up what it can do without."""

import numpy as np

from sfumato.data import FloatColumn, Mask
from sfumato.tables.flow_proofs import FlowProofs
from sfumato.tables.infeasibility import cannot_be_protected
from sfumato.tables.local_flows import LocalFlows
from sfumato.tables.problem import Problem
from sfumato.tables.reach import SIGNS, levels_of

NEAREST = 100  # cells around a primary that are looked at first
WIDEST = 4000
LITTLE = 1e-6  # of a usual cost: the price of a cell that is hidden already, so that flows are short


class GrowingPattern:
    def __init__(self, problem: Problem, costs: FloatColumn, suppressed: Mask) -> None:
        self._problem, self._costs = problem, costs
        self._levels = levels_of(problem)
        self._flows = LocalFlows(problem, NEAREST)
        self._proofs = FlowProofs(problem, self._levels)
        paid = costs[~problem.hidden & (costs > 0)]
        self._little = LITTLE * (float(np.median(paid)) if paid.size else 1.0)
        self.suppressed = suppressed.copy()
        self._prices = np.where(suppressed, self._little, costs + self._little)
        self._prices[problem.published] = np.inf

    def cost(self) -> float:
        return float(self._costs[self.suppressed & ~self._problem.hidden].sum())

    def protect(self, primary: int) -> None:
        """Hide what keeps all attackers from a primary."""
        for direction in range(2):
            while (attacker := self._proofs.open_to(primary, direction)) is not None:
                flow = self._flow(primary, direction, attacker)
                if flow is None:
                    raise cannot_be_protected(self._problem, primary, attacker)
                self._proofs.add(flow)
                self.suppressed[flow.cells] = True
                self._prices[flow.cells] = self._little

    def _flow(self, primary, direction, attacker):
        known = self._problem.attackers[attacker]
        before = self._prices[known]
        self._prices[known] = np.inf
        flow = self._flows.cheapest(int(self._problem.primaries[primary]), SIGNS[direction] * float(self._levels[direction, primary]), self._prices)
        self._prices[known] = before
        return flow

    def exchange(self) -> int:
        done = 0
        for cell in self._by_cost():
            done += self._exchanged(cell)
        return done

    def _by_cost(self):
        candidates = np.flatnonzero(self.suppressed & ~self._problem.hidden)
        return candidates[np.argsort(-self._costs[candidates], kind="stable")].tolist()

    def _exchanged(self, cell) -> bool:
        proofs, costs = self._proofs, self._costs
        lost = proofs.using(cell)
        goals = proofs.served(lost)
        proofs.declare_void(lost)
        self._prices[cell] = np.inf
        found, added, spent = [], [], 0.0
        is_done = True
        for primary, direction in goals:
            while is_done and (attacker := proofs.open_to(primary, direction)) is not None:
                flow = self._flow(primary, direction, attacker)
                if flow is None: is_done = False; break
                new = flow.cells[~self.suppressed[flow.cells]]
                spent += float(costs[new].sum())
                if spent >= costs[cell]: is_done = False; break
                found.append(proofs.add(flow))
                self.suppressed[new] = True
                self._prices[new] = self._little
                added += new.tolist()
            if not is_done: break
        if is_done:
            self.suppressed[cell] = False
            self._prices[cell] = costs[cell] + self._little
            proofs.forget_void(goals)
            return True
        proofs.declare_void(found)
        proofs.forget_void(proofs.served(found))
        proofs.declare_void(lost, is_void=False)
        self._prices[cell] = self._little
        self.suppressed[added] = False
        self._prices[added] = costs[added] + self._little
        return False

    def publish(self) -> int:
        """Publish what is not needed."""
        self._prices[~self.suppressed] = np.inf
        waiting = self._by_cost()
        self._prices[waiting] = self._costs[waiting] + self._little
        return sum(self._published(cell) for cell in waiting)

    def _published(self, cell) -> bool:
        proofs = self._proofs
        lost = proofs.using(cell)
        goals = proofs.served(lost)
        proofs.declare_void(lost)
        self._prices[cell] = np.inf
        for primary, direction in goals:
            while (attacker := proofs.open_to(primary, direction)) is not None:
                known = self._problem.attackers[attacker]
                before = self._prices[known]
                self._prices[known] = np.inf
                flow = self._flows.any(int(self._problem.primaries[primary]), SIGNS[direction] * float(self._levels[direction, primary]), self._prices, widest=WIDEST)
                self._prices[known] = before
                if flow is None:
                    proofs.declare_void(lost, is_void=False)
                    self._prices[cell] = self._little
                    return False
                proofs.add(flow)
        proofs.forget_void(goals)
        self.suppressed[cell] = False
        return True
