"""What flows prove: which primaries they keep from which attackers."""

from collections.abc import Iterable

import numpy as np

from sfumato.data import FloatMatrix
from sfumato.tables.hiding.local_flows import REACHED, Flow
from sfumato.tables.hiding.reach import is_open, known_cells
from sfumato.tables.problem import Problem

OUTSIDER = 0
NO_ONE: frozenset[int] = frozenset()
Goal = tuple[int, int]  # a primary and a direction, 0 up and 1 down


class FlowProofs:
    """Flows, and for each primary and direction those that reach its level.

    A flow counts for every primary that it moves far enough, and for every attacker who knows none of its cells. Where
    the bounds allow it, its opposite counts too.

    Parameters
    ----------
    problem
        The primaries and attackers.
    levels
        How far each primary must move: up, and down.
    """

    def __init__(self, problem: Problem, levels: FloatMatrix) -> None:
        self._problem, self._levels = problem, levels
        self._primary_at = np.full(problem.size, -1)
        self._primary_at[problem.primaries] = np.arange(problem.primaries.size)
        known = known_cells(problem).tocsc()
        self._knowers, self._knower_starts = known.indices, known.indptr
        self._open_to = [frozenset(np.flatnonzero(open_to).tolist()) for open_to in is_open(problem).T]
        self._everybody = frozenset(range(len(problem.attackers)))
        self._serving: list[tuple[list[int], list[int]]] = [([], []) for _ in range(problem.primaries.size)]
        self._serves: list[list[Goal]] = []
        self._aware: list[frozenset[int]] = []
        self._is_void: list[bool] = []
        self._flows: list[Flow] = []
        self._using: dict[int, list[int]] = {}

    def add(self, flow: Flow) -> int:
        """Take in a flow, and return its number."""
        number = len(self._flows)
        primaries = self._primary_at[flow.cells]
        here = primaries >= 0
        primaries = primaries[here]
        serves: list[Goal] = []
        for moves in (flow.moves, -flow.moves):
            if self._is_within_bounds(flow, moves):
                for direction, sign in enumerate((1.0, -1.0)):
                    level = self._levels[direction, primaries]
                    far = (sign * moves[here] >= level * (1 - REACHED)) & (level > 0)
                    serves += [(primary, direction) for primary in primaries[far].tolist()]
        for primary, direction in serves:
            self._serving[primary][direction].append(number)
        for cell in flow.cells.tolist():
            self._using.setdefault(cell, []).append(number)
        self._flows.append(flow)
        self._serves.append(serves)
        self._aware.append(frozenset().union(*map(self._who_know, flow.cells.tolist())))
        self._is_void.append(False)
        return number

    def open_to(self, primary: int, direction: int) -> int | None:
        """Return the first attacker whom no flow keeps from a primary in a direction; nothing when there is none."""
        if self._levels[direction, primary] <= 0:
            return None
        serving = [number for number in self._serving[primary][direction] if not self._is_void[number]]
        aware = frozenset.intersection(*(self._aware[number] for number in serving)) if serving else self._everybody
        return min(aware - self._open_to[primary], default=None)

    def pass_over(self, primary: int, attacker: int) -> None:
        """Let an attacker count as settled for a primary, as one who need not be kept from it does."""
        self._open_to[primary] |= {attacker}

    def flow(self, number: int) -> Flow:
        """Return a flow by its number."""
        return self._flows[number]

    def using(self, cell: int) -> list[int]:
        """Return the flows that move a cell, but for void ones."""
        return [number for number in self._using.get(cell, []) if not self._is_void[number]]

    def served(self, flows: Iterable[int]) -> list[Goal]:
        """Return the primaries and directions that some flows serve."""
        return sorted({goal for number in flows for goal in self._serves[number]})

    def declare_void(self, flows: Iterable[int], *, is_void: bool = True) -> None:
        """Let flows count no more, or again."""
        for number in flows:
            self._is_void[number] = is_void

    def forget(self, flows: Iterable[int]) -> None:
        """Let flows never count again."""
        for number in flows:
            self._is_void[number] = True
            for primary, direction in self._serves[number]:
                self._serving[primary][direction].remove(number)
            for cell in self._flows[number].cells.tolist():
                self._using[cell].remove(number)

    def _is_within_bounds(self, flow: Flow, moves: FloatMatrix) -> bool:
        above, below = self._problem.room_above[flow.cells], self._problem.room_below[flow.cells]
        return bool(((moves <= above * (1 + REACHED)) & (-moves <= below * (1 + REACHED))).all())

    def _who_know(self, cell: int) -> frozenset[int]:
        start, end = self._knower_starts[cell : cell + 2].tolist()
        return frozenset(self._knowers[start:end].tolist()) if end > start else NO_ONE
