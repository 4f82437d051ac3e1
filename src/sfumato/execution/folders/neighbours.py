"""A method that sees sets of near records: cut the file by a sample of it, bring each set together, place it back."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sfumato.data import Microdata, Schema
from sfumato.documents import dump
from sfumato.execution import blocks
from sfumato.execution.blocks import block_generator, neighbour_numbers, neighbour_share, standard_points
from sfumato.execution.folders.exchange import gather, place_back, write_array, write_sorted
from sfumato.execution.folders.step import BYTES_PER_VALUE, Step, check_fits, split_ranges
from sfumato.execution.folders.strata import ROW, batches
from sfumato.execution.folders.tasks import Spill
from sfumato.files.folders import Folder
from sfumato.kernels.neighbours.kd_cuts import KdCuts, find_cuts
from sfumato.numerics.hashing import is_drawn


@dataclass(frozen=True)
class DrawPoints:
    """Draw records of a range, which tell where the file is cut."""

    path: Path
    step: Step
    folder: Folder
    start: int
    stop: int

    def run(self) -> int:
        """Write the records that were drawn, standardised."""
        data = self.folder.read(self.start, self.stop, self.step.columns)
        drawn = is_drawn(data.row_ids, neighbour_share(self.folder.n))
        write_array(_points_file(self.path), standard_points(self.step.method, data)[drawn])
        return int(np.count_nonzero(drawn))


@dataclass(frozen=True)
class SortNeighbours:
    """Sort the rows of a range by the set of near records that they belong to."""

    path: Path
    step: Step
    folder: Folder
    cuts: KdCuts | int
    start: int
    stop: int

    def run(self) -> list[list[int]]:
        """Write the rows; return the number of each set, and how many rows of it are here."""
        import polars as pl

        data = self.folder.read(self.start, self.stop, self.step.columns_read)
        numbers = neighbour_numbers(self.step.method, data, self.cuts, self.start)
        write_sorted(self.path, numbers, data.frame.with_columns(pl.Series(ROW, data.row_ids)))
        return [list(map(int, pair)) for pair in zip(*np.unique(numbers, return_counts=True), strict=True)]


@dataclass(frozen=True)
class MaskNeighbours:
    """Mask some sets of near records, one after the other."""

    path: Path
    step: Step
    folder: Folder
    sources: tuple[Path, ...]
    numbers: tuple[int, ...]
    first_block: int

    def run(self) -> str:
        """Write the masked columns by the rows they belong to, and return what they are then."""
        import polars as pl

        step, folder = self.step, self.folder
        places, frame = gather(self.sources, self.numbers[0], self.numbers[-1] + 1)
        ids, frame = frame.get_column(ROW).to_numpy(), frame.drop(ROW)
        masked = []
        for place, number in enumerate(self.numbers):
            low, high = np.searchsorted(places, [number, number + 1])
            schema = folder.schema.subset(step.columns_read)
            block = Microdata(frame.slice(low, high - low), schema, ids[low:high], folder.summary, folder.lineage)
            rng = block_generator(step.seed, step.number, self.first_block + place)
            masked.append(step.method.mask_block(block, rng).take_columns(step.columns))
        write_sorted(self.path, ids, pl.concat([each.frame for each in masked]))
        return dump(masked[0].schema)


def run_by_neighbours(step: Step, folder: Folder, spill: Spill) -> Folder:
    """Return the folder with each set of near records masked by itself."""
    label, ranges = f"step-{step.number}", split_ranges(folder.n, step.rows_per_range)
    folder.summary.means(step.columns), folder.summary.deviations(step.columns)  # known to all tasks then
    cuts = _find_cuts(step, folder, spill, label)
    sorting = [
        SortNeighbours(spill.path(f"{label}-sorted", number), step, folder, cuts, start, stop)
        for number, (start, stop) in enumerate(ranges)
    ]
    sizes: Counter[int] = Counter()
    for number, rows in (pair for pairs in spill.run_stage(sorting) for pair in pairs):
        sizes[number] += rows
    numbers = sorted(sizes)
    bytes_per_row = BYTES_PER_VALUE * (len(step.columns_read) + 2)
    check_fits(max(sizes.values()), bytes_per_row, step.task_bytes, "the largest set of near records")
    masking, first = list[MaskNeighbours](), 0
    for place, chosen in enumerate(batches(numbers, [sizes[each] for each in numbers], step.rows_per_range)):
        sources = tuple(task.path for task in sorting)
        path = spill.path(f"{label}-near", place)
        masking.append(MaskNeighbours(path, step, folder, sources, tuple(chosen), first))
        first += len(chosen)
    described = spill.run_stage(masking)
    files = place_back(spill, label, masking, ranges)
    spill.forget([*sorting, *masking])
    return folder.overlaid(files, Schema.from_yaml(described[0]).variables)


def _find_cuts(step: Step, folder: Folder, spill: Spill, label: str) -> KdCuts | int:
    """Return where the file is cut; a file that is one set is not."""
    if folder.n <= blocks.NEIGHBOURS_PER_BLOCK:
        return 1
    drawing = [
        DrawPoints(spill.path(f"{label}-drawn", number), step, folder, start, stop)
        for number, (start, stop) in enumerate(split_ranges(folder.n, step.rows_per_range))
    ]
    spill.run_stage(drawing)
    sample = np.concatenate([np.load(_points_file(task.path)) for task in drawing])
    return find_cuts(sample, blocks.NEIGHBOURS_PER_BLOCK * neighbour_share(folder.n))


def _points_file(path: Path) -> Path:
    return path.with_name(f"{path.name}.points.npy")
