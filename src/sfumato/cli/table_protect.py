"""`sfumato table protect`: cells hidden or changed, the result audited and written."""

from pathlib import Path
from typing import Any

import numpy as np
import typer

from sfumato.cli.console import NOT_MET, print_json, working
from sfumato.cli.table_rendering import names_of, search_progress, show_lines, show_tables, tell
from sfumato.errors import ParameterError
from sfumato.table_plan import TablePlan, build_tables, protect_plan
from sfumato.table_plan.protect_plan import has_rules
from sfumato.table_plan.release_files import (
    REVIEW,
    audit_fact,
    protection_facts,
    review_tables,
    write_release,
    write_review,
)
from sfumato.tables import ProtectedTables
from sfumato.tables.audit.findings import Audit
from sfumato.tables.rendering.crosstab import Crosstab, crosstab, publication_views

FORMAT = 1  # of the plain form
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


def run_protect(
    spec: Path, output: Path | None, *, protection: str | None, time_limit: float | None, as_json: bool
) -> None:
    """Protect the tables of a specification, write them, and show what was done."""
    plan = _limited(TablePlan.load(spec), protection, time_limit)
    with working("making the tables"):
        planned = build_tables(plan)
    with search_progress() as on_progress:
        protected = protect_plan(plan, planned, on_progress=on_progress)
    names = list(planned.tables)
    if plan.protection().hides:
        _finish_hidden(plan, names, protected, output, as_json=as_json)
    else:
        _finish_changed(plan, names, protected, output, is_judged=has_rules(plan, planned), as_json=as_json)


def _finish_hidden(
    plan: TablePlan, names: list[str], protected: ProtectedTables, output: Path | None, *, as_json: bool
) -> None:
    """Write and show tables in which cells are hidden; exit code 3, and nothing to publish, where it is not safe."""
    with working("auditing"):
        found = protected.audit(intervals="unprotected")
    with working("writing"):
        laid = review_tables(names, protected, with_reasons=output is not None)
        files = [] if output is None else _write_hidden(output, names, protected, laid, found)
    if as_json:
        print_json(_plain_hidden(names, protected, found, files))
    else:
        show_tables(laid, with_legend=True)
        show_lines(*protection_facts(protected), audit_fact(found), _cost(plan, protected))
        tell(NOT_FOR_THE_PUBLIC)
    if output is not None and found.is_safe:
        tell(f"To publish: the CSV files and pages in {output}. To keep inside: {output / REVIEW}.")
    if not found.is_safe:
        tell(str(found))
        if output is not None:
            tell(f"Nothing was written to be published; for review: {output / REVIEW}.")
        raise typer.Exit(NOT_MET)


def _finish_changed(
    plan: TablePlan,
    names: list[str],
    protected: ProtectedTables,
    output: Path | None,
    *,
    is_judged: bool,
    as_json: bool,
) -> None:
    """Write and show tables whose cells have changed; exit code 3 where unsafe cells are open."""
    if plan.protection().needs_keys and plan.key is None:
        tell(NEW_KEYS if plan.seed is None else SEEDED_KEYS)
    values = [protected.values(number) for number in range(len(names))]
    hidden = [np.isnan(column) for column in values]
    tables = dict(zip(names, protected.tables, strict=True))
    files = [] if output is None else write_release(output, tables, values, hidden, facts=[protected.outcome.notice])
    unsafe, is_open = int(protected.problem.primaries.size) if is_judged else 0, 0
    if unsafe:
        with working("auditing"):
            is_open = int(protected.audit(intervals="unprotected").unprotected.size)
    if as_json:
        safety = {"unsafe": unsafe, "open": is_open} if unsafe else {}
        print_json({"format": FORMAT, **protected.outcome.to_dict(), **safety, "files": names_of(files)})
    else:
        pairs = zip(tables.items(), values, hidden, strict=True)
        show_tables(
            {name: crosstab(table, publication_views(new, no)) for (name, table), new, no in pairs},
            with_legend=False,
        )
        show_lines(f"{protected.outcome}.", *([_safety(unsafe, is_open)] if unsafe else []))
    if output is not None:
        tell(f"{'Written' if is_open else 'To publish'}: the CSV files and pages in {output}.")
    if is_open:
        tell(f"Not protected: {is_open} of {unsafe} unsafe cells; change more, or hide cells instead.")
        raise typer.Exit(NOT_MET)


def _safety(unsafe: int, is_open: int) -> str:
    return (
        f"Audited: {unsafe - is_open} of {unsafe} unsafe cells cannot be narrowed down further than their levels "
        f"allow, by an outsider who knows the method and its parameters."
    )


def _plain_hidden(names: list[str], protected: ProtectedTables, found: Audit, files: list[Path]) -> dict[str, Any]:
    """Return what came of hiding cells as plain dicts and lists."""
    problem = protected.problem
    return {
        "format": FORMAT,
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
        "files": names_of(files),
    }


def _cost(plan: TablePlan, protected: ProtectedTables) -> str:
    """Return what hiding cost; of few cells it tells their values, so it is in no file."""
    return f"What was hidden to protect others costs {protected.pattern.cost:,.10g} by {plan.cost.value}."


def _write_hidden(
    output: Path, names: list[str], protected: ProtectedTables, laid: dict[str, Crosstab], found: Audit
) -> list[Path]:
    """Write what is for review, and what is for the public only where it is safe."""
    reviewed = write_review(output, names, protected, laid, found)
    if not found.is_safe:
        return reviewed
    tables = dict(zip(names, protected.tables, strict=True))
    hidden = [protected.suppressed(number) for number in range(len(names))]
    released = write_release(output, tables, [table.values for table in protected.tables], hidden)
    return [*released, *reviewed]


def _limited(plan: TablePlan, name: str | None, time_limit: float | None) -> TablePlan:
    """Return the plan with the one protection that is asked for, and its time limit."""
    chosen = plan.protection(name)
    if time_limit is not None:
        if "time_limit" not in type(chosen).model_fields:
            raise ParameterError([f"--time-limit: {chosen.name()} has no time limit; leave it out"])
        chosen = chosen.replace(time_limit=time_limit)
    return plan.replace(protections=(chosen,))
