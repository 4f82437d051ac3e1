"""Audit all outputs of a project together."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.display import as_sentence, format_count
from sfumato.jobs.progress import OnProgress, Stage, ignore_progress
from sfumato.jobs.result import JobEnding, JobResult
from sfumato.outputs import Disclosure, Entry, Project
from sfumato.outputs.page import PAGE, write_page

MAX_LISTED = 20


@dataclass(frozen=True, kw_only=True)
class OutputsCheckResult(JobResult):
    """What readers of all outputs can find; the job ended as not met where that is too much."""

    outputs: int
    disclosures: tuple[Disclosure, ...]
    waiting: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the findings."""
        return {
            "outputs": self.outputs,
            "is_safe": not self.disclosures,
            "disclosures": [
                {"group": one.group, "measure": one.measure, "is_cell": one.is_cell} for one in self.disclosures
            ],
            "waiting": list(self.waiting),
        }

    def __str__(self) -> str:
        lines = [f"{format_count(self.outputs, 'output')} audited together."]
        if not self.disclosures:
            lines.append("Safe: readers of all of them come too near to no group that they can tell apart.")
        lines += [as_sentence(str(one)) for one in self.disclosures[:MAX_LISTED]]
        if len(self.disclosures) > MAX_LISTED:
            lines.append(f"And {len(self.disclosures) - MAX_LISTED} more.")
        if self.waiting:
            lines.append(f"To look at: {', '.join(self.waiting)}.")
        return "\n".join(lines)


def outputs_check(folder: str | Path, *, on_progress: OnProgress = ignore_progress) -> OutputsCheckResult:
    """Audit the outputs of a project, and write the checker's page anew.

    Parameters
    ----------
    folder
        The project's folder.
    on_progress
        Called with each stage.
    """
    project = Project(Path(folder).expanduser())
    on_progress(Stage("auditing"))
    found = project.check()
    write_page(project)
    entries = project.entries
    return OutputsCheckResult(
        outputs=len(entries),
        disclosures=found,
        waiting=_waiting(entries),
        notices=(f"{project.folder / PAGE} shows what needs eyes, and why.",),
        ending=JobEnding.NOT_MET if found else JobEnding.DONE,
    )


def _waiting(entries: tuple[Entry, ...]) -> tuple[str, ...]:
    return tuple(entry.name for entry in entries if entry.needs_eyes)
