"""Categorical distance: how far the category of each record has moved."""

from typing import ClassVar

import numpy as np

from sfumato.comparison.blocks import BlockFigures, Records, Sums, measure_in_blocks
from sfumato.comparison.side_by_side import common_codes, corresponding_rows
from sfumato.contracts import LossMeasure, Measurement
from sfumato.data import CATEGORICAL, Kind, Microdata
from sfumato.loss.categories._cells import cell_figures
from sfumato.numerics.arrays import CodeColumn, FloatColumn, Rows
from sfumato.numerics.known_means import means_of_sums
from sfumato.parameters import Columns


class CategoricalDistance(LossMeasure):
    """Average the distances between the original and the masked category of each record.

    For a nominal column the distance is 0 where the category is the same and 1 where it is another. For an ordinal
    column it is the number of steps from one category to the other, divided by the number of steps from the lowest to
    the highest. The source counts the categories from one to the other with both ends, divided by the number of all:
    with m categories that is (steps + 1) / m, so that even an unchanged file would lose 1 / m. Counting steps orders
    all pairs in the same way, gives 0 for equal categories, and agrees with the nominal distance where there are two.
    The parts are the columns.

    Parameters
    ----------
    columns
        Nominal or ordinal columns. The kind, the order and the number of categories are those of the original file;
        categories that its schema lists count even where no record has them.

    Meaning
        0: the same categories. 100: every category of a nominal column has changed, every one of an ordinal column has
        gone from one end to the other.
    Missing values
        A value that is missing only in the masked file is fully lost and counts 100; one that was missing in the
        original is left out. A masked category that the original file does not have, as after recoding, counts 100 in
        ordinal columns too, as it has no place in the order: `EntropyLoss` tells how much a recoded column still says.
        A column with nothing left is 0. The figure per record is its mean over columns, NaN where a record has nothing
        left.
    Source
        Domingo-Ferrer and Torra (2001), Disclosure control methods and information loss for microdata, direct
        comparison of categorical values.

    Examples
    --------
    >>> nominal_distance(np.array([0, 0, 1]), np.array([0, 2, 2]))
    array([0., 1., 1.])
    >>> ordinal_distance(np.array([0, 0, 1]), np.array([0, 2, 2]), categories=3)
    array([0. , 1. , 0.5])
    """

    symbol: ClassVar[str] = "CD"
    family: ClassVar[str] = "categories"
    kinds: ClassVar[frozenset[Kind]] = CATEGORICAL

    columns: Columns

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the mean distance in percent, with its part in each column."""
        return measure_in_blocks(self, original, masked, corresponding_rows(self, original, masked))

    def look(self, original: Microdata, masked: Microdata, rows: Rows) -> BlockFigures:
        """Return the distances of a block."""
        distances = []
        for name in original.select(self.columns):
            before, after, _ = common_codes(original, masked, name)
            distances.append(_distance(original, name, before[rows], after))
        return cell_figures(100 * np.stack(distances, axis=1))

    def conclude(self, original: Records, masked: Records, sums: Sums) -> Measurement:
        """Return the mean distance, by column and over all."""
        by_column, value = means_of_sums(sums["cells"])
        parts = dict(zip(original.schema.select(self.columns), by_column.tolist(), strict=True))
        return Measurement(self.name(), self.symbol, value, parts=parts)


def nominal_distance(original: CodeColumn, masked: CodeColumn) -> FloatColumn:
    """Return 0 for equal codes and 1 for different ones, -1 (suppressed) among them; NaN where the original is -1."""
    return np.where(original < 0, np.nan, (original != masked).astype(np.float64))


def ordinal_distance(original: CodeColumn, masked: CodeColumn, categories: int) -> FloatColumn:
    """Return the steps between two codes as a share of the longest way through the original's categories.

    A suppressed value (-1) and a category that the original does not have (a code from `categories` on) count 1; the
    distance is NaN where the original is -1.
    """
    steps = np.abs(masked - original) / max(categories - 1, 1)
    distance = np.where((masked < 0) | (masked >= categories), 1.0, steps)
    return np.where(original < 0, np.nan, distance)


def _distance(original: Microdata, name: str, before: CodeColumn, after: CodeColumn) -> FloatColumn:
    """Return the distances in one column, by its kind in the original file."""
    if original.schema[name].kind is Kind.ORDINAL:
        return ordinal_distance(before, after, len(original.summary.categories(name)))
    return nominal_distance(before, after)
