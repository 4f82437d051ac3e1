"""A method for which equal records are equal: count the different ones, mask these, and look up what each becomes."""

from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sfumato.data import Microdata, Schema
from sfumato.documents import dump
from sfumato.execution.blocks import block_generator
from sfumato.execution.folders.counted_kinds import BYTES_PER_KEY, COPIES, FIRST, add_up, join_counts
from sfumato.execution.folders.exchange import frame_file, read_frame, write_frame
from sfumato.execution.folders.step import Step, split_ranges
from sfumato.execution.folders.tasks import Spill
from sfumato.files.folders import Folder
from sfumato.files.folders.stacked_files import StackedFiles
from sfumato.keys.counted_records import CountedRecords

if TYPE_CHECKING:
    import polars as pl

MASKED = "masked "
"""What the name of a masked column begins with beside what it was; a blank makes it unlikely to be somebody's own."""


@dataclass(frozen=True)
class CountKinds:
    """Count the different records of a range, in the columns that the method reads."""

    path: Path
    step: Step
    folder: Folder
    start: int
    stop: int

    def run(self) -> int:
        """Write one row of each kind, with the number of its first row and how many there are."""
        import polars as pl

        data, names = self.folder.read(self.start, self.stop, self.step.columns_read), self.step.columns_read
        numbered = data.frame.with_columns(
            pl.Series(FIRST, data.row_ids), pl.Series(COPIES, np.ones(data.n, dtype=np.int64))
        )
        counted = add_up(numbered, names)
        write_frame(self.path, counted)
        return len(counted)


@dataclass(frozen=True)
class MaskKinds:
    """Mask the different records of a folder, which know how many there are of each."""

    path: Path
    step: Step
    folder: Folder
    sources: tuple[Path, ...]

    def run(self) -> str:
        """Write each of them with what it becomes, and return what the columns are then."""
        names = self.step.columns_read
        counted = join_counts((read_frame(path) for path in self.sources), names, self.step.task_bytes)
        counted = counted.sort(FIRST)  # in memory too they are numbered as they first appear
        masked = self._mask(counted).take_columns(self.step.columns)
        beside = masked.frame.rename({name: f"{MASKED}{name}" for name in self.step.columns})
        write_frame(self.path, counted.select(names).hstack(beside.get_columns()))
        return dump(masked.schema)

    def _mask(self, counted: "pl.DataFrame") -> Microdata:
        method, folder, names = self.step.method, self.folder, self.step.columns_read
        copies, ids = counted.get_column(COPIES).to_numpy(), counted.get_column(FIRST).to_numpy()
        kinds = CountedRecords(
            counted.select(names), folder.schema.subset(names), ids, folder.summary, folder.lineage, copies=copies
        )
        method.bound_to(kinds)  # which sees what the first block does not hold
        if not method.strata:
            return method.mask_block(kinds, block_generator(self.step.seed, self.step.number, 0))
        masked = []
        for number, rows in enumerate(kinds.strata(method.strata)):
            part = kinds.take_rows(rows)
            stratum = CountedRecords(part.frame, part.schema, part.row_ids, lineage=part.lineage, copies=copies[rows])
            masked.append(method.mask_block(stratum, block_generator(self.step.seed, self.step.number, number)))
        return Microdata.concatenate(masked, order=ids)


@dataclass(frozen=True)
class LookUpKinds:
    """Give the records of a range what their kinds became."""

    path: Path
    step: Step
    folder: Folder
    source: Path
    start: int
    stop: int

    def run(self) -> int:
        """Write the masked columns of the range."""
        names = self.step.columns_read
        rows = self.folder.read(self.start, self.stop, names).frame
        found = rows.join(read_frame(self.source), on=names, how="left", nulls_equal=True, maintain_order="left")
        chosen = {f"{MASKED}{name}": name for name in self.step.columns}
        write_frame(self.path, found.select(*chosen).rename(chosen))
        return len(found)


def run_by_kinds(step: Step, folder: Folder, spill: Spill) -> Folder:
    """Return the folder with columns masked by a method that needs only how many records there are of each kind."""
    label, ranges = f"step-{step.number}", split_ranges(folder.n, step.rows_per_range)
    for name in step.columns_read:
        folder.summary.missing_codes(name)  # known to all tasks then
    counting = [
        CountKinds(spill.path(f"{label}-counted", number), step, folder, start, stop)
        for number, (start, stop) in enumerate(ranges)
    ]
    spill.run_stage(counting)
    masking = MaskKinds(spill.path(f"{label}-kinds", 0), step, folder, tuple(task.path for task in counting))
    (described,) = spill.run_stage([masking])
    looking = [
        LookUpKinds(spill.path(f"{label}-rows", number), step, folder, masking.path, start, stop)
        for number, (start, stop) in enumerate(ranges)
    ]
    sizes = spill.run_stage(looking)
    spill.forget([*counting, masking])
    files = StackedFiles(tuple(frame_file(task.path) for task in looking), tuple(sizes))
    return folder.overlaid(files, Schema.from_yaml(described).variables)


def kind_bytes(folder: Folder, names: tuple[str, ...]) -> int:
    """Return how much memory the different records take at most: as if all combinations of categories were there."""
    combinations = prod(len(folder.summary.categories(name)) + 1 for name in names)
    return min(combinations, folder.n) * BYTES_PER_KEY * len(names)
