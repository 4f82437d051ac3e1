"""The multiples of a base nearest to cells that depend on each other, such that all sums hold."""

from dataclasses import dataclass, replace
from time import monotonic
from typing import NamedTuple, Self

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, Rows
from sfumato.tables.perturbation._additive_cells import AdditiveCells
from sfumato.tables.perturbation._integer_programme import IntegerProgramme, Outcome, Solution, solve

MULTIPLE_TOLERANCE = 1e-9  # of a value: a multiple of the base that is off by no more is one
INTEGRALITY_TOLERANCE = 1e-7  # by which a whole number may be off in a solution
DIRECT_SHARE, NEARBY_SHARE = 0.4, 0.3  # of the time


@dataclass(frozen=True, eq=False)
class Multiples:
    """Values in bases.

    Parameters
    ----------
    floors
        The multiple at or below each value.
    shares
        How much of a base each value lies above it.
    signs
        The signs of the values.
    """

    floors: FloatColumn
    shares: FloatColumn
    signs: FloatColumn

    @classmethod
    def of(cls, values: FloatColumn, base: float) -> Self:
        """Return values in bases; what is a multiple but for rounding is one."""
        in_bases = values / base
        nearest = np.rint(in_bases)
        is_multiple = np.abs(in_bases - nearest) <= MULTIPLE_TOLERANCE * np.maximum(np.abs(in_bases), 1.0)
        floors = np.where(is_multiple, nearest, np.floor(in_bases))
        return cls(floors, np.where(is_multiple, 0.0, in_bases - floors), np.sign(values))


class RoundedGroup(NamedTuple):
    """A group of cells and how they are rounded, if there is a way within so many steps."""

    cells: Rows
    solution: Solution
    steps: int

    @property
    def moves(self) -> FloatColumn:
        """By how many bases each cell ends above the multiple at or below its value."""
        up, *beyond = np.split(np.rint(self.solution.unknowns), 3 if self.steps else 1)
        return np.asarray(up + beyond[0] - beyond[1] if beyond else up)


def round_group(
    cells: AdditiveCells, multiples: Multiples, group: tuple[Rows, Rows], steps: int, time_limit: float, gap: float
) -> RoundedGroup:
    """Round the cells of one group as near to their values as can be.

    Parameters
    ----------
    cells
        All cells; those outside the group are at their multiples.
    multiples
        The values in bases.
    group
        The cells that can change, and the relations that tie them.
    steps
        By how many bases further than to the multiple below or above a cell may move.
    time_limit, gap
        When to stop: after so many seconds, or when no other rounding is nearer by more than a share.
    """
    programme = _programme(cells, multiples, group, steps)
    return RoundedGroup(group[0], _nearest(programme, time_limit, gap), steps)


def _programme(cells: AdditiveCells, multiples: Multiples, group: tuple[Rows, Rows], steps: int) -> IntegerProgramme:
    """Return the programme of one group: unknowns up or not, and with steps how many bases further up, and down."""
    from scipy.sparse import csr_array, hstack

    free, relations = group
    floors, shares, signs = multiples.floors[free], multiples.shares[free], multiples.signs[free]
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
    wanted = -(cells.relations[relations] @ multiples.floors)
    return IntegerProgramme(
        costs=np.concatenate(costs),
        lower=np.zeros(size),
        upper=np.concatenate(upper),
        is_whole=np.ones(size, dtype=np.bool_),
        rows=csr_array(hstack(parts)),
        row_lower=wanted,
        row_upper=wanted,
        offset=float(shares.sum()),
    )


def _nearest(programme: IntegerProgramme, time_limit: float, gap: float) -> Solution:
    """Solve without whole numbers, which is enough for most tables of two dimensions; then with them.

    What cannot be solved at once, as large tables of three dimensions, is sought near the solution without whole
    numbers, and bettered from there.
    """
    began = monotonic()
    relaxed = solve(replace(programme, is_whole=np.zeros_like(programme.is_whole)), time_limit=time_limit, gap=0.0)
    if not relaxed.is_found:
        return relaxed
    split = np.abs(relaxed.unknowns - np.rint(relaxed.unknowns)) > INTEGRALITY_TOLERANCE
    if not split.any():
        return relaxed
    direct = solve(programme, time_limit=DIRECT_SHARE * time_limit, gap=gap)
    if direct.outcome is not Outcome.TIME:
        return direct
    nearby = solve(_near(programme, relaxed.unknowns, split), time_limit=NEARBY_SHARE * time_limit, gap=gap)
    known = nearby if nearby.cost < direct.cost else direct
    left = max(time_limit - (monotonic() - began), 0.0)
    last = solve(programme, time_limit=left, gap=gap, start=known.unknowns if known.is_found else None)
    best = last if last.cost <= known.cost else known
    return replace(best, outcome=last.outcome, bound=min(max(relaxed.cost, direct.bound, last.bound), best.cost))


def _near(programme: IntegerProgramme, relaxed: FloatColumn, split: Booleans) -> IntegerProgramme:
    """Return the programme in which only unknowns can change that are tied to one that is not whole."""
    is_near, known = _tied_to(programme, split), np.rint(relaxed)
    lower, upper = np.where(is_near, programme.lower, known), np.where(is_near, programme.upper, known)
    return replace(programme, lower=lower, upper=upper)


def _tied_to(programme: IntegerProgramme, split: Booleans) -> Booleans:
    """Return the unknowns that every relation of theirs ties to one of some others."""
    ties = abs(programme.rows)
    touched = ties @ split.astype(np.float64) > 0
    return np.asarray(ties.T @ (~touched).astype(np.float64) == 0)
