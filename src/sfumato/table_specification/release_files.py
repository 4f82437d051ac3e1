"""What is written of protected tables: files for the public, and files for those who review the protection."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import FileError
from sfumato.files import WriteOptions
from sfumato.files.text.csv import to_bytes
from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.storage.atomic import write_bytes, write_text
from sfumato.table_specification.file_names import file_name
from sfumato.tables import CellStatus, ProtectedTables
from sfumato.tables.audit.findings import Audit
from sfumato.tables.cells.table import Table
from sfumato.tables.perturbation.cell_key_perturbation import decimals_of
from sfumato.tables.rendering.crosstab import Crosstab, crosstab, publication_views, review_views
from sfumato.tables.rendering.page import table_page
from sfumato.tables.rendering.reasons import reasons

if TYPE_CHECKING:
    import polars as pl

MAX_NAMED = 5
RESIDUE = 1e-12  # of a value: what adding up leaves
REVIEW = "review"  # the folder of what stays inside
EARLIER = "earlier"  # begins the name of a folder for the release of an earlier run
CONFIDENTIAL = (
    "For review only: it tells unsafe cells from others, which narrows what an intruder has to guess. "
    "Publish the files beside this folder."
)


@dataclass(frozen=True, eq=False)
class ReleasedTable:
    """A table to be written.

    Parameters
    ----------
    name
        What to call it.
    protected
        The tables that it was protected with.
    number
        Its place among them.
    title
        What readers are told that it shows; its name when it is empty.
    """

    name: str
    protected: ProtectedTables
    number: int = 0
    title: str = ""

    @property
    def table(self) -> Table:
        """The table as it is."""
        return self.protected.tables[self.number]

    def frame(self) -> "pl.DataFrame":
        """Return what is published of its cells."""
        return release_frame(self.table, self.protected.values(self.number), self.protected.suppressed(self.number))

    def crosstab(self) -> Crosstab:
        """Return what the public sees of it, laid out."""
        views = publication_views(self.protected.values(self.number), self.protected.suppressed(self.number))
        return crosstab(self.table, views)


def released_tables(names: Sequence[str], protected: ProtectedTables) -> list[ReleasedTable]:
    """Return tables that were protected together, by their names, to be written."""
    return [ReleasedTable(name, protected, number) for number, name in enumerate(names)]


def write_release(folder: Path, tables: Sequence[ReleasedTable], options: WriteOptions = WriteOptions()) -> list[Path]:
    """Write for each table a CSV file and an HTML page that can be published, and return their names.

    No file holds a figure of a suppressed cell, or tells why it is suppressed.

    Parameters
    ----------
    folder
        Where to write; made if it is not there.
    tables
        The tables.
    options
        How the CSV files are to be written.
    """
    make_folder(folder)
    written = list[Path]()
    for table in tables:
        notice = table.protected.outcome.notice
        written += _release_paths(folder, table.name)
        write_bytes(written[-2], to_bytes(table.frame(), options))
        title = table.title or table.name
        write_text(written[-1], table_page(title, {table.name: table.crosstab()}, facts=[notice] if notice else []))
    return written


def set_aside(
    folder: Path,
    names: Sequence[str],
    tables: Sequence[ReleasedTable] | None,
    options: WriteOptions = WriteOptions(),
) -> Path | None:
    """Move the release of an earlier run into a folder of its own, unless this run releases the same.

    Nobody takes it for this run's then, and nothing is lost that may have been published.

    Parameters
    ----------
    folder
        Where the release is, if there is one.
    names
        What the tables are called.
    tables
        What this run releases; None where it withholds all.
    options
        How this run writes CSV files.
    """
    old = [path for name in names for path in _release_paths(folder, name) if path.exists()]
    if not old or (tables is not None and _is_released(folder, tables, options)):
        return None
    numbers = (number for number in count(1) if not (folder / f"{EARLIER}-{number}").exists())
    aside = folder / f"{EARLIER}-{next(numbers)}"
    make_folder(aside)
    for path in old:
        try:
            path.rename(aside / path.name)
        except OSError as error:
            raise FileError(f"{path}, of an earlier run, cannot be moved to {aside}: {error.strerror}") from None
    return aside


def files_of_others(folder: Path, written: Sequence[Path]) -> list[Path]:
    """Return CSV files and pages in a folder that this run did not write."""
    found = [path for path in folder.iterdir() if path.suffix in (".csv", ".html")] if folder.is_dir() else []
    return sorted(set(found) - set(written))


def _is_released(folder: Path, tables: Sequence[ReleasedTable], options: WriteOptions) -> bool:
    """Return whether the release in a folder has the same cells as this run's."""
    for table in tables:
        path, _ = _release_paths(folder, table.name)
        if not path.exists() or path.read_bytes() != to_bytes(table.frame(), options):
            return False
    return True


def _release_paths(folder: Path, name: str) -> tuple[Path, Path]:
    return folder / f"{file_name(name)}.csv", folder / f"{file_name(name)}.html"


def write_review(
    folder: Path, names: Sequence[str], protected: ProtectedTables, laid: Mapping[str, Crosstab], found: Audit | None
) -> list[Path]:
    """Write a page of all tables with what became of each cell and why, and the statuses as CSV; return their names."""
    make_folder(folder / REVIEW)
    written = [folder / REVIEW / "protection.html"]
    facts = [*protection_facts(protected), audit_fact(found, with_previous=protected.previous is not None)]
    write_text(written[0], table_page("Protection of " + ", ".join(names), laid, facts=facts, notice=CONFIDENTIAL))
    return [*written, *write_statuses(folder / REVIEW, released_tables(names, protected))]


