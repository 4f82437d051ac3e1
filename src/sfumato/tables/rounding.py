"""Controlled rounding: every cell becomes a multiple of a base, and what added up still does."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sfumato.data import FloatColumn, Rows
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
    settled: list[_Settled] = []
    groups = cells.tied_groups(scaled.shares > 0)
    for steps in range(most_steps + 1):
        tried = [_settled(cells, scaled, group, steps, seconds, gap) for group in groups]
        settled += [each for each in tried if each.solution.is_found]
        failed = _joined([each.cells for each in tried if not each.solution.is_found])
        if not failed.size:
            return _rounded(cells.values, base, scaled, settled)
        # with another step more cells can move, which ties groups together: those are rounded anew as a whole
        groups = [group for group in cells.tied_groups(cells.values != 0) if np.isin(group[0], failed).any()]
        redone = _joined([free for free, _ in groups])
        settled = [each for each in settled if not np.isin(each.cells, redone).any()]
    raise DataError(
        f"no rounding to multiples of {base:g} that adds up was found for {failed.size} cells, {cells.names[failed[0]]} "
        f"among them, within {most_steps} steps and {seconds:g} seconds each; allow more steps or seconds, or take "
        f"another base"
    )


@dataclass(frozen=True, eq=False)
class _Scaled:
    """Values in bases: the multiple at or below each, the share of a base above it, and the values' signs."""

    floors: FloatColumn
    shares: FloatColumn
    signs: FloatColumn

    @classmethod
    def of(cls, values: FloatColumn, base: float) -> "_Scaled":
        in_bases = values / base
        nearest = np.rint(in_bases)
        is_multiple = np.abs(in_bases - nearest) <= MULTIPLE * np.maximum(np.abs(in_bases), 1.0)
        floors = np.where(is_multiple, nearest, np.floor(in_bases))
        return cls(floors, np.where(is_multiple, 0.0, in_bases - floors), np.sign(values))


class _Settled(NamedTuple):
    """A group of cells and how they are rounded."""

    cells: Rows
    solution: Solution
    steps: int

    @property
    def moves(self) -> FloatColumn:
        """By how many bases each cell ends above the multiple at or below its value."""
        up, *beyond = np.split(np.rint(self.solution.unknowns), 3 if self.steps else 1)
        return np.asarray(up + beyond[0] - beyond[1] if beyond else up)


def _settled(
    cells: AdditiveCells, scaled: _Scaled, group: tuple[Rows, Rows], steps: int, seconds: float, gap: float
) -> _Settled:
    """Round the cells of one group: up or not, and with steps by how many bases further up or down."""
    from scipy.sparse import csr_array, hstack

    free, relations = group
    floors, shares, signs = scaled.floors[free], scaled.shares[free], scaled.signs[free]
    costs, upper = [1.0 - 2.0 * shares], [(shares > 0).astype(np.float64)]
    rows = csr_array(cells.relations[relations][:, free])
    parts = [rows]
    if steps:
        room_above = np.where(signs < 0, -(floors + upper[0]), np.inf)  # no cell changes its sign
        room_below = np.where(signs > 0, floors, np.inf)
        costs += [np.ones(free.size)] * 2
        upper += [np.minimum(steps, room_above), np.minimum(steps, room_below)]
        parts += [rows, -rows]
    size = free.size * len(parts)
    wanted = -(cells.relations[relations] @ scaled.floors)  # the other cells are at their multiples
    programme = IntegerProgramme(
        costs=np.concatenate(costs),
        lower=np.zeros(size),
        upper=np.concatenate(upper),
        is_whole=np.ones(size, dtype=np.bool_),
        rows=hstack(parts),
        row_lower=wanted,
        row_upper=wanted,
        offset=float(shares.sum()),
    )
    return _Settled(free, solve(programme, seconds=seconds, gap=gap), steps)


def _rounded(values: FloatColumn, base: float, scaled: _Scaled, settled: Sequence[_Settled]) -> Rounded:
    multiples = scaled.floors.copy()
    for each in settled:
        multiples[each.cells] += each.moves
    rounded = base * multiples
    distance = float(np.abs(rounded - values).sum())
    bound = base * sum(each.solution.bound for each in settled)
    is_proven = all(each.solution.outcome is Outcome.OPTIMAL for each in settled)
    ended = Ending.OPTIMAL if is_proven else Ending.TIME
    steps = max((each.steps for each in settled), default=0)
    return Rounded(values, rounded, base, steps, distance, min(bound, distance), ended)


def _check(base: float, most_steps: int, seconds: float) -> None:
    problems = [
        f"round_controlled.{name} must be {wanted}; got {got!r}"
        for name, wanted, got, is_right in (
            ("base", "above 0", base, 0 < base < np.inf),
            ("most_steps", "0 or more", most_steps, most_steps >= 0),
            ("seconds", "above 0", seconds, seconds > 0),
        )
        if not is_right
    ]
    if problems:
        raise ParameterError(problems)


def _joined(groups: Sequence[Rows]) -> Rows:
    return np.concatenate([np.empty(0, dtype=np.int64), *groups])
