"""A safe pattern of one part: suppress the cheapest way for each primary to move, then do without what is dear."""

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.tables.problem.problem import Problem
from sfumato.tables.suppression._cut_search.primal_heuristic import drop_redundant
from sfumato.tables.suppression._effort import Effort
from sfumato.tables.suppression._flows.flow_proofs import goal_levels
from sfumato.tables.suppression._flows.growing_pattern import GrowingPattern
from sfumato.tables.suppression._infeasibility import infeasibility_error
from sfumato.tables.suppression._merged_cells import merge_cells
from sfumato.tables.suppression._pattern_check import PatternCheck
from sfumato.tables.suppression._sliding_levels import levels_with_sliding


def flow_pattern(
    problem: Problem, costs: FloatColumn, suppressed: Booleans | None = None, *, effort: Effort | None = None
) -> Booleans:
    """Return a safe pattern of one part, by costs of its own, on top of cells suppressed already.

    Parameters
    ----------
    problem
        One part, with finite bounds.
    costs
        What suppressing each cell costs.
    suppressed
        The cells suppressed from the start; the pattern need not keep them.
    effort
        Counts the work, and says when to stop looking for cheaper patterns.
    """
    smaller = merge_cells(problem)
    levels = levels_with_sliding(smaller.problem)
    if levels is None:
        return _from_everything(problem)
    start = smaller.problem.must_suppress if suppressed is None else smaller.gather(suppressed)
    growing = GrowingPattern(
        smaller.problem, smaller.add_up(costs), goal_levels(smaller.problem, levels), start, effort
    )
    for primary in np.argsort(-levels.max(axis=0), kind="stable").tolist():
        growing.protect(primary)
    growing.exchange()
    growing.publish()
    return smaller.spread(growing.suppressed)


def _from_everything(problem: Problem) -> Booleans:
    """Return a safe pattern that is what remains of suppressing everything."""
    everything = ~problem.must_publish
    for failure in PatternCheck(problem, everything).failures():
        raise infeasibility_error(problem, failure.primary, failure.intruder)
    return drop_redundant(problem, everything)
