"""`sfumato table compare`: the protections that a specification asks for, side by side."""

from dataclasses import asdict
from pathlib import Path

from sfumato.cli.console import print_json, working
from sfumato.cli.table_rendering import search_progress, show_lines, tell
from sfumato.table_plan import TablePlan, build_tables, find_unsafe_cells, protect_plan
from sfumato.table_plan.protect_plan import check_rules
from sfumato.tables import ProtectedCells, compare_protections


def run_table_compare(spec: Path, *, as_json: bool) -> None:
    """Protect the tables in every way that the specification names, and show what each comes to."""
    plan = TablePlan.load(spec)
    with working("making the tables"):
        planned = build_tables(plan)
        check_rules(plan, planned)
        problem = find_unsafe_cells(plan, planned).problem
    outcomes: dict[str, ProtectedCells] = {}
    with search_progress() as on_progress:
        for protection in plan.protections:
            name = unused_name(protection.name(), outcomes)
            outcomes[name] = protect_plan(plan, planned, protection, on_progress).outcome
    with working("comparing"):
        found = compare_protections(outcomes, problem)
    if as_json:
        print_json({"format": 1, "protections": [asdict(each) for each in found.measures]})
    else:
        show_lines(str(found))
    if len(outcomes) == 1:
        tell("There is one protection only; add others to 'protections' to compare it with.")
    tell("The figures are computed with the true values: keep them inside.")


def unused_name(name: str, used: dict[str, ProtectedCells]) -> str:
    """Return a name, with a number where it is used already.

    Examples
    --------
    >>> unused_name("controlled_rounding", {})
    'controlled_rounding'
    """
    number = sum(other == name or other.startswith(f"{name} ") for other in used)
    return f"{name} {number + 1}" if number else name
