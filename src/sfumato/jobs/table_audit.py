"""Audit suppressed cells: what intruders can conclude from a pattern of any origin."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.files import ReadOptions
from sfumato.jobs._table_stages import load_specification, load_tables
from sfumato.jobs.progress import OnProgress, Stage, ignore_progress
from sfumato.jobs.result import JobEnding, JobResult
from sfumato.table_specification.protect_tables import apply_pattern
from sfumato.table_specification.release_files import review_tables, write_review
from sfumato.tables import Audit


@dataclass(frozen=True, kw_only=True)
class TableAuditResult(JobResult):
    """What intruders can conclude; the job ended as not met where that is too much."""

    audit: Audit

    def to_dict(self) -> dict[str, Any]:
        """Return the audit, and what each cell is called."""
        return {**self.audit.to_dict(), "names": list(self.audit.problem.names)}

    def __str__(self) -> str:
        return str(self.audit)


def table_audit(
    specification_file: str | Path,
    patterns: Sequence[str | Path],
    *,
    options: ReadOptions = ReadOptions(),
    output: str | Path | None = None,
    intervals: str = "unprotected",
    on_progress: OnProgress = ignore_progress,
) -> TableAuditResult:
    """Audit the pattern in some files against a specification.

    Parameters
    ----------
    specification_file
        The specification file.
    patterns
        For each table a file that says which of its cells are suppressed.
    options
        How the data of the specification are to be read.
    output
        Folder for a page that says why each cell is suppressed.
    intervals
        The cells whose intervals are found: `unprotected`, `primaries` or `every`.
    on_progress
        Called with each stage.
    """
    specification = load_specification(specification_file)
    specified = load_tables(specification, options, on_progress)
    protected = apply_pattern(specification, specified, [Path(path).expanduser() for path in patterns])
    on_progress(Stage("auditing"))
    found = protected.audit(intervals=intervals)
    notices: list[str] = []
    if output is not None:
        on_progress(Stage("writing"))
        names = list(specified.tables)
        laid = review_tables(names, protected, with_reasons=True)
        page, *_ = write_review(Path(output).expanduser(), names, protected, laid, found)
        notices.append(f"{page} says why each cell is suppressed; it stays inside.")
    return TableAuditResult(
        audit=found, notices=tuple(notices), ending=JobEnding.DONE if found.is_safe else JobEnding.NOT_MET
    )
