"""Controlled rounding: every cell becomes a multiple of a base, and what added up still does."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from pydantic import Field

from sfumato.display import format_compact
from sfumato.errors import DataError
from sfumato.numerics.arrays import FloatColumn, Rows
from sfumato.tables.perturbation._additive_cells import AdditiveCells
from sfumato.tables.perturbation._integer_programme import Outcome
from sfumato.tables.perturbation._nearest_multiples import Multiples, RoundedGroup, round_group
from sfumato.tables.problem.problem import Problem
from sfumato.tables.protection import Ending, MaxGap, OnProgress, ProtectedCells, Protection, ending, known_around

MAX_STEPS, TIME_LIMIT, MAX_GAP = 3, 60.0, 0.01  # the gap in percent
ROUNDING = 1e-9  # of a distance


class ControlledRounding(Protection):
    """Round every cell to a multiple of a base so that all sums hold, as near to the values as can be.

    Each cell becomes z = base (floor(value / base) + k) with k 0 or 1, A z = 0, and the sum of |z - value| is the
    least; multiples of the base stay. In tables of three and more dimensions and in linked tables there may be no such
    rounding. Where there is none, cells may move by one base more (and other multiples than 0 move too), then by two,
    and so on; `steps` of the result says so. Zeros always stay, and no cell changes its sign.

    Parameters
    ----------
    base
        What every cell becomes a multiple of.
    max_steps
        How many bases more than to the next multiple a cell may move at most.
    time_limit
        In seconds, for each group of cells that depend on each other, and each number of steps. Where it ends a search,
        the rounding depends on how fast the machine is: publish one version only.
    max_gap
        How much nearer another rounding may be, in percent of the distance, for the search to stop.

    Effect on risk
        An intruder who knows the base knows each cell to lie less than a base from what is published, and puts that
        together over all sums: compare with `compare_protections`, as narrow bases leave large cells open.
    Effect on utility
        No cell is suppressed and all sums hold; each cell is off by less than the base, which hurts small cells most.
    Source
        Cox (1987), A constructive procedure for unbiased controlled rounding; Salazar (2006), Controlled rounding and
        cell perturbation: statistical disclosure limitation methods for tabular data.

    Examples
    --------
    >>> import polars as pl
    >>> from sfumato.tables import Table, protect
    >>> people = pl.DataFrame({"town": ["A"] * 4 + ["B"] * 9, "sick": [*"yynn", *"yyyynnnnn"]})
    >>> table = Table.from_records(people, ["town", "sick"])
    >>> rounded = protect(table, ControlledRounding(base=5))
    >>> rounded.values()[[table.cell(town=town, sick="Total") for town in ("A", "B", "Total")]]
    array([ 5., 10., 15.])
    """

    family: ClassVar[str] = "perturbation"
    needs_rules: ClassVar[bool] = False

    base: float = Field(gt=0, examples=[5])
    max_steps: int = Field(default=MAX_STEPS, ge=0, le=1_000_000)
    time_limit: float = Field(default=TIME_LIMIT, gt=0)
    max_gap: MaxGap = MAX_GAP

    def protect(self, problem: Problem, rng: np.random.Generator, on_progress: OnProgress = None) -> "Rounded":
        """Return the cells as multiples of the base."""
        return round_controlled(
            problem, self.base, max_steps=self.max_steps, time_limit=self.time_limit, max_gap=self.max_gap
        )


@dataclass(frozen=True, eq=False, repr=False)
class Rounded(ProtectedCells):
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
        """How much nearer another rounding could be at best, in percent of the distance; 0 is proven nearest."""
        lacking = self.distance - self.bound
        return 0.0 if lacking <= ROUNDING * self.distance else 100 * lacking / self.distance

    @property
    def notice(self) -> str:
        """That figures are rounded."""
        base = format_compact(self.base)
        return f"Figures are rounded to multiples of {base} to protect contributors; sums of rounded figures hold."

    def publish(self, problem: Problem) -> FloatColumn:
        """Return the rounded cells."""
        return self.rounded

    def bounds(self, problem: Problem) -> tuple[FloatColumn, FloatColumn]:
        """Return the values that lie less than a base, and as many more as steps were needed, from what is published.

        Where all values are whole numbers, as counts are, that is a base less one at most; elsewhere the bounds are
        approached.
        """
        reach = self.base * (1 + self.steps)
        are_whole = bool((problem.values == np.rint(problem.values)).all()) and reach == np.rint(reach)
        return known_around(problem, self.rounded, reach - are_whole)

    def to_dict(self) -> dict[str, Any]:
        """Return the base, the steps and how far the cells moved."""
        return {"base": self.base, "steps": self.steps, "distance": self.distance, "gap": self.gap}

    def __str__(self) -> str:
        changed = int(np.count_nonzero(self.rounded != self.values))
        nearest = (
            "no rounding is nearer"
            if self.gap == 0
            else f"another could be nearer by {format_compact(self.gap, 2)} % at most"
        )
        beyond = (
            "each to the multiple just below or above it"
            if self.steps == 0
            else f"some by up to {self.steps} base{'s' * (self.steps > 1)} more than to the multiple just below "
            f"or above, as no other rounding adds up or was found in time"
        )
        return (
            f"{self.values.size} cells rounded to multiples of {format_compact(self.base)}, {changed} of them "
            f"changed, {beyond}; "
            f"moved by {format_compact(self.distance)} in all ({nearest})"
        )


def round_controlled(
    problem: Problem,
    base: float,
    *,
    max_steps: int = MAX_STEPS,
    time_limit: float = TIME_LIMIT,
    max_gap: float = MAX_GAP,
) -> Rounded:
    """Return the cells of a problem as multiples of a base, near to their values and additive.

    Parameters
    ----------
    problem
        The cells and their relations; which of them are unsafe plays no part.
    base, max_steps, time_limit, max_gap
        As in `ControlledRounding`.
    """
    cells = AdditiveCells.of(problem)
    multiples = Multiples.of(cells.values, base)
    rounded_groups: list[RoundedGroup] = []
    groups = cells.tied_groups(multiples.shares > 0)
    for steps in range(max_steps + 1):
        tried = [round_group(cells, multiples, group, steps, time_limit, max_gap / 100) for group in groups]
        rounded_groups += [each for each in tried if each.solution.is_found]
        failed = _join([each.cells for each in tried if not each.solution.is_found])
        if not failed.size:
            return _assemble(cells.values, base, multiples, rounded_groups)
        # with another step more cells can move, which ties groups together: those are rounded anew as a whole
        groups = [group for group in cells.tied_groups(cells.values != 0) if np.isin(group[0], failed).any()]
        redone = _join([free for free, _ in groups])
        rounded_groups = [each for each in rounded_groups if not np.isin(each.cells, redone).any()]
    raise DataError(
        f"no rounding to multiples of {format_compact(base)} that adds up was found for {failed.size} cells, "
        f"{cells.names[failed[0]]} among them, within {max_steps} steps and {format_compact(time_limit)} seconds "
        f"for each; allow more steps or time, or take another base"
    )


def _assemble(
    values: FloatColumn, base: float, multiples: Multiples, rounded_groups: Sequence[RoundedGroup]
) -> Rounded:
    in_bases = multiples.floors.copy()
    for each in rounded_groups:
        in_bases[each.cells] += each.moves
    rounded = base * in_bases
    distance = float(np.abs(rounded - values).sum())
    bound = base * sum(each.solution.bound for each in rounded_groups)
    steps = max((each.steps for each in rounded_groups), default=0)
    made = Rounded(values, rounded, base, steps, distance, min(bound, distance), Ending.OPTIMAL)
    is_finished = all(each.solution.outcome is Outcome.OPTIMAL for each in rounded_groups)
    return replace(made, ended=ending(made.gap, is_finished=is_finished))


def _join(groups: Sequence[Rows]) -> Rows:
    return np.concatenate([np.empty(0, dtype=np.int64), *groups])
