"""Counts in whose table empty places show: readers know of all others that they are at least 1."""

from collections.abc import Sequence
from math import prod

import numpy as np

from sfumato.tables.cells.table import Table

SHOWS_EMPTY = (
    "COUNTS ARE KNOWN TO BE AT LEAST 1: combinations without records are no cells of {tables}, and their empty places "
    "show that; neither the pattern nor the audit counts on it, so that small counts may be worked out exactly; ask "
    "for zeros (zeros: true in a specification), or make groups larger"
)


def empty_place_remarks(tables: Sequence[Table]) -> tuple[str, ...]:
    """Return what readers know of suppressed counts where combinations without records are no cells."""
    shown = [table for table in tables if _shows_empty_places(table)]
    if not shown:
        return ()
    return (SHOWS_EMPTY.format(tables="the table" if len(tables) == 1 else f"{len(shown)} of {len(tables)} tables"),)


def _shows_empty_places(table: Table) -> bool:
    """Tell whether a table of counts lacks combinations, so that the cells it has are known to hold somebody."""
    combinations = prod(len(dimension.codes) for dimension in table.dimensions)
    return table.value_name is None and table.size < combinations and not np.any(table.values == 0)
