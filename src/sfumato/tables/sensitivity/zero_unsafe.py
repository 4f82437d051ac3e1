"""Zero unsafe: a total of 0 tells that each of its units has 0."""

import numpy as np
from pydantic import Field

from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.tables.cells.table import Table
from sfumato.tables.rule import Rule


class ZeroUnsafe(Rule):
    """Call a cell unsafe when its value is 0 although units contribute: publishing it tells that all of them have 0.

    Parameters
    ----------
    protection_level
        How far above 0 an intruder must be unable to rule values out.

    Effect on risk
        Nobody can be told to have nothing; other cells are judged by other rules.
    Effect on utility
        Zeros are suppressed, and others to protect them, which hurts tables in which most are 0.
    Source
        tau-Argus manual, zero-unsafe option.

    Examples
    --------
    >>> import polars as pl
    >>> firms = pl.DataFrame({"sector": [*"aab"], "tax": [7, 9, 0]})
    >>> ZeroUnsafe().find(Table.from_records(firms, ["sector"], "tax")).unsafe
    array([False, False,  True])
    """

    protection_level: float = Field(default=1.0, gt=0)

    def levels(self, table: Table) -> tuple[Booleans, FloatColumn]:
        """Return the cells whose units all have 0."""
        if table.value_name is None:
            raise DataError(f"{self}: a table of counts has no units in its empty cells; leave the rule out")
        return (table.values == 0) & (table.counts > 0), np.full(table.values.size, self.protection_level)
