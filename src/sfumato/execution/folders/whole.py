"""A method that needs all records at once: one task takes the columns that it reads into memory, if they fit."""

from dataclasses import dataclass
from pathlib import Path

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata, Role, Schema
from sfumato.documents import dump
from sfumato.errors import DataError
from sfumato.execution.folders.exchange import frame_file, write_frame
from sfumato.execution.folders.step import BYTES_PER_VALUE, Step, columns_to_read
from sfumato.execution.folders.tasks import Spill
from sfumato.execution.local import run_step
from sfumato.files.folders import Folder
from sfumato.files.folders.stacked_files import StackedFiles

CONTENT = {Role.KEY, Role.CONFIDENTIAL, Role.OTHER}
"""The roles of columns that a method reads only where it names them; those of weights or households tell by role."""


@dataclass(frozen=True)
class MaskWhole:
    """Mask all records, in the columns that the method reads."""

    path: Path
    step: Step
    folder: Folder

    def run(self) -> str:
        """Write the masked columns, and return what they are then."""
        folder, names = self.folder, self.step.columns_read
        rows = folder.read(0, folder.n, names)
        data = Microdata(rows.frame, folder.schema.subset(names), rows.row_ids, lineage=folder.lineage)
        masked = run_step(self.step.method, data, seed=self.step.seed, step=self.step.number)
        changed = masked.take_columns(self.step.columns)
        write_frame(self.path, changed.frame)
        return dump(changed.schema)


def run_as_whole(step: Step, folder: Folder, spill: Spill) -> Folder:
    """Return the folder with columns masked by a method that sees all records at once."""
    check_whole(step.method, folder, step.columns_read, step.task_bytes)
    task = MaskWhole(spill.path(f"step-{step.number}-whole", 0), step, folder)
    (described,) = spill.run_stage([task])
    files = StackedFiles((frame_file(task.path),), (folder.n,))
    return folder.overlaid(files, Schema.from_yaml(described).variables)


def columns_of_whole(method: MaskingMethod, schema: Schema) -> tuple[str, ...]:
    """Return the columns that a method may read: those it names, and those that tell weights or households."""
    named = columns_to_read(method, schema)
    return tuple(one.name for one in schema.variables if one.name in named or one.role not in CONTENT)


def check_whole(method: MaskingMethod, folder: Folder, names: tuple[str, ...], task_bytes: int) -> int:
    """Return how many bytes a method needs that takes all records at once; refuse one that a task cannot hold."""
    needed = folder.n * BYTES_PER_VALUE * (len(names) + 2)
    if needed > task_bytes:
        strata = "give it strata (within) that each fit into memory, " if hasattr(method, "within") else ""
        raise DataError(
            f"{method.name()} needs all {folder.n:,} records at once in {len(names)} columns, which take about "
            f"{needed / 1e9:.1f} GB, and a task may take {task_bytes / 1e9:.1f}; {strata}give more with the option "
            f"memory, fewer processes with the option threads, or use a method that runs range by range"
        )
    return needed
