"""What is written of protected tables: files for the public, and files for those who review the protection."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import FileError
from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.storage.atomic import write_text
from sfumato.table_plan.file_names import file_name
from sfumato.tables import CellStatus, ProtectedTables
from sfumato.tables.audit.findings import Audit
from sfumato.tables.cells.table import Table
from sfumato.tables.rendering.crosstab import Crosstab, crosstab, publication_views, review_views
from sfumato.tables.rendering.page import table_page
from sfumato.tables.rendering.reasons import reasons

if TYPE_CHECKING:
    import polars as pl

MAX_NAMED = 5
REVIEW = "review"  # the folder of what stays inside
CONFIDENTIAL = (
    "For review only: it tells unsafe cells from others, which narrows what an attacker has to guess. "
    "Publish the files beside this folder."
)


def write_release(
    folder: Path,
    tables: Mapping[str, Table],
    values: Sequence[FloatColumn],
    hidden: Sequence[Booleans],
    *,
    facts: Sequence[str] = (),
) -> list[Path]:
    """Write for each table a CSV file and an HTML page that can be published, and return their names.

    No file holds a figure of a hidden cell, or tells why it is hidden.

    Parameters
    ----------
    folder
        Where to write; made if it is not there.
    tables
        By their names.
    values, hidden
        For each table what is published of its cells, and which of them are hidden.
    facts
        Sentences that readers must know, above the tables of the pages.
    """
    make_folder(folder)
    written = []
    for (name, table), figures, is_hidden in zip(tables.items(), values, hidden, strict=True):
        laid = crosstab(table, publication_views(figures, is_hidden))
        written += [folder / f"{file_name(name)}.csv", folder / f"{file_name(name)}.html"]
        write_text(written[-2], release_frame(table, figures, is_hidden).write_csv())
        write_text(written[-1], table_page(name, {name: laid}, facts=facts))
    return written


def write_review(
    folder: Path, names: Sequence[str], suppression: ProtectedTables, laid: Mapping[str, Crosstab], found: Audit
) -> list[Path]:
    """Write a page of all tables with the reasons for hidden cells, and the statuses as CSV; return their names."""
    make_folder(folder / REVIEW)
    written = [folder / REVIEW / "protection.html"]
    facts = [*protection_facts(suppression), audit_fact(found)]
    write_text(written[0], table_page("Protection of " + ", ".join(names), laid, facts=facts, notice=CONFIDENTIAL))
    for number, name in enumerate(names):
        written.append(folder / REVIEW / f"{file_name(name)}_statuses.csv")
        write_text(
            written[-1],
            _codes(suppression.tables[number])
            .with_columns(_column("status", [str(status) for status in suppression.statuses(number)]))
            .write_csv(),
        )
    return written


def review_tables(names: Sequence[str], suppression: ProtectedTables, *, with_reasons: bool) -> dict[str, Crosstab]:
    """Return the tables laid out with what became of each cell, and why if asked."""
    why = reasons(suppression) if with_reasons else [[""] * table.size for table in suppression.tables]
    laid = {}
    for number, name in enumerate(names):
        table, statuses = suppression.tables[number], suppression.statuses(number)
        laid[name] = crosstab(table, review_views(table.values, statuses, why[number]))
    return laid


def release_frame(table: Table, values: FloatColumn, hidden: Booleans) -> "pl.DataFrame":
    """Return codes, value (null where hidden) and status, which does not tell one hidden cell from another."""
    import polars as pl

    name = table.value_name or "count"
    is_whole = bool((values[~hidden] == np.rint(values[~hidden])).all())
    column = pl.Series(name, np.where(hidden, np.nan, values)).fill_nan(None)
    status = np.where(hidden, CellStatus.HIDDEN.value, CellStatus.PUBLISHED.value)
    return _codes(table).with_columns(column.cast(pl.Int64) if is_whole else column, pl.Series("status", status))


def protection_facts(suppression: ProtectedTables) -> list[str]:
    """Return sentences about what was hidden; none holds a figure of a cell."""
    problem, pattern = suppression.problem, suppression.pattern
    hidden = int(pattern.suppressed.sum())
    given = hidden - problem.primaries.size - suppression.secondaries
    rules = ", ".join(f"{count} by {rule}" for rule, count in _unsafe_by_rule(suppression).items() if count)
    others = f", and {given} as given" if given else ""
    return [
        f"{problem.size} cells, of which {hidden} are hidden: {problem.primaries.size} unsafe"
        + (f" ({rules})" if rules else "")
        + f", {suppression.secondaries} to protect them{others}.",
        _how_good(suppression),
        *(f"{remark[0].upper()}{remark[1:]}." for remark in suppression.remarks),
    ]


def audit_fact(found: Audit) -> str:
    """Return a sentence about what attackers can learn; it holds no interval."""
    insiders, only_exact = len(found.problem.attackers) - 1, any(found.problem.only_exact)
    many = f"{insiders} insider{'s, each' if insiders > 1 else ','} alone in some cell,"
    who = "an outsider" + (f" and {many}" if insiders else "")
    if found.is_safe and only_exact:
        return (
            "Audited: an outsider cannot come nearer to any unsafe cell than its protection level allows, and "
            f"{many} cannot work out exactly any that they must be kept from."
        )
    if found.is_safe:
        from_it = " that they must be kept from" if any(cells.size for cells in found.problem.spared) else ""
        return f"Audited: {who} cannot come nearer to any unsafe cell{from_it} than its protection level allows."
    bad = [found.problem.cell_name(int(cell)) for cell in np.union1d(found.unprotected, found.published_hidden)]
    more = f" and {len(bad) - MAX_NAMED} more" if len(bad) > MAX_NAMED else ""
    return f"Audited: NOT SAFE from {who.removesuffix(',')}: {'; '.join(bad[:MAX_NAMED])}{more}."


def _unsafe_by_rule(suppression: ProtectedTables) -> dict[str, int]:
    """Return how many cells each rule calls unsafe; a cell that several tables have counts once."""
    unsafe: dict[str, Booleans] = {}
    for found, cells in zip(suppression.sensitivities, suppression.linked.cells, strict=True):
        for rule, of_table in found.by_rule.items():
            unsafe.setdefault(rule, np.zeros(suppression.linked.size, dtype=np.bool_))[cells[of_table]] = True
    return {rule: int(cells.sum()) for rule, cells in unsafe.items()}


def _how_good(suppression: ProtectedTables) -> str:
    if not suppression.secondaries:
        return "Nothing else is hidden."
    if suppression.pattern.gap == 0:
        return "No other safe choice costs less."
    if suppression.pattern.bound <= 0:
        return "How much less another safe choice could cost was not worked out."
    return f"Another safe choice could cost less, by {suppression.pattern.gap:.1f} % at most."


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
