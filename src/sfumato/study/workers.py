"""Run candidates, one by one or in parallel processes that load the data once."""

import os
import traceback
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from sfumato.assessment import assess
from sfumato.contracts import Measure
from sfumato.data import Microdata
from sfumato.errors import DocumentError, SfumatoError
from sfumato.storage.worker_processes import depend_on_parent
from sfumato.study.figures import Outcome, outcome_from
from sfumato.study.labels import family_of
from sfumato.study.run_plan import Run
from sfumato.study.worker_data import load_shared_data, process_lock, remove_data_of, share_data

RunBatch = Callable[[Sequence[Run]], Generator[tuple[int, Outcome]]]

WARM_UP_RECORDS = 60, 500  # at least and at most, of one in ten: few are enough to have every loop compiled


@dataclass(frozen=True)
class Task:
    """What every run has in common: which figures to find, with how many threads.

    The intruders of the measures know how each file was masked, unless a measure states otherwise.
    """

    measures: Sequence[Measure] | None = None
    outliers: bool = False
    threads: int = 1


def run_all(runs: Sequence[Run], data: Microdata, task: Task, workers: int) -> Generator[tuple[int, Outcome]]:
    """Yield the outcome of each run with its number, in the order in which they are ready."""
    with worker_pool(data, task, workers) as outcomes_of:
        yield from outcomes_of(runs)


@contextmanager
def worker_pool(data: Microdata, task: Task, workers: int) -> Iterator[RunBatch]:
    """Give a function that yields the outcomes of some runs, to be called often: workers load the data once."""
    if workers == 1:
        yield lambda runs: ((number, run_one(run, data, task)) for number, run in enumerate(runs))
        return
    with share_data(data) as path:
        yield lambda runs: _in_processes(runs, path, task, workers)


def run_one(run: Run, data: Microdata, task: Task) -> Outcome:
    """Mask the data, measure the result, and return the figures, or the error that stood in the way."""
    try:
        masked = run.recipe.run(data, threads=task.threads)
        found = assess(
            data,
            masked,
            task.measures,
            (),
            outliers=task.outliers,
            worst_case=False,
            methods=run.recipe.parts,
            same_order=masked.n == data.n,  # candidates are held against the same figures, synthetic ones too
        )
        return outcome_from(found)
    except Exception as error:  # one candidate's failure, of whatever kind, must not lose the figures of the others
        return Outcome(error=_describe_error(error))


def _describe_error(error: Exception) -> str:
    """Return what went wrong; of a foreign error only the place, as its words may hold values of records."""
    if isinstance(error, DocumentError):
        return "; ".join(error.problems)
    if isinstance(error, SfumatoError):
        return str(error)
    last = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(last.filename).name}, line {last.lineno}"
    return f"{type(error).__name__} in {place}; run the recipe by itself to see the whole error"


def _in_processes(runs: Sequence[Run], path: Path, task: Task, workers: int) -> Generator[tuple[int, Outcome]]:
    from joblib import Parallel, delayed

    pool = Parallel(
        n_jobs=workers,
        backend="loky",
        return_as="generator_unordered",
        batch_size=1,
        initializer=depend_on_parent,
        initargs=(os.getpid(), remove_data_of),  # equal at each call: so the processes of an earlier batch go on
    )
    ready = pool(delayed(_run_in_process)(number, run, path, task) for number, run in enumerate(runs))
    try:
        for pair in ready:  # noqa: UP028 - `yield from` would close `ready` by itself, with a warning
            yield pair
    except BrokenProcessPool:
        raise SfumatoError(
            f"a process of the study was killed, most often because memory ran out; "
            f"use fewer workers than {workers}: each holds a copy of the data"
        ) from None
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that runs are given up needs no telling: somebody asked for it
            ready.close()


def _run_in_process(number: int, run: Run, path: Path, task: Task) -> tuple[int, Outcome]:
    data = load_shared_data(path)
    _compile(run, data, task, path)
    return number, run_one(run, data, task)


def _compile(run: Run, data: Microdata, task: Task, path: Path) -> None:
    """Before the first run of a family in a process, run it on few records, while no other process does so.

    What one process compiles the next then finds compiled, instead of both compiling the same loops side by side.
    """
    families = _families_met(path)
    if family_of(run.recipe) not in families:
        families.add(family_of(run.recipe))
        with process_lock(path):
            run_one(run, data.take_rows(slice(0, warm_up_records(data.n))), task)


def warm_up_records(n: int) -> int:
    """Return on how many records of a file its loops are compiled: of a small one, not on nearly all."""
    low, high = WARM_UP_RECORDS
    return max(low, min(high, n // 10))


@lru_cache(maxsize=1)
def _families_met(path: Path) -> set[str]:
    """Return the families that this process has run on the data at `path`, to be added to."""
    return set()
