"""Cells: a figure for each value of each record, averaged over all, by column and by record."""

from dataclasses import dataclass

import numpy as np

from sfumato.comparison.blocks import BlockFigures
from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.numerics.known_means import known_sums, row_means


@dataclass(frozen=True, eq=False)
class CellMeans:
    """The means of the cells that are known.

    Parameters
    ----------
    value
        Over all cells; 0 where none is known.
    by_column
        By the name of the column; 0 where a column has none.
    by_record
        In the order of the records; NaN where a record has none.
    """

    value: float
    by_column: dict[str, float]
    by_record: FloatColumn


def cell_figures(cells: FloatMatrix) -> BlockFigures:
    """Return what the cells of a block (records x columns, NaN where there is nothing to measure) add to the means."""
    return BlockFigures({"cells": known_sums(cells)}, row_means(cells))


def cell_means(names: tuple[str, ...], cells: FloatMatrix) -> CellMeans:
    """Return the means of the cells (records x columns, NaN where there is nothing to measure).

    Examples
    --------
    >>> means = cell_means(("sex", "town"), np.array([[1.0, 0.0], [np.nan, 0.5]]))
    >>> means.value, means.by_column, means.by_record
    (0.5, {'sex': 1.0, 'town': 0.25}, array([0.5, 0.5]))
    """
    by_column = np.nan_to_num(row_means(cells.T)).tolist()
    value = float(np.nan_to_num(row_means(cells.reshape(1, -1)))[0])
    return CellMeans(value, dict(zip(names, by_column, strict=True)), row_means(cells))
