"""What a study found: every run, the candidates over their replications, the front, the best, the map."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.display import format_count
from sfumato.display.tabular_result import TabularResult
from sfumato.errors import ParameterError, did_you_mean
from sfumato.numerics.arrays import FloatColumn
from sfumato.parameters.limits import Limit, Limits, format_limits
from sfumato.study.axes import default_loss, default_risk
from sfumato.study.candidate import Candidate, Result
from sfumato.study.correlations import correlations_frame
from sfumato.study.frames import candidates_frame, runs_frame
from sfumato.study.front import is_on_front
from sfumato.study.limits import check_limits, counted_symbol, describe_figure, keeps, nearest_to

if TYPE_CHECKING:
    import polars

    from sfumato.display.figure import StyledFigure

FORMAT = 1  # of the plain form; goes up when a field changes its meaning or goes away


@dataclass(frozen=True, repr=False)
class Study(TabularResult):
    """Many ways to mask one file, each run and assessed.

    Parameters
    ----------
    results
        One per run, by candidate and replication.
    seed
        Where the seeds of all runs come from.
    titles
        The name and unit of each headline figure, as `Information loss (IL, %)`, by symbol.
    unfinished
        How many runs are not done because the study was interrupted.
    reused
        How many of the results were kept from an earlier time.
    """

    results: tuple[Result, ...]
    seed: int
    titles: Mapping[str, str] = field(default_factory=dict)
    unfinished: int = 0
    reused: int = field(default=0, compare=False)

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
        """Return a table with one row per candidate.

        Of each figure it has the mean over the runs (`IL`), their standard deviation (`IL_sd`), and the ends of the
        95 % confidence interval of the mean by Student's t (`IL_low`, `IL_high`), which a single run does not have.
        """
        import polars

        counts = [sum(run.error is None for run in candidate.runs) for candidate in self.candidates]
        errors = [candidate.error for candidate in self.candidates]
        return candidates_frame(self.candidates, self.symbols).with_columns(
            polars.Series("runs", counts, dtype=polars.Int64), polars.Series("error", errors, dtype=polars.String)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the table of `to_frame` as plain dicts and lists, ready for JSON."""
        return {
            "format": FORMAT,
            "seed": self.seed,
            "replications": self.replications,
            "unfinished": self.unfinished,
            "titles": dict(self.titles),
            "candidates": self.to_frame().to_dicts(),
        }

    def runs_frame(self) -> "polars.DataFrame":
        """Return a table with one row per run."""
        return runs_frame(self.results, self.symbols)

    def front(self, *, risk: str | None = None, loss: str | None = None) -> "polars.DataFrame":
        """Return the candidates that none beats in both figures, the one with the lowest loss first.

        A candidate of which a run failed is not among them.

        Parameters
        ----------
        risk, loss
            The symbols of the figures. DR and IL when not given, or where the study has none, its first risk measure
            and its first loss measure.
        """
        risk, loss = self.axes(risk=risk, loss=loss)
        return candidates_frame(self.front_members(risk=risk, loss=loss), (loss, risk)).sort(loss, maintain_order=True)

    def front_members(self, *, risk: str | None = None, loss: str | None = None) -> tuple[Candidate, ...]:
        """Return the candidates on the front, in the order in which they were given."""
        risk, loss = self.axes(risk=risk, loss=loss)
        front = is_on_front(self._whole_means(risk), self._whole_means(loss))
        return tuple(candidate for candidate, member in zip(self.candidates, front, strict=True) if member)

    def ranking(self, *, by: str = "score") -> "polars.DataFrame":
        """Return the candidates that have the figure, lowest mean first; equal ones share a rank."""
        import polars

        self._check(by)
        table = (
            candidates_frame(self.candidates, (by,)).filter(polars.col(by).is_not_nan()).sort(by, maintain_order=True)
        )
        return table.select(polars.col(by).rank("min").cast(polars.Int64).alias("rank"), *table.columns)

    def best(self, *, by: str = "score", limits: Limits = ()) -> Candidate:
        """Return the candidate with the lowest mean among those without a failed run; the first given among equals.

        Parameters
        ----------
        by
            The symbol of the figure.
        limits
            What the means must keep to, as in `["DR<=20"]`; a candidate without one of these figures does not. When
            nobody keeps to them, the error names the candidate that comes nearest.
        """
        self._check(by)
        asked = check_limits(limits, self.symbols, "best.limits")
        means = self._whole_means(by)
        allowed = [keeps(candidate, asked) for candidate in self.candidates]
        if np.isnan(means[allowed]).all():
            raise ParameterError([self._nobody(asked)])
        return self.candidates[int(np.nanargmin(np.where(allowed, means, np.nan)))]

    def correlations(
        self, figures: Sequence[str], others: Sequence[str], *, family: str | None = None
    ) -> "polars.DataFrame":
        """Return how far some figures say the same as others: their correlations over the candidates.

        Parameters
        ----------
        figures, others
            The symbols of the figures; every one of the first is paired with every one of the others.
        family
            Look only at the candidates of this family, such as `mdav`; at all when not given.

        Returns
        -------
        A row for each pair: the correlation of the means over the candidates without a failed run, and that of their
        ranks.
        """
        self._check(*figures, *others)
        chosen = np.array([family in (None, candidate.family) for candidate in self.candidates])
        if not chosen.any():
            known = dict.fromkeys(candidate.family for candidate in self.candidates)
            raise ParameterError([f"correlations.family must be one of {', '.join(known)}; got {family!r}"])
        means = {symbol: self._whole_means(symbol)[chosen] for symbol in (*figures, *others)}
        return correlations_frame(means, figures, others)

    def ru_map(
        self,
        path: str | Path | None = None,
        *,
        risk: str | None = None,
        loss: str | None = None,
        limits: Limits = (),
        title: str | None = None,
    ) -> "StyledFigure":
        """Draw the R-U map: a mark per candidate, loss to the right, risk upwards, and the Pareto front.

        Parameters
        ----------
        path
            Where to save it: a name that ends in .svg, .png or .pdf.
        risk, loss
            The symbols of the figures on the axes, as in `front`.
        limits
            The largest figures that are allowed, as `["DR<=20", "IL<=30"]`; each is a dashed line. Where the risk is
            what an attack reaches, a limit counts what nobody exceeds, and the map shows that.
        title
            A line above the map.
        """
        from sfumato.study.maps.ru_map import draw_map

        asked = check_limits(limits, self.symbols, "ru_map.limits")
        risk, loss = self.axes(risk=risk, loss=loss, limits=asked)
        for symbol in (limit.figure for limit in asked):
            if symbol not in (risk, loss):
                raise ParameterError(
                    [f"ru_map.limits must be of the figures on the axes, {risk} and {loss}; got {symbol}"]
                )
        figure = draw_map(self, risk=risk, loss=loss, limits=asked, title=title)
        if path is not None:
            figure.save(path)
        return figure

    def figure(self) -> "StyledFigure":
        """Return the R-U map by the usual figures; `ru_map` draws it by others, and saves it."""
        return self.ru_map()

    def axes(
        self, *, risk: str | None = None, loss: str | None = None, limits: Sequence[Limit] = ()
    ) -> tuple[str, str]:
        """Return the symbols of the risk and the loss that a map shows when it is asked for these.

        Where a limit counts the bound of the risk, the map shows that bound.
        """
        self._check()
        risk, loss = risk or default_risk(self.symbols), loss or default_loss(self.symbols)
        if risk is None or loss is None:
            what = "risk" if risk is None else "loss"
            raise ParameterError([f"the study has no measure of {what}; the figures are {', '.join(self.symbols)}"])
        self._check(risk, loss)
        counted = counted_symbol(risk)
        return (counted if counted in [limit.figure for limit in limits] else risk), loss

    def __repr__(self) -> str:
        return f"<Study: {format_count(len(self.candidates), 'candidate')}, {format_count(len(self.results), 'run')}>"

    def __str__(self) -> str:
        from sfumato.study.rendering import render_text

        return render_text(self)

    def _repr_html_(self) -> str:
        from sfumato.study.rendering import render_html

        return render_html(self)

    def _means(self, symbol: str) -> FloatColumn:
        return np.array([candidate.mean(symbol) for candidate in self.candidates], dtype=np.float64)

    def _whole_means(self, symbol: str) -> FloatColumn:
        """Return the means, unknown where a run failed: the mean of the runs that did not would flatter."""
        failed = [candidate.error is not None for candidate in self.candidates]
        return np.where(failed, np.nan, self._means(symbol))

    def _nobody(self, limits: Sequence[Limit]) -> str:
        nearest = nearest_to(self.candidates, limits)
        figures = ", ".join(describe_figure(nearest, limit) for limit in limits)
        return f"no candidate keeps to {format_limits(limits)}; the nearest is '{nearest.label}' with {figures}"

    def _check(self, *symbols: str) -> None:
        """Refuse the symbol of a figure that no candidate has."""
        if not self.symbols:
            raise ParameterError([f"no run of the study succeeded; the first error was: {self.results[0].error}"])
        for symbol in symbols:
            if np.isnan(self._means(symbol)).all():
                nearest = did_you_mean(symbol, self.symbols) or f"; the figures are {', '.join(self.symbols)}"
                raise ParameterError([f"the study has no figure '{symbol}'{nearest}"])
