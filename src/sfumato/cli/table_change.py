"""`sfumato table round`, `adjust` and `cell-key`: every cell is published, and changed."""

from pathlib import Path
from typing import Any

import numpy as np

from sfumato.cli.showing import print_json, working
from sfumato.cli.table_showing import names_of, show_lines, show_tables, tell
from sfumato.data import FloatColumn
from sfumato.errors import ParameterError
from sfumato.table_plan import MadeTables, TablePlan, made_tables
from sfumato.table_plan.keying import perturbed_tables
from sfumato.table_plan.options import Adjusting
from sfumato.table_plan.protecting import has_rules, stated
from sfumato.table_plan.publishing import write_published
from sfumato.tables.cells.linking import LinkedTables, link
from sfumato.tables.cells.table import Table
from sfumato.tables.changing.adjustment import adjust
from sfumato.tables.changing.rounding import round_controlled
from sfumato.tables.comparing.protection import (
    Protection,
    protection_by_adjustment,
    protection_by_cell_key,
    protection_by_rounding,
)
from sfumato.tables.comparing.protection_comparison import compare_protections
from sfumato.tables.problem import Problem
from sfumato.tables.showing.crosstab import crosstab, shown_for_publication

FORMAT = 1  # of the plain form
NEW_KEYS = (
    "The keys were drawn for this run: another run, or another table of the same records, deviates otherwise, and the "
    "differences tell the truth bit by bit. Keep a column of keys with the records and name it: 'key: COLUMN'."
)


def run_round(spec: Path, output: Path | None, *, time_limit: float | None, as_json: bool) -> None:
    """Round the tables of a specification, write and show them."""
    plan = TablePlan.load(spec)
    if plan.rounding is None:
        raise ParameterError([f"{spec} does not say to what to round; add a line such as 'round: {{base: 5}}'"])
    asked = plan.rounding if time_limit is None else plan.rounding.replace(time_limit=time_limit)
    made, linked, problem = _made(plan)
    with working("rounding"):
        rounded = round_controlled(linked, asked.base, most_steps=asked.most_steps, seconds=asked.time_limit)
    facts = {"base": asked.base, "steps": rounded.steps, "distance": rounded.distance, "gap": rounded.gap}
    protection = None if problem is None else protection_by_rounding(problem, rounded)
    _write_and_show(made.tables, _of_tables(linked, rounded.rounded), f"{rounded}.", facts, output, as_json=as_json)
    _tell_safety(protection, problem, as_json=as_json)


def run_adjust(spec: Path, output: Path | None, *, time_limit: float | None, as_json: bool) -> None:
    """Adjust the tables of a specification, write and show them."""
    plan = TablePlan.load(spec)
    asked = plan.adjusting or Adjusting()
    asked = asked if time_limit is None else asked.replace(time_limit=time_limit)
    with working("making the tables"):
        made = made_tables(plan)
        linked, _, problem = stated(plan, made)
    with working("adjusting"):
        rng = np.random.default_rng(asked.seed)
        adjusted = adjust(problem, rng, cost=asked.cost, keeps=asked.keeps, seconds=asked.time_limit)
    facts = {"primaries": int(problem.primaries.size), "largest_move": adjusted.largest_move, "gap": adjusted.gap}
    _write_and_show(made.tables, _of_tables(linked, adjusted.adjusted), f"{adjusted}.", facts, output, as_json=as_json)
    _tell_safety(protection_by_adjustment(problem, adjusted), problem, as_json=as_json)


def run_cell_key(spec: Path, output: Path | None, *, as_json: bool) -> None:
    """Perturb the tables of a specification by cell keys, write and show them."""
    plan = TablePlan.load(spec)
    with working("perturbing"):
        perturbed = perturbed_tables(plan)
    tables = {name: each.table for name, each in perturbed.items()}
    facts = {"largest_break": {name: each.largest_break for name, each in perturbed.items()}}
    said = "\n".join(f"{name}: {each}." for name, each in perturbed.items())
    _write_and_show(tables, [each.values for each in perturbed.values()], said, facts, output, as_json=as_json)
    if plan.cell_keying is not None and plan.cell_keying.key is None:
        tell(NEW_KEYS)
    made = MadeTables(tables)
    if len(tables) == 1 and has_rules(plan, made):
        problem = stated(plan, made)[2]
        protection = protection_by_cell_key(problem, next(iter(perturbed.values())))
        _tell_safety(protection, problem, as_json=as_json)


def _made(plan: TablePlan) -> tuple[MadeTables, LinkedTables, Problem | None]:
    """Return the tables, as one too, and the problem of protecting them where there are rules."""
    with working("making the tables"):
        made = made_tables(plan)
        return made, link(list(made.tables.values())), stated(plan, made)[2] if has_rules(plan, made) else None


def _of_tables(linked: LinkedTables, values: FloatColumn) -> list[FloatColumn]:
    return [values[cells] for cells in linked.cells]


def _write_and_show(
    tables: dict[str, Table],
    published: list[FloatColumn],
    said: str,
    facts: dict[str, Any],
    output: Path | None,
    *,
    as_json: bool,
) -> None:
    """Write and show what is published of tables whose cells have changed."""
    nothing = [np.zeros(table.size, dtype=np.bool_) for table in tables.values()]
    files = [] if output is None else write_published(output, tables, published, nothing)
    if as_json:
        print_json({"format": FORMAT, **facts, "files": names_of(files)})
    else:
        pairs = zip(tables.items(), published, nothing, strict=True)
        show_tables(
            {name: crosstab(table, shown_for_publication(new, no)) for (name, table), new, no in pairs},
            with_legend=False,
        )
        show_lines(said)
    if output is not None:
        tell(f"To publish: the CSV files and pages in {output}.")


def _tell_safety(protection: Protection | None, problem: Problem | None, *, as_json: bool) -> None:
    """Tell how many unsafe cells an outsider who knows the method cannot narrow down too far."""
    if protection is None or problem is None or not problem.primaries.size:
        return
    with working("auditing"):
        (measures,) = compare_protections([protection], problem).measures
    unsafe = problem.primaries.size
    protected = round(measures.protected_primaries * unsafe / 100)
    said = (
        f"Audited: {protected} of {unsafe} unsafe cells cannot be narrowed down further than their levels allow, by an "
        f"outsider who knows the method and its parameters."
    )
    tell(said) if as_json else show_lines(said)
