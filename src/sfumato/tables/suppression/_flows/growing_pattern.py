"""A pattern that grows until all primaries are protected, and then gives up what it can do without."""

from collections import Counter

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix, Rows
from sfumato.tables.problem.problem import Problem
from sfumato.tables.suppression._effort import Effort
from sfumato.tables.suppression._flows.flow_proofs import ROW_SIGNS, FlowProofs, Goal
from sfumato.tables.suppression._flows.local_flows import Flow, LocalFlows
from sfumato.tables.suppression._flows.ranges import Ranges
from sfumato.tables.suppression._infeasibility import infeasibility_error

SUPPRESSED_PRICE = 1e-6  # of a usual cost: the price of a cell that is suppressed already, so that flows are short
# Of a usual cost: what a cell counts that costs nothing, as an empty one, since readers miss it all the same.
FREE_COST = 0.3
KNOWN_PRICE = 0.1  # of a usual cost: what is added where somebody knows a cell whom the next flow must do without, too
MIN_GAIN = 1e-2  # of the cost: exchanges that gain less than this in one round are the last
MAX_SERVED = 256  # primaries and rows of the levels that a cell may serve for an exchange of it to be tried
MAX_FOUND = 256  # flows that may be needed in place of those through one cell for it to be published
# Work of exchanges and of publishing: times that of the first pattern, but at least and at most so much. So all of it
# grows with the table as the first pattern does; what is not done by then is told.
EXCHANGING, PUBLISHING = (2.0, 20.0, 150.0), (3.0, 30.0, 150.0)


