"""Controlled adjustment: unsafe cells move far enough, all others as little as keeps the sums."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, ClassVar

import numpy as np
from pydantic import Field

from sfumato.display import format_compact
from sfumato.errors import DataError, ParameterError
from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.tables.perturbation._directions import cheapest, draw_directions, search_directions
from sfumato.tables.perturbation._integer_programme import Outcome, Solution
from sfumato.tables.perturbation._moves import Moves
from sfumato.tables.problem.problem import Problem
from sfumato.tables.protection import Ending, MaxGap, OnProgress, ProtectedCells, Protection, ending, known_around

TIME_LIMIT, MAX_GAP = 30.0, 0.1  # the gap in percent
FALLBACK_TIME_LIMIT = 60.0  # seconds to look for any directions where those that were drawn could not be made possible
NEARLY_WHOLE = 1e-6
ROUNDING = 1e-9  # of a cost


class MoveCost(StrEnum):
    """What moving a cell costs."""

    RELATIVE = "relative"
    """Its move as a share of its value, so that large cells take most of the change."""
    ABSOLUTE = "absolute"
    """Its move, so that as little as possible is moved in all."""


class Kept(StrEnum):
    """Which cells stay as they are, besides zeros and those that must be published."""

    NOTHING = "nothing"
    GRAND_TOTALS = "grand_totals"
    """The totals that are a part of no other."""
    TOTALS = "totals"
    """Every cell that others add up to."""


class ControlledAdjustment(Protection):
    """Move every unsafe cell at least its level up or down, and the others as little as keeps the sums.

    Directions are drawn first, such that what goes up and down in each sum nearly cancels; where unsafe cells cannot
    move so far, they and those near them are turned. From there a search over all directions goes on for as long as it
    may. Cells that must be published, and zeros that are safe, stay as they are; no cell leaves the bounds that every
    intruder knows. Insiders play no part.

    Parameters
    ----------
    cost
        What moving a cell costs: `relative` to its value or `absolute`.
    keeps
        Which further cells stay as they are: `nothing`, `grand_totals` or `totals`.
    time_limit
        For how many seconds to search for cheaper directions; 0 to keep those that were drawn. Where the limit ends the
        search, the moves depend on how fast the machine is: publish one version only.
    max_gap
        How much cheaper another adjustment may be, in percent of the cost, for the search to stop.

    Effect on risk
        Nothing says which cells moved. An intruder who can tell primaries from others and knows the rule can come to
        two candidates for a value, as most primaries move by their level exactly. Which of the two it is depends, with
        `time_limit: 0`, on coins that no intruder knows; the cheapest directions follow from the table alone.
    Effect on utility
        No cell is suppressed and all sums hold; unsafe cells are off by their level or more, others by little.
    Source
        Dandekar and Cox (2002), Synthetic tabular data: an alternative to complementary cell suppression; Castro
        (2006), Minimum-distance controlled perturbation methods for large-scale tabular data protection.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> ones, no = np.ones(4), np.zeros(4, dtype=bool)
    >>> problem = Problem(
    ...     np.array([5.0, 30.0, 20.0, 55.0]), csr_array([[1.0, 1.0, 1.0, -1.0]]), 0 * ones, 99 * ones, ones,
    ...     primaries=np.array([0]), upper_levels=np.array([3.0]), lower_levels=np.array([2.0]),
    ...     sliding_levels=np.zeros(1), must_suppress=no, must_publish=no,
    ... )
    >>> ControlledAdjustment(keeps="totals").protect(problem, np.random.default_rng(0)).adjusted
    array([ 3., 32., 20., 55.])
    """

    family: ClassVar[str] = "perturbation"

    cost: MoveCost = MoveCost.RELATIVE
    keeps: Kept = Kept.NOTHING
    time_limit: float = Field(default=TIME_LIMIT, ge=0)
    max_gap: MaxGap = MAX_GAP

    def protect(self, problem: Problem, rng: np.random.Generator, on_progress: OnProgress = None) -> "Adjusted":
        """Return the cells after every unsafe one has moved."""
        return adjust(problem, rng, cost=self.cost, keeps=self.keeps, time_limit=self.time_limit, max_gap=self.max_gap)


@dataclass(frozen=True, eq=False, repr=False)
class Adjusted(ProtectedCells):
    """A table in which every primary has moved.

    Parameters
    ----------
    values
        The cells as they were.
    adjusted
        The cells to publish.
    is_up
        For each primary whether it moved up; as confidential as the table.
    cost
        What the moves cost.
    bound
        No adjustment costs less.
    ended
        Why the search stopped.
    reach
        How far intruders know cells to have moved at most: what the publisher says of it, and no less than the largest
        move. When not given it is the largest move itself. That is harsh, as nothing in the table tells it: the primary
        that moved furthest then lies at the end of its interval, and counts as exposed.
    """

    values: FloatColumn
    adjusted: FloatColumn
    is_up: Booleans
    cost: float
    bound: float
    ended: Ending
    reach: float | None = None

    def __post_init__(self) -> None:
        if self.reach is not None and not self.reach >= self.largest_move:
            raise ParameterError([f"Adjusted.reach must be no less than the largest move; got {self.reach!r}"])

    @property
    def gap(self) -> float:
        """How much cheaper another adjustment could be at best, in percent of this one's cost; 0 is proven cheapest."""
        lacking = self.cost - self.bound
        return 0.0 if lacking <= ROUNDING * self.cost else 100 * lacking / self.cost

    @property
    def largest_move(self) -> float:
        """How far the cell that moved furthest did."""
        return float(np.abs(self.adjusted - self.values).max(initial=0.0))

    @property
    def notice(self) -> str:
        """That figures are changed."""
        return "Some figures are changed to protect contributors; sums of the figures shown hold."

    def publish(self, problem: Problem) -> FloatColumn:
        """Return the adjusted cells."""
        return self.adjusted

    def bounds(self, problem: Problem) -> tuple[FloatColumn, FloatColumn]:
        """Return the values that lie no further from what is published than intruders know cells to have moved."""
        return known_around(problem, self.adjusted, self.largest_move if self.reach is None else self.reach)

    def to_dict(self) -> dict[str, Any]:
        """Return how many cells had to move, and how far any did."""
        return {"primaries": int(self.is_up.size), "largest_move": self.largest_move, "gap": self.gap}

    def __str__(self) -> str:
        moved = int(np.count_nonzero(self.adjusted != self.values))
        cheapest = (
            "no adjustment is cheaper"
            if self.gap == 0
            else f"another could be cheaper by {format_compact(self.gap, 2)} % at most"
        )
        return (
            f"{self.values.size} cells adjusted, {moved} of them moved to keep {self.is_up.size} primaries away from "
            f"their values, by {format_compact(self.largest_move)} at most; the moves cost "
            f"{format_compact(self.cost)} ({cheapest})"
        )


