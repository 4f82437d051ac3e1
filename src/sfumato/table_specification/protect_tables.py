"""Protect tables as their specification says."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans
from sfumato.table_specification.build_tables import SpecifiedTables
from sfumato.table_specification.pattern_files import read_last_period, read_pattern, read_previous
from sfumato.table_specification.specification import TableSpecification
from sfumato.tables import (
    AnyOf,
    ProtectedTables,
    Protection,
    Status,
    UnsafeTables,
    apply_protection,
    find_unsafe,
    suppress_cells,
)
from sfumato.tables.protection import OnProgress


def find_unsafe_cells(specification: TableSpecification, specified: SpecifiedTables) -> UnsafeTables:
    """Return which cells of the tables are unsafe, and what protecting them means."""
    return find_unsafe(
        list(specified.tables.values()),
        AnyOf(rules=specification.rules or ()),
        given_cells=(*specified.given_cells, *specification.given_cells),
        cost=specification.cost,
        insiders=specification.insiders,
        known_within=specification.known_within,
    )


def protect_tables(
    specification: TableSpecification,
    specified: SpecifiedTables,
    protection: Protection | None = None,
    *,
    previous: Sequence[Path] = (),
    last_period: Sequence[Path] = (),
    on_progress: OnProgress = None,
) -> ProtectedTables:
    """Return the tables as one of the protections of a specification publishes them; the first when not given.

    Parameters
    ----------
    specification, specified
        The specification, and its tables.
    protection
        Which protection.
    previous
        Files of earlier releases, as in `read_previous`.
    last_period
        For each table the file of the period before, as in `read_last_period`.
    on_progress
        Called as a search goes on.
    """
    chosen = protection or specification.protection()
    if chosen.needs_rules:
        check_rules(specification, specified)
    unsafe = find_unsafe_cells(specification, specified)
    return apply_protection(
        chosen,
        unsafe,
        previous=read_previous(previous, unsafe.linked) if previous else None,
        last_period=_read_last_period(last_period, unsafe) if last_period else None,
        seed=specification.seed,
        on_progress=on_progress,
    )


def _read_last_period(paths: Sequence[Path], unsafe: UnsafeTables) -> Booleans:
    """Return which cells the period before suppressed in some table."""
    if len(paths) != len(unsafe.tables):
        raise DataError(
            f"the period before needs a file for each table, in their order; there are {len(unsafe.tables)} tables and "
            f"{len(paths)} files: give one for each table"
        )
    suppressed = np.zeros(unsafe.linked.size, dtype=np.bool_)
    for path, table, cells in zip(paths, unsafe.tables, unsafe.linked.cells, strict=True):
        suppressed[cells[read_last_period(path, table)]] = True
    return suppressed


def apply_pattern(
    specification: TableSpecification,
    specified: SpecifiedTables,
    patterns: Sequence[Path],
    *,
    previous: Sequence[Path] = (),
) -> ProtectedTables:
    """Return the tables with the cells suppressed that some files say, and earlier releases as others say."""
    check_rules(specification, specified)
    unsafe = find_unsafe_cells(specification, specified)
    earlier = read_previous(previous, unsafe.linked) if previous else None
    return suppress_cells(unsafe, read_pattern(patterns, unsafe.linked), previous=earlier)


def check_rules(specification: TableSpecification, specified: SpecifiedTables) -> None:
    """Refuse a specification that does not say what is unsafe."""
    if not has_rules(specification, specified):
        raise DataError(
            "the specification has no rules and gives no cells to protect, so that nothing is unsafe; add rules, as in "
            "'rules: [min_units: 3]'"
        )


def has_rules(specification: TableSpecification, specified: SpecifiedTables) -> bool:
    """Return whether the specification says what is unsafe: by rules, or by cells that it gives."""
    return bool(specification.rules) or any(
        entry.status is Status.PROTECT for entry in (*specified.given_cells, *specification.given_cells)
    )
