"""Make the tables that a specification asks for, from records or from cells."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import DataError
from sfumato.files import ReadOptions, read_with
from sfumato.numerics.arrays import FloatColumn
from sfumato.table_specification.codes import convert_codes
from sfumato.table_specification.hierarchies import groupings_of_data
from sfumato.table_specification.specification import TAU_ARGUS, TableSpecification
from sfumato.tables import draw_record_keys
from sfumato.tables.cells.groupings import Groupings
from sfumato.tables.cells.table import Table
from sfumato.tables.problem.given_cell import GivenCell, Status
from sfumato.tables.tau_argus.reader import ArgusStatus, ArgusTable, read_tau_argus

if TYPE_CHECKING:
    import polars as pl

DRAWN = "record_key_of_this_run"
MIN_KEPT = 3  # contributions of each cell
SAME = 1e-8  # of a value: a cost that is off by no more is the value, written with fewer decimals


@dataclass(frozen=True, eq=False)
class SpecifiedTables:
    """The tables of a specification.

    Parameters
    ----------
    tables
        By their names.
    given_cells
        What the files themselves decide of cells, as those of tau-Argus do.
    """

    tables: dict[str, Table]
    given_cells: tuple[GivenCell, ...] = ()


def build_tables(specification: TableSpecification, options: ReadOptions = ReadOptions()) -> SpecifiedTables:
    """Return the tables of a specification, from its records or its cells.

    Parameters
    ----------
    specification
        The specification; where it names a schema, that goes before the one of the options.
    options
        How its data are to be read.
    """
    reading = options if specification.schema_file is None else replace(options, schema=specification.schema_file)
    if specification.data is not None:
        frame = _add_keys(specification, read_frame(specification.data, reading))
        return SpecifiedTables(
            {name: _from_records(specification, frame, by) for name, by in specification.table_dimensions.items()}
        )
    tables, given_cells = {}, []
    for name, by in specification.table_dimensions.items():
        if specification.cell_file(name).suffix.lower() == TAU_ARGUS:
            argus = read_tau_argus(
                specification.cell_file(name), tolerance=specification.tolerance, repair=specification.repair
            )
            tables[name] = argus.table
            given_cells += decisions_of(argus)
        else:
            tables[name] = _from_cells(specification, read_frame(specification.cell_file(name), reading), by)
    return SpecifiedTables(tables, tuple(given_cells))


def _from_records(specification: TableSpecification, frame: "pl.DataFrame", by: tuple[str, ...]) -> Table:
    """Return the table of records by some dimensions."""
    coded = convert_codes(frame, by)
    zeros = (
        specification.zeros
        if isinstance(specification.zeros, bool)
        else convert_codes(read_frame(specification.zeros, ReadOptions()), by)
    )
    return Table.from_records(
        coded,
        _groupings(specification, by, coded),
        specification.value,
        weight=specification.weight,
        holding=specification.holding,
        shadow=specification.shadow,
        request=specification.request,
        count=specification.count,
        key=specification.key or (DRAWN if DRAWN in frame.columns else None),
        keep=max([MIN_KEPT, *(rule.contributions for rule in specification.rules or ())]),
        total=specification.total,
        missing=specification.missing,
        zeros=zeros,
    )


def _from_cells(specification: TableSpecification, frame: "pl.DataFrame", by: tuple[str, ...]) -> Table:
    coded = convert_codes(frame, by)
    return Table.from_cells(
        coded,
        _groupings(specification, by, coded),
        specification.value,
        count=specification.count,
        largest=specification.largest,
        shadow=specification.shadow,
        key=specification.key,
        total=specification.total,
        tolerance=specification.tolerance,
        repair=specification.repair,
    )


def _groupings(specification: TableSpecification, by: tuple[str, ...], frame: "pl.DataFrame") -> dict[str, Groupings]:
    return {
        name: groupings_of_data(
            name,
            specification.hierarchies.get(name),
            frame,
            missing=specification.missing,
            only_longest=specification.cells is not None,
        )
        for name in by
    }


def _add_keys(specification: TableSpecification, frame: "pl.DataFrame") -> "pl.DataFrame":
    """Return records with keys drawn for this run, where a protection needs keys and no column has them."""
    import polars as pl

    if specification.key is not None or not any(protection.needs_keys for protection in specification.protections):
        return frame
    rng = None if specification.seed is None else np.random.default_rng(specification.seed)
    return frame.with_columns(pl.Series(DRAWN, draw_record_keys(frame.height, rng)))


def decisions_of(argus: ArgusTable, name: str | None = None) -> list[GivenCell]:
    """Return what a table of tau-Argus decides of its cells; costs that are their values need not be told.

    Parameters
    ----------
    argus
        The table.
    name
        What a publication calls it.
    """
    words = {ArgusStatus.UNSAFE: Status.PROTECT, ArgusStatus.PROTECTED: Status.PUBLISH}
    table, statuses = argus.table, argus.statuses or (ArgusStatus.SAFE,) * argus.table.size
    own_costs = _own_costs(argus)
    found = []
    for cell in np.flatnonzero([status in words for status in statuses] | ~np.isnan(own_costs)).tolist():
        places = zip(table.dimensions, table.codes[cell].tolist(), strict=True)
        where = {dimension.name: dimension.codes[place] for dimension, place in places}
        level = None if argus.upper_levels is None else float(argus.upper_levels[cell])
        is_unsafe = statuses[cell] is ArgusStatus.UNSAFE
        found.append(
            GivenCell(
                where=where,
                table=name,
                status=words.get(statuses[cell]),
                protection_level=(level or None) if is_unsafe else None,
                cost=None if np.isnan(own_costs[cell]) else float(own_costs[cell]),
            )
        )
    return found


def _own_costs(argus: ArgusTable) -> FloatColumn:
    """Return the cost of each cell, and NaN where it is none but the cell's value."""
    values = np.abs(argus.table.values)
    if argus.costs is None:
        return np.full(values.size, np.nan)
    if (argus.costs < 0).any():
        raise DataError(f"costs must be 0 or more; {int((argus.costs < 0).sum())} cells of {argus.table} have others")
    return np.where(np.abs(argus.costs - values) <= SAME * np.maximum(values, 1.0), np.nan, argus.costs)


def read_frame(path: Path, options: ReadOptions) -> "pl.DataFrame":
    """Return the rows of a file as a polars frame."""
    from sfumato.files.frames import as_polars

    return as_polars(read_with(path, options))