def adjust(
    problem: Problem,
    rng: np.random.Generator,
    *,
    cost: MoveCost = MoveCost.RELATIVE,
    keeps: Kept = Kept.NOTHING,
    time_limit: float = TIME_LIMIT,
    max_gap: float = MAX_GAP,
) -> Adjusted:
    """Return the cells of a problem after every primary moved at least its upper level up or its lower level down.

    Parameters
    ----------
    problem
        The cells, their bounds, and the primaries with their levels. Sliding levels and insiders play no part.
    rng
        Draws the directions.
    cost, keeps, time_limit, max_gap
        As in `ControlledAdjustment`.
    """
    if not problem.primaries.size:
        return Adjusted(problem.values, problem.values, np.zeros(0, dtype=np.bool_), 0.0, 0.0, Ending.OPTIMAL)
    kept = _kept_cells(problem, keeps)
    prices = _prices(problem, cost)
    unit = _unit(problem)
    moves = Moves.of(problem, kept, prices / prices.max(), unit)
    _check_movable(problem, moves, kept)
    is_up = draw_directions(moves, rng)
    bound, searched = float(moves.least_costs.sum()), None
    if time_limit > 0 or is_up is None:
        is_up, searched = search_directions(
            moves, is_up, time_limit=time_limit or FALLBACK_TIME_LIMIT, gap=max_gap / 100
        )
        bound = max(bound, searched.bound)
    found = cheapest(moves, is_up)
    scale = unit * float(prices.max())
    adjusted = _apply_moves(problem, found, unit)
    costs = found.cost * scale, min(bound, found.cost) * scale
    made = Adjusted(problem.values, adjusted, is_up, *costs, Ending.HEURISTIC)
    if searched is None:
        return made
    return replace(made, ended=ending(made.gap, is_finished=searched.outcome is Outcome.OPTIMAL))


def _apply_moves(problem: Problem, found: Solution, unit: float) -> FloatColumn:
    up, down = np.split(found.unknowns[: 2 * problem.size] * unit, 2)
    adjusted = np.clip(problem.values + up - down, problem.lower, problem.upper)
    whole = np.rint(adjusted)
    is_of_whole = (problem.values == np.rint(problem.values)).all() and (np.abs(adjusted - whole) < NEARLY_WHOLE).all()
    return whole if is_of_whole else np.where(up - down == 0, problem.values, adjusted)


def _unit(problem: Problem) -> float:
    """Return a power of two near the largest level, so that the solver's figures are near 1 and keep all their bits."""
    largest = float(problem.upper_levels.max())
    return 1.0 if largest == 0 else 2.0 ** round(float(np.log2(largest)))


def _prices(problem: Problem, cost: MoveCost) -> FloatColumn:
    if cost is MoveCost.ABSOLUTE:
        return np.ones(problem.size)
    sizes = np.abs(problem.values)
    smallest = float(sizes[sizes > 0].min(initial=np.inf))
    return 1.0 / np.where(sizes > 0, sizes, smallest if np.isfinite(smallest) else 1.0)


def _kept_cells(problem: Problem, keeps: Kept) -> Booleans:
    kept = problem.must_publish | (problem.values == 0)
    kept[problem.primaries[problem.values[problem.primaries] == 0]] = False
    entries = problem.relations.tocoo()
    is_total, is_part = np.zeros((2, problem.size), dtype=np.bool_)
    is_total[entries.col[entries.data < 0]] = True
    is_part[entries.col[entries.data > 0]] = True
    totals = {Kept.NOTHING: ~is_total & is_total, Kept.GRAND_TOTALS: is_total & ~is_part, Kept.TOTALS: is_total}
    return np.asarray(kept | totals[keeps])


def _check_movable(problem: Problem, moves: Moves, kept: Booleans) -> None:
    for stuck, why in (
        (kept[problem.primaries], "are among the cells that are kept as they are"),
        (~moves.may_rise & ~moves.may_fall, "have no room to move as far up or down as they must"),
    ):
        if stuck.any():
            first = problem.cell_name(int(problem.primaries[np.argmax(stuck)]))
            raise DataError(
                f"{np.count_nonzero(stuck)} of {stuck.size} primaries {why}, {first} the first; keep fewer cells, or "
                f"widen the bounds"
            )
