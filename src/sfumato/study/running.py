"""Run candidates in parallel processes, the data handed over once."""

import os
import pickle
import signal
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from sfumato.assessment import assess
from sfumato.contracts import Measure
from sfumato.data import Microdata
from sfumato.errors import RecipeError, SfumatoError
from sfumato.recipe import Recipe


@dataclass(frozen=True)
class Run:
    """One piece of work: a recipe with its seed, and whose it is."""

    label: str
    recipe: Recipe
    replication: int

    @property
    def seed(self) -> int:
        """The seed of the recipe."""
        assert self.recipe.seed is not None  # noqa: S101
        return self.recipe.seed


@dataclass(frozen=True)
class Outcome:
    """What came of a run: figures and their titles by symbol, or an error."""

    values: Mapping[str, float] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    error: str | None = None
