"""Controlled tabular adjustment: unsafe cells move far enough, all others as little as keeps the sums."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

import numpy as np

from sfumato.errors import DataError, ParameterError, did_you_mean
from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.tables.perturbation._directions import cheapest, draw_directions, search_directions
from sfumato.tables.perturbation._integer_programme import Outcome, Solution
from sfumato.tables.perturbation._moves import Moves
from sfumato.tables.problem.problem import Problem
from sfumato.tables.problem.protected_cells import Ending, ending

LAST_RESORT = 60.0  # seconds to look for any directions where those that were drawn could not be made possible
NEARLY_WHOLE = 1e-6
ROUNDING = 1e-9  # of a cost


Choice = TypeVar("Choice", bound=StrEnum)


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


@dataclass(frozen=True, eq=False)
class Adjusted:
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
    """

    values: FloatColumn
    adjusted: FloatColumn
    is_up: Booleans
    cost: float
    bound: float
    ended: Ending

    @property
    def gap(self) -> float:
        """How much cheaper another adjustment could be at best, as a share of this one's cost; 0 is proven cheapest."""
        lacking = self.cost - self.bound
        return 0.0 if lacking <= ROUNDING * self.cost else lacking / self.cost

    @property
    def largest_move(self) -> float:
        """How far the cell that moved furthest did."""
        return float(np.abs(self.adjusted - self.values).max(initial=0.0))

    def __str__(self) -> str:
        moved = int(np.count_nonzero(self.adjusted != self.values))
        cheapest = (
            "no adjustment is cheaper"
            if self.gap == 0
            else f"another could be cheaper by {self.gap:.2g} of that at most"
        )
        return (
            f"{self.values.size} cells adjusted, {moved} of them moved to keep {self.is_up.size} primaries away from "
            f"their values, by {self.largest_move:.6g} at most; the moves cost {self.cost:.6g} ({cheapest})"
        )


def adjust(
    problem: Problem,
    rng: np.random.Generator,
    *,
    cost: MoveCost | str = MoveCost.RELATIVE,
    keeps: Kept | str = Kept.NOTHING,
    seconds: float = 30.0,
    gap: float = 1e-3,
) -> Adjusted:
    """Move every primary at least its upper level up or its lower level down, and the rest as little as keeps the sums.

    Directions are drawn first, such that what goes up and down in each sum nearly cancels; where primaries cannot move
    so far, they and those near them are turned. From there a search over all directions goes on for as long as it may.

    Parameters
    ----------
    problem
        The cells, their bounds, and the primaries with their levels. Cells that must be published, and zeros that are
        no primaries, stay as they are; no cell leaves its bounds. Sliding levels and insiders play no part.
    rng
        Draws the directions.
    cost
        What moving a cell costs: `relative` to its value or `absolute`.
    keeps
        Which further cells stay: `nothing`, `grand_totals` or `totals`.
    seconds
        How long to search for cheaper directions; 0 to keep those that were drawn.
    gap
        How much cheaper another adjustment may be, as a share of the cost, for the search to stop.

    Effect on risk
        Nothing says which cells moved. An attacker who can tell primaries from others and knows the rule can come to
        two candidates for a value, as most primaries move by their level exactly. Which of the two it is depends, with
        `seconds=0`, on coins that no attacker knows; the cheapest directions follow from the table alone.
    Effect on utility
        No cell is hidden and all sums hold; unsafe cells are off by their level or more, others by little.
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
    ...     sliding_levels=np.zeros(1), hidden=no, published=no,
    ... )
    >>> adjust(problem, np.random.default_rng(0), keeps=Kept.TOTALS).adjusted
    array([ 3., 32., 20., 55.])
    """
    _check(seconds, gap)
    if not problem.primaries.size:
        return Adjusted(problem.values, problem.values, np.zeros(0, dtype=np.bool_), 0.0, 0.0, Ending.OPTIMAL)
    kept = _kept(problem, _chosen(Kept, "keeps", keeps))
    prices = _prices(problem, _chosen(MoveCost, "cost", cost))
    unit = _unit(problem)
    moves = Moves.of(problem, kept, prices / prices.max(), unit)
    _check_movable(problem, moves, kept)
    is_up = draw_directions(moves, rng)
    bound, searched = float(moves.least_costs.sum()), None
    if seconds > 0 or is_up is None:
        is_up, searched = search_directions(moves, is_up, seconds=seconds or LAST_RESORT, gap=gap)
        bound = max(bound, searched.bound)
    found = cheapest(moves, is_up)
    scale = unit * float(prices.max())
    adjusted = _adjusted(problem, found, unit)
    costs = found.cost * scale, min(bound, found.cost) * scale
    made = Adjusted(problem.values, adjusted, is_up, *costs, Ending.HEURISTIC)
    if searched is None:
        return made
    return replace(made, ended=ending(made.gap, is_finished=searched.outcome is Outcome.OPTIMAL))


def _adjusted(problem: Problem, found: Solution, unit: float) -> FloatColumn:
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


def _kept(problem: Problem, keeps: Kept) -> Booleans:
    kept = problem.published | (problem.values == 0)
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
            first = problem.called(int(problem.primaries[np.argmax(stuck)]))
            raise DataError(
                f"{np.count_nonzero(stuck)} of {stuck.size} primaries {why}, {first} the first; keep fewer cells, or "
                f"widen the bounds"
            )


def _chosen(choices: type[Choice], name: str, given: str) -> Choice:
    if given not in list(choices):
        near = did_you_mean(str(given), choices)
        raise ParameterError([f"adjust.{name} must be one of {', '.join(choices)}; got {given!r}{near}"])
    return choices(given)


def _check(seconds: float, gap: float) -> None:
    problems = [
        f"adjust.{name} must be 0 or more; got {got!r}"
        for name, got in (("seconds", seconds), ("gap", gap))
        if not got >= 0
    ]
    if problems:
        raise ParameterError(problems)
