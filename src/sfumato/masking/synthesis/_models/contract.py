"""What every model of a column promises: parameters, and one verb."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from sfumato.contracts import Named
from sfumato.data import Kind
from sfumato.masking.synthesis._observed_columns import DrawnColumn, ObservedColumn
from sfumato.numerics.arrays import FloatColumn

LEAF_SIZE = 2  # the fewest donors in a leaf, as a multiple of those that a drawn number rests on

Drawn = Mapping[str, FloatColumn]
"""The values of synthetic records in the columns before, by name, as `ObservedColumn` has them."""


@dataclass(frozen=True)
class Settings:
    """What holds for all columns.

    Parameters
    ----------
    fewest
        How many original records a drawn number rests on; what fewer have in common is not drawn.
    bootstrap
        Whether donors get weights by the Bayesian bootstrap.
    """

    fewest: int
    bootstrap: bool

    @property
    def min_leaf(self) -> int:
        """The fewest donors in a leaf."""
        return LEAF_SIZE * self.fewest

    def weights(self, n: int, rng: np.random.Generator) -> FloatColumn:
        """Return the weights of donors."""
        return rng.standard_exponential(n) if self.bootstrap else np.ones(n)


class FittedModel(Protocol):
    """A model that has seen the original file."""

    def draw(self, before: Drawn, n: int, rng: np.random.Generator) -> DrawnColumn:
        """Return the column of `n` synthetic records whose columns before are drawn."""


class ColumnModel(Named, ABC):
    """How a column is drawn given those before it."""

    kinds: ClassVar[frozenset[Kind]]
    """The kinds of column that it draws."""

    @abstractmethod
    def fit(
        self, column: ObservedColumn, before: Sequence[ObservedColumn], settings: Settings, rng: np.random.Generator
    ) -> FittedModel:
        """Return the model fitted to the original records."""
