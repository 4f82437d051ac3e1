"""Protect tables: cells suppressed or changed, the result audited and written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sfumato.errors import ParameterError
from sfumato.files import ReadOptions, WriteOptions
from sfumato.files.writing import check_write_options
from sfumato.jobs.progress import OnProgress, Stage, ignore_progress
from sfumato.jobs.reports.table_report import TableReportRequest, add_table_reports, check_table_pages
from sfumato.jobs.result import JobEnding, JobResult
from sfumato.jobs.tables._table_stages import FORMAT, load_specification, load_tables, report_search
from sfumato.reports.release.question import Edition
from sfumato.table_specification import TableSpecification, protect_tables
from sfumato.table_specification.protect_tables import has_rules
from sfumato.table_specification.release_files import (
    REVIEW,
    audit_fact,
    files_of_others,
    protection_facts,
    released_tables,
    review_tables,
    set_aside,
    write_release,
    write_review,
)
from sfumato.tables import Audit, ProtectedTables, Protection
from sfumato.tables.cells.name_list import list_names
from sfumato.tables.protection import Ending
from sfumato.tables.rendering.crosstab import Crosstab

CSV = "csv"
WIDTH = 120  # of tables as text
LEGEND = "[p] unsafe   [s] suppressed to protect unsafe cells   [g] suppressed as given"
NOT_FOR_THE_PUBLIC = "What is shown here tells unsafe cells from others: publish the files, not this."
NOT_SAFE = "Not safe: {} of {} cells that must be protected are not."
CURE = "Choose parameters that change more, or another protection."
CURE_WITH_PREVIOUS = (
    "Who has the earlier release as well comes too near to them. What it published cannot be taken back: widen the "
    "groups, or publish nothing new of this table."
)
WITHHELD = (
    "Withheld: nothing was written to be published. For review: {}. With the option write_unsafe the tables are "
    "written anyway."
)
WRITTEN_UNSAFE = (
    "Written as asked, though they are NOT SAFE: the CSV files and pages in {}. Do not publish them as they are."
)
SET_ASIDE = (
    "The release of an earlier run that was in the folder is now in {}: it is not this run's. If it was published, "
    "publish no other version of the same table unless that was protected with it as previous."
)
NOT_OF_THIS_RUN = "Also in {}, and not of this run: {}."
MAX_NAMED = 5  # files
TIMED = (
    "A time limit decides when the search stops: what is published depends on how fast the machine is, and another run "
    "may publish something else. Never publish two versions of the same table, as each may tell what the other keeps. "
    "Where cells are suppressed, leave the time limit out, or name what is published already as previous."
)
NEW_KEYS = (
    "The keys were drawn for this run: another run, or another table of the same records, deviates otherwise, and the "
    "differences tell the truth bit by bit. Keep a column of keys with the records and name it: 'key: COLUMN'."
)
SEEDED_KEYS = (
    "The keys were drawn by the seed: another table of the same records deviates otherwise unless they come in the "
    "same order, and whoever has the seed can undo the deviations. Keep a column of keys with the records and name it: "
    "'key: COLUMN'."
)


@dataclass(frozen=True, kw_only=True)
class TableProtectResult(JobResult):
    """The tables as they are published.

    Parameters
    ----------
    protected
        The tables and what the protection made of them.
    audit
        What intruders can conclude; None where no rule says what is unsafe.
    files
        What was written.
    facts
        The result for machines.
    crosstabs, sentences
        The result for people: the tables laid out, and what to say of them.
    """

    protected: ProtectedTables
    audit: Audit | None
    files: tuple[Path, ...]
    facts: dict[str, Any]
    crosstabs: Mapping[str, Crosstab] = field(repr=False)
    sentences: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return what came of the protection, without a value of any cell."""
        return {"format": FORMAT, **self.facts, "files": [str(file) for file in self.files]}

    def to_text(self, width: int = WIDTH) -> str:
        """Return the tables, as wide as a console is, and what to say of them."""
        parts = [f"{name}: {table.title}\n\n{table.to_text(width=width)}\n" for name, table in self.crosstabs.items()]
        if any(table.has_marked_cells for table in self.crosstabs.values()):
            parts.append(f"{LEGEND}\n")
        return "\n".join([*parts, *self.sentences])

    def __str__(self) -> str:
        return self.to_text()


