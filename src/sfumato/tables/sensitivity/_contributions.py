"""The contributions that a rule judges cells by, and why they may not serve."""

import numpy as np

from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.tables.cells.contributions import Contributions
from sfumato.tables.cells.table import Table
from sfumato.tables.rule import Rule

ROUNDING = 1e-9  # share of a cell's value that sums of contributions may be off by


def contributions_of(table: Table, rule: Rule) -> Contributions:
    """Return the contributions of a table, or say why a rule cannot be applied to them."""
    contributions, needed = table.contributions, rule.contributions
    if contributions is None:
        raise DataError(
            f"{rule}: the table holds no contributions; make it from records, or give the columns of the largest ones"
        )
    if contributions.kept < needed:
        raise DataError(
            f"{rule}: the {needed} largest contributions of each cell are needed and the table keeps "
            f"{contributions.kept}; `keep` as many of records, or name as many columns of given cells as `largest` (in "
            f"tau-Argus's metadata: fields <MAXSCORE>)"
        )
    few = (contributions.weights.sum(axis=1) < needed) & (table.counts > contributions.kept)
    if few.any():
        raise DataError(
            f"{rule}: weights below 1 let {needed} units of the population lie beyond the {contributions.kept} largest "
            f"contributions that the table keeps, as in {table.cell_names[_smallest(table, few)]}; `keep` more of the "
            f"records, and leave out those of weight 0"
        )
    if contributions.losses.any():
        cell = table.cell_names[_smallest(table, contributions.losses > 0)]
        raise DataError(
            f"{rule}: contributions must be 0 or more; {cell} has negative ones. "
            "Name a column without them to judge by as `shadow`, for instance their absolute values"
        )
    return contributions


def _smallest(table: Table, cells: Booleans) -> int:
    """Return that of some cells which has the fewest units, so that a message names no total in place of its part."""
    chosen = np.flatnonzero(cells)
    return int(chosen[np.argmin(table.counts[chosen])])


def above_rounding(lacking: FloatColumn, contributions: Contributions) -> Booleans:
    """Return where a level is more than sums of contributions may be off by."""
    return lacking > ROUNDING * np.abs(contributions.totals)
