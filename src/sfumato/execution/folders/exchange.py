"""Move rows between ranges: tasks write them sorted by where they go, and who needs them reads a slice of each."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sfumato.execution.folders.tasks import Spill, Task
from sfumato.files.folders.stacked_files import StackedFiles, read_rows
from sfumato.numerics.arrays import AnyArray, Rows

if TYPE_CHECKING:
    import polars as pl

ROWS_PER_BATCH = 16_384


def write_sorted(path: Path, places: Rows, frame: "pl.DataFrame") -> None:
    """Write rows by rising place, with their places beside them."""
    order = np.argsort(places, kind="stable")
    write_array(places_file(path), places[order])
    write_frame(path, frame[order])


def read_places(path: Path, start: int, stop: int) -> tuple[Rows, "pl.DataFrame"]:
    """Return the rows of a file with places from `start` up to `stop`, and these places."""
    places = np.load(places_file(path), mmap_mode="r")
    low, high = np.searchsorted(places, [start, stop])
    return np.array(places[low:high]), read_rows(frame_file(path), None, int(low), int(high - low))


def gather(paths: Sequence[Path], start: int, stop: int) -> tuple[Rows, "pl.DataFrame"]:
    """Return the rows of all files with places from `start` up to `stop`, by rising place; equal ones by file."""
    import polars as pl

    found = [read_places(path, start, stop) for path in paths]
    places = np.concatenate([each for each, _ in found])
    order = np.argsort(places, kind="stable")
    return places[order], pl.concat([frame for _, frame in found], rechunk=True)[order]


def write_frame(path: Path, frame: "pl.DataFrame") -> None:
    """Write columns in batches, of which a reader takes those that it needs."""
    with replace_quickly(frame_file(path)) as unfinished:
        frame.write_ipc(unfinished, record_batch_size=ROWS_PER_BATCH)


def read_frame(path: Path) -> "pl.DataFrame":
    """Return all columns that a task wrote."""
    import polars as pl

    file = frame_file(path)
    return read_rows(file, None, 0, int(pl.scan_ipc(file).select(pl.len()).collect().item()))


def write_array(file: Path, values: AnyArray) -> None:
    """Write numbers, of which a reader takes those that it needs."""
    with replace_quickly(file) as unfinished, unfinished.open("wb") as stream:
        np.save(stream, values)


@contextmanager
def replace_quickly(file: Path) -> Iterator[Path]:
    """Give a name of this process's own, which takes the place of the file's when it is complete.

    A process that outlives a killed run by a moment so harms no later one, which writes the same.
    """
    unfinished = file.with_name(f"{file.name}.{os.getpid()}.part")
    yield unfinished
    unfinished.replace(file)


def places_file(path: Path) -> Path:
    """Return the file in which a task keeps the places of its rows."""
    return path.with_name(f"{path.name}.places.npy")


def frame_file(path: Path) -> Path:
    """Return the file in which a task keeps the columns of its rows."""
    return path.with_name(f"{path.name}.arrow")


@dataclass(frozen=True)
class Place:
    """Put the rows of a range back in their order, from the files of tasks that masked them elsewhere."""

    path: Path
    sources: tuple[Path, ...]
    start: int
    stop: int

    def run(self) -> int:
        """Write the columns of the range."""
        _, frame = gather(self.sources, self.start, self.stop)
        write_frame(self.path, frame)
        return len(frame)


def place_back(spill: Spill, label: str, masked: Sequence[Task], ranges: Sequence[tuple[int, int]]) -> StackedFiles:
    """Return the columns that tasks masked elsewhere as files of ranges of rows, in the order of the rows."""
    sources = tuple(task.path for task in masked)
    placing = [
        Place(spill.path(f"{label}-placed", number), sources, start, stop)
        for number, (start, stop) in enumerate(ranges)
    ]
    sizes = spill.run_stage(placing)
    return StackedFiles(tuple(frame_file(task.path) for task in placing), tuple(sizes))
