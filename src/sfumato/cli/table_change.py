"""`sfumato table round` and `adjust`: cells that are all published, and changed."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.cli.showing import print_json, working
from sfumato.cli.table_showing import names_of, show_lines, show_tables, tell
from sfumato.data import FloatColumn
from sfumato.errors import ParameterError
from sfumato.table_plan import TablePlan, made_tables
from sfumato.table_plan.options import Adjusting
from sfumato.table_plan.protecting import stated
from sfumato.table_plan.publishing import write_published
from sfumato.tables.adjustment import adjust
from sfumato.tables.crosstab import crosstab, shown_for_publication
from sfumato.tables.linking import LinkedTables, link
from sfumato.tables.rounding import round_controlled

FORMAT = 1  # of the plain form


def run_round(spec: Path, output: Path | None, *, time_limit: float | None, as_json: bool) -> None:
    """Round the tables of a specification, write and show them."""
    plan = TablePlan.load(spec)
    if plan.rounding is None:
        raise ParameterError([f"{spec} does not say to what to round; add a line such as 'round: {{base: 5}}'"])
    asked = plan.rounding if time_limit is None else plan.rounding.replace(time_limit=time_limit)
    with working("making the tables"):
        made = made_tables(plan)
    linked = link(list(made.tables.values()))
    with working("rounding"):
        rounded = round_controlled(linked, asked.base, most_steps=asked.most_steps, seconds=asked.time_limit)
    facts = {"base": asked.base, "steps": rounded.steps, "distance": rounded.distance, "gap": rounded.gap}
    _finish(list(made.tables), linked, rounded.rounded, str(rounded), facts, output, as_json=as_json)


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
    _finish(list(made.tables), linked, adjusted.adjusted, str(adjusted), facts, output, as_json=as_json)


def _finish(
    names: Sequence[str],
    linked: LinkedTables,
    values: FloatColumn,
    said: str,
    facts: dict[str, Any],
    output: Path | None,
    *,
    as_json: bool,
) -> None:
    """Write and show what is published of tables whose cells have changed."""
    published = [values[cells] for cells in linked.cells]
    nothing = [np.zeros(table.size, dtype=np.bool_) for table in linked.tables]
    tables = dict(zip(names, linked.tables, strict=True))
    files = [] if output is None else write_published(output, tables, published, nothing)
    if as_json:
        print_json({"format": FORMAT, **facts, "files": names_of(files)})
    else:
        pairs = zip(tables.items(), published, nothing, strict=True)
        show_tables(
            {name: crosstab(table, shown_for_publication(new, no)) for (name, table), new, no in pairs},
            with_legend=False,
        )
        show_lines(f"{said}.")
    if output is not None:
        tell(f"To publish: the CSV files and pages in {output}.")
