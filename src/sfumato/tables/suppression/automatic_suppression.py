"""The best safe pattern that the time allows: proven optimal where that can be had, and else cheap."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from sfumato.numerics.arrays import Booleans
from sfumato.tables.problem.problem import Problem
from sfumato.tables.problem.protected_cells import Ending, Pattern, Progress
from sfumato.tables.suppression._capacity_bound import capacity_bound
from sfumato.tables.suppression._independent_parts import Part, independent_parts
from sfumato.tables.suppression._infeasibility import check_primaries, explained
from sfumato.tables.suppression._merged_cells import merged
from sfumato.tables.suppression._part_search import Deadline, PartSearch
from sfumato.tables.suppression.heuristic_suppression import flow_pattern

PROVABLE = 4000  # cells that are not equal to others: of more, optimality is out of reach in any usual time


@dataclass(frozen=True, eq=False)
class _Found:
    """A safe pattern of a part, a bound, and why the search for a cheaper one stopped."""

    suppressed: Booleans
    bound: float
    ended: Ending


def suppress_automatically(
    problem: Problem,
    *,
    time_limit: float = 60.0,
    on_progress: Callable[[Progress], None] | None = None,
) -> Pattern:
    """Return the cheapest safe pattern where it can be proven to be it in the time, and else a cheap one with a bound.

    Independent parts are taken one by one, the smallest first, and each may use its share of the time that is left. Of
    each a pattern is found as `suppress_by_flows` does it; from there a part that is not too large is searched on as
    `suppress_optimally` does it.

    Parameters
    ----------
    problem
        What to protect, and from whom.
    time_limit
        About how many seconds may be spent on looking for cheaper patterns; a first safe one takes as long as it takes.
    on_progress
        Called with the cost of the pattern and a bound below every safe pattern's whenever a part is done.
    """
    start = time.monotonic()
    check_primaries(problem)
    suppressed = problem.hidden.copy()
    bound, endings = 0.0, {Ending.OPTIMAL}
    with explained(problem):
        parts = sorted(independent_parts(problem), key=lambda part: part.cells.size)
        for done, part in enumerate(parts):
            now = time.monotonic()
            share = max(start + time_limit - now, 0.0) / (len(parts) - done)
            found = _searched(part, Deadline(now + share))
            suppressed[part.cells] = found.suppressed
            bound += found.bound
            endings.add(found.ended)
            if on_progress is not None:
                on_progress(Progress(problem.cost(suppressed), bound))
    cost = problem.cost(suppressed)
    if endings == {Ending.OPTIMAL}:
        return Pattern(suppressed, cost, cost, Ending.OPTIMAL)
    return Pattern(suppressed, cost, bound, Ending.TIME if Ending.TIME in endings else Ending.HEURISTIC)


def _searched(part: Part, deadline: Deadline) -> _Found:
    smaller = merged(part.problem)
    start = flow_pattern(smaller.problem, smaller.problem.costs, end=deadline.at)
    if smaller.problem.size > PROVABLE:
        ended = Ending.TIME if deadline.is_over else Ending.HEURISTIC
        return _Found(smaller.spread(start), capacity_bound(smaller.problem), ended)
    search = PartSearch(smaller.problem, start)
    for _ in search.steps(0.0, deadline):
        pass
    ended = Ending.OPTIMAL if search.is_closed(0.0) else Ending.TIME
    return _Found(smaller.spread(search.best), search.bound, ended)
