"""Jitter: move each value by a bounded random amount."""

from typing import ClassVar

import numpy as np

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import Kind, Microdata
from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.parameters import Columns, Percent


class Jitter(MaskingMethod):
    """Move each value up or down by at most `width` percent of the column's standard deviation.

    Parameters
    ----------
    columns
        Continuous columns.
    width
        The largest move, in percent of the standard deviation of the column.

    Effect on risk
        Falls as `width` grows, but slowly: an intruder knows that the original value is at most `width` away.
    Effect on utility
        No value moves further than `width`. Keeps means in expectation; variances grow by a third of the squared width.
    Missing values
        Stay missing; the deviation is of the observed values.
    Source
        Uniform noise, as an example of a method of one's own.

    Examples
    --------
    >>> move_values(np.array([[10.0], [20.0]]), np.array([2.0]), np.random.default_rng(0)).round(2)
    array([[10.55],
           [19.08]])
    """

    family: ClassVar[str] = "noise"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.ROWS

    columns: Columns
    width: Percent = 10.0

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with the values of the chosen columns moved."""
        names = block.select(self.columns)
        reach = self.width / 100 * block.summary.deviations(names)  # of the whole file, whatever the block
        return block.map_matrix(names, lambda matrix: move_values(matrix, reach, rng))


def move_values(matrix: FloatMatrix, reach: FloatColumn, rng: np.random.Generator) -> FloatMatrix:
    """Return `matrix` (records x columns) with each value moved by at most the `reach` of its column."""
    return matrix + reach * rng.uniform(-1, 1, matrix.shape)
