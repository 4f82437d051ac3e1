"""`sfumato table round`, `adjust` and `cell-key`: every cell is published, and changed."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import typer

from sfumato.cli.console import NOT_MET, print_json, working
from sfumato.cli.table_rendering import names_of, show_lines, show_tables, tell
from sfumato.errors import ParameterError
from sfumato.numerics.arrays import FloatColumn
from sfumato.table_plan import MadeTables, TablePlan, made_tables
from sfumato.table_plan.keying import perturbed_tables
from sfumato.table_plan.options import Adjusting
from sfumato.table_plan.protecting import has_rules, stated
from sfumato.table_plan.publishing import write_published
from sfumato.tables.cells.linked_tables import LinkedTables, link
from sfumato.tables.cells.table import Table
from sfumato.tables.comparison.protection import (
    Protection,
    protection_by_adjustment,
    protection_by_cell_key,
    protection_by_rounding,
)
from sfumato.tables.comparison.protection_comparison import compare_protections
from sfumato.tables.perturbation.controlled_adjustment import adjust
from sfumato.tables.perturbation.controlled_rounding import round_controlled
from sfumato.tables.problem.problem import Problem
from sfumato.tables.rendering.crosstab import crosstab, publication_views

FORMAT = 1  # of the plain form
NEW_KEYS = (
    "The keys were drawn for this run: another run, or another table of the same records, deviates otherwise, and the "
    "differences tell the truth bit by bit. Keep a column of keys with the records and name it: 'key: COLUMN'."
)


SEEDED_KEYS = (
    "The keys were drawn by the seed: another table of the same records deviates otherwise unless they come in the "
    "same order, and whoever has the seed can undo the deviations. Keep a column of keys with the records and name it: "
    "'key: COLUMN'."
)
ROUNDED = "Figures are rounded to multiples of {:g} to protect contributors; sums of rounded figures hold."
ADJUSTED = "Some figures are changed to protect contributors; sums of the figures shown hold."
PERTURBED = "Figures deviate a little from the true ones to protect contributors; they need not add up."


@dataclass(frozen=True, eq=False)
class Changed:
    """What is published of tables whose cells have changed, what to say of it, and what their readers must know."""

    tables: dict[str, Table]
    published: list[FloatColumn]
    said: str
    facts: dict[str, Any]
    notice: str


class Safety(NamedTuple):
    """How many cells are unsafe, and how many of them can be narrowed down further than their levels allow."""

    unsafe: int
    open: int

    def told(self) -> str:
        """Return it as a sentence."""
        return (
            f"Audited: {self.unsafe - self.open} of {self.unsafe} unsafe cells cannot be narrowed down further than "
            f"their levels allow, by an outsider who knows the method and its parameters."
        )


def run_round(spec: Path, output: Path | None, *, time_limit: float | None, as_json: bool) -> None:
    """Round the tables of a specification, write and show them."""
    plan = TablePlan.load(spec)
    if plan.rounding is None:
        raise ParameterError([f"{spec} does not say to what to round; add a line such as 'round: {{base: 5}}'"])
    asked = plan.rounding if time_limit is None else plan.rounding.replace(time_limit=time_limit)
    made, linked, problem = _made(plan)
    with working("rounding"):
        rounded = round_controlled(linked, asked.base, max_steps=asked.max_steps, seconds=asked.time_limit)
    facts = {"base": asked.base, "steps": rounded.steps, "distance": rounded.distance, "gap": rounded.gap}
    protection = None if problem is None else protection_by_rounding(problem, rounded)
    shown = Changed(made.tables, _of_tables(linked, rounded.rounded), f"{rounded}.", facts, ROUNDED.format(asked.base))
    _write_and_show(shown, _open_cells(protection, problem), output, as_json=as_json)


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
    shown = Changed(made.tables, _of_tables(linked, adjusted.adjusted), f"{adjusted}.", facts, ADJUSTED)
    found = _open_cells(protection_by_adjustment(problem, adjusted), problem)
    _write_and_show(shown, found, output, as_json=as_json)


def run_cell_key(spec: Path, output: Path | None, *, as_json: bool) -> None:
    """Perturb the tables of a specification by cell keys, write and show them."""
    plan = TablePlan.load(spec)
    with working("perturbing"):
        perturbed = perturbed_tables(plan)
    tables = {name: each.table for name, each in perturbed.items()}
    facts = {"largest_break": {name: each.largest_break for name, each in perturbed.items()}}
    said = "\n".join(f"{name}: {each}." for name, each in perturbed.items())
    made, found = MadeTables(tables), None
    if len(tables) == 1 and has_rules(plan, made):
        problem = stated(plan, made)[2]
        found = _open_cells(protection_by_cell_key(problem, next(iter(perturbed.values()))), problem)
    if plan.cell_keying is not None and plan.cell_keying.key is None:
        tell(NEW_KEYS if plan.cell_keying.seed is None else SEEDED_KEYS)
    shown = Changed(tables, [each.values for each in perturbed.values()], said, facts, PERTURBED)
    _write_and_show(shown, found, output, as_json=as_json)


def _made(plan: TablePlan) -> tuple[MadeTables, LinkedTables, Problem | None]:
    """Return the tables, as one too, and the problem of protecting them where there are rules."""
    with working("making the tables"):
        made = made_tables(plan)
        return made, link(list(made.tables.values())), stated(plan, made)[2] if has_rules(plan, made) else None


def _of_tables(linked: LinkedTables, values: FloatColumn) -> list[FloatColumn]:
    return [values[cells] for cells in linked.cells]


def _write_and_show(shown: Changed, found: Safety | None, output: Path | None, *, as_json: bool) -> None:
    """Write and show what is published of tables whose cells have changed; exit code 3 where unsafe cells are open."""
    tables = shown.tables
    nothing = [np.zeros(table.size, dtype=np.bool_) for table in tables.values()]
    files = [] if output is None else write_published(output, tables, shown.published, nothing, facts=[shown.notice])
    if as_json:
        safety = {} if found is None else {"unsafe": found.unsafe, "open": found.open}
        print_json({"format": FORMAT, **shown.facts, **safety, "files": names_of(files)})
    else:
        pairs = zip(tables.items(), shown.published, nothing, strict=True)
        show_tables(
            {name: crosstab(table, publication_views(new, no)) for (name, table), new, no in pairs},
            with_legend=False,
        )
        show_lines(shown.said, *([] if found is None else [found.told()]))
    if output is not None:
        tell(f"{'To publish' if found is None or not found.open else 'Written'}: the CSV files and pages in {output}.")
    if found is not None and found.open:
        tell(f"Not protected: {found.open} of {found.unsafe} unsafe cells; change more, or hide cells instead.")
        raise typer.Exit(NOT_MET)


def _open_cells(protection: Protection | None, problem: Problem | None) -> Safety | None:
    """Return how many unsafe cells an outsider who knows the method can narrow down too far; none without rules."""
    if protection is None or problem is None or not problem.primaries.size:
        return None
    with working("auditing"):
        (measures,) = compare_protections([protection], problem).measures
    unsafe = int(problem.primaries.size)
    return Safety(unsafe, unsafe - round(measures.protected_primaries * unsafe / 100))
