"""A bound that is quick to prove: what every safe pattern costs at least, as single relations tell."""

from dataclasses import replace

from sfumato.tables.problem.problem import NOBODY_KNOWS, Problem
from sfumato.tables.suppression._cut_search.master import Master
from sfumato.tables.suppression._cut_search.row_capacity import row_capacity_cuts


def capacity_bound(problem: Problem) -> float:
    """Return a cost below which no pattern is safe.

    In each relation of a primary other suppressed cells must be able to move as far as it should, even if shares of
    cells could be suppressed. Only the outsider is looked at: what insiders know can but raise the cost.

    Parameters
    ----------
    problem
        One part, with finite bounds.
    """
    cuts = row_capacity_cuts(replace(problem, intruders=(NOBODY_KNOWS,), spared=(), only_exact=()))
    master = Master(problem)
    master.add(cuts)
    return max(master.relax().cost, 0.0)
