"""One thing to measure, and how: CPU seconds after a first call, or megabytes."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

QUICK = "SFUMATO_BENCH_QUICK" in os.environ
"""Whether the cases only have to run, on small files: so does CI, which times nothing."""


def records(n: int) -> int:
    """Return how many records a case has: n, or some hundreds in quick mode."""
    return min(n, 300 + n // 1000) if QUICK else n


@dataclass(frozen=True)
class Case:
    """A measured piece of work.

    Parameters
    ----------
    name
        What is done, to how much.
    measure
        Does it and returns the figure.
    target
        What the figure should stay below, in the same unit.
    unit
        `CPU s`, or what else is measured.
    peer
        The same work in another tool, if known: its name and figure.
    is_long
        Whether it is left out unless all are asked for.
    is_quick
        Whether it is soon done in quick mode; not so where a file of a given size takes long.
    note
        Why the target may be missed, if that is known.
    """

    name: str
    measure: Callable[[], float]
    target: float
    unit: str = "CPU s"
    peer: tuple[str, float] | None = None
    is_long: bool = False
    is_quick: bool = True
    note: str = ""


@dataclass(frozen=True)
class Figure:
    """What a case gave."""

    case: Case
    value: float

    @property
    def of_target(self) -> float:
        """The figure as a share of its target; of a target of nothing, whether there is anything."""
        return self.value / self.case.target if self.case.target else (inf if self.value else 0.0)


def cpu_seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """Return the least CPU time of some calls after a first one that compiles and warms up; in quick mode of that."""
    if QUICK:
        start = time.process_time()
        work()
        return time.process_time() - start
    work()
    taken = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken)


def growth(work: Callable[[int], object], sizes: Sequence[int]) -> float:
    """Return the exponent e with which the CPU time of `work(size)` grows, as size^e fitted to the sizes."""
    work(sizes[0])
    taken = [cpu_seconds(lambda size=size: work(size), repeats=1) for size in sizes]  # type: ignore[misc]
    slope, _ = np.polyfit(np.log(sizes), np.log(np.maximum(taken, 1e-4)), 1)
    return float(slope)


def peak_megabytes(preparation: str, work: str) -> float:
    """Return how far the peak of a process' memory in `work` is above what `preparation` left; both are Python.

    The peak of the preparation itself is forgotten: it may be higher than that of the work.
    """
    reading = (
        "from pathlib import Path\n"
        "def megabytes(name):\n"
        "    lines = Path('/proc/self/status').read_text().splitlines()\n"
        "    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(name))\n"
        "def forget_peak():\n"
        "    Path('/proc/self/clear_refs').write_text('5')\n"
        "    return megabytes('VmRSS')\n"
    )
    code = f"{reading}{preparation}\nbefore = forget_peak()\n{work}\nprint(megabytes('VmHWM') - before)\n"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(ran.stdout.split()[-1])


def yardstick() -> float:
    """Return the CPU time of sorting 10^6 numbers: how quick this machine is just now."""
    numbers = np.random.default_rng(0).random(1_000_000)
    return cpu_seconds(lambda: np.sort(numbers, kind="stable"))
