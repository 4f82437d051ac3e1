"""`sfumato table audit`: what attackers can conclude from a pattern of any origin."""

from collections.abc import Sequence
from pathlib import Path

import typer

from sfumato.cli.console import NOT_MET, print_json, working
from sfumato.cli.table_rendering import show_lines, tell
from sfumato.table_plan import TablePlan, build_tables
from sfumato.table_plan.protect_plan import hide_pattern
from sfumato.table_plan.release_files import review_tables, write_review


def run_audit(spec: Path, patterns: Sequence[Path], output: Path | None, *, intervals: str, as_json: bool) -> None:
    """Audit the pattern in some files against a specification, and exit with 3 if it is not safe."""
    plan = TablePlan.load(spec)
    with working("making the tables"):
        planned = build_tables(plan)
        suppression = hide_pattern(plan, planned, patterns)
    with working("auditing"):
        found = suppression.audit(intervals=intervals)
    if as_json:
        print_json({**found.to_dict(), "names": list(suppression.problem.names)})
    else:
        show_lines(str(found))
    if output is not None:
        names = list(planned.tables)
        laid = review_tables(names, suppression, with_reasons=True)
        page, *_ = write_review(output, names, suppression, laid, found)
        tell(f"{page} says why each cell is hidden; it stays inside.")
    if not found.is_safe:
        raise typer.Exit(NOT_MET)
