"""What outputs tell of groups, one measure at a time: the counts of records, or the sums of a variable."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.outputs.audit.atoms import Atoms
from sfumato.outputs.audit.contributions import unsafe_sums
from sfumato.outputs.audit.count_audit import audit_counts, count_levels
from sfumato.outputs.audit.knowledge import Knowledge, known_counts, known_sums
from sfumato.outputs.audit.programme import build_programme
from sfumato.outputs.audit.remembered_worlds import Cache
from sfumato.outputs.audit.small_groups import Groups, cells_and_atoms, crossed_cells
from sfumato.outputs.facts import COUNT, Facts
from sfumato.outputs.rules import OutputRules
from sfumato.tables import audit

HEADROOM = 1.5  # times the sum of all: how large a reader takes a sum to be at most


@dataclass(frozen=True, eq=False)
class Demands:
    """Groups that a reader must be kept from, and how far.

    Parameters
    ----------
    groups
        The groups.
    above, below, width
        How far above and below the figure nothing may be ruled out, and how wide the interval must be.
    """

    groups: Groups
    above: FloatColumn
    below: FloatColumn
    width: FloatColumn


class Measure(Protocol):
    """A measure of groups; the facts that it is asked about are those that tell it, see `facts_telling`."""

    @property
    def key(self) -> str:
        """What facts call it."""

    def amounts(self, atoms: Atoms) -> FloatColumn:
        """Return the figure of each atom."""

    def limits(self, atoms: Atoms) -> tuple[float, float]:
        """Return how low and how high a reader takes the figure of an atom to be at most."""

    def known(self, facts: Sequence[Facts], atoms: Atoms) -> Knowledge:
        """Return what outputs tell."""

    def demands(self, facts: Sequence[Facts], atoms: Atoms) -> Demands:
        """Return the groups that readers must be kept from."""

    def relax(self, demands: Demands, which: Booleans) -> Demands:
        """Return the demands with less asked of some groups: no more than what makes them a disclosure."""

    def are_safe(self, facts: Sequence[Facts], atoms: Atoms, demands: Demands) -> Booleans:
        """Tell for each of them whether the outputs keep readers from it."""


@dataclass(frozen=True, eq=False)
class Counts:
    """How many records a group has.

    Parameters
    ----------
    rules
        The rules of the project.
    cache
        What earlier audits found.
    key
        What facts call it: `COUNT`, or the quantiles of a column, which are no counts; but two that are of nearly the
        same records tell of the others, so that they are judged as if they were.
    """

    rules: OutputRules
    cache: Cache = field(default_factory=Cache)
    key: str = COUNT

    def amounts(self, atoms: Atoms) -> FloatColumn:
        """Return the records of each atom."""
        return atoms.sizes

    def limits(self, atoms: Atoms) -> tuple[float, float]:
        """Return none, and all records."""
        return 0.0, float(atoms.sizes.sum())

    def known(self, facts: Sequence[Facts], atoms: Atoms) -> Knowledge:
        """Return the shown counts."""
        return known_counts(facts, atoms, with_total=self.key == COUNT)

    def demands(self, facts: Sequence[Facts], atoms: Atoms) -> Demands:
        """Return the cells and atoms of few records; cells are kept open below, too."""
        groups = cells_and_atoms(facts, atoms)
        small = groups.take(np.flatnonzero((groups.sizes > 0) & (groups.sizes < self.rules.min_units)))
        low, high = count_levels(small, self.rules.min_units)
        below = np.where(small.is_cell, small.sizes - low, 0.0)
        return Demands(small, high - small.sizes, below, np.zeros(small.count))

    def relax(self, demands: Demands, which: Booleans) -> Demands:
        """Return the demands with some groups that need not be open below."""
        return replace(demands, below=np.where(which, 0.0, demands.below))

    def are_safe(self, facts: Sequence[Facts], atoms: Atoms, demands: Demands) -> Booleans:
        """Tell which small groups a reader cannot tell from safe ones, in whole numbers."""
        lowest = demands.groups.sizes - demands.below
        known = self.known(facts, atoms)
        return audit_counts(atoms, known, demands.groups, lowest, self.rules.min_units, self.cache).is_safe


@dataclass(frozen=True, eq=False)
class Sums:
    """What a variable adds up to over a group.

    Parameters
    ----------
    rules
        The rules of the project.
    key
        What facts call the variable.
    values
        Its value for each record of the project; NaN where there is none.
    """

    rules: OutputRules
    key: str
    values: FloatColumn

    def amounts(self, atoms: Atoms) -> FloatColumn:
        """Return the sum of each atom."""
        return atoms.sums(np.nan_to_num(self.values))

    def limits(self, atoms: Atoms) -> tuple[float, float]:
        """Return 0 if no value is below it, and more than all values together."""
        largest = HEADROOM * float(np.nansum(np.abs(self.values))) + 1.0
        return (0.0 if np.nanmin(self.values, initial=0.0) >= 0 else -largest), largest

    def known(self, facts: Sequence[Facts], atoms: Atoms) -> Knowledge:
        """Return the shown sums."""
        return known_sums(facts, atoms, self.amounts(atoms))

    def demands(self, facts: Sequence[Facts], atoms: Atoms) -> Demands:
        """Return the cells whose sums are unsafe, and their differences, intersections and atoms, which may lean."""
        groups = cells_and_atoms(facts, atoms, crossed_cells(facts, atoms))
        rule = self.rules.of_sums(squares=self.key.startswith(SQUARE))
        is_told = ~np.isnan(self.values)
        unsafe, levels = unsafe_sums(groups.members, atoms, np.nan_to_num(self.values), is_told, rule)
        chosen = np.flatnonzero(unsafe)
        taken, level = groups.take(chosen), levels[chosen]
        figures = np.abs(taken.members @ self.amounts(atoms))
        lowest = self.limits(atoms)[0]
        below = np.minimum(level, figures) if lowest == 0 else level
        return self.relax(Demands(taken, level, below, np.zeros(taken.count)), ~taken.is_cell)

    def relax(self, demands: Demands, which: Booleans) -> Demands:
        """Return the demands with some that ask only for an interval as wide as both sides, wherever it lies."""
        width = np.where(which, np.maximum(demands.width, demands.above + demands.below), demands.width)
        above, below = np.where(which, 0.0, demands.above), np.where(which, 0.0, demands.below)
        return Demands(demands.groups, above, below, width)

    def are_safe(self, facts: Sequence[Facts], atoms: Atoms, demands: Demands) -> Booleans:
        """Tell which sums a reader cannot narrow down too far, by the audit of tables."""
        programme = build_programme(self, facts, atoms, demands)
        found = audit(programme.problem, programme.suppressed(), intervals="unprotected")
        return ~np.isin(programme.primaries, found.failing)


def facts_telling(measure: Measure, facts: Sequence[Facts]) -> list[Facts]:
    """Return the facts of the outputs that tell a measure."""
    return [fact for fact in facts if measure.key in fact.measures]


SQUARE = "square of "
"""How the key of the squares of a variable begins."""
