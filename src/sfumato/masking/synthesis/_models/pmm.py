"""Predictive mean matching: numbers drawn around donors for which a regression predicts nearly the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.data import Kind
from sfumato.masking.synthesis._models.contract import ColumnModel, Drawn, FittedModel, Settings
from sfumato.masking.synthesis._models.design import Design
from sfumato.masking.synthesis._models.regression import FittedRegression, fit_regression
from sfumato.masking.synthesis._models.states import fit_stated
from sfumato.masking.synthesis._observed_columns import DrawnColumn, ObservedColumn
from sfumato.masking.synthesis._tails import drawing_bounds, limit_leaves
from sfumato.masking.synthesis._trees.leaf_values import draw_in_windows
from sfumato.numerics.arrays import FloatColumn, Rows

NEIGHBOURS = 4  # among so many times as many donors as a number rests on no value may dominate


class Pmm(ColumnModel):
    """Draw a number around the donors whose regression on the columns before predicts nearly the same.

    Who has no value, or one that many have, is drawn by a tree.
    """

    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS, Kind.DATE})

    def fit(
        self, column: ObservedColumn, before: Sequence[ObservedColumn], settings: Settings, rng: np.random.Generator
    ) -> FittedModel:
        """Return the regression and the donors by what it predicts for them."""

        def matching(rows: Rows) -> FittedModel:
            design, known = Design.fit(before, rows, settings.fewest)
            regression = fit_regression(column.values[rows], design, known, settings, rng)
            predicted = regression.means(known)
            order = np.argsort(predicted, kind="stable")
            bounds = drawing_bounds(column.values[rows], settings.fewest)
            values = limit_by_neighbours(np.clip(column.values[rows[order]], *bounds), settings.fewest)
            return FittedPmm(regression, predicted[order], values, bounds, int(rows[0]), settings.fewest)

        return fit_stated(column, before, settings, rng, matching)


@dataclass(frozen=True, eq=False)
class FittedPmm:
    """A regression, predictions and values of the donors by rising prediction, bounds, and a row that has a number."""

    regression: FittedRegression
    predicted: FloatColumn
    values: FloatColumn
    bounds: tuple[float, float]
    donor: int
    fewest: int

    def draw(self, before: Drawn, n: int, rng: np.random.Generator) -> DrawnColumn:
        """Return numbers around windows of donors in which each prediction lies at a random place."""
        wanted = self.regression.predict(before, n)
        below, above = (np.searchsorted(self.predicted, wanted, side=side) for side in ("left", "right"))
        place = below + (rng.random(n) * (above - below)).astype(np.int64)  # any of those with equal predictions
        width = np.full(n, min(self.fewest, self.values.size))
        first: Rows = np.clip(place - (rng.random(n) * (width + 1)).astype(np.int64), 0, self.values.size - width)
        numbers = draw_in_windows(self.values, first, width, np.zeros(n, dtype=np.bool_), self.bounds, rng)
        return DrawnColumn(np.full(n, self.donor), numbers)


def limit_by_neighbours(values: FloatColumn, fewest: int) -> FloatColumn:
    """Return the values of donors, by rising prediction, with none that dominates those next to it.

    Examples
    --------
    >>> limit_by_neighbours(np.array([3.0, 1.0, 2.0, 900.0, 4.0, 5.0, 2.0, 3.0]), 2)
    array([ 3. ,  1. ,  2. , 12.2,  4. ,  5. ,  2. ,  3. ])
    """
    count = max(values.size // (NEIGHBOURS * fewest), 1)
    runs = np.arange(values.size) * count // values.size
    order = np.lexsort((values, runs))
    limited = np.empty(values.size)
    limited[order] = limit_leaves(values[order], runs, fewest)
    return limited
