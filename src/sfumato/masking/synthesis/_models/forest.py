"""A forest: several trees, each on some of the columns before, of which each record takes one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.data import Kind
from sfumato.masking.synthesis._models.contract import ColumnModel, Drawn, FittedModel, Settings
from sfumato.masking.synthesis._models.tree import Tree
from sfumato.masking.synthesis._observed_columns import DrawnColumn, ObservedColumn

SHARE = 2 / 3  # of the columns before that a tree sees


class Forest(ColumnModel):
    """Draw each record from a random one of several trees, which see different columns and divide the file differently.

    Parameters
    ----------
    trees
        How many trees are grown.
    """

    kinds: ClassVar[frozenset[Kind]] = frozenset(Kind)

    trees: Annotated[int, Field(ge=2, le=1000)] = 10

    def fit(
        self, column: ObservedColumn, before: Sequence[ObservedColumn], settings: Settings, rng: np.random.Generator
    ) -> FittedModel:
        """Return the trees."""
        count = int(np.ceil(SHARE * len(before)))
        chosen = [np.sort(rng.permutation(len(before))[:count]) for _ in range(self.trees)]
        return FittedForest(tuple(Tree().fit(column, [before[j] for j in some], settings, rng) for some in chosen))


@dataclass(frozen=True, eq=False)
class FittedForest:
    """The fitted trees."""

    trees: tuple[FittedModel, ...]

    def draw(self, before: Drawn, n: int, rng: np.random.Generator) -> DrawnColumn:
        """Return each record from a random tree."""
        tree_of = rng.integers(len(self.trees), size=n)
        drawn = DrawnColumn.copied(np.zeros(n, dtype=np.int64))
        for number, tree in enumerate(self.trees):
            rows = np.flatnonzero(tree_of == number)
            theirs = {name: values[rows] for name, values in before.items()}
            drawn = drawn.replace_rows(rows, tree.draw(theirs, rows.size, rng))
        return drawn
