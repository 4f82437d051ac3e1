"""Protect tables as their specification says."""

from collections.abc import Sequence
from pathlib import Path

from sfumato.errors import DataError
from sfumato.table_plan.build_tables import PlannedTables
from sfumato.table_plan.pattern_files import read_pattern
from sfumato.table_plan.plan import TablePlan
from sfumato.tables import (
    AnyOf,
    ProtectedTables,
    Protection,
    Status,
    UnsafeTables,
    apply_protection,
    find_unsafe,
    suppress_cells,
)
from sfumato.tables.protection import OnProgress


def find_unsafe_cells(plan: TablePlan, planned: PlannedTables) -> UnsafeTables:
    """Return which cells of the tables are unsafe, and what protecting them means."""
    return find_unsafe(
        list(planned.tables.values()),
        AnyOf(rules=plan.rules or ()),
        given=(*planned.given, *plan.given),
        cost=plan.cost,
        insiders=plan.insiders,
        known_within=plan.known_within,
    )


def protect_plan(
    plan: TablePlan, planned: PlannedTables, protection: Protection | None = None, on_progress: OnProgress = None
) -> ProtectedTables:
    """Return the tables as one of the protections of a specification publishes them; the first when not given."""
    chosen = protection or plan.protection()
    if chosen.needs_rules:
        check_rules(plan, planned)
    return apply_protection(chosen, find_unsafe_cells(plan, planned), seed=plan.seed, on_progress=on_progress)


def apply_pattern(plan: TablePlan, planned: PlannedTables, patterns: Sequence[Path]) -> ProtectedTables:
    """Return the tables with the cells suppressed that some files say, one file for each table."""
    check_rules(plan, planned)
    unsafe = find_unsafe_cells(plan, planned)
    return suppress_cells(unsafe, read_pattern(patterns, unsafe.linked))


def check_rules(plan: TablePlan, planned: PlannedTables) -> None:
    """Refuse a specification that does not say what is unsafe."""
    if not has_rules(plan, planned):
        raise DataError(
            "the specification has no rules and gives no cells to protect, so that nothing is unsafe; add rules, as in "
            "'rules: [min_units: 3]'"
        )


def has_rules(plan: TablePlan, planned: PlannedTables) -> bool:
    """Return whether the specification says what is unsafe: by rules, or by cells that it gives."""
    return bool(plan.rules) or any(entry.status is Status.PROTECT for entry in (*planned.given, *plan.given))
