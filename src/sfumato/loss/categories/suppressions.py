"""Suppressions: how many values are missing only in the masked file."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from sfumato.comparison.blocks import BlockFigures, Records, Sums, measure_in_blocks
from sfumato.comparison.side_by_side import corresponding_rows
from sfumato.contracts import LossMeasure, Measurement
from sfumato.data import Kind, Microdata
from sfumato.loss.categories._cells import cell_figures
from sfumato.numerics.arrays import Booleans, FloatMatrix, Rows
from sfumato.numerics.known_means import means_of_sums
from sfumato.parameters import Columns


class Suppressions(LossMeasure):
    """Count the values that the original has and the masked file lacks.

    The value is their share of the original values of the masked records. The parts are `SUPN`, their number, and the
    share in each column.

    Parameters
    ----------
    columns
        Columns of any kind.

    Meaning
        0: no value was suppressed. 100: all were. A record that was left out altogether is not a suppression.
    Missing values
        Each file is read by its own missing codes. A value that was missing in the original is left out, whether or not
        the masked file has one in its place. A column with nothing left is 0. The figure per record is the share of its
        original values that were suppressed, NaN where it has none.
    Source
        Domingo-Ferrer and Torra (2001), Disclosure control methods and information loss for microdata, on the count of
        suppressions that mu-Argus reports.

    Examples
    --------
    >>> suppressed_cells(np.array([[True, True], [True, False]]), np.array([[True, False], [True, True]]))
    array([[ 0.,  1.],
           [ 0., nan]])
    """

    symbol: ClassVar[str] = "SUP"
    part_symbols: ClassVar[tuple[str, ...]] = ("SUPN",)
    part_units: ClassVar[Mapping[str, str]] = {"SUPN": "values"}
    family: ClassVar[str] = "categories"
    kinds: ClassVar[frozenset[Kind]] = frozenset(Kind)

    columns: Columns

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the share of suppressed values in percent, with their number and the share in each column."""
        return measure_in_blocks(self, original, masked, corresponding_rows(self, original, masked))

    def look(self, original: Microdata, masked: Microdata, rows: Rows) -> BlockFigures:
        """Return the suppressed cells of a block."""
        names = original.select(self.columns)
        return cell_figures(100 * suppressed_cells(_observed(original, names)[rows], _observed(masked, names)))

    def conclude(self, original: Records, masked: Records, sums: Sums) -> Measurement:
        """Return the share of suppressed values, by column and over all, and their number."""
        by_column, value = means_of_sums(sums["cells"])
        parts = dict(zip(original.schema.select(self.columns), by_column.tolist(), strict=True))
        return Measurement(self.name(), self.symbol, value, parts=parts | {"SUPN": float(sums["cells"][0].sum() / 100)})


def suppressed_cells(original: Booleans, masked: Booleans) -> FloatMatrix:
    """Return 1 where only the original has a value and 0 where both have one; NaN where the original lacks it."""
    return np.where(original, np.where(masked, 0.0, 1.0), np.nan)


def _observed(data: Microdata, names: tuple[str, ...]) -> Booleans:
    return np.stack([data.observed(name) for name in names], axis=1)
