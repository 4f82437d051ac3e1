"""Logistic regression of the category on the columns before."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from sfumato.data import Kind
from sfumato.masking.synthesis._models.contract import ColumnModel, Drawn, FittedModel, Settings
from sfumato.masking.synthesis._models.design import Design
from sfumato.masking.synthesis._models.states import common_rows
from sfumato.masking.synthesis._models.tree import Tree
from sfumato.masking.synthesis._observed_columns import DrawnColumn, ObservedColumn
from sfumato.numerics.arrays import Rows
from sfumato.numerics.one_thread import one_thread

MAX_ITERATIONS = 500


class Logistic(ColumnModel):
    """Draw the category by a multinomial logistic regression, missing as one more category.

    A slight penalty keeps coefficients finite where a category is never seen together with another.
    """

    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.NOMINAL, Kind.ORDINAL})

    def fit(
        self, column: ObservedColumn, before: Sequence[ObservedColumn], settings: Settings, rng: np.random.Generator
    ) -> FittedModel:
        """Return the regression; a tree where there is a single category."""
        from sklearn.linear_model import LogisticRegression

        codes = column.category_codes()
        rows = common_rows(column.name, codes, settings.fewest)
        classes, holder = np.unique(codes[rows], return_index=True)
        if classes.size < 2 or not before:
            return Tree().fit(column, before, settings, rng)
        theirs = [other.take_rows(rows) for other in before]
        design = Design.of(theirs, settings.fewest)
        known = design.matrix({other.name: other.values for other in theirs}, rows.size)
        weights = settings.weights(rows.size, rng)
        with one_thread():
            model = LogisticRegression(max_iter=MAX_ITERATIONS, tol=1e-3)
            model.fit(known.T, codes[rows], sample_weight=weights)
        return FittedLogistic(design, model, rows[holder])


@dataclass(frozen=True, eq=False)
class FittedLogistic:
    """A regression, and for each of its classes a row that has it."""

    design: Design
    model: Any
    holders: Rows

    def draw(self, before: Drawn, n: int, rng: np.random.Generator) -> DrawnColumn:
        """Return categories drawn with the fitted chances."""
        with one_thread():
            chances = self.model.predict_proba(self.design.matrix(before, n).T)
        reached = np.cumsum(chances, axis=1)
        place = (rng.random(n)[:, None] >= reached).sum(axis=1)
        return DrawnColumn.copied(self.holders[np.minimum(place, self.holders.size - 1)])
