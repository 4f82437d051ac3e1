"""Who attacks what: for each component of suppressed cells the intruders whose knowledge bears on it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.numerics.arrays import Booleans, Rows
from sfumato.tables.audit.components import Component
from sfumato.tables.audit.goals import Goals
from sfumato.tables.problem.problem import Problem

_Way = tuple[
    frozenset[int], frozenset[int], bool
]  # what somebody knows, and is spared; whether only exact values count


@dataclass(frozen=True, eq=False)
class Attack:
    """Intruders who know the same cells of a component, and must be kept from the same primaries by the same levels.

    Parameters
    ----------
    component
        The suppressed cells.
    goals
        The primaries among them, with the levels of these intruders.
    known
        The cells that the intruders know, by their places in the component, ascending.
    spared
        The primaries that they need not be kept from beyond those, by their places too, ascending.
    intruders
        Their numbers; the outsider's attack also stands for every insider who knows none of the cells.
    is_exact
        Whether they need only be kept from exact values.
    """

    component: Component
    goals: Goals
    known: Rows
    spared: Rows
    intruders: tuple[int, ...]
    is_exact: bool

    @property
    def is_target(self) -> Booleans:
        """For each goal whether the intruders must be kept from it."""
        return ~np.isin(self.goals.cells, np.concatenate([self.known, self.spared]))

    @property
    def are_resolvable(self) -> Booleans:
        """For each goal whether its levels are large enough to be told from rounding, where they are asked for."""
        return self.goals.are_resolvable | ~self.is_target


def attacks(problem: Problem, parts: Sequence[Component]) -> list[list[Attack]]:
    """Return the attacks on each component; the outsider's comes first.

    Parameters
    ----------
    problem
        Its intruders and primaries.
    parts
        The components.
    """
    owner, place = np.full(problem.size, -1), np.full(problem.size, -1)
    for number, part in enumerate(parts):
        owner[part.cells], place[part.cells] = number, np.arange(part.cells.size)
    planned = []
    primaries = _share_out(owner[problem.primaries], len(parts))
    knowledge = _knowledge(problem, owner, place, len(parts))
    for part, mine, known_by in zip(parts, primaries, knowledge, strict=True):
        cells = place[problem.primaries[mine]]
        first = {is_exact: who[0] for (_, _, is_exact), who in reversed(known_by.items())}
        goals = {kind: Goals.of(problem, mine, cells, part.tolerance, who) for kind, who in first.items()}  # shared
        planned.append(
            [
                Attack(part, goals[is_exact], _ascending(known), _ascending(spared), tuple(who), is_exact)
                for (known, spared, is_exact), who in known_by.items()
            ]
        )
    return planned


def _knowledge(problem: Problem, owner: Rows, place: Rows, parts: int) -> list[dict[_Way, list[int]]]:
    """Return for each component the sets of cells that somebody knows and is spared, with those who do and are."""
    nothing: frozenset[int] = frozenset()
    knowledge: list[dict[_Way, list[int]]] = [{(nothing, nothing, False): [0]} for _ in range(parts)]
    only_exact = problem.only_exact or (False,) * len(problem.intruders)
    for intruder, known in enumerate(problem.intruders):
        open_to = problem.open_to(intruder)
        for part in np.setdiff1d(owner[known], [-1]).tolist():
            cells = frozenset(place[known[owner[known] == part]].tolist())
            spared = frozenset(place[open_to[owner[open_to] == part]].tolist()) - cells
            knowledge[part].setdefault((cells, spared, only_exact[intruder]), []).append(intruder)
    return knowledge


def _ascending(cells: frozenset[int]) -> Rows:
    return np.array(sorted(cells), dtype=np.int64)


def _share_out(owners: Rows, parts: int) -> list[Rows]:
    """Return for each component the places at which it is named; -1 names none."""
    order = np.argsort(owners, kind="stable")
    ends = np.cumsum(np.bincount(owners + 1, minlength=parts + 1))
    return np.split(order, ends[:-1])[1:]
