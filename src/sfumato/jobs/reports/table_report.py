"""Write the release report on protected tables: one page, and the same figures as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.data import Schema
from sfumato.errors import FileError
from sfumato.files import ReadOptions
from sfumato.files.reading import with_schema
from sfumato.jobs.reports._report_files import HOW_TO_CHECK, check_page, plain_options, read_plain_options
from sfumato.jobs.reports.report import write_report
from sfumato.jobs.tables._table_stages import load_specification
from sfumato.recipe.manifest import relative_path
from sfumato.reports.release.build import read_edition
from sfumato.reports.release.chapters.provenance import RELEASED, Provenance, known_versions
from sfumato.reports.release.protected_release import ProtectedRelease
from sfumato.reports.release.question import Edition
from sfumato.reports.release.release_report import ReleaseReport, ReportFile
from sfumato.reports.release.table_report import build_table_report
from sfumato.storage.digests import file_sha256
from sfumato.table_specification import TableSpecification
from sfumato.tables import Insiders

if TYPE_CHECKING:
    from sfumato.jobs.tables.table_protect import TableProtectResult

VERB = "table report"


@dataclass(frozen=True, kw_only=True)
class TableReportRequest:
    """What a report on tables is asked for.

    Parameters
    ----------
    specification
        The specification file.
    options, protection, time_limit, previous, last_period
        As in `table_protect`.
    released
        The files that were written to be published.
    edition, author, title, date
        As in `sfumato.jobs.reports.report.ReportRequest`.
    """

    specification: Path
    options: ReadOptions = ReadOptions()
    protection: str | None = None
    time_limit: float | None = None
    previous: tuple[Path, ...] = ()
    last_period: tuple[Path, ...] = ()
    released: tuple[Path, ...] = ()
    edition: Edition = Edition.INTERNAL
    author: str = ""
    title: str = ""
    date: str = ""


Pages = Mapping[Edition, Path | None]
"""Where to write each edition; None for one that nobody wants."""


def check_table_pages(request: TableReportRequest, pages: Pages) -> None:
    """Refuse pages that cannot be written, or would take the place of a file that is needed or of each other."""
    taken: list[Path | None] = [request.specification, *request.previous, *request.last_period]
    for page in pages.values():
        if page is not None:
            check_page(page, taken)
            taken += [page, page.with_suffix(".json")]


def add_table_reports(found: "TableProtectResult", request: TableReportRequest, pages: Pages) -> "TableProtectResult":
    """Return the result of protecting tables, after writing the reports on it."""
    notices = list(found.notices)
    for edition, page in pages.items():
        if page is not None:
            made = report_on_tables(replace(request, edition=edition), found, page.resolve().parent)
            notices += write_report(made, page).notices
    return replace(found, notices=tuple(notices))


def report_on_tables(request: TableReportRequest, found: "TableProtectResult", folder: Path) -> ReleaseReport:
    """Return the report on tables that were protected as a request says."""
    specification = load_specification(request.specification)
    release = ProtectedRelease(
        tuple(found.crosstabs),
        found.protected,
        specification.protection(request.protection),
        tuple(specification.rules or ()),
        found.audit,
        found.sentences[:-1],  # the last tells the cost, which is a matter of the search
        specification.insiders is not Insiders.NONE,
        _schema(specification, request.options),
        specification.weight or "",
        specification.holding or "",
    )
    known = Provenance(
        date=request.date,
        author=request.author,
        files=_files(request, specification, folder),
        steps=(type(release.protection).name().replace("_", " "),),
        how_to_check=(HOW_TO_CHECK,),
        versions=known_versions(),
    )
    title = request.title or f"Release report of {_named(release)}"
    return build_table_report(release, request.edition, known, title, _plain_request(request, folder))


def _named(release: ProtectedRelease) -> str:
    """Return what the tables are called, with what the first shows where it is the only one."""
    table = release.protected.tables[0]
    amount = table.value_name or "number of records"
    shows = f" ({amount} by {' and '.join(table.names)})" if len(release.names) == 1 else ""
    return f"{', '.join(release.names)}{shows}"


def _schema(specification: TableSpecification, options: ReadOptions) -> Schema:
    """Return the schema of the records, where there is one: it has labels and units."""
    if specification.data is None:
        return Schema(variables=())
    given = options if specification.schema_file is None else replace(options, schema=specification.schema_file)
    found = with_schema(given, Path(specification.data)).schema
    return found if isinstance(found, Schema) else Schema(variables=())


def read_request(plain: dict[str, Any], folder: Path, specification: Path | None = None) -> TableReportRequest:
    """Return the request that a report was made by; a specification that is given takes the place of its own.

    The public edition names no file that stays inside.
    """
    named = plain.get("specification")
    if specification is None and named is None:
        raise FileError(
            "the report does not name the specification of its tables, as it is the public edition: give it behind "
            "the JSON file"
        )
    if plain.get("has_earlier"):
        raise FileError(
            "these tables were protected together with earlier releases, which the public edition does not name: "
            "check the internal edition"
        )
    return TableReportRequest(
        specification=specification or folder / str(named),
        options=read_plain_options(plain["options"], folder),
        protection=plain["protection"],
        time_limit=plain["time_limit"],
        previous=tuple(folder / one for one in plain.get("previous", ())),
        last_period=tuple(folder / one for one in plain.get("last_period", ())),
        released=tuple(folder / one for one in plain["released"]),
        edition=read_edition(plain["edition"]),
        author=plain["author"],
        title=plain["title"],
        date=plain["date"],
    )


def _plain_request(request: TableReportRequest, folder: Path) -> dict[str, Any]:
    is_internal = request.edition is Edition.INTERNAL
    told = request.options if is_internal else replace(request.options, schema=None)
    inside = {
        "specification": relative_path(request.specification, folder),
        "previous": [relative_path(path, folder) for path in request.previous],
        "last_period": [relative_path(path, folder) for path in request.last_period],
    }
    return {
        "verb": VERB,
        **(inside if is_internal else {"has_earlier": bool(request.previous or request.last_period)}),
        "options": plain_options(told, folder),
        "protection": request.protection,
        "time_limit": request.time_limit,
        "released": [relative_path(path, folder) for path in request.released],
        "edition": str(request.edition),
        "author": request.author,
        "title": request.title,
        "date": request.date,
    }


def _files(request: TableReportRequest, specification: TableSpecification, folder: Path) -> tuple[ReportFile, ...]:
    """Return the files that the tables come from and those that were written, with their checksums."""
    cells = specification.cells
    held = {} if cells is None else cells if isinstance(cells, dict) else {"cells": cells}
    named = {
        "specification": request.specification,
        "data": specification.data,
        "schema": specification.schema_file,
        **{f"cells of {name}" if name != "cells" else name: path for name, path in held.items()},
        **{f"earlier release {number}": path for number, path in enumerate(request.previous, 1)},
        **{f"period before {number}": path for number, path in enumerate(request.last_period, 1)},
        **{f"{RELEASED} {number}": path for number, path in enumerate(request.released, 1)},
    }
    return tuple(
        ReportFile(role, relative_path(path, folder), file_sha256(Path(path)))
        for role, path in named.items()
        if path is not None
    )
