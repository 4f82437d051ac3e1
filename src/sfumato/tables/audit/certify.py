"""Certify a pattern: keep the tables that prove it safe, each once."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, FloatColumn, Rows
from sfumato.tables.audit.attacks import Attack, attacks
from sfumato.tables.audit.certificate import Certificates
from sfumato.tables.audit.components import check_pattern, components
from sfumato.tables.audit.feasible_tables import FeasibleTables
from sfumato.tables.audit.goals import NO_WITNESS
from sfumato.tables.audit.proof import Proof, prove
from sfumato.tables.audit.witnesses import Witnesses
from sfumato.tables.problem.problem import Problem

MAX_NAMED = 5  # primaries in a message


class _Claim(NamedTuple):
    """That two witnesses keep an intruder from a primary."""

    intruder: int
    primary: int
    above: int
    below: int


def certify(problem: Problem, suppressed: Booleans) -> Certificates:
    """Return tables that prove a pattern safe; a pattern that is not safe is refused.

    Parameters
    ----------
    problem
        What the pattern has to achieve.
    suppressed
        For each cell whether it is suppressed.
    """
    check_pattern(problem, suppressed)
    _refuse(problem, problem.primaries[~suppressed[problem.primaries]], "published")
    claims: list[_Claim] = []
    kept: list[tuple[Rows, FloatColumn]] = []
    for part in attacks(problem, components(problem, suppressed)):
        component, goals = part[0].component, part[0].goals
        if not goals.cells.size:
            continue
        tables, witnesses = FeasibleTables(component, is_for_many=len(part) > 1), Witnesses(component.cells.size, goals)
        untold = goals.primaries[~np.all([attack.are_resolvable for attack in part], axis=0)]
        _refuse(problem, problem.primaries[untold], "not to be told from rounding")
        proofs = [prove(tables, attack.goals, attack.known, witnesses, spared=attack.spared) for attack in part]
        for attack, proof in zip(part, proofs, strict=True):
            claims += _claims(problem, attack, proof, proofs[0], witnesses, first=len(kept))
        kept += [(component.cells[places], component.values[places] + moves) for places, moves in witnesses.tables]
    return _compact(claims, kept)


def _claims(
    problem: Problem, attack: Attack, proof: Proof, outsiders: Proof, witnesses: Witnesses, *, first: int
) -> Iterator[_Claim]:
    """Yield what must be claimed of an attack: of an insider only what the outsider's witnesses do not show."""
    goals = attack.goals
    is_target = attack.is_target
    lacking = is_target & ~goals.are_met(proof.above, proof.below)
    _refuse(problem, problem.primaries[goals.primaries[lacking]], f"within reach of intruder {attack.intruders[0]}")
    is_ruled_out = np.append(witnesses.move(attack.known), False)  # the true table, at -1, is never ruled out
    if proof is not outsiders:
        is_target &= is_ruled_out[outsiders.witness_above] | is_ruled_out[outsiders.witness_below]
    above, below = (
        np.where(by == NO_WITNESS, NO_WITNESS, by + first) for by in (proof.witness_above, proof.witness_below)
    )
    for goal in np.flatnonzero(is_target).tolist():
        primary = int(problem.primaries[goals.primaries[goal]])
        for intruder in attack.intruders:
            yield _Claim(intruder, primary, int(above[goal]), int(below[goal]))


def _compact(claims: list[_Claim], kept: list[tuple[Rows, FloatColumn]]) -> Certificates:
    """Return the claims and those of the witnesses that they need."""
    columns = np.array(claims, dtype=np.int64).reshape(-1, 4)
    used = np.setdiff1d(columns[:, 2:], [NO_WITNESS])
    number = np.full(len(kept) + 1, NO_WITNESS)  # the entry at -1 is that of the true table
    number[used] = np.arange(used.size)
    witnesses = [kept[witness] for witness in used.tolist()]
    nothing = np.empty(0, dtype=np.int64)
    return Certificates(
        starts=np.cumsum([0, *(cells.size for cells, _ in witnesses)], dtype=np.int64),
        cells=np.concatenate([nothing, *(cells for cells, _ in witnesses)]),
        values=np.concatenate([np.empty(0), *(values for _, values in witnesses)]),
        intruders=columns[:, 0],
        primaries=columns[:, 1],
        above=number[columns[:, 2]],
        below=number[columns[:, 3]],
    )


def _refuse(problem: Problem, cells: Rows, what: str) -> None:
    if cells.size:
        raise DataError(
            f"only a safe pattern can be certified; primaries are {what}: {problem.name_cells(cells, MAX_NAMED)}; "
            f"audit the pattern to see all that is wrong"
        )
