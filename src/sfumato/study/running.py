"""Run candidates, one by one or in parallel processes that load the data once."""

import pickle
import signal
import traceback
import warnings
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from sfumato.assessment import Assessment, assess
from sfumato.contracts import Measure
from sfumato.data import Microdata
from sfumato.errors import RecipeError, SfumatoError
from sfumato.recipe import Recipe
from sfumato.scores import Score

RISK_HALF = ("DLD", "ID")
"""The measures whose mean is the disclosure risk DR: the half of the simplified score that is not loss."""


@dataclass(frozen=True)
class Run:
    """One piece of work: a candidate's recipe with a seed of its own."""

    candidate: str
    recipe: Recipe
    replication: int
    seed: int


@dataclass(frozen=True)
class Task:
    """What every run has in common: which figures to find, with how many threads."""

    measures: Sequence[Measure] | None = None
    scores: Sequence[Score] | None = None
    threads: int = 1


@dataclass(frozen=True)
class Outcome:
    """What came of a run: figures and their titles by symbol, or an error."""

    values: Mapping[str, float] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    error: str | None = None


def outcomes(runs: Sequence[Run], data: Microdata, task: Task, workers: int) -> Generator[tuple[int, Outcome]]:
    """Yield the outcome of each run with its number, in the order in which they are ready."""
    if workers == 1:
        yield from ((number, outcome_of(run, data, task)) for number, run in enumerate(runs))
    else:
        yield from _in_processes(runs, data, task, workers)


def outcome_of(run: Run, data: Microdata, task: Task) -> Outcome:
    """Mask the data, assess the result, and return the figures, or the error that stood in the way."""
    try:
        masked = run.recipe.run(data, threads=task.threads)
        return _figures(assess(data, masked, task.measures, task.scores, worst_case=False))
    except Exception as error:  # one candidate's failure, of whatever kind, must not lose the figures of the others
        return Outcome(error=_told(error))


def _figures(assessment: Assessment) -> Outcome:
    values = assessment.measured_values
    titles = {found.symbol: _title(found.name, found.symbol, found.unit) for found in assessment.measurements}
    if "DR" not in assessment.values and all(symbol in values for symbol in RISK_HALF):
        values["DR"] = sum(values[symbol] for symbol in RISK_HALF) / len(RISK_HALF)
        titles["DR"] = _title("disclosure_risk", "DR", "%")
    titles |= {score.symbol: _title(score.name, score.symbol, "") for score in assessment.scores}
    return Outcome(values | assessment.values, titles)


def _title(name: str, symbol: str, unit: str) -> str:
    words = name.replace("_", " ").capitalize()
    return f"{words} ({', '.join(filter(None, [symbol, unit]))})"


def _told(error: Exception) -> str:
    """Return what went wrong; of a foreign error only the place, as its words may hold values of records."""
    if isinstance(error, RecipeError):
        return "; ".join(error.problems)
    if isinstance(error, SfumatoError):
        return str(error)
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(last.filename).name}, line {last.lineno}"
    return f"{type(error).__name__} in {place}; run the recipe by itself to see the whole error"


def _in_processes(runs: Sequence[Run], data: Microdata, task: Task, workers: int) -> Generator[tuple[int, Outcome]]:
    from joblib import Parallel, delayed

    with _handed_over(data) as path:
        pool = Parallel(
            n_jobs=workers,
            backend="loky",
            return_as="generator_unordered",
            batch_size=1,
            initializer=_leave_interrupts_to_the_parent,
        )
        ready = pool(delayed(_run_in_process)(number, run, path, task) for number, run in enumerate(runs))
        try:
            for pair in ready:  # noqa: UP028 - `yield from` would close `ready` by itself, with a warning
                yield pair
        except BrokenProcessPool:
            raise SfumatoError(
                f"a process of the study was ended from outside, most often for want of memory; "
                f"use fewer workers than {workers}: each holds a copy of the data"
            ) from None
        finally:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # that runs are given up needs no telling: somebody asked for it
                ready.close()


@contextmanager
def _handed_over(data: Microdata) -> Iterator[Path]:
    """Write the data to a file that only this user can read, and remove it in the end."""
    with TemporaryDirectory(prefix="sfumato-") as folder:
        path = Path(folder) / "data.pickle"
        with path.open("wb") as file:
            pickle.dump(data, file, protocol=pickle.HIGHEST_PROTOCOL)
        yield path


def _run_in_process(number: int, run: Run, path: Path, task: Task) -> tuple[int, Outcome]:
    return number, outcome_of(run, _received(path), task)


@lru_cache(maxsize=1)
def _received(path: Path) -> Microdata:
    with path.open("rb") as file:
        data: Microdata = pickle.load(file)  # noqa: S301 - written by this study in a folder of its own
    return data


def _leave_interrupts_to_the_parent() -> None:
    """Let the parent alone decide what Ctrl-C means: it ends the processes itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
