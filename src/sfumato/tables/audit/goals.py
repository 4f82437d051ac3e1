"""What protects a primary: how far from its value intruders must allow it to lie."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, Rows
from sfumato.tables.problem.problem import Problem

MIN_LEVEL = 1000  # times the tolerance: a smaller level is lost among values this large
NO_WITNESS = -1  # the number of the true table itself, which reaches a level of 0


@dataclass(frozen=True, eq=False)
class Goals:
    """Primaries and the levels that they need.

    Parameters
    ----------
    primaries
        Their places among the primaries of the problem.
    cells
        The places of their cells, in the component or in the problem.
    above, below, width
        The levels.
    tolerance
        A level is reached when no more than this is lacking; one for all, or one for each.
    """

    primaries: Rows
    cells: Rows
    above: FloatColumn
    below: FloatColumn
    width: FloatColumn
    tolerance: float | FloatColumn

    @classmethod
    def of(
        cls, problem: Problem, primaries: Rows, cells: Rows, tolerance: float | FloatColumn, intruders: int | Rows
    ) -> Self:
        """Return the goals of some primaries of a problem: for one intruder, or for one with each primary."""
        above, below, width = problem.levels_for(intruders, primaries)
        return cls(primaries, cells, above, below, width, tolerance)

    def __getitem__(self, places: Rows) -> Self:
        """Return some of the goals."""
        return type(self)(
            self.primaries[places],
            self.cells[places],
            self.above[places],
            self.below[places],
            self.width[places],
            self.tolerance if isinstance(self.tolerance, float) else self.tolerance[places],
        )

    def are_met(self, above: FloatColumn, below: FloatColumn) -> Booleans:
        """Return for each primary whether it is protected when it can move so far above and below its value."""
        enough_above = above >= self.above - self.tolerance
        enough_below = below >= self.below - self.tolerance
        return enough_above & enough_below & (above + below >= self.width - self.tolerance)

    @property
    def are_resolvable(self) -> Booleans:
        """For each primary whether its levels are large enough to be told from rounding."""
        levels = np.stack([self.above, self.below, self.width])
        return np.asarray(((levels <= 0.0) | (levels > MIN_LEVEL * self.tolerance)).all(axis=0))
