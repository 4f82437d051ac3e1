"""Min units: a cell needs at least so many units."""

import numpy as np
from pydantic import Field

from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.parameters import Percent
from sfumato.tables.cells.table import Table
from sfumato.tables.rule import Rule


class MinUnits(Rule):
    """Call a cell unsafe that has at least one unit, and fewer than `units`.

    Parameters
    ----------
    units
        The smallest number of units that is safe.
    margin
        For magnitudes: the protection level in percent of the value. For counts it is not used: there the level is what
        the count lacks of `units`, so that no intruder can tell a small count from a safe one.

    Effect on risk
        No one person or firm can be read off a small cell. It says nothing of a cell of many units in which one has
        nearly everything: add `dominance` or `p_percent` for magnitudes.
    Effect on utility
        In fine tables most cells are small; coarser groups lose less than many suppressed cells.
    Source
        Hundepool et al. (2012), Statistical Disclosure Control, section 4.2.1; the margin of 30 % is tau-Argus's.

    Examples
    --------
    >>> import polars as pl
    >>> table = Table.from_records(pl.DataFrame({"town": [*"AAAB"]}), ["town"])
    >>> MinUnits(units=3).find(table).unsafe
    array([False, False,  True])
    """

    units: int = Field(ge=1, examples=[3])
    margin: Percent = 30.0

    def levels(self, table: Table) -> tuple[Booleans, FloatColumn]:
        """Return the cells of few units; a cell of value 0 is given a level of 1."""
        if np.isnan(table.counts).any():
            raise DataError(
                f"{self}: the table does not say how many units its cells have; name the column that does as `count`"
            )
        unsafe = (table.counts > 0) & (table.counts < self.units)
        if table.value_name is None:
            return unsafe, self.units - table.counts
        share = self.margin / 100 * np.abs(table.values)
        return unsafe, np.where(share > 0, share, 1.0)

    def __str__(self) -> str:
        return f"{self.name()}({self.units})"
