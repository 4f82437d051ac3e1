"""Audit a suppression pattern: what each intruder can still conclude about the cells that it suppresses."""

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from sfumato.errors import ParameterError, did_you_mean
from sfumato.numerics.arrays import Booleans, FloatColumn, Rows
from sfumato.tables.audit.attacks import Attack, attacks
from sfumato.tables.audit.components import Component, check_pattern, components
from sfumato.tables.audit.feasible_tables import ABOVE, BELOW, FeasibleTables
from sfumato.tables.audit.findings import Audit
from sfumato.tables.audit.goals import MIN_LEVEL
from sfumato.tables.audit.proof import Proof, prove
from sfumato.tables.audit.witnesses import Moves, Witnesses
from sfumato.tables.problem.problem import OUTSIDER, Problem


class Intervals(StrEnum):
    """Of which cells an audit finds the whole interval of values that an intruder cannot rule out."""

    EVERY = "every"
    """Of every suppressed cell."""
    PRIMARIES = "primaries"
    """Of the primaries."""
    UNPROTECTED = "unprotected"
    """Of the primaries that are not protected. For the others it is only proven that the interval is wide enough:
    much quicker, as one table may prove it for many of them. What is proven of insiders is not kept."""


class _Found(NamedTuple):
    """The intervals of some cells that some intruders share."""

    intruders: tuple[int, ...]
    cells: Rows
    lower: FloatColumn
    upper: FloatColumn
    is_whole: Booleans


def audit(
    problem: Problem,
    suppressed: Booleans,
    *,
    intervals: Intervals | str = Intervals.PRIMARIES,
    on_progress: Callable[[int, int], None] | None = None,
) -> Audit:
    """Find what each intruder can conclude about the cells that a pattern suppresses.

    Two figures count as equal when they differ by at most a trillionth of the largest value among the suppressed cells
    that are tied together. Of thousands of such cells, one that can be moved by no more than a billionth of that value
    is called disclosed.

    Parameters
    ----------
    problem
        What the pattern has to achieve.
    suppressed
        For each cell whether it is suppressed: a pattern of any origin.
    intervals
        Of which cells the whole interval is wanted; which primaries are not protected is found in any case.
    on_progress
        Called with the number of attacks that are done, and of all: one for each intruder and component.

    Source
        Fischetti and Salazar (2001), Solving the cell suppression problem on tabular data with linear constraints:
        the intruder's two linear programmes.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> parts_and_total = csr_array([[1.0, 1.0, 1.0, -1.0]])
    >>> zeros, ones, no = np.zeros(4), np.ones(4), np.zeros(4, dtype=bool)
    >>> problem = Problem(
    ...     np.array([5.0, 3.0, 2.0, 10.0]), parts_and_total, zeros, 20 * ones, ones,
    ...     primaries=np.array([0]), upper_levels=np.array([2.0]), lower_levels=np.array([2.0]),
    ...     sliding_levels=np.zeros(1), must_suppress=no, must_publish=no,
    ... )
    >>> audit(problem, np.array([True, True, False, False])).interval(0)
    (0.0, 8.0)
    """
    wanted = _chosen(intervals)
    check_pattern(problem, suppressed)
    parts = components(problem, suppressed)
    planned = attacks(problem, parts)
    steps = sum(len(part) for part in planned)
    found: list[_Found] = []
    fixed: list[Rows] = []
    for part in planned:
        for result, fixed_cells in _attack(part, wanted):
            found.append(result)
            fixed.append(fixed_cells)
            if on_progress is not None:
                on_progress(len(found), steps)
    disclosed = np.concatenate([np.empty(0, dtype=np.int64), *fixed])
    return Audit(problem, suppressed, *_list_cells(found), np.setdiff1d(disclosed, problem.primaries))


def _chosen(intervals: Intervals | str) -> Intervals:
    if intervals not in list(Intervals):
        known = ", ".join(Intervals)
        raise ParameterError(
            [f"audit.intervals must be one of {known}; got {intervals!r}{did_you_mean(str(intervals), Intervals)}"]
        )
    return Intervals(intervals)


