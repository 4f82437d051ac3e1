"""Count the records of a file larger than memory by its keys: range by range, and then together."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sfumato.data import Microdata
from sfumato.execution.folders import Spill
from sfumato.execution.folders.counted_kinds import COPIES, add_up, join_counts
from sfumato.execution.folders.exchange import read_frame, write_frame
from sfumato.execution.folders.step import split_ranges
from sfumato.files.folders import Folder
from sfumato.keys.counted_records import CountedRecords, count_records
from sfumato.keys.exact_weights import split_weights
from sfumato.keys.weights import remark_on_weights
from sfumato.numerics.arrays import Booleans
from sfumato.numerics.hashing import mix_bits

if TYPE_CHECKING:
    import polars as pl

PARTS = ("sum of weights 1", "sum of weights 2", "sum of weights 3")  # blanks make them unlikely to be somebody's own
HASHES = 2**64


@dataclass(frozen=True)
class KeyQuestion:
    """What is counted.

    Parameters
    ----------
    keys
        The keys.
    others
        Columns that records are counted by beside the keys, one after the other.
    weight, factor
        The column of the weights, and by what they are multiplied.
    household
        The column that tells who lives together.
    sampled
        The share of the households, or records, that are kept as they are.
    """

    keys: tuple[str, ...]
    others: tuple[str, ...]
    weight: str | None
    factor: float
    household: str | None
    sampled: float

    @property
    def groupings(self) -> tuple[tuple[str, ...], ...]:
        """The columns of each count."""
        return (self.keys, *((*self.keys, name) for name in self.others))


@dataclass(frozen=True)
class CountRange:
    """Count the records of a range."""

    path: Path
    folder: Folder
    question: KeyQuestion
    start: int
    stop: int

    def run(self) -> int:
        """Write the counts and the sample; return how many weights are below 1."""
        import polars as pl

        data, question, few = self.folder.read(self.start, self.stop), self.question, 0
        held = [pl.Series(COPIES, np.ones(data.n, dtype=np.int64))]
        if question.weight is not None:
            weights = data.values(question.weight) * question.factor
            few = int(np.count_nonzero(weights < 1))
            parts = split_weights(np.maximum(weights, 1.0))
            held += [pl.Series(name, part) for name, part in zip(PARTS, parts, strict=True)]
        for number, names in enumerate(question.groupings):
            counted = data.frame.select(names).with_columns(held if number == 0 else held[:1])
            write_frame(_count_path(self.path, number), add_up(counted, names))
        write_frame(_sample_path(self.path), data.frame.filter(pl.Series(is_sampled(data, question))))
        return few


@dataclass(frozen=True, eq=False)
class FolderCounts:
    """A folder, counted: by keys, by keys and each other column, and a sample of its records."""

    keys: CountedRecords
    others: dict[str, CountedRecords]
    sample: Microdata


def count_folder(
    folder: Folder, question: KeyQuestion, *, spill: Spill, rows_per_range: int, task_bytes: int, stage: str = "count"
) -> FolderCounts:
    """Count a folder by its keys; the counts are those of the same records in memory.

    Parameters
    ----------
    folder, question
        The records, and what is counted.
    spill
        Where ranges leave their counts, and who does the work.
    rows_per_range
        How many rows a task takes at once; the result does not depend on it.
    task_bytes
        How much memory the kinds of records may take; more are refused.
    stage
        What the tasks are called where they leave their counts; another name for each question.
    """
    import polars as pl

    counting = [
        CountRange(spill.path(stage, number), folder, question, start, stop)
        for number, (start, stop) in enumerate(split_ranges(folder.n, rows_per_range))
    ]
    few, remark = sum(spill.run_stage(counting)), ""
    if question.weight is not None:
        remark = remark_on_weights(few, folder.summary.mean(question.weight) * question.factor, folder.n)
    counted = []
    for number, names in enumerate(question.groupings):
        frames = (read_frame(_count_path(task.path, number)) for task in counting)
        counted.append(_join(folder, frames, names, question, remark, task_bytes))
    rows = pl.concat([read_frame(_sample_path(task.path)) for task in counting])
    sample = Microdata(rows, folder.schema)
    return FolderCounts(counted[0], dict(zip(question.others, counted[1:], strict=True)), sample)


def is_sampled(data: Microdata, question: KeyQuestion) -> Booleans:
    """Tell for each record whether it is drawn: with its household, or by itself where it has none."""
    hashes = mix_bits(data.row_ids.astype(np.uint64), 0)
    if question.household is not None:
        homes = data.frame.get_column(question.household).hash().to_numpy()
        hashes = np.where(data.observed(question.household), homes, hashes)
    return np.asarray(hashes.astype(np.float64) < question.sampled * HASHES, dtype=np.bool_) | (question.sampled >= 1)


def _join(
    folder: Folder,
    frames: Iterable["pl.DataFrame"],
    names: tuple[str, ...],
    question: KeyQuestion,
    weight_remark: str,
    task_bytes: int,
) -> CountedRecords:
    """Return the counts of all ranges together."""
    together = join_counts(frames, names, task_bytes)
    kinds = Microdata(together.select(names), folder.schema.subset(names))
    parts = [together.get_column(name).to_numpy() for name in PARTS if name in together.columns]
    return count_records(
        kinds,
        question.keys,
        names[len(question.keys) :],
        copies=together.get_column(COPIES).to_numpy(),
        weights=np.array(parts) if parts else None,
        weight_remark=weight_remark,
    )


def _count_path(path: Path, number: int) -> Path:
    return path.with_name(f"{path.name}.counts-{number}")


def _sample_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.sample")
