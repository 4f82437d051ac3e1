"""A safe pattern quickly: hide the cheapest way along which each primary can move, then do without what is dear."""

import time
from collections.abc import Callable

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.tables.problem.problem import Problem
from sfumato.tables.problem.protected_cells import Ending, Pattern, Progress
from sfumato.tables.suppression._capacity_bound import capacity_bound
from sfumato.tables.suppression._flow_proofs import goal_levels
from sfumato.tables.suppression._growing_pattern import GrowingPattern
from sfumato.tables.suppression._independent_parts import Part, independent_parts
from sfumato.tables.suppression._infeasibility import cannot_be_protected, check_primaries, explained
from sfumato.tables.suppression._led_pattern import without_needless
from sfumato.tables.suppression._merged_cells import merged
from sfumato.tables.suppression._pattern_check import PatternCheck
from sfumato.tables.suppression._sliding_levels import levels_with_sliding

NO_LIMIT = float("inf")


def suppress_by_flows(
    problem: Problem,
    *,
    time_limit: float | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> Pattern:
    """Return a safe pattern that is cheap, and from which no secondary can be taken away.

    Primaries are taken by descending level. Each is moved by its level at the least cost, where moving a cell that is
    hidden already costs nothing; the cells that moved are hidden. Then, the dearest first, secondaries are exchanged
    for cheaper ones, and in the end those are published that are not needed. Every linear programme is of the cells
    around one primary. The same problem gives the same pattern on every run that no time limit ends.

    Parameters
    ----------
    problem
        What to protect, and from whom.
    time_limit
        Seconds after which the pattern is no longer made cheaper; a first safe one takes as long as it takes.
    on_progress
        Called with the cost of the pattern and a bound below every safe pattern's whenever either may have changed.

    Source
        Castro (2007), A shortest-paths heuristic for statistical data protection in positive tables, for the scheme.
    """
    end = NO_LIMIT if time_limit is None else time.monotonic() + time_limit
    check_primaries(problem)
    with explained(problem):
        parts = independent_parts(problem)
        patterns = [flow_pattern(part.problem, part.problem.costs, end=end) for part in parts]
    suppressed = problem.hidden.copy()
    bound = 0.0
    for part, pattern in zip(parts, patterns, strict=True):
        suppressed[part.cells] = pattern
        bound += bound_of(part)
        if on_progress is not None:
            on_progress(Progress(problem.cost(suppressed), bound))
    return Pattern(suppressed, problem.cost(suppressed), bound, Ending.HEURISTIC)


def bound_of(part: Part) -> float:
    """Return what every safe pattern of a part costs at least, as single relations tell."""
    return capacity_bound(merged(part.problem).problem)


def flow_pattern(
    problem: Problem, costs: FloatColumn, suppressed: Booleans | None = None, *, end: float = NO_LIMIT
) -> Booleans:
    """Return a safe pattern of one part, by costs that may differ from the problem's, on top of cells hidden already.

    Parameters
    ----------
    problem
        One part, with finite bounds.
    costs
        What hiding each cell costs.
    suppressed
        The cells hidden from the start; the pattern need not keep them.
    end
        When to stop looking for cheaper patterns, on the monotonic clock.
    """
    smaller = merged(problem)
    levels = levels_with_sliding(smaller.problem)
    if levels is None:
        return _from_everything(problem)
    start = smaller.problem.hidden if suppressed is None else smaller.gathered(suppressed)
    growing = GrowingPattern(smaller.problem, smaller.summed(costs), goal_levels(smaller.problem, levels), start)
    for primary in np.argsort(-levels.max(axis=0), kind="stable").tolist():
        growing.protect(primary)
    growing.exchange(end)
    growing.publish(end)
    return smaller.spread(growing.suppressed)


def _from_everything(problem: Problem) -> Booleans:
    """Return a safe pattern that is what remains of hiding everything."""
    everything = ~problem.published
    for failure in PatternCheck(problem, everything).failures():
        raise cannot_be_protected(problem, failure.primary, failure.attacker)
    return without_needless(problem, everything)
