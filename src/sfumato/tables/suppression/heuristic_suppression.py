"""Heuristic suppression: a safe pattern quickly, by moving one primary after the other at the least cost."""

from typing import ClassVar

import numpy as np
from pydantic import Field

from sfumato.tables.pattern import Pattern
from sfumato.tables.problem.problem import Problem
from sfumato.tables.protection import Ending, OnProgress, Progress, Protection
from sfumato.tables.suppression._cut_search.capacity_bound import capacity_bound
from sfumato.tables.suppression._effort import Effort
from sfumato.tables.suppression._flows.flow_pattern import flow_pattern
from sfumato.tables.suppression._independent_parts import Part, independent_parts
from sfumato.tables.suppression._infeasibility import check_primaries, explain_infeasibility
from sfumato.tables.suppression._merged_cells import merge_cells


class HeuristicSuppression(Protection):
    """Suppress the unsafe cells and, quickly, cheap others that keep every intruder from them.

    Parameters
    ----------
    time_limit
        Seconds after which the pattern is no longer made cheaper; a first safe one takes as long as it takes. Where it
        ends the search, what is suppressed depends on how fast the machine is.

    Effect on risk
        No intruder of the problem can come nearer to an unsafe cell than its protection levels allow.
    Effect on utility
        More is suppressed than need be, by about a tenth of the cost in large tables. No single cell that is suppressed
        to protect others could be published, except among those that a large table leaves untried: the result tells
        how many. Published cells are exact.
    Source
        Castro (2007), A shortest-paths heuristic for statistical data protection in positive tables, for the scheme.

    Examples
    --------
    >>> import polars as pl
    >>> from sfumato.tables import MinUnits, Table, protect
    >>> people = pl.DataFrame({"town": ["A"] * 9 + ["B"] * 9, "sick": [*"yyyyynnnn", *"ynnnnnnnn"]})
    >>> table = Table.from_records(people, ["town", "sick"])
    >>> protect(table, HeuristicSuppression(), rule=MinUnits(units=3)).secondaries
    3
    """

    family: ClassVar[str] = "suppression"
    suppresses: ClassVar[bool] = True

    time_limit: float | None = Field(default=None, gt=0)

    def protect(self, problem: Problem, rng: np.random.Generator, on_progress: OnProgress = None) -> Pattern:
        """Return a safe pattern from which no cell that was tried can be taken away."""
        return suppress_by_flows(problem, time_limit=self.time_limit, on_progress=on_progress)


def suppress_by_flows(
    problem: Problem,
    *,
    time_limit: float | None = None,
    on_progress: OnProgress = None,
) -> Pattern:
    """Return a safe pattern that is cheap, and from which no secondary that was tried can be taken away.

    Primaries are taken by descending level. Each is moved by its level at the least cost, where moving a cell that is
    suppressed already costs nothing; the cells that moved are suppressed. Then, the dearest first, secondaries are
    exchanged for cheaper ones, and in the end those are published that are not needed; a large table may leave some
    untried. Every linear programme is of the cells around one primary. The same problem gives the same pattern on every
    run that no time limit ends.

    Parameters
    ----------
    problem
        What to protect, and from whom.
    time_limit
        Seconds after which the pattern is no longer made cheaper; a first safe one takes as long as it takes.
    on_progress
        Called with the cost of the pattern and a bound below every safe pattern's whenever either may have changed.
    """
    effort = Effort(time_limit=time_limit)
    check_primaries(problem)
    with explain_infeasibility(problem):
        parts = independent_parts(problem)
        patterns = [flow_pattern(part.problem, part.problem.costs, effort=effort) for part in parts]
    suppressed = problem.must_suppress.copy()
    bound = 0.0
    for part, pattern in zip(parts, patterns, strict=True):
        suppressed[part.cells] = pattern
        bound += _bound(part)
        if on_progress is not None:
            on_progress(Progress(problem.cost(suppressed), bound))
    ended = effort.ending if effort.is_over else Ending.HEURISTIC
    return Pattern(suppressed, problem.cost(suppressed), bound, ended, effort.untried)


def _bound(part: Part) -> float:
    """Return what every safe pattern of a part costs at least, as single relations tell."""
    return capacity_bound(merge_cells(part.problem).problem)
