"""Tasks that leave files behind, and the private folder in which they do: what is finished is not done again."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from sfumato.execution.folders.freed_memory import give_back_freed_memory
from sfumato.execution.folders.pools import Pool
from sfumato.storage.atomic import write_text

Facts = Any
"""What a task tells of its result, as JSON can hold it."""
OnTask = Callable[[int, int], None]


class Task(Protocol):
    """A piece of work that another process can do: it reads files and writes files."""

    @property
    def path(self) -> Path:
        """Where the task writes, without a suffix; each task has one of its own."""

    def run(self) -> Facts:
        """Write the files, and return facts about them."""


@dataclass(frozen=True)
class Spill:
    """The private folder of a run.

    Parameters
    ----------
    folder
        Where tasks write; all workers must see it under this name.
    pool
        Who does the tasks.
    on_task
        Called with the number of tasks done and their total, stage by stage.
    """

    folder: Path
    pool: Pool
    on_task: OnTask = lambda done, total: None

    def run_stage(self, tasks: Sequence[Task]) -> list[Facts]:
        """Do the tasks that are not yet done, and return the facts of all, in their order."""
        waiting = [task for task in tasks if not _record(task).exists()]
        done = len(tasks) - len(waiting)
        for _ in self.pool.map(run_task, waiting) if waiting else ():
            done += 1
            self.on_task(done, len(tasks))
        return [json.loads(_record(task).read_text(encoding="utf-8")) for task in tasks]

    def remember(self, name: str, find: Callable[[], Facts]) -> Facts:
        """Return facts that were found before a run was interrupted, or find them."""
        record = self.folder / f"{name}.json"
        if not record.exists():
            write_text(record, json.dumps(find()))
        return json.loads(record.read_text(encoding="utf-8"))

    def path(self, stage: str, number: int) -> Path:
        """Return where a task of a stage writes."""
        return self.folder / f"{stage}-{number:06d}"

    def forget(self, tasks: Iterable[Task]) -> None:
        """Remove what tasks wrote, and keep in mind that they are done."""
        for task in tasks:
            for file in self.folder.glob(f"{task.path.name}.*"):
                if file != _record(task):
                    file.unlink()


def run_task(task: Task) -> None:
    """Do one task, in whatever process this is, and record that it is done."""
    facts = task.run()
    write_text(_record(task), json.dumps(facts))
    give_back_freed_memory()


def _record(task: Task) -> Path:
    return task.path.with_name(f"{task.path.name}.done.json")
