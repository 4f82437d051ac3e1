"""Proofs that many attackers share: deviations that reach a level and move few cells, so that few attackers know one."""

import numpy as np

from sfumato.data import Mask
from sfumato.tables.local_flows import Flow, LocalFlows
from sfumato.tables.problem import Problem
from sfumato.tables.reach import SIGNS, Reach, levels_of

NEAREST = 64  # cells that are looked at first


class NarrowProofs:
    """Finds narrow deviations under one pattern after the other; those that fit the next are kept.

    Parameters
    ----------
    problem
        One part, with finite bounds.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._flows = LocalFlows(problem, NEAREST)
        self._found: dict[tuple[int, int], Flow] = {}

    def reach(self, suppressed: Mask) -> Reach:
        """Return how far primaries are seen to move by one narrow deviation per level, where there is one."""
        seen = Reach(self._problem)
        prices = np.where(suppressed, 1.0, np.inf)
        for direction, primary in np.argwhere(levels_of(self._problem) > 0).tolist():
            flow = self._found.get((direction, primary))
            if flow is None or not suppressed[flow.cells].all():
                cell = int(self._problem.primaries[primary])
                amount = SIGNS[direction] * float(levels_of(self._problem)[direction, primary])
                flow = self._flows.cheapest(cell, amount, prices)
            if flow is not None:
                self._found[direction, primary] = flow
                deviation = np.zeros(self._problem.size)
                deviation[flow.cells] = flow.moves
                seen.note(deviation)
        return seen
