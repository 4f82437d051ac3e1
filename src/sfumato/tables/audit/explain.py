"""Explain a pattern cell by cell: what a suppressed cell is suppressed for, and what publishing it would reveal."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.display import format_count, paragraph, render_notebook
from sfumato.display.tabular_result import TabularResult
from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, Rows
from sfumato.tables.audit.audit import Intervals, audit
from sfumato.tables.audit.components import check_pattern, components
from sfumato.tables.audit.findings import Audit, Violation
from sfumato.tables.audit.findings_rendering import between, finite_bound, intruder_name, violation_lines
from sfumato.tables.problem.problem import OUTSIDER, Problem

if TYPE_CHECKING:
    import polars

MAX_SHOWN = 5  # insiders in the text


class Treatment(StrEnum):
    """What a pattern does with a cell."""

    PRIMARY = "primary"
    """Suppresses it, and keeps intruders from it."""
    SECONDARY = "secondary"
    """Suppresses it to protect others."""
    SUPPRESSED = "suppressed"
    """Suppresses it because the problem says so, without levels to protect."""
    PUBLISHED = "published"
    """Publishes it."""


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(TabularResult):
    """Why a cell is suppressed.

    Parameters
    ----------
    cell
        The cell.
    treatment
        What the pattern does with it.
    now
        What intruders conclude about it.
    then
        What they would conclude about the cells that it hangs together with if it were published.
    before
        What they conclude now about those that they would then come too near to.
    """

    cell: int
    treatment: Treatment
    now: Audit
    then: Audit
    before: Audit

    @property
    def protects(self) -> tuple[Violation, ...]:
        """The primaries that would lose their protection if the cell were published, with what would be left."""
        already = {(each.intruder, each.cell) for each in self.before.violations}
        return tuple(
            each
            for each in self.then.violations
            if each.cell != self.cell and (each.intruder, each.cell) not in already
        )

    @property
    def is_redundant(self) -> bool:
        """Whether the cell is suppressed, need not be, and protects nobody."""
        return self.treatment is Treatment.SECONDARY and not self.protects

    def to_frame(self) -> "polars.DataFrame":
        """Return the intervals that intruders find for the cell, as a polars dataframe."""
        import polars

        return self.now.to_frame().filter(polars.col("cell") == self.cell)

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as plain dicts and lists, ready for JSON."""
        name = self.now.problem.cell_name(self.cell)
        protected = sorted({self.now.problem.cell_name(each.cell) for each in self.protects})
        rows = [
            {**row, "lower": finite_bound(row["lower"]), "upper": finite_bound(row["upper"])}
            for row in self.to_frame().to_dicts()
        ]
        return {"cell": name, "treatment": str(self.treatment), "protects": protected, "intervals": rows}

    def __repr__(self) -> str:
        return f"<Explanation: {self.now.problem.cell_name(self.cell)}, {self.treatment}>"

    def _repr_html_(self) -> str:
        about = f"{self.now.problem.cell_name(self.cell)}: {self.treatment}."
        if self.protects:
            about += f" It protects {format_count(len({each.cell for each in self.protects}), 'other cell')}."
        return render_notebook([paragraph(about)])

    def __str__(self) -> str:
        problem = self.now.problem
        name = problem.cell_name(self.cell)
        if self.treatment is Treatment.PUBLISHED:
            must_suppress = problem.must_suppress[self.cell] or any(
                each.cell == self.cell for each in self.then.violations
            )
            return f"{name} is published" + (", and must be suppressed." if must_suppress else ".")
        lines = [f"{name} is suppressed: {_WHY[self.treatment]}."]
        lower, upper = self.now.interval(self.cell)
        lines.append(f"The outsider finds {between(lower, upper)}.")
        if self.treatment is Treatment.PRIMARY:
            lines += self._intruders()
        if self.protects:
            lines.append("If it were published, others would lose their protection:")
            lines += violation_lines(self.then, self.protects)
        elif self.treatment is Treatment.SECONDARY:
            lines.append("It could be published without harm.")
        return "\n".join(lines)

    def _intruders(self) -> list[str]:
        """Return what insiders find about a primary where that is narrower, and whether it is protected."""
        found, problem = self.now, self.now.problem
        rows = np.flatnonzero((found.cells == self.cell) & (found.intruders != OUTSIDER))
        lower, upper = found.interval(self.cell)
        narrower = rows[found.upper[rows] - found.lower[rows] < upper - lower - found.tolerances[self.cell]]
        order = np.argsort(found.upper[narrower] - found.lower[narrower], kind="stable")
        too_near = {each.intruder for each in found.violations}
        lines = []
        for row in narrower[order][:MAX_SHOWN].tolist():
            number = int(found.intruders[row])
            who = intruder_name(found, number)
            will_do = any(problem.only_exact) and problem.only_exact[number] and number not in too_near
            may = ", and need not be kept from it" if found.is_spared[row] else ", which is not exact" * will_do
            lines.append(f"{who[0].upper()}{who[1:]} finds {between(found.lower[row], found.upper[row])}{may}.")
        if narrower.size > MAX_SHOWN:
            lines.append(f"{narrower.size - MAX_SHOWN} more insiders find a narrower interval than the outsider.")
        place = int(np.flatnonzero(problem.primaries == self.cell)[0])
        value = float(problem.values[self.cell])
        wanted = between(value - problem.lower_levels[place], value + problem.upper_levels[place])
        short = any(each.cell == self.cell for each in found.violations)
        verdict = f"it is {'not ' * short}protected"
        if any(problem.only_exact):
            insiders = "insiders who must be kept from it must not work it out"
            return [*lines, f"For the outsider all of {wanted} must stay possible, and {insiders}: {verdict}."]
        everybody = "everybody else" if found.is_spared[narrower].any() else "everybody"
        return [*lines, f"For {everybody} all of {wanted} must stay possible: {verdict}."]


