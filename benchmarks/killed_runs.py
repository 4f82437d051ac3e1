"""Kill a run over a folder, or one of its processes, at random moments: it must end with the same rows all the same."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from benchmarks.case import Case, records
from benchmarks.folders import family_of

ROWS, KILLS = records(200_000), 20
RECIPE = """\
seed: 1
keep_order: true
steps:
- additive_noise: {columns: [x0]}
- local_suppression: {columns: [region, job], k: 3}
- rank_swapping: {columns: [x1], window: 1}
- mdav: {columns: [x0, x1], k: 3, within: [region]}
"""
WORK = """
import sys
from sfumato.jobs.folders import resources
from sfumato.jobs.folders.resources import Resources
from sfumato.jobs.mask import mask
resources.BLOCKS_PER_RANGE = 1  # several ranges, so that several processes work
if __name__ == "__main__":
    mask(sys.argv[1], sys.argv[2], sys.argv[3], threads=2, overwrite=True, resources=Resources(memory="3GB"))
"""


class Outcome(NamedTuple):
    """Whether something of a run was killed, and whether the run failed: did not end, has other rows, left files."""

    was_killed: bool
    has_failed: bool


@cache
def failures(whole_run: bool) -> int:
    """Return how many of the runs that were killed did not end, ended with other rows, or left something behind."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write_parts(folder)
        begun = time.monotonic()
        _start(folder, "wanted").wait()
        lasts, wanted = time.monotonic() - begun, _digest(folder, "wanted")
        chance = np.random.default_rng(1)
        found = [_kill_one(folder, wanted, chance.uniform(0.1, 0.8) * lasts, whole_run) for _ in range(KILLS)]
    if sum(each.was_killed for each in found) < KILLS / 2:
        raise RuntimeError("most of the runs ended before they were killed, and prove nothing")
    return sum(each.has_failed for each in found)


def _kill_one(folder: Path, wanted: str, moment: float, whole_run: bool) -> Outcome:
    work = _start(folder, "masked")
    time.sleep(moment)
    doomed = [work.pid] if whole_run else _workers(work.pid)[-1:]
    for process in doomed:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    ended = work.wait()
    was_killed = ended == -signal.SIGKILL if whole_run else bool(doomed)
    if whole_run and ended:
        ended = _start(folder, "masked").wait()
    is_same = not ended and _digest(folder, "masked") == wanted
    left = list(folder.glob(".sfumato-*"))
    for name in ("masked", "masked.manifest.json", "masked.schema.yaml"):
        _remove(folder / name)
    return Outcome(was_killed, not is_same or bool(left))


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _workers(run: int) -> list[int]:
    """Return the processes that do the tasks of a run, once there are some; none where it ended without them."""
    while Path(f"/proc/{run}/stat").read_text().split()[2] != "Z":  # a run that ended waits to be asked for
        found = [process for process in family_of(run)[1:] if b"popen_loky" in _command(process)]
        if found:
            return found
        time.sleep(0.01)
    return []


def _command(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def _start(folder: Path, output: str) -> "subprocess.Popen[bytes]":
    places = [str(folder / each) for each in ("people", "recipe.yaml", output)]
    return subprocess.Popen([sys.executable, "-c", WORK, *places], stderr=subprocess.DEVNULL)


def _digest(folder: Path, output: str) -> str:
    return str(json.loads((folder / f"{output}.manifest.json").read_text())["output"]["rows_sha256"])


def _write_parts(folder: Path) -> None:
    rng = np.random.default_rng(1)
    (folder / "people").mkdir()
    for part in range(4):
        n = ROWS // 4
        texts = {
            name: pl.Series(rng.integers(0, k, n)).cast(pl.String) for name, k in {"region": 20, "job": 40}.items()
        }
        numbers = {f"x{place}": rng.lognormal(8, 1, n).round(2) for place in range(2)}
        pl.DataFrame({**numbers, **texts}).write_parquet(folder / "people" / f"part-{part}.parquet")
    kinds = {"x0": "continuous", "x1": "continuous", "region": "nominal", "job": "nominal"}
    lines = [f"- {{name: {name}, kind: {kind}}}" for name, kind in kinds.items()]
    (folder / "people.schema.yaml").write_text("\n".join(["variables:", *lines, ""]))
    (folder / "recipe.yaml").write_text(RECIPE)


CASES = [
    Case(
        "runs killed at 20 moments that did not go on to the same rows",
        lambda: failures(True),
        0.5,
        unit="runs",
        is_long=True,
        is_quick=False,
    ),
    Case(
        "the same where a process was killed", lambda: failures(False), 0.5, unit="runs", is_long=True, is_quick=False
    ),
]
