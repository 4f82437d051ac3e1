"""Suppressions: how many values are missing only in the masked file."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from sfumato.contracts import LossMeasure, Measurement, check_records, paired_rows
from sfumato.data import Kind, Microdata
from sfumato.loss.categories._cells import cell_means
from sfumato.numerics.arrays import Booleans, FloatMatrix
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
        names = self.common_columns(original, masked)
        check_records(type(self).__name__, original, masked)
        before = _observed(original, names)[paired_rows(original, masked)]
        cells = suppressed_cells(before, _observed(masked, names))
        means = cell_means(names, 100 * cells)
        parts = means.by_column | {"SUPN": float(np.nansum(cells))}
        return Measurement(self.name(), self.symbol, means.value, parts=parts, per_record=means.by_record)


def suppressed_cells(original: Booleans, masked: Booleans) -> FloatMatrix:
    """Return 1 where only the original has a value and 0 where both have one; NaN where the original lacks it."""
    return np.where(original, np.where(masked, 0.0, 1.0), np.nan)


def _observed(data: Microdata, names: tuple[str, ...]) -> Booleans:
    return np.stack([data.observed(name) for name in names], axis=1)
