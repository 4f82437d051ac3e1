"""What is written of a protected publication: files for the public, and files for those inside."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from sfumato.display import format_count
from sfumato.files import WriteOptions
from sfumato.publication.observations import write_observations
from sfumato.publication.workbook import write_workbook
from sfumato.storage.atomic import write_text
from sfumato.table_specification.file_names import file_name
from sfumato.table_specification.release_files import (
    CONFIDENTIAL,
    REVIEW,
    ReleasedTable,
    audit_fact,
    make_folder,
    set_aside,
    write_release,
    write_statuses,
)
from sfumato.tables import Audit, ProtectedPublication, ProtectedTables
from sfumato.tables.pattern import Pattern
from sfumato.tables.rendering.crosstab import crosstab, review_views
from sfumato.tables.rendering.page import table_page

WORKBOOK = "publication.xlsx"
MAX_NAMED = 6


def released(publication: ProtectedPublication, titles: Mapping[str, str] | None = None) -> list[ReleasedTable]:
    """Return the published tables of a publication, in its order."""
    known = titles or {}
    return [ReleasedTable(name, *publication.place(name), title=known.get(name, "")) for name in publication.names]


def write_publication(
    folder: Path, tables: Sequence[ReleasedTable], options: WriteOptions = WriteOptions()
) -> tuple[list[Path], Path | None]:
    """Write for each table a CSV file and a page, and a workbook of all; return them, and where an earlier release is.

    Parameters
    ----------
    folder
        Where to write; made if it is not there.
    tables
        The tables.
    options
        How the CSV files are to be written.
    """
    aside = set_aside(folder, [table.name for table in tables], tables, options)
    written = write_release(folder, tables, options)
    workbook = folder / WORKBOOK
    write_workbook(workbook, tables)
    return [*written, workbook], aside


def write_publication_review(
    folder: Path, publication: ProtectedPublication, tables: Sequence[ReleasedTable], audits: Sequence[Audit]
) -> list[Path]:
    """Write what stays inside: a page and a workbook that tell why cells are suppressed, statuses and observations."""
    review = folder / REVIEW
    make_folder(review)
    page, workbook = review / "protection.html", review / WORKBOOK
    laid = {
        table.name: crosstab(
            table.table,
            review_views(
                table.protected.values(table.number),
                table.protected.statuses(table.number),
                [""] * table.table.size,
            ),
        )
        for table in tables
    }
    facts = [*structure_facts(publication), *cluster_facts(publication, audits)]
    write_text(page, table_page("Protection of the publication", laid, facts=facts, notice=CONFIDENTIAL))
    write_workbook(workbook, tables, for_review=True)
    names = [file_name(table.name) for table in tables]
    return [page, workbook, *write_statuses(review, tables), *write_observations(review, tables, names)]


def structure_facts(publication: ProtectedPublication) -> list[str]:
    """Return sentences about which tables are linked, which are parts of others, and how many can be worked out."""
    known = publication.publication
    tables, clusters = format_count(len(known.names), "table"), format_count(len(known.clusters), "cluster")
    facts = [f"{tables} in {clusters}, each protected and audited as one problem."]
    for number, cluster in enumerate(known.clusters, start=1):
        hidden = len(cluster.members) - len(cluster.names)
        by_subtraction = f", and {hidden} that could be worked out from them by subtraction" if hidden else ""
        facts.append(f"Cluster {number}: {_list(cluster.names)}{by_subtraction}.")
    facts += [f"Table {part} is a part of table {whole}." for part, whole in known.parts.items()]
    return facts


def cluster_facts(publication: ProtectedPublication, audits: Sequence[Audit]) -> list[str]:
    """Return for each cluster what was done and what the audit found."""
    found = []
    for number, (protected, audit) in enumerate(zip(publication.clusters, audits, strict=True), start=1):
        remarks = [f"{remark[0].upper()}{remark[1:]}." for remark in protected.remarks]
        sentences = " ".join([*_cell_facts(protected), *remarks, audit_fact(audit)])
        found.append(f"Cluster {number}: {sentences}")
    return found


def _cell_facts(protected: ProtectedTables) -> list[str]:
    """Return how many published cells are unsafe and suppressed; a cell of several tables counts once."""
    problem, hidden = protected.problem, protected.linked.unpublished
    published = np.ones(problem.size, dtype=np.bool_) if hidden is None else ~hidden
    unsafe = published[problem.primaries]
    others = int((~unsafe).sum())
    by_subtraction = f" {others} more would follow by subtraction." if others else ""
    counted = f"{format_count(int(published.sum()), 'cell')}, {int(unsafe.sum())} of them unsafe.{by_subtraction}"
    if not isinstance(protected.outcome, Pattern):
        return [counted, *protected.outcome.facts(problem)]
    suppressed = protected.outcome.suppressed & published
    secondaries = int((suppressed & ~problem.must_suppress).sum())
    if not suppressed.any():
        return [counted, "None is suppressed."]
    out = f"{format_count(int(suppressed.sum()), 'cell')} suppressed, {secondaries} to protect others."
    return [counted, out, *protected.outcome.facts(problem)[1:]]


def _list(names: Sequence[str]) -> str:
    shown = ", ".join(names[:MAX_NAMED])
    return shown if len(names) <= MAX_NAMED else f"{shown} and {len(names) - MAX_NAMED} more"
