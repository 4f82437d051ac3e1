"""Linear regression of a number with normal residuals."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.data import Kind
from sfumato.masking.synthesis._models.contract import ColumnModel, Drawn, FittedModel, Settings
from sfumato.masking.synthesis._models.design import Design
from sfumato.masking.synthesis._models.regression import FittedRegression, fit_regression
from sfumato.masking.synthesis._models.states import fit_stated
from sfumato.masking.synthesis._models.tree import fit_values
from sfumato.masking.synthesis._observed_columns import DrawnColumn, ObservedColumn
from sfumato.numerics.arrays import Rows


class Normal(ColumnModel):
    """Draw a number by a linear regression on the columns before, with normal residuals.

    Where that is how the column came about, regressions on synthetic copies have the errors that pooling rules state.
    Its form is not kept: numbers are as symmetric as the residuals, and may lie beyond those of the file, unless a
    condition forbids it. Who has no value, or one that many have, is drawn by a tree; so are the numbers of fewer
    records than twice those that a number rests on for each predictor.
    """

    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS, Kind.DATE})

    def fit(
        self, column: ObservedColumn, before: Sequence[ObservedColumn], settings: Settings, rng: np.random.Generator
    ) -> FittedModel:
        """Return the regression, with coefficients drawn from their posterior where there is a bootstrap."""

        def regression(rows: Rows) -> FittedModel:
            design, known = Design.fit(before, rows, settings.fewest)
            if rows.size < settings.min_leaf * len(known):  # so that no coefficient rests on a few records
                return fit_values(column, rows, before, settings, rng)
            values = column.values[rows]
            return FittedNormal(fit_regression(values, design, known, settings, rng), int(rows[0]))

        return fit_stated(column, before, settings, rng, regression)


@dataclass(frozen=True, eq=False)
class FittedNormal:
    """A regression, and a row that has a number."""

    regression: FittedRegression
    donor: int

    def draw(self, before: Drawn, n: int, rng: np.random.Generator) -> DrawnColumn:
        """Return numbers around what the regression predicts."""
        return DrawnColumn(np.full(n, self.donor), self.regression.draw(before, n, rng))