_WHY = {
    Treatment.PRIMARY: "it is a primary",
    Treatment.SECONDARY: "to protect others",
    Treatment.SUPPRESSED: "it was given so",
}


def explain(problem: Problem, suppressed: Booleans, cell: int) -> Explanation:
    """Say why a pattern suppresses a cell: who comes how near to it, and what publishing it would reveal of others.

    Parameters
    ----------
    problem
        What the pattern has to achieve.
    suppressed
        For each cell whether it is suppressed.
    cell
        The number of the cell.
    """
    check_pattern(problem, suppressed)
    _check_cells(problem, [cell])
    treatment = _status(problem, suppressed, cell)
    around = np.zeros(problem.size, dtype=np.bool_)
    for component in components(problem, suppressed):
        if cell in component.cells:
            around[component.cells] = True
    without = around.copy()
    without[cell] = False
    tied = np.intersect1d(problem.primaries, np.append(np.flatnonzero(around), cell))
    then = audit(_restrict(problem, tied), without, intervals=Intervals.UNPROTECTED)
    before = audit(_restrict(problem, then.unprotected), around, intervals=Intervals.UNPROTECTED)
    return Explanation(cell, treatment, audit(_restrict(problem, np.array([cell])), around), then, before)


def what_if_published(problem: Problem, suppressed: Booleans, cells: Sequence[int] | Rows) -> Audit:
    """Return the audit of a pattern that publishes some more cells.

    Parameters
    ----------
    problem
        What the pattern has to achieve.
    suppressed
        For each cell whether it is suppressed.
    cells
        The numbers of the cells to publish as well.
    """
    check_pattern(problem, suppressed)
    _check_cells(problem, cells)
    without = suppressed.copy()
    without[np.asarray(cells, dtype=np.int64)] = False
    return audit(problem, without, intervals=Intervals.UNPROTECTED)


def _status(problem: Problem, suppressed: Booleans, cell: int) -> Treatment:
    if not suppressed[cell]:
        return Treatment.PUBLISHED
    if cell in problem.primaries:
        return Treatment.PRIMARY
    return Treatment.SUPPRESSED if problem.must_suppress[cell] else Treatment.SECONDARY


def _restrict(problem: Problem, cells: Rows) -> Problem:
    """Return the problem with some cells for primaries: with their levels if they are, and else with levels of 0."""
    targets = np.unique(cells)
    levels = np.zeros((3, problem.size))
    levels[:, problem.primaries] = problem.levels_for(OUTSIDER)
    upper, lower, sliding = levels[:, targets]
    return replace(problem, primaries=targets, upper_levels=upper, lower_levels=lower, sliding_levels=sliding)


def _check_cells(problem: Problem, cells: Sequence[int] | Rows) -> None:
    wrong = [int(cell) for cell in cells if not 0 <= cell < problem.size]
    if wrong:
        raise DataError(f"a cell must be a number from 0 to {problem.size - 1}; got {wrong[0]}")
