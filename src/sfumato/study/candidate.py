"""What a run found, and what all runs of a candidate found together."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import sqrt
from types import MappingProxyType

import numpy as np

from sfumato.display import format_count
from sfumato.recipe import Recipe


@dataclass(frozen=True)
class Result:
    """One run: a candidate masked the file once, and the masked file was assessed.

    Parameters
    ----------
    candidate, family
        The candidate's label, and the methods that it consists of.
    recipe
        The recipe with the seed of the run: `recipe.run(data)` gives the same masked file again.
    replication, seed
        Which run of the candidate it is, from 0, and its seed.
    values
        The figures by symbol; none when the run failed.
    error
        Why the run failed.
    """

    candidate: str
    family: str
    recipe: Recipe
    replication: int
    seed: int = field(repr=False)
    values: Mapping[str, float] = field(default_factory=dict)
    error: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", MappingProxyType(dict(self.values)))

    def __reduce__(self) -> tuple[type["Result"], tuple[object, ...]]:
        content = (self.candidate, self.family, self.recipe, self.replication, self.seed)
        return type(self), (*content, dict(self.values), self.error)


@dataclass(frozen=True, repr=False)
class Candidate:
    """All runs of one candidate."""

    runs: tuple[Result, ...]

    def __repr__(self) -> str:
        return f"<Candidate '{self.label}': {format_count(len(self.runs), 'run')}>"

    @property
    def label(self) -> str:
        """What the candidate is called."""
        return self.runs[0].candidate

    @property
    def family(self) -> str:
        """The methods that the candidate consists of."""
        return self.runs[0].family

    @cached_property
    def recipe(self) -> Recipe:
        """The recipe without a seed: a release should draw its own, which nobody can guess."""
        return self.runs[0].recipe.replace(seed=None)

    @property
    def error(self) -> str | None:
        """Why a run failed, or none."""
        return next((run.error for run in self.runs if run.error is not None), None)

    def mean(self, symbol: str) -> float | None:
        """Return the mean of a figure over the runs that have it."""
        found = self._values_of(symbol)
        return float(np.mean(found)) if found else None

    def deviation(self, symbol: str) -> float | None:
        """Return the standard deviation of a figure over the runs (divisor n - 1); none for a single run."""
        found = self._values_of(symbol)
        return float(np.std(found, ddof=1)) if len(found) > 1 else None

    def interval(self, symbol: str) -> tuple[float, float] | None:
        """Return the ends of the 95 % confidence interval of the mean by Student's t; none for a single run."""
        deviation, n = self.deviation(symbol), len(self._values_of(symbol))
        if deviation is None:
            return None
        from scipy.special import stdtrit

        mean, half = float(np.mean(self._values_of(symbol))), float(stdtrit(n - 1, 0.975)) * deviation / sqrt(n)
        return mean - half, mean + half

    def _values_of(self, symbol: str) -> list[float]:
        return [run.values[symbol] for run in self.runs if symbol in run.values]
