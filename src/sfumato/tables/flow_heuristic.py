"""A safe pattern quickly: hide the cheapest way along which each primary can move, then do without what is dear."""

from collections.abc import Callable

import numpy as np

from sfumato.data import FloatColumn, Mask
from sfumato.tables.growing_pattern import GrowingPattern
from sfumato.tables.independent_parts import independent_parts
from sfumato.tables.infeasibility import check_primaries
from sfumato.tables.merged_cells import merged
from sfumato.tables.pattern import Ending, Pattern
from sfumato.tables.problem import Problem
from sfumato.tables.reach import levels_of


def suppress_by_flows(problem: Problem) -> Pattern:
    check_primaries(problem)
    suppressed = problem.hidden.copy()
    for part in independent_parts(problem):
        suppressed[part.cells] = flow_pattern(part.problem, part.problem.costs)
    return Pattern(suppressed=suppressed, cost=problem.cost(suppressed), bound=0.0, ended=Ending.HEURISTIC)


def flow_pattern(problem: Problem, costs: FloatColumn, suppressed: Mask | None = None) -> Mask:
    """Return a safe pattern of one part, by costs that may differ from the problem's, on top of cells hidden already."""
    import time
    smaller = merged(problem)
    start = smaller.problem.hidden if suppressed is None else smaller.gathered(suppressed)
    growing = GrowingPattern(smaller.problem, smaller.summed(costs), start)
    order = np.argsort(-levels_of(smaller.problem).max(axis=0), kind="stable").tolist()
    t=time.process_time()
    for primary in order:
        growing.protect(primary)
    print('grown',growing.cost(),(growing.suppressed&~smaller.problem.hidden).sum(),len(growing._proofs._flows),round(time.process_time()-t,2))
    for _ in range(20):
        before=growing.cost()
        n=growing.exchange(); print('exchanged',n,growing.cost(),(growing.suppressed&~smaller.problem.hidden).sum(),len(growing._proofs._flows),round(time.process_time()-t,2))
        if growing.cost()>before*(1-1e-3): break
    n=growing.publish(); print('published',n,growing.cost(),(growing.suppressed&~smaller.problem.hidden).sum(),len(growing._proofs._flows),round(time.process_time()-t,2))
    return smaller.spread(growing.suppressed)