def _attack(part: list[Attack], wanted: Intervals) -> Iterator[tuple[_Found, Rows]]:
    """Yield what the intruders of one component find, the outsider first, and the cells that the outsider computes."""
    component, goals = part[0].component, part[0].goals
    tables = FeasibleTables(component, is_for_many=len(part) > 1)
    witnesses = Witnesses(component.cells.size, goals)
    for attack in part:
        is_outsider = attack.intruders[0] == OUTSIDER
        watch = _Watch(component)
        on_table = watch.see if is_outsider else None
        if wanted is Intervals.UNPROTECTED:
            proof = prove(tables, attack.goals, attack.known, witnesses, on_table=on_table, spared=attack.spared)
            is_target = _are_listed(attack, proof)
            cells, is_whole = goals.cells[is_target], proof.is_whole[is_target]
            above, below = proof.above[is_target], proof.below[is_target]
        else:
            cells = np.setdiff1d(_cells_to_bound(attack, wanted), attack.known)
            above, below = _whole(tables, cells, attack.known, on_table)
            is_whole = np.ones(cells.size, dtype=np.bool_)
        values = component.values[cells]
        result = _Found(attack.intruders, component.cells[cells], values - below, values + above, is_whole)
        yield result, watch.fixed(tables) if is_outsider else np.empty(0, dtype=np.int64)


def _are_listed(attack: Attack, proof: Proof) -> Booleans:
    """Return of which goals the interval is told: of an insider only where it is too narrow, as there may be many."""
    if attack.intruders[0] == OUTSIDER:
        return attack.is_target
    goals = attack.goals
    return attack.is_target & ~(goals.are_met(proof.above, proof.below) & goals.are_resolvable)


def _cells_to_bound(attack: Attack, wanted: Intervals) -> Rows:
    """Return the cells whose whole intervals are wanted; not the many that neighbours alone are not kept from."""
    if wanted is Intervals.EVERY:
        return np.arange(attack.component.cells.size)
    return attack.goals.cells[attack.is_target] if attack.is_exact else attack.goals.cells


def _whole(
    tables: FeasibleTables, cells: Rows, known: Rows, on_table: Callable[[Moves], None] | None
) -> tuple[FloatColumn, FloatColumn]:
    """Return how far each cell can move above and below its value for an intruder who knows some cells."""
    tables.know(known)
    above, below = np.zeros(cells.size), np.zeros(cells.size)
    for place, cell in enumerate(cells.tolist()):
        for direction, distances in ((ABOVE, above), (BELOW, below)):
            distances[place] = tables.push(cell, direction)
            if on_table is not None:
                on_table(tables.moves())
    return above, below


class _Watch:
    """The cells that no table seen so far moves."""

    def __init__(self, component: Component) -> None:
        self._component = component
        self._is_still = np.ones(component.cells.size, dtype=np.bool_)

    def see(self, moves: Moves) -> None:
        self._is_still[moves.cells[np.abs(moves.distances) > self._component.tolerance]] = False

    def fixed(self, tables: FeasibleTables) -> Rows:
        """Return the cells that no table at all moves."""
        for cell in np.flatnonzero(self._is_still).tolist():
            for direction in (ABOVE, BELOW):
                if self._is_still[cell]:
                    self._try(tables, cell, direction)
        return self._component.cells[self._is_still]

    def _try(self, tables: FeasibleTables, cell: int, direction: float) -> None:
        amount = direction * MIN_LEVEL * self._component.tolerance
        if tables.is_large and tables.is_stuck(cell, amount):
            return
        around = tables.around(cell, amount) if tables.is_large else ()
        for moves in around:
            self.see(moves)
        if not around and tables.push(cell, direction) > self._component.tolerance:
            self.see(tables.moves())


def _list_cells(found: Sequence[_Found]) -> tuple[Rows, Rows, FloatColumn, FloatColumn, Booleans]:
    """Return the intervals in one list, by intruder and cell."""
    rows = [(intruder, part) for part in found for intruder in part.intruders]
    nothing = _Found((), np.empty(0, dtype=np.int64), np.empty(0), np.empty(0), np.empty(0, dtype=np.bool_))
    cells, lower, upper, is_whole = (
        np.concatenate([nothing[column], *(part[column] for _, part in rows)]) for column in range(1, 5)
    )
    intruders = np.concatenate([nothing.cells, *(np.full(part.cells.size, intruder) for intruder, part in rows)])
    order = np.lexsort((cells, intruders))
    return intruders[order], cells[order], lower[order], upper[order], is_whole[order]
