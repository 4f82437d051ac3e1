"""Automatic suppression: the cheapest safe pattern where it can be proven with some effort, and else a cheap one."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from pydantic import Field

from sfumato.numerics.arrays import Booleans
from sfumato.tables.pattern import Pattern
from sfumato.tables.problem.problem import Problem
from sfumato.tables.protection import Ending, OnProgress, Progress, Protection
from sfumato.tables.suppression._cut_search.capacity_bound import capacity_bound
from sfumato.tables.suppression._cut_search.part_search import PartSearch
from sfumato.tables.suppression._effort import Effort
from sfumato.tables.suppression._flows.flow_pattern import flow_pattern
from sfumato.tables.suppression._independent_parts import Part, independent_parts
from sfumato.tables.suppression._infeasibility import check_primaries, explain_infeasibility
from sfumato.tables.suppression._merged_cells import merge_cells

MAX_OPTIMAL_CELLS = 4000  # cells that are not equal to others: of more, optimality is out of reach in any usual time
EFFORT = 60.0


class AutomaticSuppression(Protection):
    """Suppress the unsafe cells and the cheapest others where that is not too much work, and else cheap ones.

    Parameters
    ----------
    effort
        How much work may be spent on looking for cheaper patterns; the first safe one takes as much as it takes. One
        unit is about a second of a processor, but it is steps that are counted and not time: the same table gets the
        same pattern on every machine.
    time_limit
        Seconds to be spent instead. What is suppressed then depends on how fast the machine is: never publish two
        versions of the same table, as together they can disclose what each protects.

    Effect on risk
        No intruder of the problem can come nearer to an unsafe cell than its protection levels allow.
    Effect on utility
        Parts of a table that are not too large lose the least that is safe; larger parts lose about a tenth more. The
        bound of the result says how much at most.
    Source
        Optimal suppression where a part has few enough cells, started from the heuristic; see both.

    Examples
    --------
    >>> import polars as pl
    >>> from sfumato.tables import MinUnits, Table, protect
    >>> people = pl.DataFrame({"town": ["A"] * 9 + ["B"] * 9, "sick": [*"yyyyynnnn", *"ynnnnnnnn"]})
    >>> table = Table.from_records(people, ["town", "sick"])
    >>> protect(table, AutomaticSuppression(), rule=MinUnits(units=3)).pattern.ended.value
    'optimal'
    """

    family: ClassVar[str] = "suppression"
    suppresses: ClassVar[bool] = True

    effort: float = Field(default=EFFORT, gt=0)
    time_limit: float | None = Field(default=None, gt=0)

    def protect(self, problem: Problem, rng: np.random.Generator, on_progress: OnProgress = None) -> Pattern:
        """Return the best safe pattern that is found with the effort."""
        return suppress_automatically(problem, effort=self.effort, time_limit=self.time_limit, on_progress=on_progress)


@dataclass(frozen=True, eq=False)
class _Found:
    """A safe pattern of a part, a bound, and why the search for a cheaper one stopped."""

    suppressed: Booleans
    bound: float
    ended: Ending


def suppress_automatically(
    problem: Problem,
    *,
    effort: float = EFFORT,
    time_limit: float | None = None,
    on_progress: OnProgress = None,
) -> Pattern:
    """Return the cheapest safe pattern where little work proves it to be it, and else a cheap one with a bound.

    Independent parts are taken one by one, the smallest first, and each may use its share of the effort that is left.
    Of each a pattern is found as `suppress_by_flows` does it; from there a part that is not too large is searched on as
    `suppress_optimally` does it.

    Parameters
    ----------
    problem
        What to protect, and from whom.
    effort, time_limit
        As in `AutomaticSuppression`.
    on_progress
        Called with the cost of the pattern and a bound below every safe pattern's whenever a part is done.
    """
    whole = Effort(effort) if time_limit is None else Effort(time_limit=time_limit)
    check_primaries(problem)
    suppressed = problem.must_suppress.copy()
    bound, endings = 0.0, {Ending.OPTIMAL}
    with explain_infeasibility(problem):
        parts = sorted(independent_parts(problem), key=lambda part: part.cells.size)
        for done, part in enumerate(parts):
            share = whole.share(len(parts) - done)
            found = _search(part, share)
            whole.add(share)
            suppressed[part.cells] = found.suppressed
            bound += found.bound
            endings.add(found.ended)
            if on_progress is not None:
                on_progress(Progress(problem.cost(suppressed), bound))
    cost = problem.cost(suppressed)
    if endings == {Ending.OPTIMAL}:
        return Pattern(suppressed, cost, cost, Ending.OPTIMAL)
    ended = whole.ending if whole.ending in endings else Ending.HEURISTIC
    return Pattern(suppressed, cost, bound, ended, whole.untried)


def _search(part: Part, effort: Effort) -> _Found:
    smaller = merge_cells(part.problem)
    start = flow_pattern(smaller.problem, smaller.problem.costs, effort=effort)
    if smaller.problem.size > MAX_OPTIMAL_CELLS:
        ended = effort.ending if effort.is_over else Ending.HEURISTIC
        return _Found(smaller.spread(start), capacity_bound(smaller.problem), ended)
    search = PartSearch(smaller.problem, start, effort)
    for _ in search.steps(0.0):
        pass
    ended = Ending.OPTIMAL if search.is_closed(0.0) else effort.ending
    if ended is Ending.OPTIMAL:
        effort.untried = 0
    elif search.untried is not None:
        effort.untried = search.untried
    return _Found(smaller.spread(search.best), search.bound, ended)
