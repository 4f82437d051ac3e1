"""List the outputs of a project."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.display import Table
from sfumato.errors import DataError, did_you_mean
from sfumato.jobs.result import JobResult
from sfumato.outputs import Entry, Project
from sfumato.outputs.page import overview
from sfumato.outputs.shown_table import ShownTable


@dataclass(frozen=True, kw_only=True)
class OutputsShowResult(JobResult):
    """The outputs of a project, or one of them with its figures."""

    entries: tuple[Entry, ...]
    is_one: bool = False

    def to_dict(self) -> Any:
        """Return the records."""
        return [dict(entry.plain) for entry in self.entries]

    def parts(self) -> Iterable[str | Table]:
        """Return the list, and the figures if one output was asked for."""
        if not self.entries:
            return ("The project has no output.",)
        figures = [ShownTable.from_dict(one.plain["shown"]).to_display(one.plain["request"]) for one in self.entries]
        return (overview(self.entries), *(figures if self.is_one else ()))

    def __str__(self) -> str:
        return "\n".join(part if isinstance(part, str) else part.to_text() for part in self.parts())


def outputs_show(folder: str | Path, name: str | None = None) -> OutputsShowResult:
    """Return the outputs of a project, or one of them.

    Parameters
    ----------
    folder
        The project's folder.
    name
        The output to show; all when not given.
    """
    entries = Project(Path(folder).expanduser()).entries
    if name is None:
        return OutputsShowResult(entries=entries)
    chosen = tuple(entry for entry in entries if entry.name == name)
    if not chosen:
        known = [entry.name for entry in entries]
        raise DataError(f"{folder} has no output {name!r}{did_you_mean(name, known)}")
    return OutputsShowResult(entries=chosen, is_one=True)
