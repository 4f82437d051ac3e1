"""What a run over a file larger than memory may use: memory, processes or a cluster, and a place to spill to."""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from sfumato.display import format_count
from sfumato.errors import ParameterError
from sfumato.execution import blocks
from sfumato.execution.folders import Pool, Processes, ThisProcess
from sfumato.execution.folders.sizes import Sizes, frame_bytes
from sfumato.execution.threads import usable_threads
from sfumato.files.folders import Folder
from sfumato.jobs.folders.cluster import dask_pool, tasks_of_a_machine

UNITS = {"MB": 10**6, "GB": 10**9, "TB": 10**12}
PROCESS_BYTES = 300_000_000  # of a process before it reads a record
COPIES = 8  # of the rows of a range, while they are read, masked, sorted and written
BLOCKS_PER_RANGE = 16


@dataclass(frozen=True)
class Resources:
    """What a run may use; the result does not depend on it.

    Parameters
    ----------
    memory
        How much memory all processes on one machine may take together, as in "4GB"; half of what is free here when
        None.
    spill
        The folder in which a private one is made for what is sorted and exchanged; beside the output when None. It is
        as confidential as the data, is not encrypted, and is removed in the end.
    cluster
        The address of a Dask scheduler, as in "tcp://host:8786", whose workers see the same files; processes of this
        machine when None.
    engine
        Who does the tasks instead: anything with a `map` as executors have it, such as a pool over Spark or Ray, whose
        workers see the same files.
    """

    memory: str | None = None
    spill: Path | None = None
    cluster: str | None = None
    engine: Pool | None = None

    @property
    def bytes(self) -> int:
        """The memory in bytes."""
        return _free_memory() // 2 if self.memory is None else parse_memory(self.memory)

    def sizes(self, folder: Folder, workers: int) -> Sizes:
        """Return how much a task may take at once, so that all of them together stay within the memory."""
        beside = PROCESS_BYTES if workers > 1 else 0  # of this process, which then does no task
        task_bytes = (self.bytes - beside) // workers - PROCESS_BYTES
        first = folder.read(0, blocks.ROWS_PER_BLOCK)
        needed = COPIES * frame_bytes(first.frame) * blocks.ROWS_PER_BLOCK // first.n
        if task_bytes < needed:
            least = ceil((beside + workers * (PROCESS_BYTES + needed)) / UNITS["MB"])
            fewer = "" if workers == 1 else ", or fewer processes with the option threads"
            if self.cluster is not None:
                fewer = ", or start fewer workers on each machine"
            raise ParameterError(
                [
                    f"memory must be at least {least}MB for {format_count(workers, 'process')} and these columns; got "
                    f"{self.bytes // UNITS['MB']}MB: give more{fewer}"
                ]
            )
        in_range = min(max(int(task_bytes // needed), 1), BLOCKS_PER_RANGE)
        return Sizes(in_range * blocks.ROWS_PER_BLOCK, task_bytes)

    def workers(self, threads: int | None, folder: Folder) -> int:
        """Return how many tasks, which share its memory, one machine does at a time: no more than there are ranges.

        Of a cluster it is the machine that does most; how many threads were asked for is then not looked at.
        """
        ranges = -(-folder.n // (BLOCKS_PER_RANGE * blocks.ROWS_PER_BLOCK))
        asked = usable_threads(threads) if self.cluster is None else tasks_of_a_machine(self.cluster)
        return min(asked, ranges)

    @contextmanager
    def pool(self, workers: int, folders: Sequence[Path], files: Sequence[Path]) -> Iterator[Pool]:
        """Give who does the tasks; all must see the folders in which they write, and the files that they read."""
        if self.engine is not None:
            yield self.engine
        elif self.cluster is not None:
            with dask_pool(self.cluster, folders, files) as cluster:
                yield cluster
        elif workers == 1:
            yield ThisProcess()
        else:
            with Processes(workers) as processes:
                yield processes


def parse_memory(text: str) -> int:
    """Return the bytes that a text such as 4GB stands for.

    Examples
    --------
    >>> parse_memory("1.5GB"), parse_memory("800 MB"), parse_memory(".8GB")
    (1500000000, 800000000, 800000000)
    """
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?|\.\d+)\s*(MB|GB|TB)\s*", text, flags=re.IGNORECASE)
    if found is None or not float(found[1]):
        raise ParameterError([f"memory must be such as 4GB or 800MB; got {text!r}"])
    return int(float(found[1]) * UNITS[found[2].upper()])


def _free_memory() -> int:
    facts = Path("/proc/meminfo")
    if facts.exists():
        found = re.search(r"MemAvailable:\s+(\d+) kB", facts.read_text(encoding="utf-8"))
        if found is not None:
            return int(found[1]) * 1024
    if not hasattr(os, "sysconf"):
        raise ParameterError(["memory must be given on this system, as in 4GB: how much is free is not known here"])
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
