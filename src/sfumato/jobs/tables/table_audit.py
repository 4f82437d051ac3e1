"""Audit suppressed cells: what intruders can conclude from a pattern of any origin."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sfumato.files import ReadOptions
from sfumato.jobs.progress import OnProgress, Stage, ignore_progress
from sfumato.jobs.result import JobEnding, JobResult
from sfumato.jobs.tables._table_stages import load_specification, load_tables
from sfumato.table_specification.protect_tables import apply_pattern
from sfumato.table_specification.release_files import review_tables, write_review
from sfumato.tables import Audit

WITH_PREVIOUS = "Audited together with the earlier release: a cell counts as published that either of them publishes."
SAFE_ALONE = "By itself the pattern is safe; together with the earlier release it is not."


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
    previous: Sequence[str | Path] = (),
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
    previous
        Files alike of earlier releases, for each release one for each table: a cell counts as published that any of
        them publishes.
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
    files, earlier = ([Path(path).expanduser() for path in paths] for paths in (patterns, previous))
    protected = apply_pattern(specification, specified, files, previous=earlier)
    on_progress(Stage("auditing"))
    found = protected.audit(intervals=intervals)
    notices = [WITH_PREVIOUS] if earlier else []
    if earlier and not found.is_safe and replace(protected, previous=None).audit(intervals="unprotected").is_safe:
        notices.append(SAFE_ALONE)
    if output is not None:
        on_progress(Stage("writing"))
        names = list(specified.tables)
        laid = review_tables(names, protected, with_reasons=True)
        page, *_ = write_review(Path(output).expanduser(), names, protected, laid, found)
        notices.append(f"{page} says why each cell is suppressed; it stays inside.")
    return TableAuditResult(
        audit=found, notices=tuple(notices), ending=JobEnding.DONE if found.is_safe else JobEnding.NOT_MET
    )
