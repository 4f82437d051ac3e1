"""The candidates that were tried so far, and what came of their runs."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sfumato.errors import DataError, ParameterError
from sfumato.parameters.limits import Limit
from sfumato.recipe import Recipe
from sfumato.study.compare import build_study
from sfumato.study.figures import Outcome, add_scores
from sfumato.study.labels import family_of, labels_of
from sfumato.study.result_store import ResultStore
from sfumato.study.results import Study
from sfumato.study.run_plan import Run, plan_runs
from sfumato.study.search.objectives import Objective
from sfumato.study.search.results import Search, SearchEnding
from sfumato.study.search.space import Entry, Values

FAILED = 1e9
"""Stands for a figure that is not there: worse than any that is."""


class Trials:
    """The trials of a search in their order, and the runs of their candidates.

    A candidate that comes up again is not run again: whoever tried it often enough would find a lucky draw.

    Parameters
    ----------
    objective
        What is asked.
    seed, replications
        Where the seeds of the runs come from, and how often each candidate is run.
    kept
        Where finished runs are kept, if anywhere.
    """

    def __init__(self, objective: Objective, seed: int, replications: int, kept: ResultStore | None) -> None:
        self.objective, self.seed, self.replications, self.kept = objective, seed, replications, kept
        self.tried: list[str] = []  # the key of each trial's candidate
        self.recipes: dict[str, Recipe] = {}
        self.refused: dict[str, str] = {}  # why there is no recipe
        self.outcomes: dict[str, dict[int, Outcome]] = {}
        self.reused = 0

    def add(self, entry: Entry, values: Values) -> None:
        """Add a trial; the figures of its candidate that are kept are taken."""
        try:
            recipe = entry.recipe(values)
        except ParameterError as error:
            key = f"{entry.label} {values}"
            self.refused[key] = f"{entry.label}: {error}"
            self.tried.append(key)
            return
        key = recipe.to_yaml()
        self.tried.append(key)
        if key in self.recipes:
            return
        self.recipes[key], self.outcomes[key] = recipe, {}
        for run in plan_runs({key: recipe}, self.replications, self.seed) if self.kept is not None else ():
            outcome = self.kept.load(run) if self.kept is not None else None
            if outcome is not None:
                self.outcomes[key][run.replication] = add_scores(outcome, self.objective.scores)
                self.reused += 1

    def pending_runs(self) -> list[Run]:
        """Return the runs that are not done, one candidate after the other: only those with all their runs count."""
        return [
            run
            for key, recipe in self.recipes.items()
            if len(self.outcomes[key]) < self.replications
            for run in plan_runs({key: recipe}, self.replications, self.seed)
            if run.replication not in self.outcomes[key]
        ]

    def record(self, run: Run, outcome: Outcome) -> None:
        """Take what came of a run."""
        if self.kept is not None:
            self.kept.save(run, outcome)
        self.outcomes[run.candidate][run.replication] = add_scores(outcome, self.objective.scores)

    def figures_of(self, number: int) -> tuple[list[float], list[float]]:
        """Return what the sampler needs to know of a trial: its figures, and by how much it is above each limit."""
        # in the order of the replications and not of their ends: a mean in another order may differ in its last bit
        outcomes = [outcome for _, outcome in sorted(self.outcomes.get(self.tried[number], {}).items())]
        figures = [_mean(outcomes, symbol) for symbol in self.objective.minimise]
        return figures, excess_of(outcomes, self.objective.limits)

    @property
    def complete(self) -> list[str]:
        """The candidates all of whose runs are done."""
        return [key for key in self.recipes if len(self.outcomes[key]) == self.replications]

    def result(self, trials: int, ended: SearchEnding, left_out: Sequence[str]) -> Search:
        """Return the result, after refusing a search in which nothing could be run."""
        study = self._study()
        if study is None and ended is SearchEnding.TIME:
            raise ParameterError(["search.time_limit must be long enough for one candidate; none was done: allow more"])
        if study is None or all(result.error is not None for result in study.results):
            raise DataError(self._failure_message(study))
        labels = dict(zip(self.complete, (candidate.label for candidate in study.candidates), strict=True))
        tried = tuple(labels.get(key, "") for key in self.tried if key in labels or key in self.refused)
        return Search(
            study=study,
            objective=self.objective,
            tried=tried,
            ended=ended,
            unfinished=trials - len(tried),
            left_out=(*left_out, *dict.fromkeys(self.refused.values())),
        )

    def _study(self) -> Study | None:
        keys = self.complete
        if not keys:
            return None
        recipes = [self.recipes[key] for key in keys]
        runs = plan_runs(dict(zip(labels_of(recipes), recipes, strict=True)), self.replications, self.seed)
        outcomes = [self.outcomes[key][number] for key in keys for number in range(self.replications)]
        return build_study(runs, dict(enumerate(outcomes)), self.seed, self.reused)

    def _failure_message(self, study: Study | None) -> str:
        """Say of each family why its first candidate could not be run."""
        errors: dict[str, Any] = {}
        for result in study.results if study is not None else ():
            errors.setdefault(family_of(result.recipe), result.error)
        reasons = [f"{family}: {error}" for family, error in errors.items()] or list(self.refused.values())[:10]
        return "\n".join(["no candidate could be run:", *(f"  - {reason}" for reason in reasons)])


def excess_of(outcomes: Sequence[Outcome], limits: Sequence[Limit]) -> list[float]:
    """Return by how much a candidate is above each limit, in parts of it; 0 or less where it meets it.

    One more figure is `FAILED` where a run failed, and else 0: a candidate that fails meets no limit.

    Examples
    --------
    >>> from sfumato.parameters.limits import read_limits
    >>> excess_of([Outcome({"DLD": 6.0})], read_limits(["DLD<=5"]))
    [0.2, 0.0]
    """
    failed = not outcomes or any(outcome.error is not None for outcome in outcomes)
    above = [(_mean(outcomes, limit.figure) - limit.number) / max(abs(limit.number), 1.0) for limit in limits]
    return [*above, FAILED if failed else 0.0]


def _mean(outcomes: Sequence[Outcome], symbol: str) -> float:
    mean = float(np.mean([outcome.values.get(symbol, np.nan) for outcome in outcomes])) if outcomes else np.nan
    return mean if np.isfinite(mean) else FAILED
