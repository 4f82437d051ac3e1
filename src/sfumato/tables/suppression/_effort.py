"""How much work a search has done, counted alike on every machine, and when it has done enough."""

import math
import time
from typing import Any

from sfumato.numerics.highs import iterations_of, nodes_of, size_of
from sfumato.tables.protection import Ending

# A unit of work is what a processor of 2024 does in about a second; these shares of it were measured.
PROGRAMME = 4e-4  # setting up one linear programme, and what is done with its solution
LINE = 3e-7  # each row and column of it
ITERATION = 5e-6  # each step of the simplex
ITERATION_LINE = 1e-8  # each row and column in each step
WHOLE_ITERATION = 2e-4  # each step of the simplex with whole numbers, of any size: that solver does much besides
NODE_STEPS = 80  # steps of the simplex that a node of the search with whole numbers usually takes


class Effort:
    """Counts work by what solvers did, and tells when it is enough: so much work, or so many seconds.

    Work is the same on every machine and under every load, and hence a search that only work ends gives the same
    result everywhere. The clock is looked at only where there is a time limit.

    Parameters
    ----------
    limit
        How much work may be done.
    time_limit
        How many seconds may pass from now on; any number when not given.

    Attributes
    ----------
    untried
        Of how many secondaries it was not tried, or not to the end, whether they are needed.
    """

    def __init__(self, limit: float = math.inf, time_limit: float | None = None) -> None:
        self._limit, self._done = limit, 0.0
        self.untried = 0
        self._end = None if time_limit is None else time.monotonic() + time_limit

    @property
    def is_over(self) -> bool:
        """Whether enough has been done."""
        return self._done >= self._limit or self.seconds_left == 0.0

    @property
    def done(self) -> float:
        """How much work was done."""
        return self._done

    def is_over_at(self, end: float) -> bool:
        """Tell whether enough has been done, or so much that a step of the search shall end."""
        return self.is_over or self._done >= end

    @property
    def ending(self) -> Ending:
        """Why a search stopped that this ended."""
        return Ending.EFFORT if self._end is None else Ending.TIME

    @property
    def seconds_left(self) -> float:
        """How many seconds are left; infinite without a time limit."""
        return math.inf if self._end is None else max(self._end - time.monotonic(), 0.0)

    @property
    def nodes_left(self) -> int | None:
        """How many nodes of a search with whole numbers are left; None without end."""
        if self._limit == math.inf:
            return None
        return 1 + int(max(self._limit - self._done, 0.0) / (NODE_STEPS * WHOLE_ITERATION))

    def count(self, solver: Any) -> None:
        """Count a linear programme that was just solved."""
        self.count_steps(size_of(solver), iterations_of(solver))

    def count_steps(self, size: int, iterations: int) -> None:
        """Count a linear programme by its rows and columns and by the steps that it took."""
        self._done += PROGRAMME + LINE * size + iterations * (ITERATION + ITERATION_LINE * size)

    def count_whole(self, solver: Any, nodes: int | None) -> None:
        """Count a programme with whole numbers that was just solved; all is done if the nodes that were left are."""
        self._done += PROGRAMME + LINE * size_of(solver) + iterations_of(solver) * WHOLE_ITERATION
        if nodes is not None and nodes_of(solver) >= nodes:
            self._done = max(self._done, self._limit)

    def share(self, parts: int) -> "Effort":
        """Return the effort that one of so many parts may take of what is left."""
        seconds = None if self._end is None else self.seconds_left / parts
        return Effort(max(self._limit - self._done, 0.0) / parts, seconds)

    def add(self, part: "Effort") -> None:
        """Count what a part took."""
        self._done += part._done
        self.untried += part.untried
