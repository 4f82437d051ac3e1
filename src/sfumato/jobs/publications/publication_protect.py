"""Protect a publication: its tables put together to clusters, each protected and audited as one, and written."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.files import ReadOptions, WriteOptions
from sfumato.jobs.progress import OnProgress, Stage, ignore_progress
from sfumato.jobs.result import JobEnding, JobResult
from sfumato.jobs.tables._table_stages import FORMAT, report_search
from sfumato.publication import PublicationSpecification, build_publication, protect_specified
from sfumato.publication.argus_batch import load_batch
from sfumato.publication.publication_files import (
    cluster_facts,
    released,
    structure_facts,
    write_publication,
    write_publication_review,
)
from sfumato.table_specification.release_files import REVIEW, set_aside
from sfumato.tables import Audit, ProtectedPublication

BATCH = ".arb"
NOT_SAFE = "Not safe: {} of {} cells that must be protected are not; nothing was written to be published."
SET_ASIDE = (
    "The release of an earlier run that was in the folder is now in {}: it is not this run's. If it was published, "
    "publish no other version of the same tables."
)


@dataclass(frozen=True, kw_only=True)
class PublicationProtectResult(JobResult):
    """A publication as it is published.

    Parameters
    ----------
    protected
        Its tables, and what the protection made of them.
    audits
        For each cluster what intruders can conclude.
    files
        What was written.
    """

    protected: ProtectedPublication
    audits: tuple[Audit, ...]
    files: tuple[Path, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return what came of the protection, without a value of any cell."""
        publication = self.protected.publication
        return {
            "format": FORMAT,
            "clusters": [
                {
                    "tables": list(cluster.names),
                    "cells": cluster.linked.size,
                    "primaries": int(protected.problem.primaries.size),
                    "secondaries": protected.secondaries,
                    "is_safe": audit.is_safe,
                    "unprotected": int(audit.failing.size),
                    **protected.outcome.to_dict(),
                }
                for cluster, protected, audit in zip(
                    publication.clusters, self.protected.clusters, self.audits, strict=True
                )
            ],
            "parts": publication.parts,
            "tables": {
                name: {
                    "cells": self.protected.table(name).size,
                    "suppressed": int(self.protected.suppressed(name).sum()),
                    "statuses": [status.value for status in self.protected.statuses(name)],
                }
                for name in publication.names
            },
            "files": [str(file) for file in self.files],
        }

    def __str__(self) -> str:
        return "\n".join([*structure_facts(self.protected), *cluster_facts(self.protected, self.audits)])


def publication_protect(
    specification_file: str | Path,
    output: str | Path | None = None,
    *,
    options: ReadOptions = ReadOptions(),
    write_options: WriteOptions = WriteOptions(),
    last_period: str | Path | None = None,
    on_progress: OnProgress = ignore_progress,
) -> PublicationProtectResult:
    """Protect all tables of a publication, audit and write them.

    A publication that the audits do not find safe is withheld: only what is for review is written.

    Parameters
    ----------
    specification_file
        The publication file, or a batch of tau-Argus (.arb).
    output
        Folder for the protected tables; nothing is written when it is not given.
    options
        How the data are to be read.
    write_options
        How the CSV files to be published are to be written.
    last_period
        The folder of the release of the period before.
    on_progress
        Called with each stage.
    """
    path = Path(specification_file).expanduser()
    before = None if last_period is None else Path(last_period).expanduser()
    on_progress(Stage("making the tables"))
    if path.suffix.lower() == BATCH:
        batch = load_batch(path)
        specified = batch.specified
        protected = batch.protect(before, report_search(on_progress))
    else:
        specification = PublicationSpecification.load(path)
        specified = build_publication(specification, options)
        protected = protect_specified(
            specification, specified, last_period=before, on_progress=report_search(on_progress)
        )
    on_progress(Stage("auditing"))
    audits = protected.audit()
    is_safe = all(audit.is_safe for audit in audits)
    files, notices = list[Path](), list[str]()
    if output is not None:
        on_progress(Stage("writing"))
        folder, tables = Path(output).expanduser(), released(protected, specified.titles)
        if is_safe:
            files, aside = write_publication(folder, tables, write_options)
        else:
            aside = set_aside(folder, [table.name for table in tables], None, write_options)
        files += write_publication_review(folder, protected, tables, audits)
        notices += [] if aside is None else [SET_ASIDE.format(aside)]
        if is_safe:
            notices.append(f"To publish: what is in {folder}. To keep inside: {folder / REVIEW}.")
    if not is_safe:
        failing = sum(audit.failing.size for audit in audits)
        unsafe = sum(int(audit.problem.primaries.size) for audit in audits)
        notices.append(NOT_SAFE.format(failing, unsafe))
    return PublicationProtectResult(
        protected=protected,
        audits=audits,
        files=tuple(files),
        notices=tuple(notices),
        ending=JobEnding.DONE if is_safe else JobEnding.NOT_MET,
    )
