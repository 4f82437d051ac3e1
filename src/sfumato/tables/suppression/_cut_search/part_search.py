"""The search for the cheapest safe pattern of one part: cuts below, safe patterns above, until they meet."""

from collections.abc import Iterator

import numpy as np

from sfumato.numerics.arrays import Booleans
from sfumato.tables.problem.problem import Problem
from sfumato.tables.suppression._cut_search.cuts import Cut
from sfumato.tables.suppression._cut_search.master import Master
from sfumato.tables.suppression._cut_search.primal_heuristic import drop_redundant, greedy_pattern
from sfumato.tables.suppression._cut_search.row_capacity import row_capacity_cuts
from sfumato.tables.suppression._cut_search.separation import Demand, Separator, demand_of
from sfumato.tables.suppression._effort import Effort
from sfumato.tables.suppression._pattern_check import PatternCheck

GAP_TOLERANCE = 1e-9  # of the cost: what is no gap
MIN_COST_SHARE = (
    1e-3  # the share of its cost that a cell keeps in the heuristic when the relaxation suppresses all of it
)
SHARE_TOLERANCE = (
    1e-9  # the share from which a cell counts as suppressed when looking for what even all such cells leave open
)


class PartSearch:
    """Starts with a safe pattern from the heuristic; `steps` then closes the gap.

    Parameters
    ----------
    problem
        One part, with finite bounds.
    start
        A safe pattern to start with in place of the heuristic's.
    effort
        Counts the work, and says when to stop; the first safe pattern takes as much as it takes.
    """

    def __init__(self, problem: Problem, start: Booleans | None = None, effort: Effort | None = None) -> None:
        self._problem = problem
        self._effort = effort or Effort()
        self._separator = Separator(problem, self._effort)
        self._master = Master(problem, self._effort)
        self._has_insiders = len(problem.intruders) > 1
        self._insiders: dict[Demand, None] = {}  # what insiders have been seen to learn too much of; in order
        self._relaxed = self._master.relax()
        self.best: Booleans = greedy_pattern(problem, problem.costs) if start is None else start
        self.bound = 0.0
        self.untried: int | None = None  # secondaries that may not be needed, once there is a better pattern

    @property
    def cost(self) -> float:
        """The cost of the best safe pattern until now."""
        return self._problem.cost(self.best)

    def is_closed(self, gap: float) -> bool:
        """Tell whether no pattern is cheaper by more than a share of the cost."""
        return self.bound >= self.cost * (1 - max(gap, GAP_TOLERANCE))

    def steps(self, gap: float) -> Iterator[None]:
        """Search on, with a stop after each step, until the gap is closed or the effort is over."""
        self._master.add(row_capacity_cuts(self._problem))
        self._relax()
        yield from self._tighten(self._separator.demands(0))
        if not self.is_closed(gap) and not self._effort.is_over:
            shares = self._relaxed.shares
            costs = self._problem.costs * np.maximum(1 - shares, MIN_COST_SHARE)
            self._take(greedy_pattern(self._problem, costs, effort=self._effort))
        yield
        while not self.is_closed(gap) and not self._effort.is_over:
            yield from self._settle_insiders()
            chosen, bound = self._choose(gap)
            self._raise(bound)
            yield
            if self.is_closed(gap) or self._effort.is_over:
                return
            if self._cut_off(chosen):
                self._take(greedy_pattern(self._problem, self._problem.costs, chosen, effort=self._effort))
            else:
                self._take(drop_redundant(self._problem, chosen, effort=self._effort))
            yield

    def _choose(self, gap: float) -> tuple[Booleans, float]:
        """Return the master's choice and its bound; a bound that ends the search is asked for again in another way.

        Solvers have called choices the cheapest that were not, because of what they took out beforehand.
        """
        chosen, bound = self._master.choose(self.best, self._relaxed, gap=gap / 2)
        if bound < self.cost * (1 - max(gap, GAP_TOLERANCE)) or self._effort.is_over:
            return chosen, bound
        again, bound_again = self._master.choose(self.best, self._relaxed, gap=gap / 2, with_presolve=False)
        return (chosen, bound) if bound <= bound_again else (again, bound_again)

    def _tighten(self, demands: list[Demand]) -> Iterator[None]:
        """Cut until the relaxation violates no cut that is found; what was violated is asked about again first."""
        asked = demands
        while True:
            found = {}
            for demand in asked:
                if self._effort.is_over:
                    return
                made = self._separator.violated(demand, self._relaxed.shares)
                if made is not None:
                    found[demand] = made
            if not found and asked is demands:
                return
            self._master.add(found.values())
            self._relax()
            asked = list(found) or demands
            yield

    def _settle_insiders(self) -> Iterator[None]:
        """Cut off what insiders would learn even with all cells suppressed that the relaxation suppresses in part."""
        while self._has_insiders and not self._effort.is_over and self._cut_off(self._relaxed.shares > SHARE_TOLERANCE):
            yield from self._tighten(list(self._insiders))

    def _cut_off(self, chosen: Booleans) -> bool:
        """Add cuts that a choice of whole cells violates, and tell whether it does, that is, whether it is unsafe."""
        failures = list(PatternCheck(self._problem, chosen, effort=self._effort).failures())
        if not failures:
            return False
        self._insiders.update({demand_of(failure): None for failure in failures if failure.intruder > 0})
        shares = chosen.astype(np.float64)
        cuts = [made for failure in failures for made in self._separator.cuts_of(failure, shares)]
        if all(made.value(shares) >= 1 for made in cuts):
            others = np.flatnonzero(~chosen & ~self._problem.must_publish)
            cuts = [Cut(others, np.ones(others.size))]  # what is unsafe stays so with less: another must be suppressed
        self._master.add(cuts)
        self._relax()
        return True

    def _relax(self) -> None:
        self._relaxed = self._master.relax()
        self._raise(self._relaxed.cost)

    def _raise(self, bound: float) -> None:
        self.bound = max(self.bound, min(bound, self.cost))

    def _take(self, pattern: Booleans) -> None:
        """Keep a safe pattern if it is cheaper than the best."""
        if self._problem.cost(pattern) < self.cost:
            self.best = pattern
            is_needed = pattern & ~self._problem.must_suppress
            self.untried = int(is_needed.sum()) if self._effort.is_over else 0  # what ran out of work may hold any
