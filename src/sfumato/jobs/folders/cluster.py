"""The workers of a Dask cluster as a pool, after a look at who they are and what they see."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

from sfumato.errors import FileError, SfumatoError, UnfinishedRunError
from sfumato.execution.folders import Pool

SECONDS = 10
INSTALL = "pip install '.[cluster]' in the folder of Sfumato"


class ClusterPool:
    """Do tasks by the workers of a cluster, and say it where the cluster is lost.

    Parameters
    ----------
    executor
        What the client of the cluster gives for it.
    address
        Where its scheduler is.
    """

    def __init__(self, executor: Any, address: str) -> None:
        self._executor, self._address = executor, address

    def map(self, task: Callable[[Any], Any], tasks: Iterable[Any], /) -> Iterator[Any]:
        """Yield what `task` makes of each of `tasks`, in their order."""
        try:
            yield from self._executor.map(task, tasks)
        except Exception as error:
            if _is_lost(error):
                raise UnfinishedRunError(
                    f"the Dask scheduler at {self._address} was lost in the middle of the run; once it is there again, "
                    f"give the same command again: what `mask` had finished is kept, and not done twice"
                ) from None
            if type(error).__name__ == "KilledWorker":
                raise SfumatoError(
                    "a worker died, and so did those that took its task over, as they do where memory is short; give "
                    "each more of it, or start fewer on a machine"
                ) from None
            raise


@contextmanager
def dask_pool(address: str, folders: Sequence[Path], files: Sequence[Path]) -> Iterator[Pool]:
    """Give the workers of a Dask cluster as a pool.

    Parameters
    ----------
    address
        Where the scheduler is.
    folders
        The folders in which tasks write; each worker must see them.
    files
        The files that tasks read; each worker must see them as this machine does.
    """
    with _client(address) as client:
        check_workers(client, address, folders, files)
        yield ClusterPool(client.get_executor(retries=2), address)


def tasks_of_a_machine(address: str) -> int:
    """Return how many tasks the machine of a cluster that does most of them does at the same time."""
    with _client(address) as client:
        return max(threads_of_machines(client.nthreads()).values(), default=1)


def threads_of_machines(threads: Mapping[str, int]) -> Counter[str]:
    """Return how many tasks each machine does at the same time, of how many each worker does by its address.

    Examples
    --------
    >>> threads_of_machines({"tcp://10.0.0.1:4001": 1, "tcp://10.0.0.1:4002": 1, "tcp://[fe80::1]:4001": 4})
    Counter({'tcp://[fe80::1]': 4, 'tcp://10.0.0.1': 2})
    """
    found = Counter[str]()
    for worker, count in threads.items():
        found[worker.rpartition(":")[0]] += count
    return found


@contextmanager
def _client(address: str) -> Iterator[Any]:
    try:
        from distributed import Client
    except ImportError:
        raise SfumatoError(
            f"a cluster needs Sfumato with the package distributed on this machine and on the workers: {INSTALL}"
        ) from None
    connect: Any = Client  # typed in some versions of distributed and not in others
    check_scheduler(address)
    try:
        client = connect(address, timeout=f"{SECONDS}s")
    except (OSError, ValueError):
        raise _no_scheduler(address) from None
    with client:
        yield client


def check_scheduler(address: str) -> None:
    """Refuse an address at which no scheduler answers in time; a client would wait for ever for another server."""
    import asyncio

    from distributed.comm import connect
    from distributed.security import Security

    async def greet() -> None:
        given: dict[str, Any] = Security().get_connection_args("client")
        comm = await asyncio.wait_for(connect(address, timeout=SECONDS, **given), 1.5 * SECONDS)
        await comm.close()

    try:
        asyncio.run(greet())
    except TimeoutError:
        raise SfumatoError(
            f"what answers at {address} is no Dask scheduler; look at its port: 8786 is that of a scheduler unless "
            f"another was given, and 8787 that of its pages"
        ) from None
    except OSError:
        raise _no_scheduler(address) from None
    except (ValueError, RuntimeError):
        raise SfumatoError(
            f"{address} is no address of a Dask scheduler; expected one such as tcp://host:8786"
        ) from None


def check_workers(client: Any, address: str, folders: Sequence[Path], files: Sequence[Path]) -> None:
    """Refuse a cluster without workers, and one with a worker that has another Sfumato or does not see the files."""
    own, versions = version("sfumato"), client.run(version, "sfumato", on_error="return")
    if not versions:
        raise SfumatoError(f"the Dask cluster at {address} has no worker; start one with `dask worker {address}`")
    for worker, found in versions.items():
        if isinstance(found, Exception):
            raise SfumatoError(f"the worker {worker} has no Sfumato; install it there: {INSTALL}")
        if found != own:
            raise SfumatoError(f"the worker {worker} has Sfumato {found}, and this machine {own}; install the same")
    sizes = [(str(file), file.stat().st_size) for file in files]
    for worker, name in client.run(first_unseen_file, sizes).items():
        if name is not None:
            raise FileError(
                f"the worker {worker} does not see the file {name}, or sees another under this name; all workers must "
                f"have the input in common"
            )
    for worker, name in client.run(first_unseen_folder, [str(folder) for folder in folders]).items():
        if name is not None:
            raise FileError(
                f"the worker {worker} does not see the folder {name}; all workers must have the folder of the output "
                f"in common, and that of the option spill"
            )


def first_unseen_file(sizes: Sequence[tuple[str, int]]) -> str | None:
    """Return the first file that is not here, or has another size; None where all are."""
    return next((name for name, size in sizes if not Path(name).is_file() or Path(name).stat().st_size != size), None)


def first_unseen_folder(names: Sequence[str]) -> str | None:
    """Return the first folder that is not here; None where all are."""
    return next((name for name in names if not Path(name).is_dir()), None)


def _no_scheduler(address: str) -> SfumatoError:
    return SfumatoError(
        f"there is no Dask scheduler at {address}; start one by the lines on the page docs/large-files.md, which only "
        f"this machine can reach"
    )


def _is_lost(error: Exception) -> bool:
    """Tell whether an error means that the scheduler is gone, and not that a task failed."""
    return isinstance(error, CancelledError) or type(error).__name__ == "CommClosedError"
