"""The contract of table protections: a frozen record with one verb, and what that verb returns."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import Field

from sfumato.contracts import Named
from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.tables.problem.problem import NOBODY_KNOWS, Problem

MaxGap = Annotated[float, Field(ge=0, lt=100)]
"""How much better another result may be for a search to stop, in percent; 0 asks for the best."""


class Ending(StrEnum):
    """Why a search stopped."""

    OPTIMAL = "optimal"
    """Nothing that is safe costs less."""
    GAP = "gap"
    """The result was proven to be as near to the cheapest as asked for."""
    EFFORT = "effort"
    """The work that was allowed is done; the result is safe, and the bound says how much cheaper another could be."""
    TIME = "time"
    """As with effort, but the clock ended the search: another run, or another machine, may give another result."""
    HEURISTIC = "heuristic"
    """A safe result was wanted quickly; the bound is what was proven on the way."""


def ending(gap: float, *, is_finished: bool) -> Ending:
    """Return why a search stopped that left a gap, and finished or ran out of time."""
    if gap == 0:
        return Ending.OPTIMAL
    return Ending.GAP if is_finished else Ending.TIME


@dataclass(frozen=True)
class Progress:
    """How far a search has come.

    Parameters
    ----------
    cost
        The cost of the best safe result until now; infinite before the first.
    bound
        What every safe result costs at least, as far as proven.
    """

    cost: float
    bound: float

    @property
    def gap(self) -> float:
        """How much cheaper a safe result could be at best, in percent of the cost; 100 before the first."""
        if self.cost == float("inf"):
            return 100.0
        return 0.0 if self.cost <= self.bound else 100 * (1 - self.bound / self.cost)


OnProgress = Callable[[Progress], None] | None


@dataclass(frozen=True, eq=False, repr=False)
class ProtectedCells(ABC):
    """What a protection made of the cells of a problem; neither as text nor in a notebook does it show a true value."""

    @abstractmethod
    def __str__(self) -> str:
        """Return what was done in a sentence without its full stop, and without the value of a cell."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self}>"

    @abstractmethod
    def publish(self, problem: Problem) -> FloatColumn:
        """Return the value of each cell that is published, NaN where the cell is suppressed."""

    @abstractmethod
    def bounds(self, problem: Problem) -> tuple[FloatColumn, FloatColumn]:
        """Return between what each true value lies, for an intruder who knows the method and its parameters.

        Only what the cell's own published value tells is in the bounds, and what every intruder knows beforehand; what
        follows from the sums is not.
        """

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return facts about the result as plain values; none of them is a cell."""

    @property
    def notice(self) -> str:
        """What readers of the published cells must know; nothing where suppressed cells say it themselves."""
        return ""

    def facts(self, problem: Problem) -> tuple[str, ...]:
        """Return sentences about what was done, for files that stay inside; no figure of a suppressed cell."""
        return (self.notice,)

    def intruder_view(self, problem: Problem) -> tuple[Problem, Booleans]:
        """Return the problem as an outsider sees it who knows the method, and the cells that stay uncertain."""
        lower, upper = self.bounds(problem)
        outside = replace(problem, intruders=(NOBODY_KNOWS,), spared=(), only_exact=())
        return replace(outside, lower=lower, upper=upper), upper > lower


class Protection(Named, ABC):
    """A way to protect tables: parameters, and one verb.

    `family` is the folder that it lives in.
    """

    family: ClassVar[str]
    suppresses: ClassVar[bool] = False
    """Whether it suppresses cells; one that does not publishes every cell with another value."""
    needs_rules: ClassVar[bool] = True
    """Whether something must be unsafe."""
    needs_keys: ClassVar[bool] = False
    """Whether each cell must have a key, made of the keys of its records."""

    @abstractmethod
    def protect(self, problem: Problem, rng: np.random.Generator, on_progress: OnProgress = None) -> ProtectedCells:
        """Return what to publish of the cells of a problem.

        Parameters
        ----------
        problem
            The cells, which of them are unsafe, and what intruders know.
        rng
            For protections that draw.
        on_progress
            Called as a search goes on, by protections that search.
        """


def known_around(problem: Problem, values: FloatColumn, reach: float) -> tuple[FloatColumn, FloatColumn]:
    """Return bounds on true values that lie at most `reach` from what is published."""
    return known_between(problem, values - reach, values + reach)


def known_between(problem: Problem, lower: FloatColumn, upper: FloatColumn) -> tuple[FloatColumn, FloatColumn]:
    """Return bounds together with what every intruder knows beforehand."""
    if lower.shape != (problem.size,):
        raise DataError(
            f"the protected table must have the {problem.size} cells of the problem, in their order; got {lower.size}"
        )
    return np.maximum(lower, problem.lower), np.minimum(upper, problem.upper)
