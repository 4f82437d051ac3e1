"""The cells of key columns: what suppressing one costs, what a household tells of it, and a file without some."""

from typing import Annotated

import numpy as np
from pydantic import Field

from sfumato.data import Microdata
from sfumato.data.column_recoding import set_missing
from sfumato.keys.households import Households
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn

Importance = dict[str, Annotated[float, Field(gt=0)]]


def fill_from_household(codes: CodeColumn, households: Households) -> CodeColumn:
    """Return the codes of a household column; where a member lacks a value, that of the others in the household.

    Examples
    --------
    >>> from sfumato.keys.households import group_households
    >>> fill_from_household(np.array([2, -1, -1, 5]), group_households(np.array([0, 0, 1, 2])))
    array([ 2,  2, -1,  5])
    """
    if (codes >= 0).all():
        return codes
    return np.where(codes < 0, -households.lowest(-codes)[households.number], codes)


def cell_costs(names: tuple[str, ...], importance: Importance | None) -> FloatColumn:
    """Return what a cell of each column costs.

    Examples
    --------
    >>> cell_costs(("region", "sex"), {"sex": 0.5})
    array([1. , 0.5])
    """
    return np.array([(importance or {}).get(name, 1.0) for name in names])


def without_cells(block: Microdata, names: tuple[str, ...], cells: Booleans) -> Microdata:
    """Return the block without the values of some cells (records x columns)."""
    for name, column in zip(names, cells.T, strict=True):
        if column.any():
            block = block.with_column(block.schema[name], set_missing(block.table[name], column))
    return block
