"""What a study found: a result per run, a candidate over its replications, and the study as a whole."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from sfumato.data import FloatColumn
from sfumato.errors import ParameterError, did_you_mean
from sfumato.recipe import Recipe
from sfumato.study.frames import candidates_frame, runs_frame
from sfumato.study.front import on_front

if TYPE_CHECKING:
    import polars

    from sfumato.study.map_figure import MapFigure


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
    seed: int
    values: Mapping[str, float] = field(default_factory=dict)
    error: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", MappingProxyType(dict(self.values)))

    def __reduce__(self) -> tuple[type["Result"], tuple[object, ...]]:
        told = (self.candidate, self.family, self.recipe, self.replication, self.seed)
        return type(self), (*told, dict(self.values), self.error)


@dataclass(frozen=True, repr=False)
class Candidate:
    """All runs of one candidate."""

    runs: tuple[Result, ...]

    def __repr__(self) -> str:
        return f"<Candidate '{self.label}': {len(self.runs)} runs>"

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
        found = self._found(symbol)
        return float(np.mean(found)) if found else None

    def deviation(self, symbol: str) -> float | None:
        """Return the standard deviation of a figure over the runs (divisor n - 1); none for a single run."""
        found = self._found(symbol)
        return float(np.std(found, ddof=1)) if len(found) > 1 else None

    def _found(self, symbol: str) -> list[float]:
        return [run.values[symbol] for run in self.runs if symbol in run.values]


@dataclass(frozen=True, repr=False)
class Study:
    """Many ways to mask one file, each run and assessed.

    Parameters
    ----------
    results
        One per run, by candidate and replication.
    seed
        Where the seeds of all runs come from.
    titles
        The name and unit of each headline figure, as `Information loss (IL, %)`, by symbol.
    """

    results: tuple[Result, ...]
    seed: int
    titles: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """The candidates, each with its runs, in the order in which they were given."""
        runs: dict[str, list[Result]] = {}
        for result in self.results:
            runs.setdefault(result.candidate, []).append(result)
        return tuple(Candidate(tuple(found)) for found in runs.values())

    @property
    def replications(self) -> int:
        """How often each candidate was run."""
        return max(len(candidate.runs) for candidate in self.candidates)

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        """The symbols of all figures."""
        return tuple(dict.fromkeys(symbol for result in self.results for symbol in result.values))

    def to_frame(self) -> "polars.DataFrame":
        """Return a table with one row per candidate: mean (`IL`) and standard deviation (`IL_sd`) of each figure."""
        import polars

        errors = polars.Series("error", [candidate.error for candidate in self.candidates], dtype=polars.String)
        return candidates_frame(self.candidates, self.symbols).with_columns(errors)

    def runs_frame(self) -> "polars.DataFrame":
        """Return a table with one row per run."""
        return runs_frame(self.results, self.symbols)

    def front(self, *, risk: str = "DR", loss: str = "IL") -> "polars.DataFrame":
        """Return the candidates that none beats in both figures, the one with the lowest loss first."""
        self._check(risk, loss)
        return candidates_frame(self.front_members(risk=risk, loss=loss), (loss, risk)).sort(loss, maintain_order=True)

    def front_members(self, *, risk: str = "DR", loss: str = "IL") -> tuple[Candidate, ...]:
        """Return the candidates on the front, in the order in which they were given."""
        self._check(risk, loss)
        front = on_front(self._means(risk), self._means(loss))
        return tuple(candidate for candidate, member in zip(self.candidates, front, strict=True) if member)

    def ranking(self, *, by: str = "score") -> "polars.DataFrame":
        """Return the candidates that have the figure, lowest mean first; equal ones share a rank."""
        import polars

        self._check(by)
        table = (
            candidates_frame(self.candidates, (by,)).filter(polars.col(by).is_not_nan()).sort(by, maintain_order=True)
        )
        return table.select(polars.col(by).rank("min").cast(polars.Int64).alias("rank"), *table.columns)

    def best(self, *, by: str = "score") -> Candidate:
        """Return the candidate with the lowest mean; the first given among equals."""
        self._check(by)
        return self.candidates[int(np.nanargmin(self._means(by)))]

    def ru_map(
        self, path: str | Path | None = None, *, risk: str = "DR", loss: str = "IL", title: str | None = None
    ) -> "MapFigure":
        """Draw the R-U map: a mark per candidate, loss to the right, risk upwards, and the Pareto front.

        Parameters
        ----------
        path
            Where to save it: a name that ends in .svg, .png or .pdf.
        risk, loss
            The symbols of the figures on the axes.
        title
            A line above the map.
        """
        from sfumato.study.ru_map import draw

        self._check(risk, loss)
        figure = draw(self, risk=risk, loss=loss, title=title)
        if path is not None:
            figure.save(path)
        return figure

    def __repr__(self) -> str:
        return f"<Study: {len(self.candidates)} candidates, {len(self.results)} runs>"

    def __str__(self) -> str:
        from sfumato.study.showing import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        from sfumato.study.showing import as_html

        return as_html(self)

    def _means(self, symbol: str) -> FloatColumn:
        return np.array([candidate.mean(symbol) for candidate in self.candidates], dtype=np.float64)

    def _check(self, *symbols: str) -> None:
        """Refuse the symbol of a figure that no candidate has."""
        if not self.symbols:
            raise ParameterError([f"no run of the study succeeded; the first error was: {self.results[0].error}"])
        for symbol in symbols:
            if np.isnan(self._means(symbol)).all():
                nearest = did_you_mean(symbol, self.symbols) or f"; the figures are {', '.join(self.symbols)}"
                raise ParameterError([f"the study has no figure '{symbol}'{nearest}"])