def table_protect(
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
    public_report: str | Path | None = None,
    on_progress: OnProgress = ignore_progress,
) -> TableProtectResult:
    """Protect the tables of a specification, audit and write them.

    Tables that the audit does not find safe are withheld: only what is for review is written.

    Parameters
    ----------
    specification_file
        The specification file.
    output
        Folder for the protected tables; nothing is written when it is not given.
    options
        How the data of the specification are to be read.
    write_options
        How the CSV files to be published are to be written.
    protection
        The name of a protection; the first of the specification when not given.
    time_limit
        Seconds after which to stop looking for better, in place of what the specification says; what is published then
        depends on the machine.
    previous
        For each table a file that says which of its cells an earlier release suppressed, in the order of the tables;
        as many again for each further release. The tables are protected from those who have these releases too.
    last_period
        For each table the file of the same table of the period before: what it suppressed is suppressed again as far
        as that is safe and costs little.
    write_unsafe
        Whether to write tables that are not safe all the same; the job ends as not met in any case.
    report, public_report
        Where to write the pages of the release report, the internal and the public edition; the figures of each are
        written beside it. None where not given.
    on_progress
        Called with each stage.
    """
    _check_options(write_options)
    request = TableReportRequest(
        specification=Path(specification_file).expanduser(),
        options=options,
        protection=protection,
        time_limit=time_limit,
        previous=tuple(Path(path).expanduser() for path in previous),
        last_period=tuple(Path(path).expanduser() for path in last_period),
        date=datetime.now(UTC).date().isoformat(),
    )
    given = {Edition.INTERNAL: report, Edition.PUBLIC: public_report}
    pages = {edition: None if page is None else Path(page).expanduser() for edition, page in given.items()}
    check_table_pages(request, pages)
    specification = _choose(load_specification(specification_file), protection, time_limit)
    specified = load_tables(specification, options, on_progress)
    earlier = request.previous
    protected = protect_tables(
        specification,
        specified,
        previous=earlier,
        last_period=request.last_period,
        on_progress=report_search(on_progress),
    )
    found = None
    if has_rules(specification, specified):
        on_progress(Stage("auditing"))
        found = protected.audit(intervals="unprotected")
    is_safe = found is None or found.is_safe
    on_progress(Stage("writing"))
    folder, names = None if output is None else Path(output).expanduser(), list(specified.tables)
    laid = review_tables(names, protected, with_reasons=folder is not None)
    files, released, about_files = list[Path](), list[Path](), list[str]()
    if folder is not None:
        is_released = is_safe or write_unsafe
        tables = released_tables(names, protected) if is_released else None
        aside = set_aside(folder, names, tables, write_options)
        released = write_release(folder, tables, write_options) if tables is not None else []
        files = [*released, *write_review(folder, names, protected, laid, found)]
        about_files = _file_notices(folder, released, aside)
    result = TableProtectResult(
        protected=protected,
        audit=found,
        files=tuple(files),
        facts=_facts(names, protected, found),
        crosstabs=laid,
        sentences=(
            *protection_facts(protected),
            audit_fact(found, with_previous=bool(earlier)),
            f"{protected.outcome}.",
        ),
        notices=(
            *_key_notices(specification),
            *_time_notices(specification.protection(), protected),
            *about_files,
            *_release_notices(found, folder, is_written=is_safe or write_unsafe, with_previous=bool(earlier)),
        ),
        ending=JobEnding.DONE if is_safe else JobEnding.NOT_MET,
    )
    return add_table_reports(result, replace(request, released=tuple(released)), pages)


def _check_options(options: WriteOptions) -> None:
    """Refuse ways to write that CSV files do not have."""
    if options.format not in (None, CSV):
        raise ParameterError([f"write.format: tables are written as {CSV}; leave it out"])
    check_write_options(options, Path(f"tables.{CSV}"))


def _choose(specification: TableSpecification, name: str | None, time_limit: float | None) -> TableSpecification:
    """Return the specification with the one protection that is asked for, and its time limit."""
    chosen = specification.protection(name)
    if time_limit is not None:
        if "time_limit" not in type(chosen).model_fields:
            raise ParameterError([f"time_limit: {chosen.name()} has no time limit; leave it out"])
        chosen = chosen.replace(time_limit=time_limit)
    return specification.replace(protections=(chosen,))


def _key_notices(specification: TableSpecification) -> list[str]:
    """Return what to say of record keys that are not kept with the records."""
    if specification.key is not None or not specification.protection().needs_keys:
        return []
    return [NEW_KEYS if specification.seed is None else SEEDED_KEYS]


def _time_notices(chosen: Protection, protected: ProtectedTables) -> list[str]:
    """Return what to say where the clock may decide what is published."""
    is_given = "time_limit" in chosen.model_fields_set and bool(getattr(chosen, "time_limit", None))
    return [TIMED] if is_given or protected.outcome.to_dict().get("ended") == Ending.TIME else []


def _file_notices(folder: Path, released: Sequence[Path], aside: Path | None) -> list[str]:
    """Return which files of the folder are not of this run."""
    notices = [] if aside is None else [SET_ASIDE.format(aside)]
    others = [path.name for path in files_of_others(folder, released)]
    return [*notices, NOT_OF_THIS_RUN.format(folder, list_names(others, MAX_NAMED))] if others else notices


def _release_notices(found: Audit | None, folder: Path | None, *, is_written: bool, with_previous: bool) -> list[str]:
    """Return what may be published of what was shown and written, and what to do where nothing may."""
    notices = [] if found is None else [NOT_FOR_THE_PUBLIC]
    is_safe = found is None or found.is_safe
    if found is not None and not is_safe:
        unsafe = int(found.problem.must_suppress.sum())
        cure = CURE_WITH_PREVIOUS if with_previous else CURE
        notices.append(f"{NOT_SAFE.format(found.failing.size, unsafe)} {cure}")
    if folder is None:
        return notices
    if is_safe:
        return [*notices, f"To publish: the CSV files and pages in {folder}. To keep inside: {folder / REVIEW}."]
    return [*notices, WRITTEN_UNSAFE.format(folder) if is_written else WITHHELD.format(folder / REVIEW)]


def _facts(names: list[str], protected: ProtectedTables, found: Audit | None) -> dict[str, Any]:
    problem = protected.problem
    return {
        "cells": problem.size,
        "primaries": int(problem.primaries.size),
        "secondaries": protected.secondaries,
        **protected.outcome.to_dict(),
        "is_safe": None if found is None else found.is_safe,
        "unprotected": None if found is None else int(found.failing.size),
        "intruders": len(problem.intruders) if found is None else len(found.problem.intruders),
        "tables": {
            name: {
                "cells": protected.tables[number].size,
                "suppressed": int(protected.suppressed(number).sum()),
                "statuses": [status.value for status in protected.statuses(number)],
            }
            for number, name in enumerate(names)
        },
    }
