"""Explain a pattern cell by cell: what a hidden cell is hidden for, and what publishing it would reveal."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from sfumato.data import Mask, Rows
from sfumato.errors import DataError
from sfumato.tables.audit import Intervals, audit
from sfumato.tables.components import check_pattern, components
from sfumato.tables.findings import OUTSIDER, Audit, Violation
from sfumato.tables.findings_showing import attacker_called, figure, violation_line
from sfumato.tables.problem import Problem


class Status(StrEnum):
    """What a pattern does with a cell."""

    PRIMARY = "primary"
    """Hides it, and keeps attackers from it."""
    SECONDARY = "secondary"
    """Hides it to protect others."""
    HIDDEN = "hidden"
    """Hides it because the problem says so, without levels to protect."""
    PUBLISHED = "published"
    """Publishes it."""


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why a cell is hidden.

    Parameters
    ----------
    cell
        The cell.
    status
        What the pattern does with it.
    now
        What attackers conclude about the cells that it hangs together with.
    then
        What they would conclude if it were published.
    """

    cell: int
    status: Status
    now: Audit
    then: Audit

    @property
    def protects(self) -> tuple[Violation, ...]:
        """The primaries that would lose their protection if the cell were published, with what would be left."""
        already = {(each.attacker, each.cell) for each in self.now.violations}
        return tuple(
            each
            for each in self.then.violations
            if each.cell != self.cell and (each.attacker, each.cell) not in already
        )

    @property
    def is_redundant(self) -> bool:
        """Whether the cell is hidden, need not be, and protects nobody."""
        return self.status is Status.SECONDARY and not self.protects

    def __str__(self) -> str:
        problem = self.now.problem
        name = problem.called(self.cell)
        if self.status is Status.PUBLISHED:
            return f"{name} is published."
        lines = [f"{name} is hidden: {_WHY[self.status]}."]
        lower, upper = self.now.interval(self.cell)
        lines.append(f"The outsider finds [{figure(lower)}, {figure(upper)}].")
        if self.status is Status.PRIMARY:
            lines += self._attackers()
        if self.protects:
            lines.append("If it were published, others would lose their protection:")
            lines += [violation_line(self.then, each) for each in self.protects]
        elif self.status is Status.SECONDARY:
            lines.append("It could be published without harm.")
        return "\n".join(lines)

    def _attackers(self) -> list[str]:
        """Return what insiders find about a primary, and whether that is wide enough."""
        found, lines = self.now, []
        for row in np.flatnonzero((found.cells == self.cell) & (found.attackers != OUTSIDER)).tolist():
            who = attacker_called(found, int(found.attackers[row]))
            who = who[0].upper() + who[1:]
            lines.append(f"{who} finds [{figure(found.lower[row])}, {figure(found.upper[row])}].")
        place = int(np.flatnonzero(found.problem.primaries == self.cell)[0])
        value, problem = float(found.problem.values[self.cell]), found.problem
        wanted = f"[{figure(value - problem.lower_levels[place])}, {figure(value + problem.upper_levels[place])}]"
        short = any(each.cell == self.cell for each in found.violations)
        lines.append(f"Nobody may be able to narrow {wanted}: it is {'not ' * short}protected.")
        return lines


_WHY = {
    Status.PRIMARY: "it is a primary",
    Status.SECONDARY: "to protect others",
    Status.HIDDEN: "the problem says so",
}


def explain(problem: Problem, suppressed: Mask, cell: int) -> Explanation:
    """Say why a pattern hides a cell: who comes how near to it, and what publishing it would reveal of others.

    Parameters
    ----------
    problem
        What the pattern has to achieve.
    suppressed
        For each cell whether it is hidden.
    cell
        The number of the cell.
    """
    check_pattern(problem, suppressed)
    _check_cells(problem, [cell])
    status = _status(problem, suppressed, cell)
    around = np.zeros(problem.size, dtype=np.bool_)
    for component in components(problem, suppressed):
        if cell in component.cells:
            around[component.cells] = True
    part = _restricted(problem, around)
    now = audit(part, around, intervals=Intervals.PRIMARIES)
    if status in (Status.SECONDARY, Status.HIDDEN):
        now = _with_interval(now, cell)
    without = around.copy()
    without[cell] = False
    return Explanation(cell, status, now, audit(part, without, intervals=Intervals.UNPROTECTED))


def what_if_published(problem: Problem, suppressed: Mask, cells: Sequence[int] | Rows) -> Audit:
    """Return the audit of a pattern that publishes some more cells.

    Parameters
    ----------
    problem
        What the pattern has to achieve.
    suppressed
        For each cell whether it is hidden.
    cells
        The numbers of the cells to publish as well.
    """
    check_pattern(problem, suppressed)
    _check_cells(problem, cells)
    without = suppressed.copy()
    without[np.asarray(cells, dtype=np.int64)] = False
    return audit(problem, without, intervals=Intervals.UNPROTECTED)


def _status(problem: Problem, suppressed: Mask, cell: int) -> Status:
    if not suppressed[cell]:
        return Status.PUBLISHED
    if cell in problem.primaries:
        return Status.PRIMARY
    return Status.HIDDEN if problem.hidden[cell] else Status.SECONDARY


def _restricted(problem: Problem, around: Mask) -> Problem:
    """Return the problem with the primaries among some cells only."""
    kept = around[problem.primaries]
    return replace(
        problem,
        primaries=problem.primaries[kept],
        upper_levels=problem.upper_levels[kept],
        lower_levels=problem.lower_levels[kept],
        sliding_levels=problem.sliding_levels[kept],
    )


def _with_interval(found: Audit, cell: int) -> Audit:
    """Return an audit with the interval that the outsider finds for one cell more."""
    as_primary = replace(
        _restricted(found.problem, np.zeros(found.problem.size, dtype=np.bool_)),
        primaries=np.array([cell]),
        upper_levels=np.zeros(1),
        lower_levels=np.zeros(1),
        sliding_levels=np.zeros(1),
        attackers=found.problem.attackers[:1],
    )
    lower, upper = audit(as_primary, found.suppressed).interval(cell)
    return replace(
        found,
        attackers=np.append(found.attackers, OUTSIDER),
        cells=np.append(found.cells, cell),
        lower=np.append(found.lower, lower),
        upper=np.append(found.upper, upper),
        is_whole=np.append(found.is_whole, True),
    )


def _check_cells(problem: Problem, cells: Sequence[int] | Rows) -> None:
    wrong = [int(cell) for cell in cells if not 0 <= cell < problem.size]
    if wrong:
        raise DataError(f"a cell must be a number from 0 to {problem.size - 1}; got {wrong[0]}")