class GrowingPattern:
    """A pattern, the flows that prove it safe, and what moving each cell would cost.

    Parameters
    ----------
    problem
        One part, with finite bounds and without equal cells.
    costs
        What suppressing each cell costs.
    levels
        How far each primary must be able to move: up, and down; and up for those who are only kept from exact values.
    suppressed
        The cells suppressed from the start.
    effort
        Counts the work, and says when to look for nothing cheaper any more.
    """

    def __init__(
        self,
        problem: Problem,
        costs: FloatColumn,
        levels: FloatMatrix,
        suppressed: Booleans,
        effort: Effort | None = None,
    ) -> None:
        self._effort = effort or Effort()
        self.suppressed = suppressed.copy()
        self._problem, self._levels = problem, levels
        paid = costs[~problem.must_suppress & (costs > 0)]
        usual = float(np.median(paid)) if paid.size else 1.0
        self._costs = np.where(costs > 0, costs, FREE_COST * usual)
        self._flows = LocalFlows(problem, usual, self._effort)
        self._proofs = FlowProofs(problem, levels)
        self._little, self._known_price = SUPPRESSED_PRICE * usual, KNOWN_PRICE * usual
        self._outside = np.where(
            problem.must_publish, np.inf, self._costs + self._little
        )  # the price of a cell not suppressed
        self._prices = np.where(suppressed, self._little, self._outside)
        self._is_changed = np.ones(problem.size, dtype=np.bool_)  # since an exchange of the cell was tried
        self._begun, self._first = self._effort.done, 0.0  # what was done before, and for the first pattern
        self._failures = Counter[Goal]()  # for how many cells a goal has shown that they are needed
        self._is_searching = True  # whether flows are looked for in place of those that publishing a cell takes away

    @property
    def cost(self) -> float:
        """What the secondaries cost, with something for each that costs nothing."""
        return float(self._costs[self.suppressed & ~self._problem.must_suppress].sum())

    def protect(self, primary: int) -> None:
        """Suppress what keeps all intruders from a primary."""
        for row in range(len(self._levels)):
            while (intruder := self._proofs.open_to(primary, row)) is not None:
                flow = self._flow(primary, row, intruder)
                if flow is None:
                    raise infeasibility_error(self._problem, primary, intruder)
                self._proofs.add(flow)
                self._suppress(flow.cells)

    def exchange(self) -> None:
        """Publish secondaries for which cheaper ones can be suppressed, the dearest first, until it is enough."""
        self._first = self._effort.done - self._begun
        before, end = np.inf, self._end(*EXCHANGING)
        while self.cost < before * (1 - MIN_GAIN) and not self._effort.is_over_at(end):
            before = self.cost
            for cell in self._secondaries():
                if self._is_changed[cell] and not self._effort.is_over_at(end):
                    self._is_changed[cell] = False
                    self._do_without(cell, float(self._costs[cell]))

    def publish(self) -> None:
        """Publish the secondaries that are not needed, the dearest first.

        When it is enough, those are still published that the flows found so far can do without: that is little work.
        """
        self._outside = np.full(self._costs.size, np.inf)
        self._prices[~self.suppressed] = np.inf
        waiting = self._secondaries()
        self._prices[waiting] += self._costs[waiting]  # so that flows found on the way keep off them
        ranges, end = Ranges(self._problem, self.suppressed, self._levels), self._end(*PUBLISHING)
        untried = set()
        for cell in waiting:
            if not ranges.hold_still(cell):
                self._prices[cell] = self._little
                continue
            self._is_searching = not self._effort.is_over_at(end)
            if not self._do_without(cell, 0.0):
                untried.add(cell)
            if self.suppressed[cell]:
                ranges.let_move()
        for cell in waiting:  # flows found since a cell was tried may have left it unused
            self.suppressed[cell] &= bool(self._proofs.using(cell))
        self._effort.untried += sum(bool(self.suppressed[cell]) for cell in untried)

    def _end(self, times: float, least: float, most: float) -> float:
        """Return how much work is done when a step of the search shall end."""
        return self._effort.done + min(max(times * self._first, least), most)

    def _secondaries(self) -> list[int]:
        """Return the secondaries, the dearest first."""
        cells = np.flatnonzero(self.suppressed & ~self._problem.must_suppress)
        ordered: list[int] = cells[np.argsort(-self._costs[cells], kind="stable")].tolist()
        return ordered

    def _do_without(self, cell: int, budget: float) -> bool:
        """Publish a cell if what replaces it costs less than the budget; with none, if nothing must replace it.

        Return whether it was tried to the end; a cell that very many primaries rest on is not.
        """
        proofs = self._proofs
        lost = proofs.using(cell)
        goals = proofs.served(lost)
        if (budget or not self._is_searching) and len(goals) > MAX_SERVED:
            return False
        proofs.declare_void(lost)
        self._prices[cell] = np.inf
        found, is_settled = self._instead(goals, budget)
        if found is None:
            proofs.declare_void(lost, is_void=False)
            self._prices[cell] = self._little
            return is_settled
        proofs.forget(lost)
        self.suppressed[cell] = False
        self._prices[cell] = self._outside[cell]
        for number in lost + found:
            self._is_changed[proofs.flow(number).cells] = True
        return True

    def _instead(self, goals: list[Goal], budget: float) -> tuple[list[int] | None, bool]:
        """Find flows in place of lost ones and suppress their cells; above the budget, suppress nothing.

        Return the flows, or None where there are none; and whether it is certain then that there are none.
        """
        proofs = self._proofs
        found: list[int] = []
        suppressed: Rows = np.empty(0, dtype=np.int64)
        for primary, row in sorted(goals, key=lambda goal: (-self._failures[goal], -self._levels[goal[1], goal[0]])):
            while (intruder := proofs.open_to(primary, row)) is not None:
                left = budget - float(self._costs[suppressed].sum())
                is_enough = len(found) == MAX_FOUND or not self._is_searching
                flow = None if is_enough else self._flow(primary, row, intruder, left)
                if flow is None or (budget and self._costs[self._new(flow)].sum() >= left):
                    self._failures[primary, row] += 1
                    if budget:  # without a budget flows are of suppressed cells, and stay true
                        proofs.forget(found)
                    self.suppressed[suppressed] = False
                    self._prices[suppressed] = self._outside[suppressed]
                    return None, not is_enough and self._flows.is_certain
                suppressed = np.concatenate([suppressed, self._new(flow)])
                found.append(proofs.add(flow))
                self._suppress(flow.cells)
        return found, True

    def _new(self, flow: Flow) -> Rows:
        return flow.cells[~self.suppressed[flow.cells]]

    def _suppress(self, cells: Rows) -> None:
        self._prices[cells[~self.suppressed[cells]]] = self._little
        self.suppressed[cells] = True

    def _flow(self, primary: int, row: int, intruder: int, budget: float | None = None) -> Flow | None:
        """Return a flow that moves a primary by its level, past what an intruder knows.

        Without a budget it is the cheapest that is found; with one it costs less if possible; with 0 it is of
        suppressed cells.
        """
        known = self._problem.intruders[intruder]
        # what those know whom no flow keeps from it yet: a flow past all that keeps everybody from it
        avoided = self._proofs.known_to_open(primary, row) if budget is None else known
        before = self._prices[avoided]
        self._prices[avoided] += self._known_price
        self._prices[known] = np.inf
        cell, amount = int(self._problem.primaries[primary]), ROW_SIGNS[row] * float(self._levels[row, primary])
        if budget is None:
            flow = self._flows.cheapest(cell, amount, self._prices)
        elif budget > 0:
            flow = self._flows.within(cell, amount, self._prices, budget)
        else:
            flow = self._flows.nearby(cell, amount, self._prices)
        self._prices[avoided] = before
        return flow
