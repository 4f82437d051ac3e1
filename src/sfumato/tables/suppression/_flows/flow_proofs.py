"""What flows prove: which primaries they keep from which intruders."""

from collections.abc import Iterable

import numpy as np

from sfumato.numerics.arrays import FloatMatrix, Rows
from sfumato.tables.problem.problem import NOBODY_KNOWS, OUTSIDER, Problem
from sfumato.tables.suppression._flows.local_flows import LEVEL_TOLERANCE, Flow
from sfumato.tables.suppression._reach import SIGNS, UP, known_cells

NO_ONE: frozenset[int] = frozenset()
Goal = tuple[int, int]  # a primary and a row of the levels
ROW_SIGNS = (*SIGNS, SIGNS[UP])  # of the rows: up, down, and up for those who are only kept from exact values
EXACT_ROW = 2


def goal_levels(problem: Problem, levels: FloatMatrix) -> FloatMatrix:
    """Return levels up and down, and a third row where some intruders are only kept from exact values: theirs, up."""
    return np.vstack([levels, problem.levels_for(problem.one_of_each[1:])[UP]])


class FlowProofs:
    """Flows, and for each primary and row of the levels those that reach its level.

    A flow counts for every primary that it moves far enough, and for every intruder who knows none of its cells. Where
    the bounds allow it, its opposite counts too.

    Parameters
    ----------
    problem
        The primaries and intruders.
    levels
        How far each primary must move: up, and down; and up for those who are only kept from exact values.
    """

    def __init__(self, problem: Problem, levels: FloatMatrix) -> None:
        self._problem, self._levels = problem, levels
        self._primary_at = np.full(problem.size, -1)
        self._primary_at[problem.primaries] = np.arange(problem.primaries.size)
        known = known_cells(problem).tocsc()
        self._knowers, self._knower_starts = known.indices, known.indptr
        self._open_to = _open_to(problem, self._primary_at)
        kept = frozenset(number for number, is_so in enumerate(problem.only_exact) if is_so)
        self._asking = [frozenset(range(len(problem.intruders))) - kept] * EXACT_ROW + [kept]
        self._known_times = [_known_times(problem, asking) for asking in self._asking]
        self._serving: list[list[list[int]]] = [[[] for _ in levels] for _ in range(problem.primaries.size)]
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
                for row, levels in enumerate(self._levels):
                    level = levels[primaries]
                    far = (ROW_SIGNS[row] * moves[here] >= level * (1 - LEVEL_TOLERANCE)) & (level > 0)
                    serves += [(primary, row) for primary in primaries[far].tolist()]
        for primary, row in serves:
            self._serving[primary][row].append(number)
        for cell in flow.cells.tolist():
            self._using.setdefault(cell, []).append(number)
        self._flows.append(flow)
        self._serves.append(serves)
        self._aware.append(frozenset().union(*map(self._who_know, flow.cells.tolist())))
        self._is_void.append(False)
        return number

    def open_to(self, primary: int, row: int) -> int | None:
        """Return the first intruder whom no flow keeps from a primary by a row of levels; nothing if there is none."""
        if self._levels[row, primary] <= 0:
            return None
        asking, open_to = self._asking[row], self._open_to[primary]
        serving = self._aware_of(primary, row)
        if not serving and OUTSIDER in asking and OUTSIDER not in open_to:
            return OUTSIDER
        for aware in sorted(serving, key=len):  # few know any cell of a short flow: the rest need not be gone through
            asking &= aware
            if not asking:
                return None
        return min(asking - open_to, default=None)

    def all_open_to(self, primary: int, row: int) -> frozenset[int]:
        """Return all intruders whom no flow keeps from a primary by a row of levels."""
        return self._asking[row].intersection(*self._aware_of(primary, row)) - self._open_to[primary]

    def known_to_open(self, primary: int, row: int) -> Rows:
        """Return the cells that anybody knows whom no flow keeps from a primary by a row of levels."""
        if self._aware_of(primary, row):
            return np.flatnonzero(_known_times(self._problem, self.all_open_to(primary, row)))
        spared = self._open_to[primary] & self._asking[row]  # few, while those who are left may be thousands
        return np.flatnonzero(self._known_times[row] > _known_times(self._problem, spared))

    def pass_over(self, primary: int, intruder: int) -> None:
        """Let an intruder count as settled for a primary, as one who need not be kept from it does."""
        self._open_to[primary] |= {intruder}

    def flow(self, number: int) -> Flow:
        """Return a flow by its number."""
        return self._flows[number]

    def using(self, cell: int) -> list[int]:
        """Return the flows that move a cell, but for void ones."""
        return [number for number in self._using.get(cell, []) if not self._is_void[number]]

    def served(self, flows: Iterable[int]) -> list[Goal]:
        """Return the primaries and rows of the levels that some flows serve."""
        return sorted({goal for number in flows for goal in self._serves[number]})

    def declare_void(self, flows: Iterable[int], *, is_void: bool = True) -> None:
        """Let flows count no more, or again."""
        for number in flows:
            self._is_void[number] = is_void

    def forget(self, flows: Iterable[int]) -> None:
        """Let flows never count again."""
        for number in flows:
            self._is_void[number] = True
            for primary, row in self._serves[number]:
                self._serving[primary][row].remove(number)
            for cell in self._flows[number].cells.tolist():
                self._using[cell].remove(number)

    def _aware_of(self, primary: int, row: int) -> list[frozenset[int]]:
        """Return for each flow that serves a primary and row who knows any of its cells."""
        return [self._aware[number] for number in self._serving[primary][row] if not self._is_void[number]]

    def _is_within_bounds(self, flow: Flow, moves: FloatMatrix) -> bool:
        above, below = self._problem.room_above[flow.cells], self._problem.room_below[flow.cells]
        return bool(((moves <= above * (1 + LEVEL_TOLERANCE)) & (-moves <= below * (1 + LEVEL_TOLERANCE))).all())

    def _who_know(self, cell: int) -> frozenset[int]:
        start, end = self._knower_starts[cell : cell + 2].tolist()
        return frozenset(self._knowers[start:end].tolist()) if end > start else NO_ONE


def _known_times(problem: Problem, intruders: Iterable[int]) -> Rows:
    """Return for each cell how many of some intruders know it."""
    known = [problem.intruders[number] for number in sorted(intruders)]
    return np.bincount(np.concatenate([NOBODY_KNOWS, *known]), minlength=problem.size)


def _open_to(problem: Problem, primary_at: Rows) -> list[frozenset[int]]:
    """Return for each primary the intruders who are not kept from it."""
    open_to: list[list[int]] = [[] for _ in range(problem.primaries.size)]
    for number in range(len(problem.intruders)):
        places = primary_at[problem.open_to(number)]
        for primary in places[places >= 0].tolist():
            open_to[primary].append(number)
    return [frozenset(numbers) for numbers in open_to]
