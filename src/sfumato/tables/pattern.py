"""Which cells are suppressed, at what cost, and how much cheaper it could be at best."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from sfumato.display import format_compact
from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.tables.problem.problem import Problem
from sfumato.tables.protection import Ending, ProtectedCells

TIMED = (
    "The clock ended the search: on another machine other cells may be suppressed, and two versions together can "
    "disclose what each protects. Publish one only."
)


@dataclass(frozen=True, eq=False, repr=False)
class Pattern(ProtectedCells):
    """A choice of cells to suppress that keeps every intruder from every primary.

    Parameters
    ----------
    suppressed
        For each cell whether it is suppressed: primaries, other cells suppressed from the start, and secondaries.
    cost
        The cost of the secondaries.
    bound
        No safe pattern costs less than this.
    ended
        Why the search stopped.
    untried
        Of how many secondaries it was not tried whether they are needed, as the work was done or too many cells rest on
        them; without the others of them the pattern is not safe.
    """

    suppressed: Booleans
    cost: float
    bound: float
    ended: Ending
    untried: int = 0

    @property
    def gap(self) -> float:
        """How much cheaper a safe pattern could be at best, in percent of this one's cost; 0 is proven optimal."""
        return 0.0 if self.cost <= self.bound else 100 * (self.cost - self.bound) / self.cost

    def publish(self, problem: Problem) -> FloatColumn:
        """Return the values, NaN where suppressed."""
        self._check(problem)
        return np.where(self.suppressed, np.nan, problem.values)

    def bounds(self, problem: Problem) -> tuple[FloatColumn, FloatColumn]:
        """Return what was known of suppressed cells before, and the published values."""
        self._check(problem)
        lower = np.where(self.suppressed, problem.lower, problem.values)
        return lower, np.where(self.suppressed, problem.upper, problem.values)

    def to_dict(self) -> dict[str, Any]:
        """Return what was suppressed, its cost and its bound."""
        return {
            "suppressed": int(self.suppressed.sum()),
            "cost": self.cost,
            "bound": self.bound,
            "gap": self.gap,
            "ended": self.ended.value,
            "untried": self.untried,
        }

    def __str__(self) -> str:
        suppressed = int(self.suppressed.sum())
        cost = format_compact(self.cost)
        return f"{suppressed} of {self.suppressed.size} cells suppressed; those that protect others cost {cost}"

    def facts(self, problem: Problem) -> tuple[str, ...]:
        """Return how many cells are suppressed, and how good the choice is; the cost of few cells would tell them."""
        self._check(problem)
        suppressed, secondaries = int(self.suppressed.sum()), int((self.suppressed & ~problem.must_suppress).sum())
        unsafe = int(self.suppressed[problem.primaries].sum())
        given = suppressed - unsafe - secondaries
        others = f", and {given} as given" if given else ""
        are = "cell is" if suppressed == 1 else "cells are"
        return (
            f"{suppressed} {are} suppressed: {unsafe} unsafe, {secondaries} to protect them{others}.",
            self._quality() if secondaries else "Nothing else is suppressed.",
        )

    def _quality(self) -> str:
        untried = f" Of {self.untried} of them it was not tried whether they are needed." if self.untried else ""
        if self.ended is Ending.TIME:
            return f"{self._cheaper()}{untried} {TIMED}"
        return f"{self._cheaper()}{untried}"

    def _cheaper(self) -> str:
        if self.gap == 0:
            return "No other safe choice costs less."
        if self.bound <= 0:
            return "How much less another safe choice could cost was not worked out."
        return f"Another safe choice could cost less, by {self.gap:.1f} % at most."

    def intruder_view(self, problem: Problem) -> tuple[Problem, Booleans]:
        """Return the problem with all its intruders, and the suppressed cells."""
        self._check(problem)
        return problem, self.suppressed

    def _check(self, problem: Problem) -> None:
        if self.suppressed.shape != (problem.size,):
            raise DataError(
                f"the pattern must say of each of the {problem.size} cells whether it is suppressed; "
                f"got {self.suppressed.size}"
            )
