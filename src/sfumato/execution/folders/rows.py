"""A method that sees runs of rows: each task masks the blocks of one range."""

from dataclasses import dataclass
from pathlib import Path

from sfumato.data import Variable
from sfumato.execution.blocks import Block, block_generator
from sfumato.execution.folders.exchange import frame_file, write_frame
from sfumato.execution.folders.step import Step, split_ranges
from sfumato.execution.folders.tasks import Spill
from sfumato.files.folders import Folder
from sfumato.files.folders.stacked_files import StackedFiles


@dataclass(frozen=True)
class MaskRows:
    """Mask the blocks of one range of rows."""

    path: Path
    step: Step
    folder: Folder
    start: int
    stop: int

    def run(self) -> int:
        """Write the masked columns of the range."""
        import polars as pl

        method, rows = self.step.method, self.step.rows_per_block
        data = self.folder.read(self.start, self.stop, self.step.columns_read)
        masked = []
        for begin in range(0, data.n, rows):
            rng = block_generator(self.step.seed, self.step.number, (self.start + begin) // rows)
            part = Block(method, data, slice(begin, begin + rows)).mask(rng)
            masked.append(part.take_columns(self.step.columns).frame)
        write_frame(self.path, pl.concat(masked))
        return data.n


def run_by_rows(step: Step, folder: Folder, spill: Spill) -> Folder:
    """Return the folder with the columns masked by ranges of rows."""
    if not step.method.keeps_shape:  # columns go, and nothing else happens, see `refusal`; the method may refuse that
        step.method.mask_block(folder.read(0, step.rows_per_block), block_generator(step.seed, step.number, 0))
        return folder.without_columns(step.columns)
    variables = _rehearse(step, folder)
    ranges = split_ranges(folder.n, step.rows_per_range, step.rows_per_block)
    tasks = [
        MaskRows(spill.path(f"step-{step.number}-rows", number), step, folder, start, stop)
        for number, (start, stop) in enumerate(ranges)
    ]
    sizes = spill.run_stage(tasks)
    return folder.overlaid(StackedFiles(tuple(frame_file(task.path) for task in tasks), tuple(sizes)), variables)


def _rehearse(step: Step, folder: Folder) -> tuple[Variable, ...]:
    """Mask the first block, to learn what the columns will be; what it asks of the summary is known to all tasks."""
    first = folder.read(0, step.rows_per_block, step.columns_read)
    masked = step.method.mask_block(first, block_generator(step.seed, step.number, 0))
    return tuple(masked.schema[name] for name in step.columns)
