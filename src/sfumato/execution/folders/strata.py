"""A method with strata: bring the records of each stratum together, mask each as a file of its own, place them back."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import prod
from pathlib import Path

import numpy as np

from sfumato.contracts import Layout
from sfumato.data import Microdata, Schema
from sfumato.documents import dump
from sfumato.errors import DataError
from sfumato.execution.blocks import block_generator, cut_stratum, ends_of_runs
from sfumato.execution.folders.exchange import gather, place_back, write_sorted
from sfumato.execution.folders.step import BYTES_PER_VALUE, Step, check_fits, split_ranges
from sfumato.execution.folders.tasks import Spill
from sfumato.execution.local import assemble
from sfumato.files.folders import Folder
from sfumato.numerics.arrays import CodeColumn

MAX_CELLS = 2**62
ROW = "row number"
"""The column in which rows travel with their numbers; blanks make it unlikely to be somebody's own."""


@dataclass(frozen=True)
class SortStrata:
    """Sort the rows of a range by stratum."""

    path: Path
    step: Step
    folder: Folder
    start: int
    stop: int

    def run(self) -> list[list[int]]:
        """Write the rows; return for each stratum its number, its rows and the observed values of each column."""
        import polars as pl

        method = self.step.method
        data = self.folder.read(self.start, self.stop, self.step.columns_read)
        numbers = stratum_keys(data, method.strata)
        write_sorted(self.path, numbers, data.frame.with_columns(pl.Series(ROW, data.row_ids)))
        strata, places, counts = np.unique(numbers, return_inverse=True, return_counts=True)
        by_ranks = self.step.columns if method.layout is Layout.RANKS else ()
        observed = [np.bincount(places, weights=data.observed(name)).astype(np.int64) for name in by_ranks]
        return [list(map(int, line)) for line in zip(strata, counts, *observed, strict=True)]


@dataclass(frozen=True)
class MaskStrata:
    """Mask some strata, one after the other, each as a file of its own."""

    path: Path
    step: Step
    folder: Folder
    sources: tuple[Path, ...]
    strata: tuple[int, ...]
    first_blocks: tuple[int, ...]

    def run(self) -> str:
        """Write the masked columns by the rows they belong to, and return what they are then."""
        import polars as pl

        method, folder = self.step.method, self.folder
        keys, frame = gather(self.sources, self.strata[0], self.strata[-1] + 1)
        ids, frame = frame.get_column(ROW).to_numpy(), frame.drop(ROW)
        masked = []
        for stratum, first in zip(self.strata, self.first_blocks, strict=True):
            low, high = np.searchsorted(keys, [stratum, stratum + 1])
            schema = folder.schema.subset(self.step.columns_read)
            data = Microdata(frame.slice(low, high - low), schema, ids[low:high], lineage=folder.lineage)
            blocks = cut_stratum(method, data)
            rngs = [block_generator(self.step.seed, self.step.number, first + each) for each in range(len(blocks))]
            parts = [block.mask(rng) for block, rng in zip(blocks, rngs, strict=True)]
            masked.append(assemble(data, blocks, parts).take_columns(self.step.columns))
        write_sorted(self.path, ids, pl.concat([each.frame for each in masked]))
        return dump(masked[0].schema)


def stratum_keys(data: Microdata, names: tuple[str, ...]) -> CodeColumn:
    """Return for each row a number of its stratum that is the same in every block, in the order of strata."""
    keys = np.zeros(data.n, dtype=np.int64)
    for name in names:
        codes, categories = data.codes(name)
        keys = keys * (len(categories) + 1) + codes + 1
    return keys


def run_by_strata(step: Step, folder: Folder, spill: Spill) -> Folder:
    """Return the folder with each stratum masked by itself."""
    label, ranges = f"step-{step.number}", split_ranges(folder.n, step.rows_per_range)
    sizes = [len(folder.summary.categories(name)) + 1 for name in step.method.strata]  # known to all tasks then
    if prod(sizes) > MAX_CELLS:
        raise DataError("the columns of within have too many categories to tell all strata apart; name fewer")
    sorting = [
        SortStrata(spill.path(f"{label}-sorted", number), step, folder, start, stop)
        for number, (start, stop) in enumerate(ranges)
    ]
    facts: Counter[tuple[int, int]] = Counter()
    for stratum, *figures in (line for lines in spill.run_stage(sorting) for line in lines):
        facts.update({(stratum, place): figure for place, figure in enumerate(figures)})
    strata = sorted({stratum for stratum, _ in facts})
    bytes_per_row = BYTES_PER_VALUE * (len(step.columns_read) + 2)
    check_fits(max(facts[each, 0] for each in strata), bytes_per_row, step.task_bytes, "the largest stratum")
    blocks = [_count_blocks(step, facts, stratum) for stratum in strata]
    firsts = dict(zip(strata, accumulate([0, *blocks]), strict=False))
    masking = [
        MaskStrata(
            spill.path(f"{label}-strata", number),
            step,
            folder,
            tuple(task.path for task in sorting),
            tuple(chosen),
            tuple(firsts[stratum] for stratum in chosen),
        )
        for number, chosen in enumerate(batches(strata, [facts[each, 0] for each in strata], step.rows_per_range))
    ]
    described = spill.run_stage(masking)
    files = place_back(spill, label, masking, ranges)
    spill.forget([*sorting, *masking])
    return folder.overlaid(files, Schema.from_yaml(described[0]).variables)


def _count_blocks(step: Step, facts: Counter[tuple[int, int]], stratum: int) -> int:
    """Return into how many blocks a stratum is cut."""
    method, rows = step.method, facts[stratum, 0]
    if method.layout is Layout.RANKS:
        observed = [facts[stratum, 1 + place] for place in range(len(step.columns))]
        return sum(len(ends_of_runs(method, count)) + 1 for count in observed)
    return -(-rows // step.rows_per_block) if method.layout is Layout.ROWS else 1


def batches(strata: Sequence[int], sizes: Sequence[int], rows: int) -> list[list[int]]:
    """Return the strata in batches of consecutive ones, each of at most so many rows or of a single stratum.

    Examples
    --------
    >>> batches([0, 1, 2, 5], [3, 4, 9, 1], 7)
    [[0, 1], [2], [5]]
    """
    batches: list[list[int]] = []
    held = 0
    for stratum, size in zip(strata, sizes, strict=True):
        if batches and held + size <= rows:
            batches[-1].append(stratum)
            held += size
        else:
            batches.append([stratum])
            held = size
    return batches
