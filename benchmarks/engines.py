"""The same rows by every engine and from parts of other sizes, and what each takes beside masking in memory.

To run fewer records: python -m benchmarks.engines ROWS. Dask is left out where it is not installed.
"""

import importlib.util
import json
import sys
import tempfile
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import polars as pl

from benchmarks.case import Case, records
from benchmarks.folders import RECIPES, write_parts
from benchmarks.start import run_once
from sfumato.files.folders.row_digests import chunk_digests, rows_digest

ROWS = records(10_000_000)
MEMORY = "in memory"
BY_ENGINE = """
import sys
from sfumato.jobs.folders.resources import Resources
from sfumato.jobs.mask import mask
def work(**more):
    mask(sys.argv[1], sys.argv[2], sys.argv[3], threads=int(sys.argv[4]), resources=Resources(memory="4GB", **more))
"""
WORK = {
    MEMORY: "import sys; from sfumato.jobs.mask import mask; mask(*sys.argv[1:4], threads=1)",
    "processes": f"{BY_ENGINE}if __name__ == '__main__':\n    work()\n",
    "dask": f"""{BY_ENGINE}
if __name__ == "__main__":
    from distributed import LocalCluster
    with LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None) as cluster:
        work(cluster=cluster.scheduler_address)
""",
}


class Run(NamedTuple):
    """The digest of the rows that a run gave, and its CPU seconds with all that it started."""

    digest: str
    seconds: float


@cache
def runs(rows: int = ROWS) -> dict[str, Run]:
    """Return what masking the same rows gave in memory and by each engine."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_parts(folder, rows)
        whole = pl.scan_parquet(folder / "people" / "*.parquet")
        whole.sink_parquet(folder / "whole.parquet")
        (folder / "other").mkdir()
        for part, start in enumerate(range(0, rows, rows // 3 + 1)):
            whole.slice(start, rows // 3 + 1).sink_parquet(folder / "other" / f"part-{part}.parquet")
        for copy in ("whole", "other"):
            (folder / f"{copy}.schema.yaml").write_text((folder / "people.schema.yaml").read_text())
        steps = f"- {RECIPES['rows']}\n- {RECIPES['ranks']}\n"
        (folder / "recipe.yaml").write_text(f"seed: 1\nkeep_order: true\nsteps:\n{steps}")
        asked = {
            MEMORY: ("whole.parquet", MEMORY, 1),
            "one process": ("people", "processes", 1),
            "two processes": ("people", "processes", 2),
            "other parts": ("other", "processes", 1),
        }
        if importlib.util.find_spec("distributed"):
            asked["Dask with two workers"] = ("people", "dask", 2)
        return {name: _run(folder, name, *how) for name, how in asked.items()}


def _run(folder: Path, name: str, source: str, engine: str, processes: int) -> Run:
    output = folder / (f"{name}.parquet" if engine == MEMORY else name)
    places = [str(folder / source), str(folder / "recipe.yaml"), str(output), str(processes)]
    seconds = run_once([sys.executable, "-c", WORK[engine], *places])
    if engine == MEMORY:
        frame = pl.read_parquet(output)
        found = Run(rows_digest(frame, chunk_digests(frame)), seconds)
    else:
        manifest = json.loads((folder / f"{name}.manifest.json").read_text())
        found = Run(manifest["output"]["rows_sha256"], seconds)
    if __name__ == "__main__":
        print(f"{name}: {found.digest[:16]} {found.seconds:.1f} CPU s", flush=True)
    return found


def differing() -> int:
    """Return how many engines gave other rows than memory."""
    found = runs()
    return sum(run.digest != found[MEMORY].digest for run in found.values())


def ratio(name: str) -> float:
    """Return how many times the CPU of masking in memory an engine took."""
    found = runs()
    if name not in found:
        raise RuntimeError("Dask is not installed: pip install '.[cluster]'")
    return found[name].seconds / found[MEMORY].seconds


CASES = [
    Case(
        "engines and other parts of 10^7 x 12 that give other rows than memory",
        differing,
        0.5,
        unit="engines",
        is_long=True,
        is_quick=False,
    ),
    *(
        Case(
            f"noise, PRAM, top coding and rank swapping of 10^7 x 12 by {name}, beside memory",
            partial(ratio, name),
            target,
            unit="times",
            is_long=True,
            is_quick=False,
        )
        for name, target in (("one process", 1.3), ("two processes", 1.3), ("Dask with two workers", 1.7))
    ),
]

if __name__ == "__main__":
    runs(int(sys.argv[1]))
