"""Resampling: a column drawn by itself, whatever the columns before it are."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from sfumato.data import Kind
from sfumato.masking.synthesis._models.contract import ColumnModel, FittedModel, Settings
from sfumato.masking.synthesis._models.tree import Tree
from sfumato.masking.synthesis._observed_columns import ObservedColumn


class Resample(ColumnModel):
    """Draw from all records, unrelated to other columns; numbers that few have are drawn around several of them."""

    kinds: ClassVar[frozenset[Kind]] = frozenset(Kind)

    def fit(
        self, column: ObservedColumn, before: Sequence[ObservedColumn], settings: Settings, rng: np.random.Generator
    ) -> FittedModel:
        """Return a tree of a single leaf."""
        return Tree().fit(column, (), settings, rng)
