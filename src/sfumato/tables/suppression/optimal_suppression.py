"""Optimal suppression: the cheapest pattern that keeps every intruder from every primary, and the proof that it is."""

import math
from typing import ClassVar

import numpy as np
from pydantic import Field

from sfumato.tables.pattern import Pattern
from sfumato.tables.problem.problem import Problem
from sfumato.tables.protection import Ending, MaxGap, OnProgress, Progress, Protection
from sfumato.tables.suppression._cut_search.part_search import PartSearch
from sfumato.tables.suppression._effort import Effort
from sfumato.tables.suppression._independent_parts import independent_parts
from sfumato.tables.suppression._infeasibility import check_primaries, explain_infeasibility

EFFORT = 60.0  # about a minute: what somebody waits for; who wants the proof gives more


class OptimalSuppression(Protection):
    """Suppress the unsafe cells and the cheapest others that keep every intruder from them, and prove that they are.

    Parameters
    ----------
    effort
        How much work may be spent, counted as in `automatic_suppression`: one unit is about a second of a processor,
        and the same table gets the same pattern on every machine. Where it does not do, the best pattern until then is
        returned, with the bound that was proven; the first safe one takes as much as it takes.
    time_limit
        Seconds to be spent instead. Where it ends the search, what is suppressed depends on how fast the machine is.
    max_gap
        Stop when no safe pattern is cheaper than the one found by more than this percentage of its cost.

    Effect on risk
        No intruder of the problem can come nearer to an unsafe cell than its protection levels allow; the audit proves
        it again with programmes of its own.
    Effect on utility
        The cost of what is suppressed is the least that is safe. Published cells are exact.
    Source
        Fischetti and Salazar (2001), Solving the cell suppression problem on tabular data with linear constraints.

    Examples
    --------
    >>> import polars as pl
    >>> from sfumato.tables import MinUnits, Table, protect
    >>> people = pl.DataFrame({"town": ["A"] * 9 + ["B"] * 9, "sick": [*"yyyyynnnn", *"ynnnnnnnn"]})
    >>> protected = protect(Table.from_records(people, ["town", "sick"]), OptimalSuppression(), rule=MinUnits(units=3))
    >>> protected.secondaries, protected.pattern.gap
    (3, 0.0)
    """

    family: ClassVar[str] = "suppression"
    suppresses: ClassVar[bool] = True

    effort: float = Field(default=EFFORT, gt=0)
    time_limit: float | None = Field(default=None, gt=0)
    max_gap: MaxGap = 0.0

    def protect(self, problem: Problem, rng: np.random.Generator, on_progress: OnProgress = None) -> Pattern:
        """Return the cheapest safe pattern."""
        return suppress_optimally(
            problem,
            effort=self.effort if self.time_limit is None else math.inf,
            time_limit=self.time_limit,
            max_gap=self.max_gap,
            on_progress=on_progress,
        )


def suppress_optimally(
    problem: Problem,
    *,
    effort: float = math.inf,
    time_limit: float | None = None,
    max_gap: float = 0.0,
    on_progress: OnProgress = None,
) -> Pattern:
    """Return the cheapest safe pattern, or the best until a limit with a bound on what the cheapest costs.

    Parts of the problem that are independent of each other are solved one by one. A master problem chooses cells; where
    its choice lets an intruder learn too much, the intruder's linear programme gives a cut that the choice violates and
    no safe pattern does. First the relaxation is cut, then choices of whole cells, until one is safe. On the way safe
    patterns near such choices, or led by the relaxation, bound the cost from above. The same problem gives the same
    pattern on every run that no time limit ends.

    Parameters
    ----------
    problem
        What to protect, and from whom.
    effort
        How much work may be spent, as in `OptimalSuppression`; any amount when not given.
    time_limit
        Seconds after which the best pattern until then is returned; the first safe one takes as long as it takes.
    max_gap
        Stop when no safe pattern is cheaper than the one found by more than this percentage of its cost.
    on_progress
        Called with the cost of the best pattern and the bound whenever either may have changed.
    """
    share = max_gap / 100
    counted = Effort(effort, time_limit)
    check_primaries(problem)
    with explain_infeasibility(problem):
        parts = sorted(independent_parts(problem), key=lambda part: part.cells.size)  # a limit ends the largest
        searches = [PartSearch(part.problem, effort=counted) for part in parts]
    for search in searches:
        for _ in search.steps(share):
            if on_progress is not None:
                on_progress(Progress(*_totals(searches)))
    suppressed = problem.must_suppress.copy()
    for part, search in zip(parts, searches, strict=True):
        suppressed[part.cells] = search.best
    cost, bound = _totals(searches)
    ended = _ending(searches, share, counted)
    return Pattern(suppressed, cost, cost if ended is Ending.OPTIMAL else bound, ended)


def _totals(searches: list[PartSearch]) -> tuple[float, float]:
    """Return the cost of all parts' best patterns, and a bound below every safe pattern's."""
    return sum(search.cost for search in searches), sum(search.bound for search in searches)


def _ending(searches: list[PartSearch], share: float, effort: Effort) -> Ending:
    if all(search.is_closed(0.0) for search in searches):
        return Ending.OPTIMAL
    return Ending.GAP if all(search.is_closed(share) for search in searches) else effort.ending
