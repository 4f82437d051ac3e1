"""What insiders learn whatever is hidden, from their own cells and the bounds alone; no pattern can prevent it."""

from dataclasses import replace

import numpy as np

from sfumato.data import Rows
from sfumato.tables.checking import PatternCheck
from sfumato.tables.problem import Problem


def with_what_insiders_learn_anyway(problem: Problem) -> tuple[Problem, int]:
    """Return the problem with insiders who know also what they learn anyway, and of how many primaries that is so.

    Somebody who is alone in one part of a total knows that the total is at least that much. Where that is nearer than
    the level of the total, hiding every cell would not help; the total is then taken to be known to them, so that all
    other primaries are kept from somebody who knows even that.

    Parameters
    ----------
    problem
        What to protect, and from whom; the first attacker is the outsider.
    """
    learnt = 0
    while True:
        found = _learnt(problem)
        if not found:
            return problem, learnt
        learnt += sum(cells.size for cells in found.values())
        attackers = [
            np.union1d(known, found[number]) if number in found else known
            for number, known in enumerate(problem.attackers)
        ]
        problem = replace(problem, attackers=tuple(attackers))


def _learnt(problem: Problem) -> dict[int, Rows]:
    """Return for insiders, by number, the primaries that they learn too much of when all is hidden that may be."""
    check = PatternCheck(problem, ~problem.published)
    cells: dict[int, set[int]] = {}
    for failure in check.failures():
        if failure.attacker:
            cells.setdefault(failure.attacker, set()).add(int(problem.primaries[failure.primary]))
    return {number: np.array(sorted(found), dtype=np.int64) for number, found in cells.items()}
