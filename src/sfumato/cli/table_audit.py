"""`sfumato table audit`: what attackers can conclude from a pattern of any origin."""

from collections.abc import Sequence
from pathlib import Path

import typer

from sfumato.cli.showing import print_json, working
from sfumato.cli.table_protect import NOT_SAFE
from sfumato.cli.table_showing import show_lines
from sfumato.table_plan import TablePlan, made_tables
from sfumato.table_plan.patterns import read_pattern
from sfumato.table_plan.protecting import stated
from sfumato.tables.audit import audit


def run_audit(spec: Path, patterns: Sequence[Path], *, intervals: str, as_json: bool) -> None:
    """Audit the pattern in some files against a specification, and exit with 3 if it is not safe."""
    plan = TablePlan.load(spec)
    with working("making the tables"):
        linked, _, problem = stated(plan, made_tables(plan))
    hidden = read_pattern(patterns, linked)
    with working("auditing"):
        found = audit(problem, hidden, intervals=intervals)
    if as_json:
        print_json({**found.to_dict(), "names": list(problem.names)})
    else:
        show_lines(str(found))
    if not found.is_safe:
        raise typer.Exit(NOT_SAFE)
