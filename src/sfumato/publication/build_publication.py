"""Make the tables of a publication file, and protect them as it says."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sfumato.data import Hierarchy
from sfumato.errors import DataError, FileError
from sfumato.files import ReadOptions
from sfumato.numerics.arrays import Booleans
from sfumato.publication.specification import PublicationSpecification
from sfumato.publication.table_entries import TableEntry
from sfumato.publication.template import Template
from sfumato.table_specification.build_tables import MIN_KEPT, decisions_of, read_frame
from sfumato.table_specification.codes import convert_codes
from sfumato.table_specification.file_names import file_name
from sfumato.table_specification.hierarchies import Digits, groupings_of_data
from sfumato.table_specification.pattern_files import read_last_period
from sfumato.table_specification.specification import TAU_ARGUS
from sfumato.tables import (
    AnyOf,
    Equation,
    GivenCell,
    ProtectedPublication,
    Publication,
    RecordColumns,
    Status,
    Table,
    TableDefinition,
    UnsafeTables,
    protect_publication,
    read_tau_argus,
)
from sfumato.tables.protection import OnProgress
from sfumato.tables.publication.protect_publication import find_unsafe_clusters


@dataclass(frozen=True, eq=False)
class SpecifiedPublication:
    """The publication of a specification.

    Parameters
    ----------
    publication
        Its tables.
    rules
        For single tables what makes their cells unsafe.
    given_cells
        What the files themselves decide of cells, as those of tau-Argus do.
    titles
        What readers are told that each table shows.
    """

    publication: Publication
    rules: Mapping[str, AnyOf] = field(default_factory=dict)
    given_cells: tuple[GivenCell, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)


def build_publication(
    specification: PublicationSpecification, options: ReadOptions = ReadOptions()
) -> SpecifiedPublication:
    """Return the tables of a publication file, from its records or its cells.

    Parameters
    ----------
    specification
        The specification; where it names a schema, that goes before the one of the options.
    options
        How its data are to be read.
    """
    reading = options if specification.schema_file is None else replace(options, schema=specification.schema_file)
    entries, equations = dict(specification.tables), list(specification.equations)
    hierarchies: dict[str, tuple[Hierarchy | Digits, ...]] = {}
    if specification.template is not None:
        template = Template(specification.template, specification.total)
        entries, equations = template.tables, [*equations, *template.equations]
        hierarchies |= {name: (tree,) for name, tree in template.hierarchies.items()}
    hierarchies |= specification.hierarchies
    rules = {name: AnyOf(rules=entry.rules) for name, entry in entries.items() if entry.rules}
    titles = {name: entry.title or _shows(name, entry) for name, entry in entries.items()}
    if specification.data is None:
        tables, fixed, given = _from_cells(specification, entries, hierarchies, reading)
        publication = Publication.from_tables(tables, fixed=fixed, equations=equations)
        return SpecifiedPublication(publication, rules, tuple(given), titles)
    publication = _from_records(specification, specification.data, entries, hierarchies, equations, reading)
    return SpecifiedPublication(publication, rules, (), titles)


def protect_specified(
    specification: PublicationSpecification,
    specified: SpecifiedPublication,
    *,
    last_period: Path | None = None,
    on_progress: OnProgress = None,
) -> ProtectedPublication:
    """Return the tables of a publication file as its protection publishes them.

    Parameters
    ----------
    specification, specified
        The specification, and its tables.
    last_period
        The folder of the release of the period before: what it suppressed is suppressed again as far as it is safe.
    on_progress
        Called as a search goes on.
    """
    return protect_publication(
        specified.publication,
        specification.protection,
        last_period=None if last_period is None else read_release(last_period, specified.publication),
        seed=specification.seed,
        on_progress=on_progress,
        **_judging(specification, specified),
    )


def find_unsafe_specified(
    specification: PublicationSpecification, specified: SpecifiedPublication
) -> tuple[UnsafeTables, ...]:
    """Return for each cluster of a publication file which cells are unsafe."""
    return find_unsafe_clusters(specified.publication, **_judging(specification, specified))


def _judging(specification: PublicationSpecification, specified: SpecifiedPublication) -> dict[str, Any]:
    """Return what says which cells are unsafe, and from whom they are kept."""
    given = (*specified.given_cells, *specification.given_cells)
    if not (specification.rules or specified.rules or any(entry.status is Status.PROTECT for entry in given)):
        raise DataError(
            "the publication has no rules and gives no cells to protect, so that nothing is unsafe; add rules, as in "
            "'rules: [min_units: 3]'"
        )
    return {
        "rule": AnyOf(rules=specification.rules or ()),
        "rules": specified.rules,
        "given_cells": given,
        "cost": specification.cost,
        "insiders": specification.insiders,
        "known_within": specification.known_within,
    }


def read_release(folder: Path, publication: Publication) -> dict[str, Booleans]:
    """Return which cells the release in a folder suppressed, of each table that it has."""
    found = {}
    for member in publication.members:
        path = folder / f"{file_name(member.name)}.csv"
        if member.is_published and path.is_file():
            found[member.name] = read_last_period(path, member.table)
    if not found:
        raise FileError(f"{folder} has no table of the publication: name the folder of the period before")
    return found


def _from_records(
    specification: PublicationSpecification,
    records: Path,
    entries: Mapping[str, TableEntry],
    hierarchies: Mapping[str, tuple[Hierarchy | Digits, ...]],
    equations: list[Equation],
    reading: ReadOptions,
) -> Publication:
    variables = tuple(dict.fromkeys(name for entry in entries.values() for name in (*entry.dimensions, *entry.where)))
    frame = convert_codes(read_frame(records, reading), variables)
    zeros: Any = specification.zeros
    if not isinstance(zeros, bool):
        zeros = convert_codes(read_frame(zeros, ReadOptions()), variables)
    kept = [rule.contributions for entry in entries.values() for rule in (*(entry.rules or ()),)]
    return Publication.from_records(
        frame,
        {
            name: TableDefinition(
                dimensions=entry.dimensions,
                value=entry.value or specification.value,
                where=entry.where,
                title=entry.title,
            )
            for name, entry in entries.items()
        },
        hierarchies={
            name: groupings_of_data(name, hierarchies.get(name), frame, missing=specification.missing)
            for name in variables
        },
        equations=equations,
        columns=RecordColumns(
            weight=specification.weight,
            holding=specification.holding,
            shadow=specification.shadow,
            request=specification.request,
            key=specification.key,
            keep=max([MIN_KEPT, *kept, *(rule.contributions for rule in specification.rules or ())]),
            total=specification.total,
            missing=specification.missing,
            zeros=zeros,
        ),
    )


def _shows(name: str, entry: TableEntry) -> str:
    """Return what a table without a title is called: its name, and the records that it is of."""
    of = ", ".join(f"{variable}={' or '.join(map(str, codes))}" for variable, codes in entry.where.items())
    return f"{name} ({of})" if of else name


def _from_cells(
    specification: PublicationSpecification,
    entries: Mapping[str, TableEntry],
    hierarchies: Mapping[str, tuple[Hierarchy | Digits, ...]],
    reading: ReadOptions,
) -> tuple[dict[str, Table], dict[str, dict[str, Any]], list[GivenCell]]:
    """Return the tables of files of cells, the codes that all cells of each have, and what the files decide."""
    tables, fixed, given = {}, {}, list[GivenCell]()
    for name, entry in entries.items():
        path = Path(str(entry.cells))
        try:
            if path.suffix.lower() == TAU_ARGUS:
                argus = read_tau_argus(path)
                tables[name] = argus.table
                given += decisions_of(argus, name)
            else:
                tables[name] = _read_cells(specification, entry, hierarchies, reading)
        except DataError as error:
            raise DataError(f"table '{name}': {str(error).removeprefix('Table: ')}") from None
        fixed[name] = {variable: " or ".join(map(str, codes)) for variable, codes in entry.where.items()}
    return tables, fixed, given


def _read_cells(
    specification: PublicationSpecification,
    entry: TableEntry,
    hierarchies: Mapping[str, tuple[Hierarchy | Digits, ...]],
    reading: ReadOptions,
) -> Table:
    frame = convert_codes(read_frame(Path(str(entry.cells)), reading), entry.dimensions)
    return Table.from_cells(
        frame,
        {
            name: groupings_of_data(
                name, hierarchies.get(name), frame, missing=specification.missing, only_longest=True
            )
            for name in entry.dimensions
        },
        entry.value or specification.value,
        count=entry.count,
        largest=entry.largest,
        total=specification.total,
    )
