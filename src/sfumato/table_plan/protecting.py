"""Protect tables as their specification says."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.table_plan.making import MadeTables
from sfumato.table_plan.patterns import read_pattern
from sfumato.table_plan.plan import TablePlan
from sfumato.tables.cells.linked_tables import LinkedTables, link
from sfumato.tables.cells.table import Table
from sfumato.tables.problem.build_problem import build_problem
from sfumato.tables.problem.problem import Problem
from sfumato.tables.problem.protected_cells import Ending, Pattern, Progress
from sfumato.tables.sensitivity._given import Status
from sfumato.tables.sensitivity._sensitivity import AnyOf, Rule, Sensitivity
from sfumato.tables.suppress import Suppression, learnt_remarks, overruled_remarks, suppress
from sfumato.tables.suppression._unavoidable_disclosure import with_what_insiders_learn_anyway


class NoRule(Rule):
    """Call no cell unsafe: what to protect is given."""

    word = "given"

    def levels(self, table: Table) -> tuple[Booleans, FloatColumn]:
        """Return no cell."""
        return np.zeros(table.size, dtype=np.bool_), np.zeros(table.size)


def stated(plan: TablePlan, made: MadeTables) -> tuple[LinkedTables, tuple[Sensitivity, ...], Problem]:
    """Return the tables as one, their unsafe cells and the problem of protecting them."""
    linked = link(list(made.tables.values()))
    rule = rule_of(plan, made)
    sensitivities = tuple(rule.find(table) for table in linked.tables)
    problem = build_problem(
        linked,
        sensitivities,
        given=(*made.given, *plan.given),
        cost=plan.cost,
        insiders=plan.insiders,
        known_within=plan.known_within,
    )
    return linked, sensitivities, problem


def suppressed(plan: TablePlan, made: MadeTables, on_progress: Callable[[Progress], None] | None = None) -> Suppression:
    """Return the tables with cells hidden, as the specification asks."""
    return suppress(
        list(made.tables.values()),
        rule_of(plan, made),
        given=(*made.given, *plan.given),
        cost=plan.cost,
        insiders=plan.insiders,
        known_within=plan.known_within,
        method=plan.method,
        on_progress=on_progress,
    )


def with_pattern(plan: TablePlan, made: MadeTables, patterns: Sequence[Path]) -> Suppression:
    """Return the tables with the cells hidden that some files say, one file for each table."""
    linked, sensitivities, asked = stated(plan, made)
    hidden = read_pattern(patterns, linked)
    problem, learnt = with_what_insiders_learn_anyway(asked)  # no pattern is to blame for that
    pattern = Pattern(hidden, cost=problem.cost(hidden), bound=0.0, ended=Ending.HEURISTIC)
    remarks = (*overruled_remarks(linked, sensitivities, problem), *learnt_remarks(plan.insiders, learnt))
    return Suppression(linked, sensitivities, problem, pattern, remarks)


def rule_of(plan: TablePlan, made: MadeTables) -> Rule | AnyOf:
    """Return the rules of a specification as one; without any, cells to protect must be given."""
    if plan.rules:
        return AnyOf(rules=plan.rules)
    if has_rules(plan, made):
        return NoRule()
    raise DataError(
        "the specification has no rules and gives no cells to protect, so that nothing is unsafe; add rules, as in "
        "'rules: [min_units: 3]'"
    )


def has_rules(plan: TablePlan, made: MadeTables) -> bool:
    """Return whether the specification says what is unsafe: by rules, or by cells that it gives."""
    return bool(plan.rules) or any(entry.status is Status.PROTECT for entry in (*made.given, *plan.given))
