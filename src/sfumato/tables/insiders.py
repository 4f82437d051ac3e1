"""The attackers who are in the table themselves, and which cells they know."""

from collections.abc import Sequence

import numpy as np

from sfumato.data import Rows
from sfumato.tables.cells.contributions import NOBODY
from sfumato.tables.cells.linking import LinkedTables


def singletons(linked: LinkedTables) -> tuple[Rows, ...]:
    """Return for each unit that is alone in some cell the cells in which it is alone, and whose values it hence knows.

    A unit is told by its number among the contributions. Where that is not kept, as in tables of counts and of given
    cells, each cell of one unit is taken to be of a unit of its own: a cell and a total that has nobody else are known
    to the same one.
    """
    known: dict[object, set[int]] = {}
    for table, cells in zip(linked.tables, linked.cells, strict=True):
        alone = np.flatnonzero(table.counts == 1)
        holders = (
            table.contributions.holders[alone, 0] if table.contributions is not None else np.full(alone.size, NOBODY)
        )
        for cell, holder in zip(cells[alone].tolist(), holders.tolist(), strict=True):
            known.setdefault(("cell", cell) if holder == NOBODY else holder, set()).add(cell)
    return tuple(np.array(sorted(cells), dtype=np.int64) for cells in known.values())


def distinct(attackers: Sequence[Rows], primaries: Rows) -> tuple[Rows, ...]:
    """Return attackers without those from whom everything is kept that must be if it is kept from another one.

    The other knows all that they know, and no further primary: from a primary that they know nobody is kept.

    Parameters
    ----------
    attackers
        For each the cells that they know.
    primaries
        The cells that must be protected.
    """
    asked = frozenset(primaries.tolist())
    sets = sorted({frozenset(cells.tolist()) for cells in attackers}, key=lambda cells: (-len(cells), sorted(cells)))
    kept: list[frozenset[int]] = []
    for cells in sets:
        if not any(cells <= larger and not (larger - cells) & asked for larger in kept):
            kept.append(cells)
    return tuple(np.array(sorted(cells), dtype=np.int64) for cells in kept)
