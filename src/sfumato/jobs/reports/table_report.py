"""Write the release report on protected tables: one page, and the same figures as JSON."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sfumato.files import ReadOptions, WriteOptions
from sfumato.jobs.progress import OnProgress, ignore_progress
from sfumato.jobs.reports._report_files import HOW_TO_CHECK, check_page, plain_options, read_plain_options
from sfumato.jobs.reports.report import write_report
from sfumato.jobs.tables._table_stages import load_specification
from sfumato.jobs.tables.table_protect import TableProtectResult, table_protect
from sfumato.recipe.manifest import relative_path
from sfumato.reports.release.build import read_edition
from sfumato.reports.release.chapters.provenance import Provenance, known_versions
from sfumato.reports.release.question import Edition
from sfumato.reports.release.release_report import ReleaseReport, ReportFile
from sfumato.reports.release.table_report import ProtectedRelease, build_table_report
from sfumato.storage.digests import file_sha256
from sfumato.table_specification import TableSpecification

VERB = "table report"


@dataclass(frozen=True, kw_only=True)
class TableReportRequest:
    """What a report on tables is asked for.

    Parameters
    ----------
    specification
        The specification file.
    options, protection, time_limit, previous
        As in `table_protect`.
    edition, author, title, date
        As in `sfumato.jobs.reports.report.ReportRequest`.
    """

    specification: Path
    options: ReadOptions = ReadOptions()
    protection: str | None = None
    time_limit: float | None = None
    previous: tuple[Path, ...] = ()
    edition: Edition = Edition.INTERNAL
    author: str = ""
    title: str = ""
    date: str = ""


def new_request(specification: str | Path, **given: Any) -> TableReportRequest:
    """Return a request of today."""
    return TableReportRequest(
        specification=Path(specification).expanduser(), date=datetime.now(UTC).date().isoformat(), **given
    )


def protect_and_report(
    specification_file: str | Path,
    output: str | Path | None = None,
    *,
    options: ReadOptions = ReadOptions(),
    write_options: WriteOptions = WriteOptions(),
    protection: str | None = None,
    time_limit: float | None = None,
    previous: Sequence[str | Path] = (),
    last_period: Sequence[str | Path] = (),
    write_unsafe: bool = False,
    report: str | Path | None = None,
    on_progress: OnProgress = ignore_progress,
) -> TableProtectResult:
    """Protect tables as `table_protect` does, and write the release report on them.

    Parameters
    ----------
    specification_file, output, options, write_options, protection, time_limit, previous, last_period
        As in `table_protect`.
    write_unsafe, on_progress
        As there.
    report
        Where to write the page of the report; its figures are written beside it. No report when not given.
    """
    earlier = tuple(Path(path).expanduser() for path in previous)
    page = None if report is None else Path(report).expanduser()
    request = new_request(
        specification_file, options=options, protection=protection, time_limit=time_limit, previous=earlier
    )
    if page is not None:
        check_page(page, [request.specification, *earlier])
    found = table_protect(
        specification_file,
        output,
        options=options,
        write_options=write_options,
        protection=protection,
        time_limit=time_limit,
        previous=previous,
        last_period=last_period,
        write_unsafe=write_unsafe,
        on_progress=on_progress,
    )
    if page is None:
        return found
    written = write_report(report_on_tables(request, found, page.resolve().parent), page)
    return replace(found, notices=(*found.notices, *written.notices))


def make_table_report(
    request: TableReportRequest, folder: Path, on_progress: OnProgress = ignore_progress
) -> ReleaseReport:
    """Return the report that a request asks for, after protecting the tables."""
    found = table_protect(
        request.specification,
        options=request.options,
        protection=request.protection,
        time_limit=request.time_limit,
        previous=request.previous,
        on_progress=on_progress,
    )
    return report_on_tables(request, found, folder)


def report_on_tables(request: TableReportRequest, found: TableProtectResult, folder: Path) -> ReleaseReport:
    """Return the report on tables that were protected as a request says."""
    specification = load_specification(request.specification)
    release = ProtectedRelease(
        tuple(found.crosstabs),
        found.protected,
        specification.protection(request.protection),
        found.audit,
        found.sentences,
    )
    known = Provenance(
        date=request.date,
        author=request.author,
        files=_files(request, specification, folder),
        steps=(type(release.protection).name().replace("_", " "),),
        how_to_check=(HOW_TO_CHECK,),
        versions=known_versions(),
    )
    title = request.title or f"Release report of {', '.join(release.names)}"
    return build_table_report(release, request.edition, known, title, _plain_request(request, folder))


def read_request(plain: dict[str, Any], folder: Path) -> TableReportRequest:
    """Return the request that a report was made by."""
    return TableReportRequest(
        specification=folder / plain["specification"],
        options=read_plain_options(plain["options"], folder),
        protection=plain["protection"],
        time_limit=plain["time_limit"],
        previous=tuple(folder / one for one in plain["previous"]),
        edition=read_edition(plain["edition"]),
        author=plain["author"],
        title=plain["title"],
        date=plain["date"],
    )


def _plain_request(request: TableReportRequest, folder: Path) -> dict[str, Any]:
    return {
        "verb": VERB,
        "specification": relative_path(request.specification, folder),
        "options": plain_options(request.options, folder),
        "protection": request.protection,
        "time_limit": request.time_limit,
        "previous": [relative_path(path, folder) for path in request.previous],
        "edition": str(request.edition),
        "author": request.author,
        "title": request.title,
        "date": request.date,
    }


def _files(request: TableReportRequest, specification: TableSpecification, folder: Path) -> tuple[ReportFile, ...]:
    """Return the files that the tables come from, with their checksums."""
    cells = specification.cells
    held = {} if cells is None else cells if isinstance(cells, dict) else {"cells": cells}
    named = {
        "specification": request.specification,
        "data": specification.data,
        "schema": specification.schema_file,
        **{f"cells of {name}" if name != "cells" else name: path for name, path in held.items()},
        **{f"earlier release {number}": path for number, path in enumerate(request.previous, 1)},
    }
    return tuple(
        ReportFile(role, relative_path(path, folder), file_sha256(Path(path)))
        for role, path in named.items()
        if path is not None
    )
