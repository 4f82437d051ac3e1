"""What an audit found: the interval that each intruder is left with, and the primaries that they come too near to."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.display.tabular_result import TabularResult
from sfumato.errors import ParameterError
from sfumato.numerics.arrays import Booleans, FloatColumn, Rows
from sfumato.tables.audit.components import components, tolerances
from sfumato.tables.audit.goals import Goals
from sfumato.tables.problem.problem import OUTSIDER, Problem

if TYPE_CHECKING:
    import polars

EVERY_CELL = "every"


class Reason(StrEnum):
    """Why a primary is not protected."""

    PUBLISHED = "published"
    """The pattern does not suppress it."""
    NARROW = "narrow"
    """An intruder can rule out values that they must be unable to rule out."""
    UNDECIDED = "undecided"
    """Its levels are too small beside the values that it adds up with: rounding leaves it open."""


@dataclass(frozen=True)
class Violation:
    """A primary that an intruder comes too near to.

    Parameters
    ----------
    cell
        The primary.
    intruder
        The intruder's number; 0 is the outsider.
    reason
        Why it is not protected.
    lower, upper
        The interval that the intruder finds.
    wanted_lower, wanted_upper, wanted_width
        How far down and up it had to reach, and how wide it had to be.
    """

    cell: int
    intruder: int
    reason: Reason
    lower: float = field(repr=False)
    upper: float = field(repr=False)
    wanted_lower: float = field(repr=False)
    wanted_upper: float = field(repr=False)
    wanted_width: float = field(repr=False)


@dataclass(frozen=True, eq=False, repr=False)
class Audit(TabularResult):
    """What each intruder can conclude about the suppressed cells of a pattern; it holds confidential figures.

    Parameters
    ----------
    problem, suppressed
        What was audited.
    intruders, cells
        Of each interval the intruder's number and the cell. An insider is listed only beside cells that something they
        know can bear on; of all others they know what the outsider knows. Primaries that they need not be kept from may
        be left out, too, and those that they are kept from where only unprotected ones were asked for.
    lower, upper
        The intervals.
    is_whole
        Whether the interval is all that the intruder cannot rule out; elsewhere it is a part of it that is wide enough.
    disclosed
        Suppressed cells, primaries left aside, whose values the outsider can compute.
    """

    problem: Problem
    suppressed: Booleans
    intruders: Rows
    cells: Rows
    lower: FloatColumn
    upper: FloatColumn
    is_whole: Booleans
    disclosed: Rows = field(default_factory=lambda: np.empty(0, dtype=np.int64))

    @property
    def is_safe(self) -> bool:
        """Whether the pattern suppresses what must be suppressed and keeps every intruder from every primary."""
        return not self.violations and not self.wrongly_published.size

    @property
    def wrongly_published(self) -> Rows:
        """The cells that must be suppressed, primaries or others, and that the pattern publishes."""
        must_suppress = self.problem.must_suppress.copy()
        must_suppress[self.problem.primaries] = True
        return np.flatnonzero(must_suppress & ~self.suppressed)

    @property
    def wrongly_suppressed(self) -> Rows:
        """The cells that must be published and that the pattern suppresses; they do no harm."""
        return np.flatnonzero(self.problem.must_publish & self.suppressed)

    @cached_property
    def tolerances(self) -> FloatColumn:
        """For each cell the difference that counts as rounding: a trillionth of the largest value it is tied to."""
        return tolerances(self.problem, self.suppressed)

    @cached_property
    def violations(self) -> tuple[Violation, ...]:
        """The primaries that are not protected, by intruder and cell; each of an intruder's once."""
        found = [*self._published_primaries(), *self._narrow_intervals()]
        return tuple(sorted(found, key=lambda violation: (violation.intruder, violation.cell)))

    @cached_property
    def is_spared(self) -> Booleans:
        """For each interval whether it is of a primary that the intruder need not be kept from."""
        is_spared = np.zeros(self.cells.size, dtype=np.bool_)
        starts = np.searchsorted(self.intruders, np.arange(len(self.problem.spared) + 1))  # they are in order
        for intruder in np.flatnonzero(np.diff(starts)).tolist():
            rows = slice(*starts[intruder : intruder + 2].tolist())
            is_spared[rows] = np.isin(self.cells[rows], self.problem.spared[intruder])
        return is_spared

    @property
    def unprotected(self) -> Rows:
        """The primaries that are not protected from some intruder."""
        return np.unique(np.array([violation.cell for violation in self.violations], dtype=np.int64))

    @property
    def failing(self) -> Rows:
        """The cells because of which the pattern is not safe: not protected, or published though they must not be."""
        return np.union1d(self.unprotected, self.wrongly_published)

    def _published_primaries(self) -> Iterator[Violation]:
        problem = self.problem
        for primary in np.flatnonzero(~self.suppressed[problem.primaries]):
            value = float(problem.values[problem.primaries[primary]])
            yield self._violation(int(primary), OUTSIDER, Reason.PUBLISHED, value, value)

    def _narrow_intervals(self) -> Iterator[Violation]:
        problem = self.problem
        places = np.full(problem.size, -1)
        places[problem.primaries] = np.arange(problem.primaries.size)
        listed = np.flatnonzero(places[self.cells] >= 0)
        cells, primaries = self.cells[listed], places[self.cells[listed]]
        values = problem.values[cells]
        goals = Goals.of(problem, primaries, cells, self.tolerances[cells], self.intruders[listed])
        is_met = goals.are_met(self.upper[listed] - values, values - self.lower[listed])
        is_spared = self.is_spared[listed]
        for place in np.flatnonzero((~is_met | ~goals.are_resolvable) & ~is_spared).tolist():
            reason = Reason.UNDECIDED if is_met[place] else Reason.NARROW
            row = listed[place]
            lower, upper = float(self.lower[row]), float(self.upper[row])
            yield self._violation(int(primaries[place]), int(self.intruders[row]), reason, lower, upper)

    def _violation(self, primary: int, intruder: int, reason: Reason, lower: float, upper: float) -> Violation:
        problem = self.problem
        cell = int(problem.primaries[primary])
        value = float(problem.values[cell])
        above, below, width = problem.levels_for(intruder, primary).tolist()
        return Violation(cell, intruder, reason, lower, upper, value - below, value + above, width)

    def interval(self, cell: int, intruder: int = OUTSIDER) -> tuple[float, float]:
        """Return the interval that an intruder finds for a cell; of a cell that they know it is the value alone."""
        value = float(self.problem.values[cell])
        if not self.suppressed[cell] or cell in self.problem.intruders[intruder]:
            return value, value
        for who in (intruder, OUTSIDER):
            rows = np.flatnonzero((self.intruders == who) & (self.cells == cell))
            if rows.size:
                return float(self.lower[rows[0]]), float(self.upper[rows[0]])
            if self._knows_more(who, cell):
                break
        raise ParameterError(
            [f"the interval of {self.problem.cell_name(cell)} was not asked for; audit with intervals='{EVERY_CELL}'"]
        )

    def _knows_more(self, intruder: int, cell: int) -> bool:
        """Tell whether an intruder who is not listed beside a cell may know more of it than the outsider does."""
        tied = [part.cells for part in components(self.problem, self.suppressed) if cell in part.cells]
        return bool(np.isin(self.problem.intruders[intruder], np.concatenate(tied)).any())

    def to_dict(self) -> dict[str, Any]:
        """Return the audit as plain dicts and lists, ready for JSON."""
        from sfumato.tables.audit.findings_rendering import to_plain

        return to_plain(self)

    def to_frame(self) -> "polars.DataFrame":
        """Return the intervals as a polars dataframe, one row for each cell and intruder."""
        from sfumato.tables.audit.findings_rendering import to_frame

        return to_frame(self)

    def _repr_html_(self) -> str:
        from sfumato.tables.audit.findings_rendering import render_cell

        return render_cell(self)

    def __repr__(self) -> str:
        safe = "safe" if self.is_safe else f"not safe, {self.failing.size} cells"
        return f"<Audit: {self.problem.size} cells, {safe}>"

    def __str__(self) -> str:
        from sfumato.tables.audit.findings_rendering import render_text

        return render_text(self)
