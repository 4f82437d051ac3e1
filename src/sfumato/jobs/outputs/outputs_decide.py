"""Accept or reject an output of a project."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.jobs.result import JobResult
from sfumato.outputs import Entry, Project


@dataclass(frozen=True, kw_only=True)
class OutputsDecideResult(JobResult):
    """The output with the decision."""

    entry: Entry

    def to_dict(self) -> Any:
        """Return the record."""
        return dict(self.entry.plain)

    def __str__(self) -> str:
        return f"{self.entry.name} is {self.entry.decision}."


def outputs_decide(folder: str | Path, name: str, decision: str, *, by: str, reason: str = "") -> OutputsDecideResult:
    """Write down what the output checker decided.

    Parameters
    ----------
    folder
        The project's folder.
    name
        The output.
    decision
        `accepted` or `rejected`; what is rejected was never shown, and later outputs are no longer judged beside it.
    by
        Who decided.
    reason
        Why; a rejection needs one.
    """
    return OutputsDecideResult(entry=Project(Path(folder).expanduser()).decide(name, decision, by=by, reason=reason))
