"""`sfumato table compare`: the protections that a specification asks for, side by side."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import numpy as np

from sfumato.cli.console import print_json, working
from sfumato.cli.table_rendering import search_progress, show_lines, tell
from sfumato.errors import ParameterError
from sfumato.table_plan import TablePlan, made_tables, suppressed
from sfumato.table_plan.keying import perturbed_tables
from sfumato.tables.comparison.protection import (
    Protection,
    protection_by_adjustment,
    protection_by_cell_key,
    protection_by_rounding,
    protection_by_suppression,
)
from sfumato.tables.comparison.protection_comparison import compare_protections
from sfumato.tables.perturbation.controlled_adjustment import adjust
from sfumato.tables.perturbation.controlled_rounding import round_controlled
from sfumato.tables.problem.problem import Problem


def run_table_compare(spec: Path, *, as_json: bool) -> None:
    """Protect one table in every way that the specification has parameters for, and show what each comes to."""
    plan = TablePlan.load(spec)
    if len(plan.tables) > 1:
        raise ParameterError([f"{spec} has {len(plan.tables)} tables; protections are compared on one: use 'by'"])
    with working("making the tables"):
        made = made_tables(plan)
    with search_progress() as told:
        suppression = suppressed(plan, made, told)
    problem = suppression.problem
    with working("protecting"):
        others = list(_others(plan, problem))
        hidden = protection_by_suppression(problem, suppression.pattern.suppressed)
        found = compare_protections([hidden, *others], problem)
    if as_json:
        print_json({"format": 1, "protections": [asdict(each) for each in found.measures]})
    else:
        show_lines(str(found))
    if not others:
        tell("Only hiding was done; add 'round', 'adjust' or 'cell_key' with parameters to compare it with.")
    tell("The figures are computed with the true values: keep them inside.")


def _others(plan: TablePlan, problem: Problem) -> Iterator[Protection]:
    """Yield what is published under each protection but suppression."""
    if plan.rounding is not None:
        asked = plan.rounding
        rounded = round_controlled(problem, asked.base, max_steps=asked.max_steps, seconds=asked.time_limit)
        yield protection_by_rounding(problem, rounded)
    if plan.adjusting is not None:
        changes = plan.adjusting
        rng = np.random.default_rng(changes.seed)
        yield protection_by_adjustment(
            problem, adjust(problem, rng, cost=changes.cost, keeps=changes.keeps, seconds=changes.time_limit)
        )
    if plan.cell_keying is not None:
        yield protection_by_cell_key(problem, next(iter(perturbed_tables(plan).values())))
