"""Linear regression of the ranks of a number, made normal."""

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
from sfumato.masking.synthesis._trees.donor_trees import mid_ranks
from sfumato.masking.synthesis._trees.leaf_values import LeafValues
from sfumato.numerics.arrays import FloatColumn, Rows


class Linear(ColumnModel):
    """Draw the rank of a number by a linear regression of normal scores, and a number around those of that rank.

    The distribution of the column is kept whatever its form. Who has no value, or one that many have, is drawn by a
    tree.
    """

    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS, Kind.DATE})

    def fit(
        self, column: ObservedColumn, before: Sequence[ObservedColumn], settings: Settings, rng: np.random.Generator
    ) -> FittedModel:
        """Return the regression, with coefficients drawn from their posterior where there is a bootstrap."""

        def regression(rows: Rows) -> FittedModel:
            values = column.values[rows]
            design, known = Design.fit(before, rows, settings.fewest)
            scores = fit_regression(normal_scores(values), design, known, settings, rng)
            leaf = LeafValues.of(np.zeros(rows.size, dtype=np.int64), values, np.ones(rows.size), settings.fewest)
            return FittedLinear(scores, leaf, int(rows[0]))

        return fit_stated(column, before, settings, rng, regression)


@dataclass(frozen=True, eq=False)
class FittedLinear:
    """A regression of normal scores, and the values in order."""

    scores: FittedRegression
    values: LeafValues
    donor: int

    def draw(self, before: Drawn, n: int, rng: np.random.Generator) -> DrawnColumn:
        """Return numbers around the values of the drawn ranks."""
        from scipy.special import ndtr

        shares = ndtr(self.scores.draw(before, n, rng))
        size = self.values.values.size
        places = np.minimum((shares * size).astype(np.int64), size - 1)
        numbers = self.values.draw_around(places, np.zeros(n, dtype=np.int64), np.full(n, size), rng)
        return DrawnColumn(np.full(n, self.donor), numbers)


def normal_scores(values: FloatColumn) -> FloatColumn:
    """Return the quantiles of the normal distribution at the ranks of values."""
    from scipy.special import ndtri

    return np.asarray(ndtri(mid_ranks(values) / values.size), dtype=np.float64)
