"""A tree: donors from the leaves of a classification or regression tree."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.data import Kind
from sfumato.masking.synthesis._models.contract import ColumnModel, Drawn, FittedModel, Settings
from sfumato.masking.synthesis._models.states import DonorModel, common_rows, fit_stated
from sfumato.masking.synthesis._observed_columns import DrawnColumn, ObservedColumn
from sfumato.masking.synthesis._trees.donor_trees import classes_of, mid_ranks
from sfumato.masking.synthesis._trees.leaf_values import LeafValues
from sfumato.numerics.arrays import Rows


class Tree(ColumnModel):
    """Draw from the leaf of a tree into which the columns before put a record; the default."""

    kinds: ClassVar[frozenset[Kind]] = frozenset(Kind)

    def fit(
        self, column: ObservedColumn, before: Sequence[ObservedColumn], settings: Settings, rng: np.random.Generator
    ) -> FittedModel:
        """Return the tree, or two: one for who has an ordinary value, one for which."""
        if not column.is_ordered:
            codes = column.category_codes()
            rows = common_rows(column.name, codes, settings.fewest)
            return DonorModel.fit(classes_of(codes[rows]), rows, before, settings, rng)
        return fit_stated(column, before, settings, rng, lambda rows: fit_values(column, rows, before, settings, rng))


@dataclass(frozen=True, eq=False)
class NumberModel:
    """Numbers drawn from the leaves of a tree, each around several donors."""

    donors: DonorModel
    values: LeafValues

    def draw(self, before: Drawn, n: int, rng: np.random.Generator) -> DrawnColumn:
        """Return numbers; the donor is any row with one."""
        wanted = self.donors.wanted(before, n)
        numbers = self.values.draw(wanted, rng, self.donors.pull(before, wanted))
        return DrawnColumn(np.full(n, self.donors.donors[0]), numbers)


def fit_values(
    column: ObservedColumn,
    rows: Rows,
    before: Sequence[ObservedColumn],
    settings: Settings,
    rng: np.random.Generator,
) -> FittedModel:
    """Return the model of the values of an ordered column in some rows."""
    if column.kind is Kind.ORDINAL:
        rows = rows[common_rows(column.name, column.values[rows].astype(np.int64), settings.fewest)]
    values = column.values[rows]
    donors = DonorModel.fit(mid_ranks(values), rows, before, settings, rng)
    if not column.is_number:
        return donors
    pull = donors.pull({one.name: one.values[rows] for one in before}, donors.leaves)
    return NumberModel(donors, LeafValues.of(donors.leaves, values, donors.weights, settings.fewest, pull))
