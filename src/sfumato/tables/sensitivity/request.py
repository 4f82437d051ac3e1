"""Request: units that ask for it are protected."""

import numpy as np
from pydantic import Field

from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.parameters import Percent
from sfumato.tables.cells.table import Table
from sfumato.tables.rule import Rule
from sfumato.tables.sensitivity._contributions import contributions_of


class Request(Rule):
    """Call a cell unsafe when a unit that asked for protection contributes more than `max_percent` of it.

    Parameters
    ----------
    max_percent
        The percentage of a cell that a unit which asked may contribute without the cell being unsafe.
    margin
        The protection level in percent of the value.

    Effect on risk
        Only those are protected who asked, as passive confidentiality in foreign trade statistics has it; everybody
        else is open.
    Effect on utility
        Few cells are unsafe, so that little is lost.
    Source
        tau-Argus manual, request rule.

    Examples
    --------
    >>> import polars as pl
    >>> firms = pl.DataFrame({"sector": [*"aaab"], "sales": [80, 11, 9, 40], "asked": [0, 0, 1, 1]})
    >>> table = Table.from_records(firms, ["sector"], "sales", request="asked")
    >>> Request(max_percent=50).find(table).unsafe
    array([False, False,  True])
    """

    max_percent: float = Field(ge=0, lt=100, examples=[70])
    margin: Percent = 30.0

    def levels(self, table: Table) -> tuple[Booleans, FloatColumn]:
        """Return the cells in which a request holds."""
        contributions = contributions_of(table, self)
        if contributions.asking is None:
            raise DataError(
                f"{self}: the table does not say who asked for protection; make it from records, and name the column "
                "that does as `request`"
            )
        unsafe = contributions.asking > self.max_percent / 100 * contributions.totals
        return unsafe, np.where(table.values == 0, 1.0, self.margin / 100 * np.abs(table.values))
