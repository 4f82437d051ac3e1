"""Distance linkage of a large file with its noisy form."""

import subprocess
import sys
from functools import cache

import numpy as np
import polars as pl

from benchmarks.case import Case, cpu_seconds
from sfumato.data import Kind, Microdata, Schema, Variable, numeric
from sfumato.risk import DistanceLinkage

HUNDRED_THOUSAND, MILLION = 100_000, 1_000_000
MEMORY = """
from pathlib import Path
import benchmarks.linkage as linkage
def peak():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))
linkage.linking(1000, 7, 0.1)
linkage.noisy(linkage.MILLION, 7, 0.1)
before = peak()
linkage.linking(linkage.MILLION, 7, 0.1, repeats=0)
print(peak() - before)
"""


@cache
def noisy(n: int, d: int, noise: float) -> tuple[Microdata, Microdata]:
    """Return independent normal records, seed 0, and their form with noise of so many deviations."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(n, d))
    names = [f"x{i}" for i in range(d)]
    schema = Schema(variables=tuple(Variable(name=name, kind=Kind.CONTINUOUS) for name in names))
    original, masked = (
        Microdata(pl.DataFrame(matrix, schema=names), schema)
        for matrix in (values, values + noise * rng.normal(size=(n, d)))
    )
    return original, masked


def linking(n: int, d: int, noise: float, repeats: int = 1, **parameters: object) -> float:
    """Return the CPU time of linking by all columns at once, or as the parameters say."""
    files = noisy(n, d, noise)
    stated = {"scenarios": (tuple(files[0].schema.names),), **parameters}
    measure = DistanceLinkage.model_validate({"columns": numeric, **stated})
    if not repeats:
        measure.measure(*files)
        return 0.0
    return cpu_seconds(lambda: measure.measure(*files), repeats)


def memory() -> float:
    """Return the megabytes that linking takes beyond the two files."""
    ran = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True)
    return float(ran.stdout.split()[-1])


CASES = [
    Case("distance linkage, noise 0.1, 10^5 x 7", lambda: linking(HUNDRED_THOUSAND, 7, 0.1, repeats=3), target=2.0),
    Case(
        "distance linkage, noise 0.1, 10^5 x 7, seven scenarios",
        lambda: linking(HUNDRED_THOUSAND, 7, 0.1, scenarios=()),
        target=14.0,
    ),
    Case("distance linkage, noise 1, 10^5 x 13", lambda: linking(HUNDRED_THOUSAND, 13, 1.0), target=40.0),
    Case(
        "distance linkage, noise 0.1, Manhattan, 10^5 x 7",
        lambda: linking(HUNDRED_THOUSAND, 7, 0.1, distance="manhattan"),
        target=4.0,
    ),
    Case("distance linkage, noise 0.1, 10^6 x 7", lambda: linking(MILLION, 7, 0.1), target=60.0),
    Case("distance linkage, noise 0.1, 10^6 x 7: memory beyond the files", memory, target=1000.0, unit="MB"),
]
