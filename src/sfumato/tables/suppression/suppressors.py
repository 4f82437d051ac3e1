"""How a pattern is found: to proven optimality, quickly, or as the size of the problem allows."""

from abc import abstractmethod
from collections.abc import Callable

from pydantic import Field

from sfumato.documents.record import Record
from sfumato.tables.problem.problem import Problem
from sfumato.tables.problem.protected_cells import Pattern, Progress

OnProgress = Callable[[Progress], None] | None


class Suppressor(Record):
    """A way to find a safe pattern: the same on every run, unless a time limit ends the search."""

    @abstractmethod
    def protect(self, problem: Problem, on_progress: OnProgress = None) -> Pattern:
        """Return a safe pattern, or say which primary cannot be protected."""


class Optimal(Suppressor):
    """Find the cheapest safe pattern and prove that it is.

    Parameters
    ----------
    time_limit
        After so many seconds the best pattern until then is returned, with the bound that was proven.
    gap
        Stop when no safe pattern is cheaper than the one found by more than this share of its cost.

    Source
        Fischetti and Salazar (2001), Solving the cell suppression problem on tabular data with linear constraints.
    """

    time_limit: float | None = Field(default=None, gt=0)
    gap: float = Field(default=0.0, ge=0, lt=1)

    def protect(self, problem: Problem, on_progress: OnProgress = None) -> Pattern:
        """Return the cheapest safe pattern."""
        from sfumato.tables.suppression.optimal_suppression import suppress_optimally

        return suppress_optimally(problem, time_limit=self.time_limit, gap=self.gap, on_progress=on_progress)


class Heuristic(Suppressor):
    """Find a safe pattern quickly, by moving one primary after the other at the least cost.

    Source
        Castro (2007), A shortest-paths heuristic for statistical data protection in positive tables, for the scheme.
    """

    def protect(self, problem: Problem, on_progress: OnProgress = None) -> Pattern:
        """Return a safe pattern from which no cell can be taken away."""
        from sfumato.tables.suppression.heuristic_suppression import suppress_by_flows

        return suppress_by_flows(problem, on_progress=on_progress)


class Automatic(Suppressor):
    """Find the cheapest safe pattern where that can be had in the time, and else a safe one.

    Parameters
    ----------
    time_limit
        About how many seconds may be spent on looking for cheaper patterns. Where they run out, what is hidden depends
        on how fast the machine is.
    """

    time_limit: float = Field(default=60.0, gt=0)

    def protect(self, problem: Problem, on_progress: OnProgress = None) -> Pattern:
        """Return the best safe pattern that the time allows."""
        from sfumato.tables.suppression.automatic_suppression import suppress_automatically

        return suppress_automatically(problem, time_limit=self.time_limit, on_progress=on_progress)


SUPPRESSORS: dict[str, type[Suppressor]] = {"optimal": Optimal, "heuristic": Heuristic, "automatic": Automatic}
