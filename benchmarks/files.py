"""Memory of reading, masking and writing a Parquet file, against its size in memory."""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.case import Case, records

ROWS, COLUMNS = records(1_000_000), 10
RECIPE = "seed: 1\nsteps:\n  - rank_swapping: {columns: numeric, window: 10}\n"
WORK = """
import sys
from pathlib import Path
from sfumato.jobs.mask import mask
from sfumato.recipe import Recipe
folder = Path(sys.argv[1])
if sys.argv[2] == "small":
    mask(folder / "small.parquet", Recipe.load(folder / "recipe.yaml"), folder / "small_masked.parquet")
else:
    mask(folder / "large.parquet", Recipe.load(folder / "recipe.yaml"), folder / "masked.parquet")
lines = Path("/proc/self/status").read_text().splitlines()
print(next(1024 * int(line.split()[1]) for line in lines if line.startswith("VmHWM")))
"""


def _peak(folder: Path, size: str) -> float:
    command = [sys.executable, "-c", WORK, str(folder), size]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[-1])


def memory_ratio() -> float:
    """Return the peak memory of the work, beyond that of 1000 rows, over the frame's size in memory."""
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(rng.lognormal(size=(ROWS, COLUMNS)), schema=[f"x{i}" for i in range(COLUMNS)])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        frame.write_parquet(folder / "large.parquet")
        frame.head(1000).write_parquet(folder / "small.parquet")
        (folder / "recipe.yaml").write_text(RECIPE)
        return (_peak(folder, "large") - _peak(folder, "small")) / frame.estimated_size()


CASES = [
    Case(
        "read, rank swap and write Parquet 10^6 x 10: peak memory / size in memory",
        memory_ratio,
        4.0,
        unit="ratio",
        note="Half of it is what the reader of Parquet files keeps after decoding; it varies between 3.8 and 4.3.",
    )
]
