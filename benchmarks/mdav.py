"""Microaggregation of many records: the groups alone, and how their time and memory grow."""

import subprocess
import sys
from functools import cache
from time import process_time

import numpy as np
from numpy.typing import NDArray

from benchmarks.case import Case, cpu_seconds, records
from benchmarks.masking import gauss
from sfumato.data import numeric
from sfumato.execution import run_step
from sfumato.kernels.microaggregation.mdav import mdav_groups
from sfumato.masking import BlockedMicroaggregation
from sfumato.masking.microaggregation.univariate_microaggregation import optimal_means

GROWTH = tuple(map(records, (10_000, 20_000, 50_000, 100_000, 200_000)))
WORK = f"""
from pathlib import Path
import numpy as np
from sfumato.kernels.microaggregation.mdav import mdav_groups
points = np.random.default_rng(0).normal(size=({records(100_000)}, 10))
mdav_groups(points, 3)
lines = Path("/proc/self/status").read_text().splitlines()
print(next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")))
"""


@cache
def scattered(n: int, d: int) -> NDArray[np.float64]:
    """Return standard normal records, seed 0."""
    return np.random.default_rng(0).normal(size=(n, d))


@cache
def skewed(n: int, d: int) -> NDArray[np.float64]:
    """Return standardised log-normal records, seed 0."""
    points = np.exp(scattered(n, d))
    return np.asarray((points - points.mean(axis=0)) / points.std(axis=0), dtype=np.float64)


def grouping(points: NDArray[np.float64]) -> float:
    """Return the CPU time of MDAV with groups of three, once compiled."""
    return cpu_seconds(lambda: mdav_groups(points, 3), repeats=1)


def blocked() -> float:
    """Return the CPU time of microaggregating 10^6 records of ten columns in blocks."""
    method = BlockedMicroaggregation(columns=numeric)
    gauss(records(1_000_000), 10)
    run_step(method, gauss(records(10_000), 10), seed=1, step=0)
    start = process_time()
    run_step(method, gauss(records(1_000_000), 10), seed=1, step=0, threads=2)
    return process_time() - start


def growth() -> float:
    """Return the power of n by which the CPU time grows from 10^4 to 2 x 10^5 records of five columns."""
    times = [grouping(scattered(n, 5)) for n in GROWTH]
    return float(np.polyfit(np.log(GROWTH), np.log(np.maximum(times, 1e-4)), 1)[0])


def megabytes() -> float:
    """Return the most memory of a process that groups 10^5 records of ten columns, that of its libraries included."""
    command = [sys.executable, "-c", WORK]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[-1])


CASES = [
    Case(
        "mdav groups k = 3, 5 x 10^4 x 10 normal",
        lambda: grouping(scattered(records(50_000), 10)),
        target=2.7,
        peer=("sdcMicro 5.8", 26.7),
    ),
    Case("mdav groups k = 3, 10^5 x 10 normal", lambda: grouping(scattered(records(100_000), 10)), target=8.0),
    Case("mdav groups k = 3, 10^5 x 10 skewed", lambda: grouping(skewed(records(100_000), 10)), target=4.0),
    Case("blocked microaggregation k = 3, 10^6 x 10 normal", blocked, target=120.0),
    Case("mdav groups k = 3, d = 5: growth with n, power", growth, target=1.6, unit=""),
    Case("mdav groups k = 3, 10^5 x 10: memory", megabytes, target=500.0, unit="MB"),
    Case(
        "univariate microaggregation groups k = 5, 10^7",
        lambda: cpu_seconds(lambda: optimal_means(scattered(records(10_000_000), 1)[:, 0], 5), repeats=1),
        target=6.0,
    ),
]
