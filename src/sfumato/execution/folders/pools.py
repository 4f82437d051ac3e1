"""Who does the tasks of a run: this process, processes of this machine, or the workers of a cluster."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor
from typing import Any, Protocol

from sfumato.errors import SfumatoError
from sfumato.storage.worker_processes import depend_on_parent

MAX_DEATHS = 2
ONE_THREAD = {"POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1"}  # as many processes as cores are enough


class Pool(Protocol):
    """All that is asked of an engine; an executor is one, and so is what `Client.get_executor()` of Dask gives."""

    def map(self, task: Callable[[Any], Any], tasks: Iterable[Any], /) -> Iterable[Any]:
        """Return what `task` makes of each of `tasks`, in their order."""


class ThisProcess:
    """Do one task after the other, in this process.

    Examples
    --------
    >>> list(ThisProcess().map(abs, [-1, 2]))
    [1, 2]
    """

    def map(self, task: Callable[[Any], Any], tasks: Iterable[Any], /) -> Iterator[Any]:
        """Return what `task` makes of each of `tasks`, when it is asked for."""
        return map(task, tasks)


class Processes:
    """Do tasks in processes of this machine; where one dies, what is left is done by others.

    Parameters
    ----------
    workers
        How many processes; they are started when first needed.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._executor: Any = None

    def __enter__(self) -> "Processes":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def map(self, task: Callable[[Any], Any], tasks: Iterable[Any], /) -> Iterator[Any]:
        """Yield what `task` makes of each of `tasks`, in their order."""
        left, deaths = list(tasks), 0
        while left:
            try:
                for result in self._start().map(task, left):
                    left = left[1:]
                    yield result
            except BrokenExecutor:
                self.close()
                deaths += 1
                if deaths > MAX_DEATHS:
                    raise SfumatoError(
                        "a process died, and so did those that took its place, as they do where memory is short; "
                        "let fewer processes share it with the option threads"
                    ) from None

    def close(self) -> None:
        """End the processes."""
        if self._executor is not None:
            self._executor.shutdown(kill_workers=True)
            self._executor = None

    def _start(self) -> Any:
        from joblib.externals.loky import ProcessPoolExecutor

        if self._executor is None:
            self._executor = ProcessPoolExecutor(
                self.workers, initializer=depend_on_parent, initargs=(os.getpid(),), env=ONE_THREAD
            )
        return self._executor
