"""The plan of a run over a file larger than memory, step by step."""

from dataclasses import asdict, dataclass
from typing import Any

from sfumato.display import Column, Table, format_count, header_column
from sfumato.execution import blocks
from sfumato.execution.folders.sizes import frame_bytes
from sfumato.files.folders import Folder
from sfumato.jobs.result import JobResult

ONE_TASK = (
    "So few records are one task at each pass: other processes, or workers of a cluster, would have nothing to do."
)


@dataclass(frozen=True)
class StepPlan:
    """One step: how often its columns pass through the tasks, what is read and written, and the memory of a task."""

    step: str
    passes: int
    gigabytes_read: float
    gigabytes_written: float
    task_gigabytes: float


@dataclass(frozen=True, kw_only=True)
class RunPlan(JobResult):
    """What a run will do."""

    records: int
    workers: int
    memory_gigabytes: float
    steps: tuple[StepPlan, ...]
    tasks: int | None = None
    is_of_cluster: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain values."""
        steps = [asdict(step) for step in self.steps]
        return {
            "records": self.records,
            "workers": self.workers,
            "memory_gigabytes": self.memory_gigabytes,
            "steps": steps,
        }

    def __str__(self) -> str:
        return "\n".join(part if isinstance(part, str) else part.to_text() for part in self.parts())

    def parts(self) -> tuple[str | Table, ...]:
        """Return a line about the whole and a table of the steps."""
        where, there = (" on each machine of the cluster", " there") if self.is_of_cluster else ("", "")
        who = f"{format_count(self.workers, 'process')}{where}"
        head = f"{format_count(self.records, 'record')} by {who}, with {self.memory_gigabytes:.1f} GB of memory{there}"
        sizes = [(step.gigabytes_read, step.gigabytes_written, step.task_gigabytes) for step in self.steps]
        unit, factor = ("GB", 1) if max(map(max, sizes), default=0.0) >= 1 else ("MB", 1000)
        titles = ("passes", f"{unit} read", f"{unit} written", f"{unit} per task")
        rows = tuple(
            (step.step, str(step.passes), factor * read, factor * written, factor * held)
            for step, (read, written, held) in zip(self.steps, sizes, strict=True)
        )
        table = Table((header_column("step"), *map(Column, titles)), rows)
        return (head, table) if self.tasks != 1 else (head, table, ONE_TASK)


def row_bytes(folder: Folder, names: tuple[str, ...]) -> float:
    """Return about how many bytes a row of some columns takes in memory."""
    if not names:
        return 0.0
    first = folder.read(0, blocks.ROWS_PER_BLOCK, names)
    return frame_bytes(first.frame) / first.n
