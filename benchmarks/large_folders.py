"""A folder of 10^8 records of 10 columns: CPU time of masking, risk and loss, and the peak of their anonymous memory.

The folder takes 6 GB on disk, and what is sorted and written about three times as much. To run another number of
records, or to keep what was measured: python -m benchmarks.large_folders ROWS
"""

import os
import subprocess
import sys
import tempfile
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from benchmarks.case import Case, records
from benchmarks.folders import watch
from benchmarks.start import ENVIRONMENT

ROWS, ROWS_PER_PART = records(100_000_000), records(2_500_000)
SFUMATO = [sys.executable, "-c", "from sfumato.cli import main; main()"]
LIMITS = ["--memory", "4GB", "--threads", "1"]
KINDS = {f"x{place}": "{kind: continuous, role: confidential}" for place in range(5)}
KINDS |= {"age": "{kind: continuous, role: key}"}
KINDS |= dict.fromkeys(("sex", "region", "job", "size"), "{kind: nominal, role: key}")
RECIPE = """\
seed: 1
steps:
- additive_noise: {columns: [x0, x1]}
- pram: {columns: [sex, region], stay: 80}
- top_coding: {columns: [age], at: 90}
- rank_swapping: {columns: [x2, x3, x4], window: 1}
"""
MEASURES = """\
measures:
- information_loss: {columns: numeric}
- standardised_information_loss: {columns: numeric}
- categorical_distance: {columns: categorical}
"""


class Used(NamedTuple):
    """What a command took: CPU seconds, and the peak of the anonymous memory of all its processes in GB."""

    seconds: float
    gigabytes: float


@cache
def used(rows: int = ROWS) -> dict[str, Used]:
    """Return what masking, risk and the loss report took, for one folder after the other."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_parts(folder, rows)
        places = [str(folder / each) for each in ("people", "masked")]
        mask = [*SFUMATO, "mask", places[0], "-r", str(folder / "recipe.yaml"), "-o", places[1], *LIMITS]
        risk = [*SFUMATO, "risk", places[0], *LIMITS]
        loss = [*SFUMATO, "assess", *places, "--measures", str(folder / "measures.yaml"), *LIMITS]
        found = {}
        for verb, command in (("mask", mask), ("risk", risk), ("assess", loss)):
            work = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=ENVIRONMENT)
            found[verb] = Used(*watch(work, verb))
            if __name__ == "__main__":
                print(f"{verb}: {found[verb].seconds:.0f} CPU s, {found[verb].gigabytes:.2f} GB", flush=True)
        return found


def _gigabytes(verb: str) -> float:
    return used()[verb].gigabytes


def write_parts(folder: Path, rows: int) -> None:
    """Write records in parts, with their schema, a recipe and measures beside them."""
    (folder / "people").mkdir()
    starts = range(0, rows, ROWS_PER_PART)
    for part, start in enumerate(starts):
        rng, n = np.random.default_rng([1, part]), min(ROWS_PER_PART, rows - start)
        numbers = {f"x{place}": rng.lognormal(8, 1, n).round(2) for place in range(5)}
        categories = {"sex": 2, "region": 20, "job": 40, "size": 6}
        texts = {name: pl.Series(rng.integers(0, k, n)).cast(pl.String) for name, k in categories.items()}
        frame = pl.DataFrame({**numbers, "age": rng.integers(0, 98, n), **texts})
        frame.write_parquet(folder / "people" / f"part-{part:03d}.parquet")
    lines = [f"  {name}: {kind}" for name, kind in KINDS.items()]
    (folder / "people.schema.yaml").write_text("\n".join(["variables:", *lines, ""]))
    (folder / "recipe.yaml").write_text(RECIPE)
    (folder / "measures.yaml").write_text(MEASURES)


CASES = [
    Case(
        f"{words} 10^8 x 10: anonymous memory",
        partial(_gigabytes, verb),
        4.0,
        unit="GB",
        is_long=True,
        is_quick=False,
    )
    for verb, words in (
        ("mask", "noise, PRAM, top coding and rank swapping of 3 columns of"),
        ("risk", "k-anonymity and risk of"),
        ("assess", "information loss of"),
    )
]

if __name__ == "__main__":
    os.nice(10)
    used(int(sys.argv[1]))
