"""One thing to measure, and how: CPU seconds after a first call, or megabytes."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


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
    """

    name: str
    measure: Callable[[], float]
    target: float
    unit: str = "CPU s"
    peer: tuple[str, float] | None = None


@dataclass(frozen=True)
class Figure:
    """What a case gave."""

    case: Case
    value: float

    @property
    def of_target(self) -> float:
        return self.value / self.case.target


def cpu_seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """Return the least CPU time of some calls after a first one that compiles and warms up."""
    work()
    taken = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken)


def yardstick() -> float:
    """Return the CPU time of sorting 10^6 numbers: how quick this machine is just now."""
    numbers = np.random.default_rng(0).random(1_000_000)
    return cpu_seconds(lambda: np.sort(numbers, kind="stable"))
