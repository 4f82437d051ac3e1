"""The pattern of the period before: suppressed again as far as that is safe, and not much dearer than a fresh one."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from sfumato.display import format_count
from sfumato.errors import DataError, ParameterError
from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.tables.pattern import Pattern
from sfumato.tables.problem.problem import Problem
from sfumato.tables.protection import Ending, OnProgress, Protection

MAX_DEARER = 3.0  # percent
DISCOUNTS = (0.999, 0.9, 0.7, 0.4, 0.15)  # of the cost of cells that the period before suppressed; each is tried
SAME = 1e-9  # of a cost: two that differ by no more are equal


def suppress_as_before(
    protection: Protection,
    problem: Problem,
    last_period: Booleans,
    max_dearer: float,
    rng: np.random.Generator,
    on_progress: OnProgress = None,
) -> tuple[Pattern, tuple[str, ...]]:
    """Return a safe pattern that is as near to that of the period before as its cost allows, and what to say of it.

    First a pattern is found as if there were no period before. Then cells that it suppressed are made cheaper than
    others, in several ways; of the patterns that are found so and cost at most so many percent more than the fresh one,
    that with the fewest new cells is taken. Cells that nothing needs any more are published in any case.

    Parameters
    ----------
    protection
        A protection that suppresses cells.
    problem
        What to protect now.
    last_period
        For each cell whether the period before suppressed it.
    max_dearer
        By how many percent the pattern may cost more than a fresh one.
    rng, on_progress
        As in `Protection.protect`.
    """
    _check(problem, last_period, max_dearer)
    fresh = protection.protect(problem, rng, on_progress)
    if not isinstance(fresh, Pattern):
        raise DataError(f"{protection.name()}: last_period is for protections that suppress cells; leave it out")
    most = fresh.cost * (1 + max_dearer / 100) * (1 + SAME)
    kept = fresh
    for costs in _discounted_costs(problem, last_period):
        found = protection.protect(replace(problem, costs=costs), rng, on_progress)
        if isinstance(found, Pattern) and problem.cost(found.suppressed) <= most:
            kept = _nearer(problem, last_period, kept, found)
    cost, bound = problem.cost(kept.suppressed), min(fresh.bound, problem.cost(kept.suppressed))
    ended = Ending.GAP if kept is not fresh and fresh.ended is Ending.OPTIMAL and bound < cost else fresh.ended
    pattern = Pattern(kept.suppressed, cost, bound, ended)
    return pattern, (_change_remark(problem, pattern, last_period, fresh),)


def _discounted_costs(problem: Problem, last_period: Booleans) -> Iterator[FloatColumn]:
    """Yield costs by which patterns stay near to that of the period before: few new cells, or cheap ones."""
    usual = float(np.median(problem.costs[problem.costs > 0])) if (problem.costs > 0).any() else 1.0
    for discount in DISCOUNTS:
        kept = problem.costs * (1 - discount)
        yield np.where(last_period, kept, kept + discount * usual)
        yield np.where(last_period, kept, problem.costs)


def changed_cells(problem: Problem, suppressed: Booleans, last_period: Booleans) -> int:
    """Return how many cells are suppressed to protect others that the period before published."""
    return int((suppressed & ~last_period & ~problem.must_suppress).sum())


def _nearer(problem: Problem, last_period: Booleans, found: Pattern, fresh: Pattern) -> Pattern:
    """Return which of two patterns changes less, or costs less where they change as much."""
    return min(
        (fresh, found),
        key=lambda pattern: (
            changed_cells(problem, pattern.suppressed, last_period),
            problem.cost(pattern.suppressed),
        ),
    )


def _change_remark(problem: Problem, pattern: Pattern, last_period: Booleans, fresh: Pattern) -> str:
    """Return what to say of the cells that change between the periods; unsafe ones must."""
    suppressed = pattern.suppressed
    kept = int((suppressed & last_period & ~problem.must_suppress).sum())
    new, freed = changed_cells(problem, suppressed, last_period), int((~suppressed & last_period).sum())
    dearer = 100 * (pattern.cost / fresh.cost - 1) if fresh.cost > 0 else 0.0
    others = changed_cells(problem, fresh.suppressed, last_period)
    return (
        f"of the cells that protect others {kept} are those of the period before and {new} are new, {others} would be "
        f"without it; that costs {dearer:.1f} % more. Published again: {format_count(freed, 'cell')}"
    )


def _check(problem: Problem, last_period: Booleans, max_dearer: float) -> None:
    if last_period.dtype != np.bool_ or last_period.shape != (problem.size,):
        raise DataError(
            f"last_period must be true or false for each of the {problem.size} cells, true where the period before "
            f"suppressed it; got {last_period.size} entries of {last_period.dtype}"
        )
    if not 0 <= max_dearer < np.inf:
        raise ParameterError([f"max_dearer must be a percentage of 0 or more; got {max_dearer!r}"])
