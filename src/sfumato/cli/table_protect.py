"""`sfumato table protect`: cells hidden, the result audited and written."""

from pathlib import Path
from typing import Any

import typer

from sfumato.cli.console import print_json, working
from sfumato.cli.table_rendering import names_of, search_progress, show_lines, show_tables, tell
from sfumato.errors import ParameterError
from sfumato.table_plan import TablePlan, made_tables, suppressed
from sfumato.table_plan.publishing import (
    REVIEW,
    audit_fact,
    protection_facts,
    review_tables,
    write_published,
    write_review,
)
from sfumato.tables.audit.findings import Audit
from sfumato.tables.suppress import Suppression

NOT_SAFE = 3  # exit code
FORMAT = 1  # of the plain form
NOT_FOR_THE_PUBLIC = "What is printed here tells unsafe cells from others: publish the files of -o, not this."


def run_protect(spec: Path, output: Path | None, *, time_limit: float | None, as_json: bool) -> None:
    """Protect the tables of a specification, write them, and show what was hidden."""
    plan = _within(TablePlan.load(spec), time_limit)
    with working("making the tables"):
        made = made_tables(plan)
    with search_progress() as told:
        suppression = suppressed(plan, made, told)
    with working("auditing"):
        found = suppression.audit(intervals="unprotected")
    names = list(made.tables)
    with working("writing"):
        laid = review_tables(names, suppression, with_reasons=output is not None)
        files = [] if output is None else _written(output, names, suppression, laid, found)
    if as_json:
        print_json(plain(names, suppression, found, files))
    else:
        show_tables(laid, with_legend=True)
        show_lines(*protection_facts(suppression), audit_fact(found), _cost(plan, suppression))
        tell(NOT_FOR_THE_PUBLIC)
    if output is not None and found.is_safe:
        tell(f"To publish: the CSV files and pages in {output}. To keep inside: {output / REVIEW}.")
    if not found.is_safe:
        tell(str(found))
        if output is not None:
            tell(f"Nothing was written to be published; for review: {output / REVIEW}.")
        raise typer.Exit(NOT_SAFE)


def plain(names: list[str], suppression: Suppression, found: Audit, files: list[Path]) -> dict[str, Any]:
    """Return what came of a protection as plain dicts and lists."""
    pattern, problem = suppression.pattern, suppression.problem
    return {
        "format": FORMAT,
        "cells": problem.size,
        "hidden": int(pattern.suppressed.sum()),
        "primaries": int(problem.primaries.size),
        "secondaries": suppression.secondaries,
        "cost": pattern.cost,
        "bound": pattern.bound,
        "gap": pattern.gap,
        "ended": pattern.ended.value,
        "is_safe": found.is_safe,
        "attackers": len(problem.attackers),
        "tables": {
            name: {
                "cells": suppression.tables[number].size,
                "hidden": int(suppression.suppressed(number).sum()),
                "statuses": [status.value for status in suppression.statuses(number)],
            }
            for number, name in enumerate(names)
        },
        "files": names_of(files),
    }


def _cost(plan: TablePlan, suppression: Suppression) -> str:
    """Return what hiding cost; of few cells it tells their values, so it is in no file."""
    return f"What was hidden to protect others costs {suppression.pattern.cost:,.10g} by {plan.cost.value}."


def _written(output: Path, names: list[str], suppression: Suppression, laid: Any, found: Audit) -> list[Path]:
    """Write what is for review, and what is for the public only where it is safe."""
    reviewed = write_review(output, names, suppression, laid, found)
    if not found.is_safe:
        return reviewed
    tables = dict(zip(names, suppression.tables, strict=True))
    hidden = [suppression.suppressed(number) for number in range(len(names))]
    published = write_published(output, tables, [table.values for table in suppression.tables], hidden)
    return [*published, *reviewed]


def _within(plan: TablePlan, time_limit: float | None) -> TablePlan:
    """Return the plan with another time limit."""
    if time_limit is None:
        return plan
    if "time_limit" not in type(plan.method).model_fields:
        raise ParameterError(
            [f"--time-limit: the method {type(plan.method).__name__.lower()} has no time limit; leave it out"]
        )
    return plan.replace(method=plan.method.replace(time_limit=time_limit))
