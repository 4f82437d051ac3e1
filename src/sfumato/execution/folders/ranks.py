"""A method that sees runs of ranks of one column: sort ranges, cut the ranks exactly, mask each run, place it back."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata, Schema, Variable
from sfumato.documents import dump
from sfumato.execution.blocks import EVERYTHING, Block, block_generator, ends_of_runs
from sfumato.execution.folders.cut_ranks import cut_positions
from sfumato.execution.folders.exchange import frame_file, place_back, write_array, write_frame, write_sorted
from sfumato.execution.folders.step import Step, check_fits, split_ranges
from sfumato.execution.folders.tasks import Spill
from sfumato.files.folders import Folder
from sfumato.files.folders.stacked_files import StackedFiles, read_rows
from sfumato.numerics.arrays import FloatColumn, Rows
from sfumato.numerics.ranking import stable_order

BYTES_PER_RANK = 100  # of a run while it is merged and masked


@dataclass(frozen=True)
class SortRange:
    """Sort one column of a range by its values, equal ones by row, missing ones last."""

    path: Path
    folder: Folder
    name: str
    start: int
    stop: int

    def run(self) -> int:
        """Write the column, its values as numbers and the rows they came from."""
        data = self.folder.read(self.start, self.stop, (self.name,))
        values = data.values(self.name)
        order = stable_order(values)
        write_array(_values_file(self.path), values[order])
        write_array(_rows_file(self.path), order + self.start)
        write_frame(self.path, data.frame[order])
        return data.n


@dataclass(frozen=True)
class MaskRun:
    """Mask one run of ranks, put together from slices of sorted ranges; or a whole column, where it is one run."""

    path: Path
    step: Step
    method: MaskingMethod
    folder: Folder
    name: str
    block: int
    slices: tuple[tuple[Path, int, int], ...]

    def run(self) -> str:
        """Write the masked values by the rows they belong to, and return what the column is then."""
        data = self._merge() if self.slices else self.folder.read(0, self.folder.n, self.step.columns_read)
        masked = Block(self.method, data, EVERYTHING).mask(
            block_generator(self.step.seed, self.step.number, self.block)
        )
        write_sorted(self.path, data.row_ids, masked.take_columns((self.name,)).frame)
        return dump(masked.schema.subset((self.name,)))

    def _merge(self) -> Microdata:
        import polars as pl

        values: list[FloatColumn] = []
        rows: list[Rows] = []
        frames = []
        for path, low, high in self.slices:
            values.append(np.load(_values_file(path), mmap_mode="r")[low:high])
            rows.append(np.load(_rows_file(path), mmap_mode="r")[low:high])
            frames.append(read_rows(frame_file(path), None, low, high - low))
        order = np.argsort(np.concatenate(values), kind="stable")  # ranges come by row, so ties stay so too
        schema = self.folder.schema.subset((self.name,))
        ids = np.concatenate(rows)[order]
        return Microdata(pl.concat(frames)[order], schema, ids, self.folder.summary, self.folder.lineage)


def run_by_ranks(step: Step, folder: Folder, spill: Spill) -> Folder:
    """Return the folder with each column masked by runs of its ranks; the columns of one step do not see each other."""
    masked, block = folder, 0
    for name in step.columns:
        ends = ends_of_runs(step.method, folder.summary.observed(name))
        check_runs(step.method, folder, name, step.task_bytes)
        files, variable = _mask_column(step, folder, spill, name, ends, block)
        masked, block = masked.overlaid(files, (variable,)), block + len(ends) + 1
    return masked


def check_runs(method: MaskingMethod, folder: Folder, name: str, task_bytes: int) -> int:
    """Return how many records the longest run of a column has; refuse one that a task cannot hold."""
    ends = ends_of_runs(method, folder.summary.observed(name))
    longest = max(int(length) for length in np.diff([0, *ends, folder.n]))
    check_fits(longest, BYTES_PER_RANK, task_bytes, f"a run of ranks of '{name}'")
    return longest


def _mask_column(
    step: Step, folder: Folder, spill: Spill, name: str, ends: Sequence[int], block: int
) -> tuple[StackedFiles, Variable]:
    """Return the files of one masked column, and what it is then; `block` numbers its first run."""
    label, narrowed = f"step-{step.number}-block-{block}", step.method.replace(columns=(name,))
    ranges = split_ranges(folder.n, step.rows_per_range)
    sorting = [
        SortRange(spill.path(f"{label}-sorted", number), folder, name, start, stop)
        for number, (start, stop) in enumerate(ranges if ends else [])
    ]
    spill.run_stage(sorting)
    cuts = spill.remember(f"{label}-cuts", lambda: _cut(sorting, ends)) if ends else [[]]
    masking = [
        MaskRun(
            spill.path(f"{label}-run", number),
            step,
            narrowed,
            folder,
            name,
            block + number,
            tuple((task.path, low, high) for task, (low, high) in zip(sorting, cuts[number], strict=True)),
        )
        for number in range(len(ends) + 1)
    ]
    described = spill.run_stage(masking)
    files = place_back(spill, label, masking, ranges)
    spill.forget([*sorting, *masking])
    return files, Schema.from_yaml(described[0])[name]


def _cut(sorting: Sequence[SortRange], ends: Sequence[int]) -> list[list[tuple[int, int]]]:
    """Return for each run the slice that it takes of each sorted range."""
    columns = [np.load(_values_file(task.path), mmap_mode="r") for task in sorting]
    between = cut_positions(columns, ends)
    cuts = [[0] * len(columns), *between, [len(column) for column in columns]]
    return [list(zip(low, high, strict=True)) for low, high in pairwise(cuts)]


def _values_file(path: Path) -> Path:
    return path.with_name(f"{path.name}.values.npy")


def _rows_file(path: Path) -> Path:
    return path.with_name(f"{path.name}.rows.npy")
