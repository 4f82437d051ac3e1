"""Which cells are hidden, at what cost, and how much cheaper it could be at best."""

from dataclasses import dataclass
from enum import StrEnum

from sfumato.numerics.arrays import Booleans


class Ending(StrEnum):
    """Why an optimiser stopped."""

    OPTIMAL = "optimal"
    """No pattern that is safe costs less."""
    GAP = "gap"
    """The pattern was proven to be as near to the cheapest as asked for."""
    TIME = "time"
    """The time limit was reached; the pattern is safe, and the bound says how much cheaper another could be."""
    HEURISTIC = "heuristic"
    """A safe pattern was wanted quickly; the bound is what was proven on the way."""


def ending(gap: float, *, is_finished: bool) -> Ending:
    """Return why a search stopped that left a gap, and finished or ran out of time."""
    if gap == 0:
        return Ending.OPTIMAL
    return Ending.GAP if is_finished else Ending.TIME


@dataclass(frozen=True, eq=False)
class Pattern:
    """A choice of cells to hide that keeps every attacker from every primary.

    Parameters
    ----------
    suppressed
        For each cell whether it is hidden: primaries, other cells hidden from the start, and secondaries.
    cost
        The cost of the secondaries.
    bound
        No safe pattern costs less than this.
    ended
        Why the search stopped.
    """

    suppressed: Booleans
    cost: float
    bound: float
    ended: Ending

    @property
    def gap(self) -> float:
        """How much cheaper a safe pattern could be at best, as a share of this one's cost; 0 is proven optimal."""
        return 0.0 if self.cost <= self.bound else (self.cost - self.bound) / self.cost


@dataclass(frozen=True)
class Progress:
    """How far the search for a pattern has come.

    Parameters
    ----------
    cost
        The cost of the best safe pattern until now; infinite before the first.
    bound
        What every safe pattern costs at least, as far as proven.
    """

    cost: float
    bound: float

    @property
    def gap(self) -> float:
        """How much cheaper a safe pattern could be at best, as a share of the cost; 1 before the first pattern."""
        return 1.0 if self.cost == float("inf") else 0.0 if self.cost <= self.bound else 1 - self.bound / self.cost
