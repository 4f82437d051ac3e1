"""The age of a member as a difference from that of the head, which says more than the age itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from sfumato.data import Kind
from sfumato.masking.synthesis._models.contract import ColumnModel, Drawn, FittedModel, Settings
from sfumato.masking.synthesis._models.states import fit_stated
from sfumato.masking.synthesis._models.tree import fit_values
from sfumato.masking.synthesis._observed_columns import DrawnColumn, ObservedColumn
from sfumato.numerics.arrays import Rows


class AgeDifference(ColumnModel):
    """Draw how much older or younger than the head a member is, by a tree; the age itself where that of the head lacks.

    Spouses are about as old as each other, children some decades younger, whatever the age of the head. Where relations
    are known, each has a tree of its own, so that a relation of few households is not drawn like a common one.

    Parameters
    ----------
    reference
        The column before that has the age of the head.
    relation
        The column before that says what the member is to the head.
    """

    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS, Kind.DATE})

    reference: str
    relation: str | None = None

    def fit(
        self, column: ObservedColumn, before: Sequence[ObservedColumn], settings: Settings, rng: np.random.Generator
    ) -> FittedModel:
        """Return trees for the differences, and one for the ages."""
        known = {other.name: other for other in before}
        head = known[self.reference].values
        difference = replace(column, values=column.values - head, missing_ranges=(), gaps=None)
        relation = np.zeros(head.size) if self.relation is None else known[self.relation].values

        def both(rows: Rows) -> FittedModel:
            ages = fit_values(column, rows, before, settings, rng)
            told = rows[~np.isnan(difference.values[rows])]
            codes, counts = np.unique(relation[told], return_counts=True)
            trees = {
                float(code): fit_values(difference, told[relation[told] == code], before, settings, rng)
                for code in codes[counts >= settings.fewest]
            }
            rising = np.sort(column.values[rows])
            place = min(settings.fewest, rising.size) - 1  # so many are as young, or as old, or more so
            ends = float(rising[place]), float(rising[-1 - place])
            return FittedDifference(self.reference, self.relation, trees, ages, ends)

        return fit_stated(column, before, settings, rng, both)


@dataclass(frozen=True, eq=False)
class FittedDifference:
    """Models of differences by relation and of ages, and between which ages those of the file lie."""

    reference: str
    relation: str | None
    differences: Mapping[float, FittedModel]
    ages: FittedModel
    ends: tuple[float, float]

    def draw(self, before: Drawn, n: int, rng: np.random.Generator) -> DrawnColumn:
        """Return ages; one beyond those of the file is as far inside, or of the other model where that is out too."""
        drawn, head = self.ages.draw(before, n, rng), before[self.reference]
        relation = np.zeros(n) if self.relation is None else before[self.relation]
        low, high = self.ends
        for code, model in self.differences.items():
            rows = np.flatnonzero((relation == code) & ~np.isnan(head))
            apart = model.draw({name: values[rows] for name, values in before.items()}, rows.size, rng)
            ages = head[rows] + apart.numbers
            ages = np.where(ages < low, 2 * low - ages, np.where(ages > high, 2 * high - ages, ages))
            ages = np.where((ages >= low) & (ages <= high), ages, drawn.numbers[rows])
            drawn = drawn.replace_rows(rows, DrawnColumn(drawn.donors[rows], ages))
        return drawn
