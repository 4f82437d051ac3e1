"""Protect tables: cells hidden or changed, the result audited and written."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.errors import ParameterError
from sfumato.files import ReadOptions
from sfumato.jobs._table_stages import FORMAT, load_plan, load_tables, report_search
from sfumato.jobs.progress import OnProgress, Stage, ignore_progress
from sfumato.jobs.result import Ending, JobResult
from sfumato.table_plan import TablePlan, protect_plan
from sfumato.table_plan.protect_plan import has_rules
from sfumato.table_plan.release_files import (
    REVIEW,
    audit_fact,
    protection_facts,
    review_tables,
    write_release,
    write_review,
)
from sfumato.tables import Audit, ProtectedTables
from sfumato.tables.rendering.crosstab import Crosstab, crosstab, publication_views

WIDTH = 120  # of tables as text
LEGEND = "[p] unsafe   [s] hidden to protect unsafe cells   [h] hidden as given"
NOT_FOR_THE_PUBLIC = "What is printed here tells unsafe cells from others: publish the files of -o, not this."
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
        What attackers can conclude; None where no rule says what is unsafe.
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
        if any(table.has_suppressed_cells for table in self.crosstabs.values()):
            parts.append(f"{LEGEND}\n")
        return "\n".join([*parts, *self.sentences])

    def __str__(self) -> str:
        return self.to_text()


def table_protect(
    spec: str | Path,
    output: str | Path | None = None,
    *,
    options: ReadOptions = ReadOptions(),
    protection: str | None = None,
    time_limit: float | None = None,
    on_progress: OnProgress = ignore_progress,
) -> TableProtectResult:
    """Protect the tables of a specification, audit and write them.

    Where cells are hidden and the audit does not find that safe, only what is for review is written.

    Parameters
    ----------
    spec
        The specification file.
    output
        Folder for the protected tables; nothing is written when it is not given.
    options
        How the data of the specification are to be read.
    protection
        The name of a protection; the first of the specification when not given.
    time_limit
        Seconds after which to stop looking for better, in place of what the specification says.
    on_progress
        Called with each stage.
    """
    plan = _choose(load_plan(spec), protection, time_limit)
    folder = None if output is None else Path(output).expanduser()
    planned = load_tables(plan, options, on_progress)
    protected = protect_plan(plan, planned, on_progress=report_search(on_progress))
    names = list(planned.tables)
    if plan.protection().suppresses:
        return _finish_suppressed(plan, names, protected, folder, on_progress)
    return _finish_changed(plan, names, protected, folder, on_progress, is_judged=has_rules(plan, planned))


def _choose(plan: TablePlan, name: str | None, time_limit: float | None) -> TablePlan:
    """Return the plan with the one protection that is asked for, and its time limit."""
    chosen = plan.protection(name)
    if time_limit is not None:
        if "time_limit" not in type(chosen).model_fields:
            raise ParameterError([f"time_limit: {chosen.name()} has no time limit; leave it out"])
        chosen = chosen.replace(time_limit=time_limit)
    return plan.replace(protections=(chosen,))


def _finish_suppressed(
    plan: TablePlan, names: list[str], protected: ProtectedTables, folder: Path | None, on_progress: OnProgress
) -> TableProtectResult:
    """Audit and write tables in which cells are hidden; nothing is written to be published where it is not safe."""
    on_progress(Stage("auditing"))
    found = protected.audit(intervals="unprotected")
    on_progress(Stage("writing"))
    laid = review_tables(names, protected, with_reasons=folder is not None)
    files = [] if folder is None else _write_suppressed(folder, names, protected, laid, found)
    notices = [NOT_FOR_THE_PUBLIC]
    if folder is not None and found.is_safe:
        notices.append(f"To publish: the CSV files and pages in {folder}. To keep inside: {folder / REVIEW}.")
    if not found.is_safe:
        notices.append(str(found))
        if folder is not None:
            notices.append(f"Nothing was written to be published; for review: {folder / REVIEW}.")
    # of few cells the cost tells their values, so it is in no file
    cost = f"What was hidden to protect others costs {protected.pattern.cost:,.10g} by {plan.cost.value}."
    return TableProtectResult(
        protected=protected,
        audit=found,
        files=tuple(files),
        facts=_facts_of_suppressed(names, protected, found),
        crosstabs=laid,
        sentences=(*protection_facts(protected), audit_fact(found), cost),
        notices=tuple(notices),
        ending=Ending.DONE if found.is_safe else Ending.NOT_MET,
    )


def _write_suppressed(
    folder: Path, names: list[str], protected: ProtectedTables, laid: Mapping[str, Crosstab], found: Audit
) -> list[Path]:
    """Write what is for review, and what is for the public only where it is safe."""
    reviewed = write_review(folder, names, protected, laid, found)
    if not found.is_safe:
        return reviewed
    tables = dict(zip(names, protected.tables, strict=True))
    hidden = [protected.suppressed(number) for number in range(len(names))]
    return [*write_release(folder, tables, [table.values for table in protected.tables], hidden), *reviewed]


def _facts_of_suppressed(names: list[str], protected: ProtectedTables, found: Audit) -> dict[str, Any]:
    problem = protected.problem
    return {
        "cells": problem.size,
        "primaries": int(problem.primaries.size),
        "secondaries": protected.secondaries,
        **protected.outcome.to_dict(),
        "is_safe": found.is_safe,
        "attackers": len(problem.attackers),
        "tables": {
            name: {
                "cells": protected.tables[number].size,
                "hidden": int(protected.suppressed(number).sum()),
                "statuses": [status.value for status in protected.statuses(number)],
            }
            for number, name in enumerate(names)
        },
    }


def _finish_changed(
    plan: TablePlan,
    names: list[str],
    protected: ProtectedTables,
    folder: Path | None,
    on_progress: OnProgress,
    *,
    is_judged: bool,
) -> TableProtectResult:
    """Audit and write tables whose cells have changed; the job ended as not met where unsafe cells are open."""
    unsafe = int(protected.problem.primaries.size) if is_judged else 0
    on_progress(Stage("auditing"))
    found = protected.audit(intervals="unprotected") if unsafe else None
    exposed = 0 if found is None else int(found.unprotected.size)
    on_progress(Stage("writing"))
    tables = dict(zip(names, protected.tables, strict=True))
    values = [protected.values(number) for number in range(len(names))]
    hidden = [np.isnan(column) for column in values]
    notice = protected.outcome.notice
    files = [] if folder is None else write_release(folder, tables, values, hidden, facts=[notice])
    notices = []
    if plan.protection().needs_keys and plan.key is None:
        notices.append(NEW_KEYS if plan.seed is None else SEEDED_KEYS)
    if folder is not None:
        notices.append(f"{'Written' if exposed else 'To publish'}: the CSV files and pages in {folder}.")
    if exposed:
        notices.append(f"Not protected: {exposed} of {unsafe} unsafe cells; change more, or hide cells instead.")
    audited = (
        f"Audited: {unsafe - exposed} of {unsafe} unsafe cells cannot be narrowed down further than their levels "
        f"allow, by an outsider who knows the method and its parameters."
    )
    laid = zip(tables.items(), values, hidden, strict=True)
    return TableProtectResult(
        protected=protected,
        audit=found,
        files=tuple(files),
        facts={**protected.outcome.to_dict(), **({"unsafe": unsafe, "open": exposed} if unsafe else {})},
        crosstabs={name: crosstab(table, publication_views(new, no)) for (name, table), new, no in laid},
        sentences=(f"{protected.outcome}.", *([audited] if unsafe else [])),
        notices=tuple(notices),
        ending=Ending.NOT_MET if exposed else Ending.DONE,
    )
