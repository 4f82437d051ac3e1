"""Cells that are given with their totals: read, and checked to be complete and to add up."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sfumato.data import Category
from sfumato.display import format_compact
from sfumato.errors import DataError, SchemaError
from sfumato.numerics.arrays import CodeColumn, CodeMatrix, FloatColumn, FloatMatrix, Rows
from sfumato.tables.cells.contributions import NOBODY, Contributions
from sfumato.tables.cells.dimension import Dimension
from sfumato.tables.cells.groupings import By, Groupings, check_known, dimension_of, groupings_of
from sfumato.tables.cells.name_list import list_names
from sfumato.tables.cells.records import Columns
from sfumato.tables.cells.relations import keys_of, lacking_totals

ROUNDING = 1e-9  # share of the largest value by which sums may be off without anybody saying so
MAX_NAMED = 3


def cells_of(columns: Columns, by: By, total: Category) -> tuple[tuple[Dimension, ...], CodeMatrix]:
    """Return the dimensions of given cells and the place of each cell's codes; every total must be there."""
    placed = [_place_cells(columns, name, groups, total) for name, groups in groupings_of(by).items()]
    dimensions = tuple(dimension for dimension, _ in placed)
    codes = np.stack([places for _, places in placed], axis=1)
    keys, times = np.unique(keys_of(dimensions, codes), return_counts=True)
    if (times > 1).any():
        twice = np.flatnonzero(keys_of(dimensions, codes) == keys[times > 1][0])[0]
        raise DataError(f"Table: each cell must be given once; {cell_name(dimensions, codes[twice])} is repeated")
    _check_totals(dimensions, codes)
    return dimensions, codes


def check_adds_up(
    dimensions: Sequence[Dimension], codes: CodeMatrix, values: FloatColumn, relations: Any, tolerance: float | None
) -> None:
    """Refuse cells whose parts add up to something else than their total, and name the worst.

    Parameters
    ----------
    dimensions, codes
        The cells.
    values
        What they hold.
    relations
        What adds up to what.
    tolerance
        By how much a total and the sum of its parts may differ; when not given, by what computing with decimal numbers
        loses: one part in 10^9 of the largest value.
    """
    allowed = ROUNDING * float(np.abs(values).max(initial=0.0)) if tolerance is None else tolerance
    off = np.abs(relations @ values)
    bad = np.flatnonzero(off > allowed)
    if not bad.size:
        return
    worst = bad[np.argsort(-off[bad], kind="stable")][:MAX_NAMED]
    named = "; ".join(_relation_name(dimensions, codes, relations, int(row)) for row in worst)
    more = f" (and {bad.size - worst.size} more)" if bad.size > worst.size else ""
    raise DataError(
        f"Table: the parts of a total must add up to it within {format_compact(allowed)}; they do not for "
        f"{named}{more}. Correct the cells, add those that are missing, or allow for it by `tolerance` (`repair` "
        f"makes them add up)"
    )


def given_contributions(
    columns: Columns, largest: Sequence[str], values: FloatColumn, shadow: str | None
) -> Contributions | None:
    """Return the contributions that are given with the cells, largest first, and what they all add up to."""
    if not largest:
        return None
    amounts: FloatMatrix = np.stack([columns.numbers(name) for name in largest], axis=1)
    if (amounts < 0).any() or (np.diff(amounts, axis=1) > 0).any():
        raise DataError(
            f"Table: columns {', '.join(largest)} must hold the largest contributions of each cell, 0 or more and "
            f"descending from column to column; give them in that order"
        )
    totals = np.maximum(np.abs(values) if shadow is None else columns.numbers(shadow), amounts.sum(axis=1))
    return Contributions(amounts, np.full(amounts.shape, NOBODY), np.ones(amounts.shape), totals)


def cell_name(dimensions: Sequence[Dimension], places: Rows) -> str:
    """Return what to call the cell with these codes."""
    pairs = zip(dimensions, places.tolist(), strict=True)
    return ", ".join(f"{dimension.name}={dimension.codes[place]}" for dimension, place in pairs)


def _place_cells(columns: Columns, name: str, groupings: Groupings, total: Category) -> tuple[Dimension, CodeColumn]:
    """Return a dimension and the place of each cell's code in it."""
    codes, categories = columns.codes(name)
    if (codes < 0).any():
        raise DataError(f"dimension '{name}': every cell must have a code; {int((codes < 0).sum())} have none")
    if groupings is None and total not in categories:
        raise SchemaError(
            f"dimension '{name}': no cell has the code {total!r} of the total; name it as `total`, or give a hierarchy"
        )
    found = [category for category in categories if category != total]
    dimension = dimension_of(name, groupings, found, total=total)
    present = np.unique(codes)
    places = np.full(len(categories), -1, dtype=np.int64)
    for position in present.tolist():
        check_known(dimension, categories[position], "leave its cells out")
        places[position] = dimension.place[categories[position]]
    return dimension, places[codes]


def _check_totals(dimensions: Sequence[Dimension], codes: CodeMatrix) -> None:
    lacking = lacking_totals(dimensions, codes)
    if not lacking:
        return
    names = []
    for cell, position, total in lacking:
        above = codes[cell].copy()
        above[position] = total
        names.append(cell_name(dimensions, above))
    wanted = list(dict.fromkeys(names))
    raise DataError(
        f"Table: every total must be given; these are missing: {list_names(wanted, MAX_NAMED)}. "
        f"Add them, or make the table from records"
    )


def _relation_name(dimensions: Sequence[Dimension], codes: CodeMatrix, relations: Any, row: int) -> str:
    """Return the total of a relation and the dimension over which its parts are added up."""
    start, end = relations.indptr[row], relations.indptr[row + 1]
    cells, signs = relations.indices[start:end], relations.data[start:end]
    total, part = codes[cells[signs < 0][0]], codes[cells[signs > 0][0]]
    over = dimensions[int(np.flatnonzero(total != part)[0])].name
    return f"{cell_name(dimensions, total)} (over {over})"
