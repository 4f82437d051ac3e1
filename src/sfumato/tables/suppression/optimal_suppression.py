"""Optimal suppression: the cheapest pattern that keeps every attacker from every primary, and the proof that it is."""

import time
from collections.abc import Callable

from sfumato.tables.problem.problem import Problem
from sfumato.tables.problem.protected_cells import Ending, Pattern, Progress
from sfumato.tables.suppression._independent_parts import independent_parts
from sfumato.tables.suppression._infeasibility import check_primaries, explained
from sfumato.tables.suppression._part_search import Deadline, PartSearch


def suppress_optimally(
    problem: Problem,
    *,
    time_limit: float | None = None,
    gap: float = 0.0,
    on_progress: Callable[[Progress], None] | None = None,
) -> Pattern:
    """Return the cheapest safe pattern, or the best until the time limit with a bound on what the cheapest costs.

    Parts of the problem that are independent of each other are solved one by one. A master problem chooses cells; where
    its choice lets an attacker learn too much, the attacker's linear programme gives a cut that the choice violates and
    no safe pattern does. First the relaxation is cut, then choices of whole cells, until one is safe. On the way safe
    patterns near such choices, or led by the relaxation, bound the cost from above. The same problem gives the same
    pattern on every run that no time limit ends.

    Parameters
    ----------
    problem
        What to protect, and from whom.
    time_limit
        Seconds after which the best pattern until then is returned; the first safe one takes as long as it takes.
    gap
        Stop when no safe pattern is cheaper than the one found by more than this share of its cost.
    on_progress
        Called with the cost of the best pattern and the bound whenever either may have changed.

    Source
        Fischetti and Salazar (2001), Solving the cell suppression problem on tabular data with linear constraints.
    """
    deadline = Deadline() if time_limit is None else Deadline(time.monotonic() + time_limit)
    check_primaries(problem)
    with explained(problem):
        parts = independent_parts(problem)
        searches = [PartSearch(part.problem) for part in parts]
    for search in searches:
        for _ in search.steps(gap, deadline):
            if on_progress is not None:
                on_progress(Progress(*_totals(searches)))
    suppressed = problem.hidden.copy()
    for part, search in zip(parts, searches, strict=True):
        suppressed[part.cells] = search.best
    cost, bound = _totals(searches)
    ended = _ending(searches, gap)
    return Pattern(suppressed, cost, cost if ended is Ending.OPTIMAL else bound, ended)


def _totals(searches: list[PartSearch]) -> tuple[float, float]:
    """Return the cost of all parts' best patterns, and a bound below every safe pattern's."""
    return sum(search.cost for search in searches), sum(search.bound for search in searches)


def _ending(searches: list[PartSearch], gap: float) -> Ending:
    if all(search.is_closed(0.0) for search in searches):
        return Ending.OPTIMAL
    return Ending.GAP if all(search.is_closed(gap) for search in searches) else Ending.TIME
