"""Export tables with their unsafe cells as files of tau-Argus."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.files import ReadOptions
from sfumato.jobs.progress import OnProgress, Stage, ignore_progress
from sfumato.jobs.result import JobResult
from sfumato.jobs.tables._table_stages import FORMAT, load_specification, load_tables
from sfumato.table_specification import find_unsafe_cells
from sfumato.table_specification.file_names import file_name
from sfumato.table_specification.protect_tables import check_rules
from sfumato.table_specification.release_files import make_folder
from sfumato.tables import ArgusTable, UnsafeTables, write_tau_argus
from sfumato.tables.tau_argus.reader import ArgusStatus

NOT_CARRIED = (
    "{} cells of {} are given to be suppressed and need no protection. tau-Argus knows no such cells: they are written "
    "as unsafe without a level, and whoever reads the files protects them too."
)
CONFIDENTIAL = "These files hold the true values: keep them inside."


@dataclass(frozen=True, kw_only=True)
class TableExportResult(JobResult):
    """The files that were written, with the number of cells of each."""

    cells: dict[Path, int]

    def to_dict(self) -> dict[str, Any]:
        """Return the files and their cells."""
        return {"format": FORMAT, "files": {str(path): size for path, size in self.cells.items()}}

    def __str__(self) -> str:
        return "\n".join(
            f"{path}: {size} cells; {path.with_suffix('.rda').name} says what its fields are"
            for path, size in self.cells.items()
        )


def table_export(
    specification_file: str | Path,
    output: str | Path,
    *,
    options: ReadOptions = ReadOptions(),
    on_progress: OnProgress = ignore_progress,
) -> TableExportResult:
    """Write each table of a specification as .tab, .rda and .hrc files.

    Parameters
    ----------
    specification_file
        The specification file.
    output
        The folder for the files.
    options
        How the data of the specification are to be read.
    on_progress
        Called with each stage.
    """
    specification, folder = load_specification(specification_file), Path(output).expanduser()
    specified = load_tables(specification, options, on_progress)
    check_rules(specification, specified)
    unsafe = find_unsafe_cells(specification, specified)
    on_progress(Stage("writing"))
    make_folder(folder)
    only_suppressed = np.setdiff1d(np.flatnonzero(unsafe.problem.must_suppress), unsafe.problem.primaries)
    cells, notices = {}, []
    for number, name in enumerate(specified.tables):
        target = folder / f"{file_name(name)}.tab"
        write_tau_argus(argus_table(unsafe, number), target)
        cells[target] = unsafe.tables[number].size
        if others := int(np.isin(unsafe.linked.cells[number], only_suppressed).sum()):
            notices.append(NOT_CARRIED.format(others, name))
    return TableExportResult(cells=cells, notices=(*notices, CONFIDENTIAL))


def argus_table(unsafe: UnsafeTables, number: int) -> ArgusTable:
    """Return a table as tau-Argus knows it, with its unsafe cells, costs and levels."""
    problem, cells = unsafe.problem, unsafe.linked.cells[number]
    lower, upper = np.zeros(problem.size), np.zeros(problem.size)
    lower[problem.primaries], upper[problem.primaries] = problem.lower_levels, problem.upper_levels
    is_unsafe = np.isin(cells, problem.primaries) | problem.must_suppress[cells]
    statuses = np.select(
        [is_unsafe, problem.must_publish[cells]],
        [ArgusStatus.UNSAFE.value, ArgusStatus.PROTECTED.value],
        ArgusStatus.SAFE.value,
    )
    return ArgusTable(
        unsafe.tables[number],
        tuple(ArgusStatus(letter) for letter in statuses.tolist()),
        problem.costs[cells],
        lower[cells],
        upper[cells],
    )
