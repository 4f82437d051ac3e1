"""Who stands behind each cell: the largest contributions, by whom, and what all of them add up to."""

from dataclasses import dataclass, field

import numpy as np

from sfumato.errors import DataError
from sfumato.numerics.arrays import CodeMatrix, FloatColumn, FloatMatrix, Rows

NOBODY = -1


@dataclass(frozen=True, eq=False, repr=False)
class Contributions:
    """The largest few contributions to each cell.

    A unit is a record, or a holding: then what its records contribute to one cell is added up first. Contributions
    count by their absolute size, since an intruder knows of a loss as much as of a gain.

    Parameters
    ----------
    amounts
        (cells, m): the largest contributions by absolute size, before weighting, descending; 0 where there are fewer.
    holders
        (cells, m): the number of the unit that contributes; -1 where there is none, or where it is not known.
    weights
        (cells, m): how many units of the population each one stands for; 1 without sampling weights. A holding has the
        mean of its records' weights, each counted by the size of its value.
    totals
        (cells,): all contributions of the cell in absolute size, weighted. Above the absolute value of the cell where
        gains and losses meet.
    losses
        (cells,): how much of the totals is contributions below 0; none when not given.
    asking
        (cells,): the largest contribution of a unit that asked for protection; None where nobody was asked.
    """

    amounts: FloatMatrix
    holders: CodeMatrix
    weights: FloatMatrix
    totals: FloatColumn
    losses: FloatColumn = field(default=None)  # type: ignore[arg-type]
    asking: FloatColumn | None = None

    def __post_init__(self) -> None:
        shape = self.amounts.shape
        if self.losses is None:
            object.__setattr__(self, "losses", np.zeros(shape[0]))
        if len(shape) != 2 or self.holders.shape != shape or self.weights.shape != shape:
            raise DataError(
                f"Contributions: amounts, holders and weights must have one row per cell and one shape; "
                f"got {shape}, {self.holders.shape} and {self.weights.shape}"
            )
        if self.totals.shape != shape[:1]:
            raise DataError(f"Contributions: totals must have {shape[0]} entries; got {self.totals.shape}")
        if (np.diff(self.amounts, axis=1) > 0).any() or (self.amounts < 0).any():
            raise DataError("Contributions: the amounts of each cell must be 0 or more and descend; sort them first")

    def __repr__(self) -> str:
        return f"Contributions({self.amounts.shape[0]} cells, the largest {self.kept} of each)"

    @property
    def kept(self) -> int:
        """How many contributions of each cell are known one by one."""
        return int(self.amounts.shape[1])

    def largest(self, count: int) -> FloatColumn:
        """Return for each cell the sum of the `count` largest contributions in the population.

        A contribution of weight w stands for w units of the population with that contribution each: of weights 2.5, 2
        and 1 the three largest are all of the first and a quarter of the second.
        """
        self._check_kept(count)
        before = np.cumsum(self.weights, axis=1) - self.weights
        units = np.clip(count - before, 0.0, self.weights)
        sums: FloatColumn = (self.amounts * units).sum(axis=1)
        return sums

    def take(self, cells: Rows) -> "Contributions":
        """Return the contributions of some cells, in the given order."""
        asking = None if self.asking is None else self.asking[cells]
        amounts, holders, weights = self.amounts[cells], self.holders[cells], self.weights[cells]
        return Contributions(amounts, holders, weights, self.totals[cells], self.losses[cells], asking)

    def _check_kept(self, count: int) -> None:
        if not 0 <= count <= self.kept:
            raise DataError(
                f"the table keeps the {self.kept} largest contributions of each cell; {count} are needed: "
                f"make the table with keep={count} or more"
            )
