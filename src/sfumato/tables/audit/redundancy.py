"""Secondaries that could be published without harm."""

import numpy as np

from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, Rows
from sfumato.tables.audit.attacks import Attack, attacks
from sfumato.tables.audit.audit import Intervals, audit
from sfumato.tables.audit.components import components
from sfumato.tables.audit.feasible_tables import FeasibleTables
from sfumato.tables.audit.proof import prove
from sfumato.tables.audit.witnesses import Witnesses
from sfumato.tables.problem.problem import Problem


def redundant_secondaries(problem: Problem, suppressed: Booleans) -> Rows:
    """Return secondaries that can be published, all of them together, while the pattern stays safe.

    They are tried from the dearest to the cheapest, and none can be added to them; another choice may be larger. A
    pattern that is not safe is refused.

    Parameters
    ----------
    problem
        What the pattern has to achieve; cells that it suppresses in any case are not tried.
    suppressed
        For each cell whether it is suppressed.
    """
    unsafe = audit(problem, suppressed, intervals=Intervals.UNPROTECTED).unprotected
    if unsafe.size:
        raise DataError(
            f"only in a safe pattern can secondaries be redundant; {problem.cell_name(int(unsafe[0]))} is not "
            f"protected, one of {unsafe.size}; audit the pattern to see what is wrong"
        )
    found = [_of_component(problem, part) for part in attacks(problem, components(problem, suppressed))]
    return np.sort(np.concatenate([np.empty(0, dtype=np.int64), *found]))


def _of_component(problem: Problem, part: list[Attack]) -> Rows:
    component, goals = part[0].component, part[0].goals
    must_suppress = problem.must_suppress.copy()
    must_suppress[problem.primaries] = True
    secondaries = np.flatnonzero(~must_suppress[component.cells])
    if not goals.cells.size or not secondaries.size:
        return component.cells[secondaries]
    tables, witnesses = FeasibleTables(component), Witnesses(component.cells.size, goals)
    published: Rows = np.empty(0, dtype=np.int64)
    for secondary in secondaries[np.argsort(-problem.costs[component.cells[secondaries]], kind="stable")]:
        tried = np.append(published, secondary)
        if _is_safe(part, tables, witnesses, tried, _beside(part[0], int(secondary))):
            published = tried
    return component.cells[published]


def _beside(attack: Attack, cell: int) -> Rows:
    """Return the goals that are in one relation with a cell: the likeliest to lose their protection with it."""
    relations = attack.component.relations
    shared = np.abs(relations[:, [cell]]).T @ np.abs(relations)
    return np.flatnonzero(shared.toarray().ravel()[attack.goals.cells])


def _is_safe(
    part: list[Attack], tables: FeasibleTables, witnesses: Witnesses, published: Rows, likeliest: Rows
) -> bool:
    """Return whether no intruder comes too near to a primary when they also know the published cells."""
    for attack in part:
        known = np.union1d(attack.known, published)
        proof = prove(tables, attack.goals, known, witnesses, spared=attack.spared, stops_at=likeliest)
        if not attack.goals.are_met(proof.above, proof.below)[attack.is_target].all():
            return False
    return True
