"""What a search found: the best candidate, the nearest one, the front, the table, and pictures of the way there."""

from dataclasses import asdict, dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.display import format_count
from sfumato.display.tabular_result import TabularResult
from sfumato.study.axes import default_loss, default_risk
from sfumato.study.candidate import Candidate
from sfumato.study.front import is_on_front
from sfumato.study.limits import keeps, nearest_to
from sfumato.study.results import Study
from sfumato.study.search.objectives import Objective

if TYPE_CHECKING:
    import polars

    from sfumato.display.figure import StyledFigure

FORMAT = 1  # of the plain form; goes up when a field changes its meaning or goes away


class SearchEnding(StrEnum):
    """Why a search came to its end."""

    DONE = "done"
    """All trials are done."""
    TIME = "time"
    """The time limit was reached."""
    INTERRUPTED = "interrupted"
    """Somebody stopped it."""


@dataclass(frozen=True, repr=False)
class Search(TabularResult):
    """The candidates that a search tried.

    Parameters
    ----------
    study
        All candidates with their figures.
    objective
        What was minimised, and under which limits.
    tried
        The label of each trial's candidate, in order; a candidate may come up again. Empty for a trial whose values
        the method does not take together.
    ended
        Why the search came to its end.
    unfinished
        How many trials are not done.
    left_out
        Entries of the space that could not be run on these data, and why.
    """

    study: Study
    objective: Objective
    tried: tuple[str, ...]
    ended: SearchEnding = SearchEnding.DONE
    unfinished: int = field(default=0, compare=False)
    left_out: tuple[str, ...] = ()

    @property
    def seed(self) -> int:
        """Where all draws began."""
        return self.study.seed

    @cached_property
    def meeting(self) -> tuple[Candidate, ...]:
        """The candidates that keep to all limits, in the order in which they were tried."""
        return tuple(candidate for candidate in self.study.candidates if self.meets(candidate))

    def meets(self, candidate: Candidate) -> bool:
        """Tell whether a candidate was run without error, has what is minimised, and keeps to all limits."""
        means = [candidate.mean(symbol) for symbol in self.objective.minimise]
        is_whole = candidate.error is None and all(mean is not None and np.isfinite(mean) for mean in means)
        return is_whole and keeps(candidate, self.objective.limits)

    @cached_property
    def best(self) -> Candidate | None:
        """The candidate with the lowest figure among those that keep to the limits, or none; the first of equals.

        With two figures it is the one of the front that lies nearest to the lowest of both, each in parts of its range
        on the front.
        """
        among = self.meeting if len(self.objective.minimise) == 1 else self.front
        if not among:
            return None
        points = np.array([[candidate.mean(symbol) for symbol in self.objective.minimise] for candidate in among])
        spread = np.ptp(points, axis=0)
        distances = np.hypot.reduce((points - points.min(axis=0)) / np.where(spread > 0, spread, 1.0), axis=1)
        return among[int(np.argmin(distances))]

    @property
    def nearest(self) -> Candidate:
        """The best candidate, or where none keeps to the limits the one that comes nearest to them."""
        whole = [candidate for candidate in self.study.candidates if candidate.error is None]
        return self.best or nearest_to(whole or self.study.candidates, self.objective.limits)  # all may fail at times

    @cached_property
    def front(self) -> tuple[Candidate, ...]:
        """The candidates within the limits that none of these beats in both figures, the lowest first figure first.

        With one figure to minimise, the other is the usual risk, or the usual loss, whichever it is not.
        """
        if not self.meeting:
            return ()
        first, second = self.axes
        one, other = (np.array([c.mean(symbol) for c in self.meeting], dtype=np.float64) for symbol in (first, second))
        members = [c for c, is_member in zip(self.meeting, is_on_front(one, other), strict=True) if is_member]
        return tuple(sorted(members, key=lambda candidate: candidate.mean(first) or 0.0))

    @property
    def axes(self) -> tuple[str, str]:
        """The figures of the front: the two that are minimised, or the one and what it is weighed against."""
        first, *others = self.objective.minimise
        if others:
            return first, others[0]
        weighed = [*self.objective.limited, default_risk(self.study.symbols), default_loss(self.study.symbols)]
        return first, next((symbol for symbol in weighed if symbol is not None and symbol != first), first)

    def to_frame(self) -> "polars.DataFrame":
        """Return a table with one row per trial: its candidate, whether it keeps to the limits, and its figures."""
        import polars

        by_label = {candidate.label: candidate for candidate in self.study.candidates}
        tried = [by_label.get(label) for label in self.tried]
        columns: dict[str, Any] = {
            "trial": range(1, len(tried) + 1),
            "candidate": list(self.tried),
            "family": [None if candidate is None else candidate.family for candidate in tried],
            "meets": [candidate is not None and self.meets(candidate) for candidate in tried],
        }
        for symbol in self.objective.symbols:
            columns[symbol] = [None if candidate is None else candidate.mean(symbol) for candidate in tried]
        types = dict.fromkeys(self.objective.symbols, polars.Float64)
        errors = [None if candidate is None else candidate.error for candidate in tried]
        return polars.DataFrame(columns, schema_overrides=types).with_columns(
            polars.Series("error", errors, dtype=polars.String)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return what was found as plain dicts and lists, ready for JSON; recipes are YAML."""
        best, nearest = self.best, self.nearest
        return {
            "format": FORMAT,
            "seed": self.seed,
            "minimise": list(self.objective.minimise),
            "limits": [asdict(limit) for limit in self.objective.limits],
            "ended": str(self.ended),
            "unfinished": self.unfinished,
            "best": None if best is None else best.label,
            "recipe": None if best is None else best.recipe.to_yaml(),
            "nearest": nearest.label,
            "front": [candidate.label for candidate in self.front],
            "left_out": list(self.left_out),
            "trials": self.to_frame().to_dicts(),
            "study": self.study.to_dict(),
        }

    def history(self, path: str | Path | None = None, *, title: str | None = None) -> "StyledFigure":
        """Draw what each trial gave, who keeps to the limits, and the best so far.

        Parameters
        ----------
        path
            Where to save it: a name that ends in .svg, .png or .pdf.
        title
            A line above it.
        """
        from sfumato.study.search.history import draw_history

        figure = draw_history(self, title=title)
        if path is not None:
            figure.save(path)
        return figure

    def ru_map(self, path: str | Path | None = None, *, title: str | None = None) -> "StyledFigure":
        """Draw the R-U map of all candidates with the limits, as `Study.ru_map` does."""
        risk, loss = self.study.axes(limits=self.objective.limits)
        limits = [limit for limit in self.objective.limits if limit.figure in (risk, loss)]
        return self.study.ru_map(path, risk=risk, loss=loss, limits=limits, title=title)

    def figure(self) -> "StyledFigure":
        """Return the R-U map of all candidates; `ru_map` saves it, and `history` shows the way there."""
        return self.ru_map()

    def __repr__(self) -> str:
        within = format_count(len(self.meeting), "candidate")
        return f"<Search: {format_count(len(self.tried), 'trial')}, {within} within the limits>"

    def __str__(self) -> str:
        from sfumato.study.search.rendering import render_text

        return render_text(self)

    def _repr_html_(self) -> str:
        from sfumato.study.search.rendering import render_html

        return render_html(self)
