"""Controlled rounding: every cell becomes a multiple of a base, and what added up still does."""

from dataclasses import dataclass
from itertools import chain

import numpy as np

from sfumato.data import FloatColumn, Mask, Rows
from sfumato.errors import DataError, ParameterError
from sfumato.tables.additive_cells import AdditiveCells, Source
from sfumato.tables.integer_programme import IntegerProgramme, Outcome, Solution, solve
from sfumato.tables.pattern import Ending

MULTIPLE = 1e-9  # of a value: a multiple of the base that is off by no more is one
MOST_STEPS = 3  # by default


@dataclass(frozen=True, eq=False)
class Rounded:
    """A table whose cells are multiples of a base.

    Parameters
    ----------
    values
        The cells as they were.
    rounded
        The cells to publish.
    base
        What they are multiples of.
    steps
        By how many bases more than to a neighbouring multiple a cell was allowed to move: 0 where each could be
        rounded up or down to the next multiple.
    distance
        By how much all cells moved, added up.
    bound
        No rounding with these steps moves them less.
    ended
        Why the search stopped.
    """

    values: FloatColumn
    rounded: FloatColumn
    base: float
    steps: int
    distance: float
    bound: float
    ended: Ending

    @property
    def gap(self) -> float:
        """How much nearer another rounding could be at best, as a share of the distance; 0 is proven nearest."""
        return 0.0 if self.distance <= self.bound else (self.distance - self.bound) / self.distance

    def __str__(self) -> str:
        changed = int(np.count_nonzero(self.rounded != self.values))
        nearest = (
            "no rounding is nearer"
            if self.ended is Ending.OPTIMAL
            else f"stopped by the time limit; another could be nearer by {self.gap:.1%} at most"
        )
        beyond = (
            "each to the multiple just below or above it"
            if self.steps == 0
            else f"some by up to {self.steps} more than to the multiple just below or above: no other rounding adds up, "
            f"or none was found in time"
        )
        return (
            f"{self.values.size} cells rounded to multiples of {self.base:g}, {changed} of them changed, {beyond}; "
            f"moved by {self.distance:.6g} in all ({nearest})"
        )


def round_controlled(
    source: Source, base: float, *, most_steps: int = MOST_STEPS, seconds: float = 60.0, gap: float = 1e-4
) -> Rounded:
    """Round every cell to a multiple of a base so that all sums hold, as near to the values as can be.

    Each cell becomes z = base (floor(value / base) + k) with k 0 or 1, A z = 0, and the sum of |z - value| is the
    least; multiples of the base stay. In tables of three and more dimensions and in linked tables there may be no such
    rounding. Where there is none, cells may move by one base more (and other multiples than 0 move too), then by two,
    and so on; `steps` of the result says so. Zeros always stay, and no cell changes its sign.

    Parameters
    ----------
    source
        One table, several linked ones, or a problem.
    base
        Above 0.
    most_steps
        How many bases more than to the next multiple a cell may move at most.
    seconds
        The time limit for each group of cells that depend on each other, and each number of steps.
    gap
        How much nearer another rounding may be, as a share of the distance, for the search to stop.

    Effect on risk
        An attacker who knows the base knows each cell to lie less than a base from what is published, and puts that
        together over all sums: compare with `compare_protections`, as narrow bases leave large cells open.
    Effect on utility
        No cell is hidden and all sums hold; each cell is off by less than the base, which hurts small cells most.
    Source
        Cox (1987), A constructive procedure for unbiased controlled rounding; Salazar (2006), Controlled rounding and
        cell perturbation: statistical disclosure limitation methods for tabular data.

    Examples
    --------
    >>> import polars as pl
    >>> from sfumato.tables.table import Table
    >>> people = pl.DataFrame({"town": ["A"] * 4 + ["B"] * 9, "sick": [*"yynn", *"yyyynnnnn"]})
    >>> table = Table.from_records(people, ["town", "sick"])
    >>> rounded = round_controlled(table, 5)
    >>> rounded.rounded[[table.cell(town=town, sick="Total") for town in ("A", "B", "Total")]]
    array([ 5., 10., 15.])
    """
    _check(base, most_steps, seconds)
    cells = AdditiveCells.of(source)
    scaled = _Scaled.of(cells.values, base)
    multiples = scaled.floors.copy()
    groups, steps, solved = cells.tied_groups(scaled.shares > 0), 0, dict[bytes, Solution]()
    found: list[tuple[Rows, Solution]] = []
    while groups:
        failed: list[Rows] = []
        for free, relations in groups:
            solution = _solved(cells, scaled, (free, relations), steps, seconds, gap)
            if solution.is_found:
                found.append((free, solution))
                multiples[free] = scaled.floors[free] + _moves(solution, free.size, steps)
            else:
                failed.append(free)
        if failed and steps == most_steps:
            raise _not_found(cells, failed, base, most_steps)
        steps += bool(failed)
        wider = cells.tied_groups(cells.values != 0) if failed else []
        broken = np.concatenate([np.empty(0, dtype=np.int64), *failed])
        groups = [group for group in wider if np.isin(group[0], broken).any()]
        redone = np.concatenate([np.empty(0, dtype=np.int64), *(free for free, _ in groups)])
        found = [(free, solution) for free, solution in found if not np.isin(free, redone).any()]
    del solved
    distance = base * float(sum(solution.cost for _, solution in found))
    bound = base * float(sum(solution.bound for _, solution in found))
    is_proven = all(solution.outcome is Outcome.OPTIMAL for _, solution in found)
    ended = Ending.OPTIMAL if is_proven else Ending.TIME
    rounded = np.where(cells.values == 0, 0.0, base * multiples)
    return Rounded(cells.values, rounded, base, steps, distance, min(bound, distance), ended)
