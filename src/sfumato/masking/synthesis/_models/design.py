"""The columns before as predictors of a regression: numbers on a common scale, dummies of categories."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.masking.synthesis._models.contract import Drawn
from sfumato.masking.synthesis._observed_columns import ObservedColumn
from sfumato.numerics.arrays import FloatColumn, FloatMatrix, Rows


@dataclass(frozen=True)
class Predictor:
    """How a column enters: a number by centre and scale, and that it is missing; a category by one dummy each."""

    name: str
    centre: float = 0.0
    scale: float = 1.0
    can_be_missing: bool = False
    categories: tuple[float, ...] | None = None

    def rows(self, values: FloatColumn) -> list[FloatColumn]:
        """Return the predictors that the column makes."""
        if self.categories is not None:
            return [(values == category).astype(np.float64) for category in self.categories]
        known = ~np.isnan(values)
        number = np.where(known, (values - self.centre) / self.scale, 0.0)
        return [number, (~known).astype(np.float64)] if self.can_be_missing else [number]


@dataclass(frozen=True)
class Design:
    """The predictors of a regression."""

    predictors: tuple[Predictor, ...]

    @classmethod
    def of(cls, before: Sequence[ObservedColumn], fewest: int) -> "Design":
        """Return how columns enter; a category that fewer than `fewest` records have counts as the commonest one."""
        return cls(tuple(_predictor(column, fewest) for column in before))

    @classmethod
    def fit(cls, before: Sequence[ObservedColumn], rows: Rows, fewest: int) -> "tuple[Design, FloatMatrix]":
        """Return how columns enter by some of their records, and the predictors of these."""
        some = [column.take_rows(rows) for column in before]
        design = cls.of(some, fewest)
        return design, design.matrix({column.name: column.values for column in some}, rows.size)

    def matrix(self, before: Drawn, n: int) -> FloatMatrix:
        """Return one predictor per row, a constant first."""
        rows = [row for predictor in self.predictors for row in predictor.rows(before[predictor.name])]
        return np.ascontiguousarray(np.vstack([np.ones((1, n)), *(row[None] for row in rows)]))


def _predictor(column: ObservedColumn, fewest: int) -> Predictor:
    if not column.is_ordered:
        categories, counts = np.unique(column.values, return_counts=True)
        common = categories[(counts >= fewest) & (np.arange(counts.size) != np.argmax(counts))]
        return Predictor(column.name, categories=tuple(common.tolist()))
    known = column.values[~np.isnan(column.values)]
    centre, scale = (float(known.mean()), float(known.std())) if known.size else (0.0, 1.0)
    return Predictor(column.name, centre, scale or 1.0, can_be_missing=known.size < column.values.size)
