"""What insiders learn whatever is hidden, from their own cells and the bounds alone; no pattern can prevent it."""

from dataclasses import replace

import numpy as np

from sfumato.data import Rows
from sfumato.tables.hiding.checking import PatternCheck
from sfumato.tables.problem import Problem


def with_what_insiders_learn_anyway(problem: Problem) -> tuple[Problem, int]:
    """Return the problem with insiders spared what they learn anyway, and how many primaries of how many that is.

    Somebody who is alone in one part of a total knows that the total is at least that much. Where that is nearer than
    the level of the total, hiding every cell would not help: no pattern can keep them from it. They are kept from all
    other primaries.

    Parameters
    ----------
    problem
        What to protect, and from whom; the first attacker is the outsider.
    """
    found = _learnt(problem)
    if not found:
        return problem, 0
    nothing: Rows = np.empty(0, dtype=np.int64)
    before = problem.spared or (nothing,) * len(problem.attackers)
    spared = tuple(np.union1d(cells, found.get(number, nothing)) for number, cells in enumerate(before))
    return replace(problem, spared=spared), sum(cells.size for cells in found.values())


def _learnt(problem: Problem) -> dict[int, Rows]:
    """Return for insiders, by number, the primaries that they learn too much of when all is hidden that may be."""
    check = PatternCheck(problem, ~problem.published)
    cells: dict[int, set[int]] = {}
    for failure in check.failures():
        if failure.attacker:
            cells.setdefault(failure.attacker, set()).add(int(problem.primaries[failure.primary]))
    return {number: np.array(sorted(found), dtype=np.int64) for number, found in cells.items()}