def write_statuses(folder: Path, tables: Sequence[ReleasedTable]) -> list[Path]:
    """Write for each table what became of each of its cells, and return the names of the files."""
    written = []
    for table in tables:
        written.append(folder / f"{file_name(table.name)}_statuses.csv")
        statuses = [str(status) for status in table.protected.statuses(table.number)]
        write_text(written[-1], _codes(table.table).with_columns(_column("status", statuses)).write_csv())
    return written


def review_tables(names: Sequence[str], protected: ProtectedTables, *, with_reasons: bool) -> dict[str, Crosstab]:
    """Return the tables laid out with what became of each cell, and why if asked."""
    why = reasons(protected) if with_reasons else [[""] * table.size for table in protected.tables]
    return {
        name: crosstab(
            protected.tables[number], review_views(protected.values(number), protected.statuses(number), why[number])
        )
        for number, name in enumerate(names)
    }


def release_frame(table: Table, values: FloatColumn, suppressed: Booleans) -> "pl.DataFrame":
    """Return codes, value (null where suppressed) and status, which does not tell one suppressed cell from another."""
    import polars as pl

    name = table.value_name or "count"
    values = without_residue(values)
    is_whole = bool((values[~suppressed] == np.rint(values[~suppressed])).all())
    column = pl.Series(name, np.where(suppressed, np.nan, values)).fill_nan(None)
    status = np.where(suppressed, CellStatus.SUPPRESSED.value, CellStatus.PUBLISHED.value)
    return _codes(table).with_columns(column.cast(pl.Int64) if is_whole else column, pl.Series("status", status))


def without_residue(values: FloatColumn) -> FloatColumn:
    """Return values as they would be written by hand: adding up 0.1 and 0.2 leaves 0.30000000000000004 in a computer.

    Values that have more than six decimals stay as they are.

    Examples
    --------
    >>> without_residue(np.array([0.1 + 0.2, 1.5, np.nan])).tolist()
    [0.3, 1.5, nan]
    """
    shown = values[~np.isnan(values)]
    rounded = np.round(values, decimals_of(shown))
    return rounded if np.allclose(rounded, values, rtol=RESIDUE, atol=0, equal_nan=True) else values


RULES_OF_BOTH = 2  # rules: of so many it is known how many cells both call unsafe


def protection_facts(protected: ProtectedTables) -> list[str]:
    """Return sentences about what was done; none holds a figure of a suppressed cell."""
    problem = protected.problem
    counts = {rule: count for rule, count in _unsafe_by_rule(protected).items() if count}
    rules = ", ".join(f"{count} by {rule}" for rule, count in counts.items())
    both = sum(counts.values()) - problem.primaries.size
    rules += f", {both} by both" if len(counts) == RULES_OF_BOTH and both > 0 else ""
    return [
        f"{problem.size} cells, {problem.primaries.size} of them unsafe" + (f" ({rules})." if rules else "."),
        *protected.outcome.facts(problem),
        *(f"{remark[0].upper()}{remark[1:]}." for remark in protected.remarks),
    ]


def audit_fact(found: Audit | None, *, with_previous: bool = False) -> str:
    """Return a sentence about what intruders can learn, from an earlier release too; it holds no interval."""
    if found is None:
        return "Not audited: no rule says what is unsafe."
    audited = "Audited together with the earlier release" if with_previous else "Audited"
    insiders, only_exact = len(found.problem.intruders) - 1, any(found.problem.only_exact)
    many = f"{insiders} insider{'s, each' if insiders > 1 else ','} alone in some cell,"
    who = "an outsider" + (f" and {many}" if insiders else "")
    if found.is_safe and only_exact:
        return (
            f"{audited}: an outsider cannot come nearer to any unsafe cell than its protection level allows, and "
            f"{many} cannot work out exactly any that they must be kept from."
        )
    if found.is_safe:
        from_it = " that they must be kept from" if any(cells.size for cells in found.problem.spared) else ""
        return f"{audited}: {who} cannot come nearer to any unsafe cell{from_it} than its protection level allows."
    failing = found.problem.name_cells(found.failing, MAX_NAMED)
    return f"{audited}: NOT SAFE from {who.removesuffix(',')}: {failing}."


def _unsafe_by_rule(protected: ProtectedTables) -> dict[str, int]:
    """Return how many cells each rule calls unsafe; a cell that several tables have counts once."""
    unsafe: dict[str, Booleans] = {}
    for found, cells in zip(protected.sensitivities, protected.linked.cells, strict=True):
        for rule, of_table in found.by_rule.items():
            unsafe.setdefault(rule, np.zeros(protected.linked.size, dtype=np.bool_))[cells[of_table]] = True
    return {rule: int(cells.sum()) for rule, cells in unsafe.items()}


def make_folder(folder: Path) -> None:
    """Make a folder unless it is there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"the folder {folder} cannot be written: {error.strerror}; choose another") from None


def _codes(table: Table) -> "pl.DataFrame":
    return table.to_frame().select(table.names)


def _column(name: str, content: Sequence[str]) -> "pl.Series":
    import polars as pl

    return pl.Series(name, content)
