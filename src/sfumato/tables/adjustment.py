"""Controlled tabular adjustment: unsafe cells move far enough, all others as little as keeps the sums."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

import numpy as np

from sfumato.data import FloatColumn, Mask
from sfumato.errors import DataError, ParameterError, did_you_mean
from sfumato.tables.integer_programme import Outcome, Solution, solve
from sfumato.tables.moves import Moves
from sfumato.tables.pattern import Ending
from sfumato.tables.problem import Problem

TURNS = 8  # rounds in which primaries that cannot move far enough are turned round
SHORT = 1e-7  # of the largest level: a shortfall below it is rounding
ENDLESS = 3600.0  # seconds for a linear programme without whole numbers
NEARLY_WHOLE = 1e-6


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
    is_up: Mask
    cost: float
    bound: float
    ended: Ending

    @property
    def gap(self) -> float:
        """How much cheaper another adjustment could be at best, as a share of this one's cost; 0 is proven cheapest."""
        return 0.0 if self.cost <= self.bound else (self.cost - self.bound) / self.cost

    @property
    def largest_move(self) -> float:
        """How far the cell that moved furthest did."""
        return float(np.abs(self.adjusted - self.values).max(initial=0.0))

    def __str__(self) -> str:
        moved = int(np.count_nonzero(self.adjusted != self.values))
        cheapest = "no adjustment is cheaper" if self.gap == 0 else f"another could be cheaper by {self.gap:.1%} at most"
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

    Directions are drawn first, up for one and down for the other of two primaries of about the same level, and turned
    where a primary cannot move so far. Then a search over all directions goes on from there for as long as it may.

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
        two candidates for a value, as most primaries move by their level exactly; the cheapest directions are fixed by
        the table, drawn ones are not: with `seconds=0` neither candidate is more likely than the other.
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
    kept = _kept(problem, _chosen(Kept, "keeps", keeps))
    prices = _prices(problem, _chosen(MoveCost, "cost", cost))
    unit = 2.0 ** np.round(np.log2(max(float(problem.upper_levels.max(initial=0.0)), 1e-300)))
    moves = Moves.of(problem, kept, prices / prices.max(initial=0.0), unit)
    _check_movable(problem, moves)
    is_up, drawn = _drawn(moves, rng)
    found, ended, bound = drawn, Ending.HEURISTIC, float(moves.least_costs.sum())
    if seconds > 0 or not drawn.is_found:
        is_up, searched = _searched(moves, is_up, drawn, max(seconds, 1.0), gap)
        found = solve(moves.directed(is_up, may_fall_short=False), seconds=ENDLESS, gap=0.0)
        bound = searched.bound
        ended = Ending.OPTIMAL if searched.outcome is Outcome.OPTIMAL else Ending.TIME
    scale = unit * float(prices.max(initial=0.0))
    adjusted = _adjusted(problem, found, unit)
    return Adjusted(problem.values, adjusted, is_up, found.cost * scale, min(bound, found.cost) * scale, ended)


def _drawn(moves: Moves, rng: np.random.Generator) -> tuple[Mask, Solution]:
    """Return drawn directions, turned until every primary can move far enough, and the cheapest moves with them."""
    order = np.argsort(-moves.upper_levels, kind="stable")
    coins = rng.integers(0, 2, (order.size + 1) // 2)
    is_up = np.empty(order.size, dtype=np.bool_)
    is_up[order] = (np.stack([coins, 1 - coins], axis=1).ravel()[: order.size]).astype(np.bool_)
    is_up = np.where(moves.may_rise & moves.may_fall, is_up, moves.may_rise)
    for _ in range(TURNS):
        found = solve(moves.directed(is_up, may_fall_short=True), seconds=ENDLESS, gap=0.0)
        short = found.unknowns[2 * moves.prices.size :] > SHORT
        if not short.any():
            return is_up, solve(moves.directed(is_up, may_fall_short=False), seconds=ENDLESS, gap=0.0)
        turned = short & np.where(is_up, moves.may_fall, moves.may_rise)
        if not turned.any():
            break
        is_up = is_up ^ turned
    return is_up, Solution(Outcome.TIME, np.empty(0), np.inf, -np.inf)


def _searched(moves: Moves, is_up: Mask, drawn: Solution, seconds: float, gap: float) -> tuple[Mask, Solution]:
    """Return the cheapest directions that are found in time."""
    cells = moves.prices.size
    start = np.concatenate([drawn.unknowns[: 2 * cells], is_up]) if drawn.is_found else None
    searched = solve(moves.undirected(drawn.cost), seconds=seconds, gap=gap, start=start)
    if searched.is_found:
        return searched.unknowns[2 * cells :] > 0.5, searched
    if drawn.is_found:
        return is_up, searched
    if searched.outcome is Outcome.IMPOSSIBLE:
        raise DataError(
            "the primaries cannot all move as far as they must while all sums hold; keep fewer cells as they are, "
            "widen the bounds, or hide cells instead"
        )
    raise DataError(f"no adjustment was found within {seconds:g} seconds; allow more, or keep fewer cells as they are")


def _adjusted(problem: Problem, found: Solution, unit: float) -> FloatColumn:
    up, down = np.split(found.unknowns[: 2 * problem.size] * unit, 2)
    adjusted = np.clip(problem.values + up - down, problem.lower, problem.upper)
    whole = np.rint(adjusted)
    is_of_whole = (problem.values == np.rint(problem.values)).all() and (np.abs(adjusted - whole) < NEARLY_WHOLE).all()
    return whole if is_of_whole else np.where(up - down == 0, problem.values, adjusted)


def _prices(problem: Problem, cost: MoveCost) -> FloatColumn:
    if cost is MoveCost.ABSOLUTE:
        return np.ones(problem.size)
    sizes = np.abs(problem.values)
    smallest = float(sizes[sizes > 0].min(initial=np.inf))
    return 1.0 / np.where(sizes > 0, sizes, smallest if np.isfinite(smallest) else 1.0)


def _kept(problem: Problem, keeps: Kept) -> Mask:
    kept = problem.published | (problem.values == 0)
    kept[problem.primaries[problem.values[problem.primaries] == 0]] = False
    entries = problem.relations.tocoo()
    is_total, is_part = np.zeros((2, problem.size), dtype=np.bool_)
    is_total[entries.col[entries.data < 0]] = True
    is_part[entries.col[entries.data > 0]] = True
    totals = {Kept.NOTHING: ~is_total & is_total, Kept.GRAND_TOTALS: is_total & ~is_part, Kept.TOTALS: is_total}
    return np.asarray(kept | totals[keeps])


def _check_movable(problem: Problem, moves: Moves) -> None:
    stuck = np.flatnonzero(~moves.may_rise & ~moves.may_fall)
    if stuck.size:
        raise DataError(
            f"{stuck.size} primaries can move neither as far up nor as far down as they must, "
            f"{problem.called(int(problem.primaries[stuck[0]]))} among them; keep fewer cells as they are, or widen the "
            f"bounds"
        )


def _chosen(choices: type[Choice], name: str, given: str) -> Choice:
    if given not in list(choices):
        near = did_you_mean(str(given), choices)
        raise ParameterError([f"adjust.{name} must be one of {', '.join(choices)}; got {given!r}{near}"])
    return choices(given)


def _check(seconds: float, gap: float) -> None:
    problems = [
        f"adjust.{name} must be 0 or more; got {got!r}" for name, got in (("seconds", seconds), ("gap", gap)) if not got >= 0
    ]
    if problems:
        raise ParameterError(problems)
