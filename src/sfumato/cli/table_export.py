"""`sfumato table export`: tables with their unsafe cells as files of tau-Argus."""

from pathlib import Path

import numpy as np

from sfumato.cli.console import working
from sfumato.cli.table_rendering import show_lines, tell
from sfumato.table_plan import TablePlan, build_tables
from sfumato.table_plan.file_names import file_name
from sfumato.table_plan.protect_plan import check_rules, find_unsafe_cells
from sfumato.table_plan.release_files import make_folder
from sfumato.tables.cells.linked_tables import LinkedTables
from sfumato.tables.problem.problem import Problem
from sfumato.tables.tau_argus.reader import ArgusStatus, ArgusTable
from sfumato.tables.tau_argus.writer import write_tau_argus

NOT_CARRIED = (
    "{} cells of {} are given to be hidden and need no protection. tau-Argus knows no such cells: they are written as "
    "unsafe without a level, and whoever reads the files protects them too."
)


def run_export(spec: Path, output: Path) -> None:
    """Write each table of a specification as .tab, .rda and .hrc files."""
    plan = TablePlan.load(spec)
    with working("making the tables"):
        planned = build_tables(plan)
        check_rules(plan, planned)
        unsafe = find_unsafe_cells(plan, planned)
    linked, problem = unsafe.linked, unsafe.problem
    make_folder(output)
    for number, name in enumerate(planned.tables):
        target = output / f"{file_name(name)}.tab"
        write_tau_argus(argus_table(linked, problem, number), target)
        beside = target.with_suffix(".rda").name
        show_lines(f"{target}: {linked.tables[number].size} cells; {beside} says what its fields are")
        only_hidden = np.setdiff1d(np.flatnonzero(problem.hidden), problem.primaries)
        others = int(np.isin(linked.cells[number], only_hidden).sum())
        if others:
            tell(NOT_CARRIED.format(others, name))
    tell("These files hold the true values: keep them inside.")


def argus_table(linked: LinkedTables, problem: Problem, number: int) -> ArgusTable:
    """Return a table as tau-Argus knows it, with the unsafe cells, costs and levels of a problem."""
    cells = linked.cells[number]
    lower, upper = np.zeros(problem.size), np.zeros(problem.size)
    lower[problem.primaries], upper[problem.primaries] = problem.lower_levels, problem.upper_levels
    is_unsafe = np.isin(cells, problem.primaries) | problem.hidden[cells]
    is_fixed = problem.published[cells]
    statuses = np.select(
        [is_unsafe, is_fixed], [ArgusStatus.UNSAFE.value, ArgusStatus.PROTECTED.value], ArgusStatus.SAFE.value
    )
    return ArgusTable(
        linked.tables[number],
        tuple(ArgusStatus(letter) for letter in statuses.tolist()),
        problem.costs[cells],
        lower[cells],
        upper[cells],
    )
