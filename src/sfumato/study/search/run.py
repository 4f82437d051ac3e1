"""Search: ask for candidates, run and assess them in batches, tell what they gave, and ask again."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from sfumato.contracts import Measure
from sfumato.data import Microdata
from sfumato.errors import DataError, ParameterError
from sfumato.parameters.limits import Limits
from sfumato.recipe.seeds import draw_seed
from sfumato.scores import SCORES, Score
from sfumato.storage.digests import text_sha256
from sfumato.study.compare import check_arguments, share_cores
from sfumato.study.fingerprint import fingerprint
from sfumato.study.progress import progress_of
from sfumato.study.result_store import ResultStore
from sfumato.study.search.default_space import default_space
from sfumato.study.search.objectives import Objective, build_objective, mean_loss
from sfumato.study.search.results import Search, SearchEnding
from sfumato.study.search.sampling import Sampler
from sfumato.study.search.space import Space
from sfumato.study.search.space_entries import load_space, read_space
from sfumato.study.search.trial_store import TrialStore
from sfumato.study.search.trials import Trials
from sfumato.study.workers import RunBatch, Task, worker_pool

BATCH = 8  # trials asked for together, on however many cores they run: so the same seed gives the same ones everywhere


class TimeLimitReached(Exception):  # noqa: N818 - it is no error
    """The time limit was reached."""


def search(
    data: Microdata,
    space: Iterable[Any] | Space | str | Path | None = None,
    *,
    limits: Limits = (),
    minimise: str | Sequence[str] | None = None,
    trials: int = 100,
    seed: int | None = None,
    replications: int = 1,
    measures: Sequence[Measure] | None = None,
    scores: Sequence[Score] | None = None,
    keep: str | Path | None = None,
    time_limit: float | None = None,
    workers: int | None = None,
    progress: bool | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Search:
    """Look for the candidate with the lowest loss among those that keep to limits on risk.

    One figure is brought down by TPE, two by NSGA-II. A candidate that does not keep to the limits is never the best
    one; one that fails is in the result with its error and stops no other. Ctrl-C ends the search early and returns
    what is done by then. Needs Optuna: `pip install optuna`.

    Parameters
    ----------
    data
        The records to mask.
    space
        The entries to choose from, written as the candidates of a study file are, where a parameter may also be an
        interval: `[{"mdav": {"columns": "numeric", "k": between(3, 50)}}]`. Or the path of a file with the key
        `candidates`. The usual methods for the columns of the file when not given.
    limits
        The largest figures that are allowed, by symbol or name, as in `["DLD<=5", "worst_case_linkage<=10"]`. The
        intruders of `worst_case_linkage` and `rank_interval_linkage` know how each candidate masks.
    minimise
        The symbol or name of the figure to bring down, or two for a front. IL when not given; where the file has
        categorical columns to assess, the contingency table loss CTL, or the mean of the two.
    trials
        How many candidates to try. Spaces of up to 100 candidates are tried whole.
    seed
        Where all draws begin; drawn when not given. The same seed gives the same trials on any number of cores, after
        any interruption, and when more trials are asked for.
    replications
        How often each candidate is run, each time with another seed; means count.
    measures, scores
        What to measure and how to combine it, where the figures are not to be of the usual columns; by default what the
        limits and the figure to bring down need, and no more.
    keep
        A folder in which finished runs and trials are kept. The same search, or one with more trials, goes on from
        there; another search is refused. It holds figures, never a record.
    time_limit
        Seconds after which to stop.
    workers, progress, on_progress
        As in `compare`.

    Examples
    --------
    >>> import polars
    >>> from sfumato.study.search.interval import between
    >>> incomes = [i**1.5 for i in range(60)]
    >>> people = Microdata(polars.DataFrame({"income": incomes, "tax": [income**1.2 for income in incomes]}))
    >>> space = [{"mdav": {"columns": "numeric", "k": between(2, 20)}}]
    >>> found = search(people, space, limits=["DLD<=20"], seed=7, workers=1)
    >>> found.best.label, found.best.mean("DLD")
    ('mdav 5', 20.0)
    """
    counts = {"trials": (trials, 1), "replications": (replications, 1), "workers": (workers, 1)}
    is_too_short = time_limit is not None and not (isinstance(time_limit, int | float) and time_limit > 0)
    too_short = [f"search.time_limit must be in (0, inf) seconds; got {time_limit!r}"] if is_too_short else []
    check_arguments("search", data, {**counts, "seed": (seed, 0)}, too_short)
    end = None if time_limit is None else monotonic() + time_limit
    # 1. What is asked, and among what.
    objective = build_objective(data, minimise, limits, measures, scores)
    _check_aim(objective)
    runnable, left_out = _split_runnable(_as_space(data, space, objective), data)
    # 2. What is done already.
    journal = None if keep is None else TrialStore(Path(keep))
    seed = journal.seed if seed is None and journal is not None else seed
    seed = draw_seed() if seed is None else seed
    sampler = Sampler(runnable, seed, len(objective.minimise))
    trials = min(trials, sampler.max_trials or trials)
    stored = (
        journal.open(_describe_search(data, runnable, seed, replications, objective), sampler.figures)
        if journal
        else []
    )
    kept = None if keep is None else ResultStore.open(Path(keep), data, objective.measures, outliers=False)
    tried = Trials(objective, seed, replications, kept)
    # 3. The trials, a batch at a time.
    ended = SearchEnding.DONE
    batches = _Batches(sampler, tried, journal, stored, end)
    processes, threads = share_cores(workers, BATCH * replications)
    task = Task(measures=objective.measures, threads=threads)
    try:
        with (
            progress_of(trials * replications, show=progress, on_progress=on_progress, doing="searching") as one_done,
            worker_pool(data, task, processes) as outcomes_of,
        ):
            for first in range(0, trials, BATCH):
                batches.run(range(first, min(first + BATCH, trials)), replications, outcomes_of, one_done)
    except TimeLimitReached:
        ended = SearchEnding.TIME
    except KeyboardInterrupt:
        if not tried.complete:
            raise
        ended = SearchEnding.INTERRUPTED
    # 4. All of it together.
    return tried.result(trials, ended, left_out)


@dataclass(frozen=True)
class _Batches:
    """A search under way."""

    sampler: Sampler
    trials: Trials
    journal: TrialStore | None
    stored: Sequence[Any]
    end: float | None

    def run(self, numbers: range, replications: int, outcomes_of: RunBatch, one_done: Callable[[], None]) -> None:
        """Ask for the trials of a batch, run them, and tell what they gave in their order."""
        known = self.stored[numbers.start : numbers.start + BATCH] if len(self.stored) >= numbers.start + BATCH else ()
        trials = [*known] or [self.sampler.ask(number) for number in numbers]
        for trial in trials[: len(numbers)]:
            self.trials.add(*self.sampler.choose(self.sampler.read(trial)))
        waiting = self.trials.pending_runs()
        for _ in range(len(numbers) * replications - len(waiting)):
            one_done()
        with closing(outcomes_of(waiting)) as ready:
            for position, outcome in ready:
                self.trials.record(waiting[position], outcome)
                one_done()
                self._check_time_limit()
        for number, trial in zip(numbers, trials, strict=False):
            frozen = self.sampler.tell(trial, *self.trials.figures_of(number))
            if self.journal is not None and number >= len(self.stored):
                self.journal.save(frozen)
        self._check_time_limit()

    def _check_time_limit(self) -> None:
        if self.end is not None and monotonic() > self.end:
            raise TimeLimitReached


def _as_space(data: Microdata, space: Iterable[Any] | Space | str | Path | None, objective: Objective) -> Space:
    if isinstance(space, Space):
        return space
    if isinstance(space, str | Path):
        return load_space(space)
    if space is not None:
        return read_space(space)
    measured = {name for measure in objective.measures for name in data.select(measure.columns)}
    return read_space(default_space(data, measured))


def _split_runnable(space: Space, data: Microdata) -> tuple[Space, tuple[str, ...]]:
    """Return the entries that can be run on the data, and why the others cannot; refuse when none can."""
    problems = [(entry, entry.problems(data)) for entry in space.entries]
    left_out = tuple(f"{entry.label}: {'; '.join(found)}" for entry, found in problems if found)
    if len(left_out) == len(space.entries):
        raise DataError("\n".join(["no entry of the space can be run:", *(f"  - {why}" for why in left_out)]))
    return Space(tuple(entry for entry, found in problems if not found)), left_out


def _describe_search(
    data: Microdata, space: Space, seed: int, replications: int, objective: Objective
) -> dict[str, Any]:
    """Return all that the trials depend on, for the journal."""
    return {
        "data": fingerprint(data),
        "space": text_sha256(space.text),
        "seed": str(seed),
        "replications": replications,
        "minimise": list(objective.minimise),
        "limits": [[limit.figure, limit.comparison.value, limit.number] for limit in objective.limits],
        "measures": [repr(measure) for measure in objective.measures]
        + [repr(score) for score in objective.scores or ()],
    }


def _check_aim(objective: Objective) -> None:
    """Refuse to bring down a single measure without a limit: nothing then stands against it."""
    (first, *others) = objective.minimise
    weighing = {score.symbol for score in (*SCORES.values(), *(objective.scores or ()))} - {mean_loss.symbol}
    if not objective.limits and not others and first not in weighing:
        raise ParameterError(
            [
                f"search.limits must limit some figure while only {first} is minimised, DLD for example; or minimise a "
                f"score such as simplified_score, or two figures"
            ]
        )
