"""Masking a file larger than memory, as a folder of parts: CPU time of all processes, and their anonymous memory."""

import resource
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.case import Case, records

ROWS, PARTS, NUMBERS = records(10_000_000), 10, 8
GIGABYTE = 1e6  # in kB, as the system tells it
KINDS = {**{f"x{place}": "continuous" for place in range(NUMBERS)}, "age": "continuous"}
KINDS |= {"sex": "nominal", "region": "nominal", "job": "nominal"}
RECIPES = {
    "rows": "additive_noise: {columns: [x0, x1, x2, x3, x4]}\n- pram: {columns: [sex, region], stay: 80}\n"
    "- top_coding: {columns: [age], at: 90}",
    "ranks": "rank_swapping: {columns: [x0, x1, x2], window: 1}",
    "kinds": "local_suppression: {columns: [sex, region, job], k: 3}",
}
WORK = """
import sys
from sfumato.jobs.folders.resources import Resources
from sfumato.jobs.mask import mask
if __name__ == "__main__":
    mask(sys.argv[1], sys.argv[2], sys.argv[3], threads=int(sys.argv[4]), resources=Resources(memory="4GB"))
"""


def cpu_of(recipe: str, processes: int) -> float:
    """Return the CPU seconds of masking the folder, start and release included."""
    return _measure(recipe, processes)[0]


def memory_of(recipe: str, processes: int, rows: int = ROWS) -> float:
    """Return the peak of the anonymous memory of all processes together, in GB."""
    return _measure(recipe, processes, rows)[1]


@cache
def _measure(recipe: str, processes: int, rows: int = ROWS) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_parts(folder, rows)
        (folder / "recipe.yaml").write_text(f"seed: 1\nsteps:\n- {RECIPES[recipe]}\n")
        places = [str(folder / each) for each in ("people", "recipe.yaml", "masked")]
        work = subprocess.Popen([sys.executable, "-c", WORK, *places, str(processes)])
        return watch(work, f"masking by {recipe}")


def watch(work: "subprocess.Popen[bytes]", what: str) -> tuple[float, float]:
    """Return the CPU seconds of a process with all that it starts, and the peak of their anonymous memory in GB."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    peak = 0.0
    while work.poll() is None:
        peak = max(peak, sum(map(_anonymous, family_of(work.pid))) / GIGABYTE)
        time.sleep(0.1)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if work.returncode:
        raise RuntimeError(f"{what} failed")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, peak


def write_parts(folder: Path, rows: int) -> None:
    """Write made records in parts, with their schema beside them."""
    rng = np.random.default_rng(1)
    (folder / "people").mkdir()
    for part in range(PARTS):
        n = rows // PARTS
        columns = {f"x{place}": rng.lognormal(8, 1, n).round(2) for place in range(NUMBERS)}
        categories = {"sex": 2, "region": 20, "job": 40}
        texts = {name: pl.Series(rng.integers(0, k, n)).cast(pl.String) for name, k in categories.items()}
        frame = pl.DataFrame({**columns, "age": rng.integers(0, 98, n), **texts})
        frame.write_parquet(folder / "people" / f"part-{part}.parquet")
    lines = [f"- {{name: {name}, kind: {kind}}}" for name, kind in KINDS.items()]
    (folder / "people.schema.yaml").write_text("\n".join(["variables:", *lines, ""]))


def family_of(process: int) -> list[int]:
    """Return a process and all that it started."""
    try:
        threads = Path(f"/proc/{process}/task").iterdir()
        found = [(each / "children").read_text().split() for each in threads]
    except OSError:
        return [process]
    return [process, *(each for children in found for child in children for each in family_of(int(child)))]


def _anonymous(process: int) -> int:
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("RssAnon")), 0)


CASES = [
    Case("mask a folder 10^7 x 12 by rows, one process", lambda: cpu_of("rows", 1), 70.0, is_long=True),
    Case(
        "mask a folder 10^7 x 12 by rows, two processes", lambda: cpu_of("rows", 2), 85.0, is_long=True, is_quick=False
    ),
    Case("the same: anonymous memory", lambda: memory_of("rows", 2), 4.0, unit="GB", is_long=True, is_quick=False),
    Case("rank swap 3 columns of a folder 10^7 x 12, one process", lambda: cpu_of("ranks", 1), 70.0, is_long=True),
    Case("the same: anonymous memory", lambda: memory_of("ranks", 1), 2.0, unit="GB", is_long=True),
    Case("suppress locally in a folder 10^7 x 12, one process", lambda: cpu_of("kinds", 1), 70.0, is_long=True),
]
