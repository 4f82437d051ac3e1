"""How far each cell may move in an adjustment and at what price, and the programmes that find the cheapest moves."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn, Rows
from sfumato.tables.perturbation._integer_programme import IntegerProgramme
from sfumato.tables.problem.problem import Problem

SHORTFALL_PRICE = 1e3  # times the highest price of a move: what a primary pays that cannot move as far as it must
SLACK = 1e-6  # of a limit that follows from a known cost, so that rounding excludes nothing


@dataclass(frozen=True, eq=False)
class Moves:
    """Cells that move up or down so that all sums hold; every figure is in a unit near the largest level.

    Parameters
    ----------
    relations
        The sparse matrix A with A (up - down) = 0.
    prices
        What moving each cell by one costs.
    room_above, room_below
        How far each cell can move at most; 0 where it is kept.
    primaries
        The cells that must move.
    upper_levels, lower_levels
        How far up, or else how far down, each primary must move.
    """

    relations: Any  # scipy.sparse.csr_array
    prices: FloatColumn
    room_above: FloatColumn
    room_below: FloatColumn
    primaries: Rows
    upper_levels: FloatColumn
    lower_levels: FloatColumn

    @classmethod
    def of(cls, problem: Problem, kept: Booleans, prices: FloatColumn, unit: float) -> "Moves":
        """Return what may move in a problem."""
        return cls(
            problem.relations,
            prices,
            np.where(kept, 0.0, problem.room_above) / unit,
            np.where(kept, 0.0, problem.room_below) / unit,
            problem.primaries,
            problem.upper_levels / unit,
            problem.lower_levels / unit,
        )

    @property
    def may_rise(self) -> Booleans:
        """The primaries that can move as far up as they must."""
        return np.asarray(self.room_above[self.primaries] >= self.upper_levels)

    @property
    def may_fall(self) -> Booleans:
        """The primaries that can move as far down as they must; a level of 0 would leave them where they are."""
        return np.asarray((self.room_below[self.primaries] >= self.lower_levels) & (self.lower_levels > 0))

    @cached_property
    def least_costs(self) -> FloatColumn:
        """What each primary costs at least."""
        rising = np.where(self.may_rise, self.upper_levels, np.inf)
        falling = np.where(self.may_fall, self.lower_levels, np.inf)
        return np.asarray(self.prices[self.primaries] * np.minimum(rising, falling))

    def directed_programme(self, is_up: Booleans, *, may_fall_short: bool) -> IntegerProgramme:
        """Return the cheapest moves with given directions: unknowns up, down and what primaries lack of their levels.

        Parameters
        ----------
        is_up
            For each primary whether it moves up.
        may_fall_short
            Whether a primary may, at a high price, move less far than it must.
        """
        from scipy.sparse import block_array, csr_array

        cells, count = self.prices.size, self.primaries.size
        upper_up, upper_down = self.room_above.copy(), self.room_below.copy()
        upper_up[self.primaries[~is_up]] = 0.0
        upper_down[self.primaries[is_up]] = 0.0
        levels = np.where(is_up, self.upper_levels, self.lower_levels)
        picked = csr_array((np.ones(count), (np.arange(count), self.primaries)), shape=(count, cells))
        eye = csr_array((np.ones(count), (np.arange(count), np.arange(count))), shape=(count, count))
        rows = block_array([[self.relations, -self.relations, None], [picked, picked, eye]])
        price = SHORTFALL_PRICE * float(self.prices.max(initial=0.0))
        return IntegerProgramme(
            costs=np.concatenate([self.prices, self.prices, np.full(count, price)]),
            lower=np.zeros(2 * cells + count),
            upper=np.concatenate([upper_up, upper_down, levels if may_fall_short else np.zeros(count)]),
            is_whole=np.zeros(2 * cells + count, dtype=np.bool_),
            rows=rows,
            row_lower=np.concatenate([np.zeros(self.relations.shape[0]), levels]),
            row_upper=np.concatenate([np.zeros(self.relations.shape[0]), np.full(count, np.inf)]),
        )

    def undirected_programme(self, known_cost: float) -> IntegerProgramme:
        """Return the cheapest moves in whatever directions: unknowns up, down and for each primary whether it moves up.

        Parameters
        ----------
        known_cost
            What some adjustment is known to cost, so that no cell moves further than that would pay for.
        """
        from scipy.sparse import block_array, csr_array

        cells, count = self.prices.size, self.primaries.size
        upper_up, upper_down = self._reaches(known_cost)
        rise, fall = upper_up[self.primaries], upper_down[self.primaries]
        places = (np.arange(count), np.arange(count))
        picked = csr_array((np.ones(count), (places[0], self.primaries)), shape=(count, cells))
        by = [csr_array((factor, places)) for factor in (self.upper_levels, rise, self.lower_levels, fall)]
        rows = block_array(
            [
                [self.relations, -self.relations, None],
                [picked, None, -by[0]],  # up >= upper level where it moves up
                [picked, None, -by[1]],  # up = 0 where it does not
                [None, picked, by[2]],  # down >= lower level where it does not
                [None, picked, by[3]],  # down = 0 where it moves up
            ]
        )
        nothing, endless = np.zeros(count), np.full(count, np.inf)
        still = np.zeros(self.relations.shape[0])
        return IntegerProgramme(
            costs=np.concatenate([self.prices, self.prices, nothing]),
            lower=np.concatenate([np.zeros(2 * cells), (~self.may_fall).astype(np.float64)]),
            upper=np.concatenate([upper_up, upper_down, self.may_rise.astype(np.float64)]),
            is_whole=np.repeat([False, False, True], [cells, cells, count]),
            rows=rows,
            row_lower=np.concatenate([still, nothing, -endless, self.lower_levels, -endless]),
            row_upper=np.concatenate([still, endless, nothing, endless, fall]),
        )

    def _reaches(self, known_cost: float) -> tuple[FloatColumn, FloatColumn]:
        """Return how far each cell moves at most in an adjustment that costs no more than a known one."""
        spare = np.full(self.prices.size, known_cost - self.least_costs.sum())
        spare[self.primaries] += self.least_costs
        limit = (1 + SLACK) * np.maximum(spare, 0.0) / self.prices + SLACK
        rise, fall = np.minimum(self.room_above, limit), np.minimum(self.room_below, limit)
        rise[self.primaries] = np.maximum(rise[self.primaries], np.where(self.may_rise, self.upper_levels, 0.0))
        fall[self.primaries] = np.maximum(fall[self.primaries], np.where(self.may_fall, self.lower_levels, 0.0))
        return rise, fall
