"""Dominance: few contributors may not have nearly all of a cell."""

from pydantic import Field

from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.tables.cells.table import Table
from sfumato.tables.rule import Rule
from sfumato.tables.sensitivity._contributions import above_rounding, contributions_of


class Dominance(Rule):
    """Call a cell unsafe when its `n` largest contributions exceed `max_percent` of it: the (n, k) rule.

    Parameters
    ----------
    n
        How many contributors are taken together.
    max_percent
        The percentage of the cell that they may not exceed: the k of the (n, k) rule.

    Effect on risk
        Whoever contributes much to a cell cannot take its total for the contribution of another. The p % rule asks
        that question directly, and calls fewer cells unsafe for the same protection.
    Effect on utility
        The lower `max_percent` and the higher `n`, the more cells are unsafe and the more is lost to protect them.
    Source
        Hundepool et al. (2012), section 4.2.2. The level 100 S/k - T is what must be added to the total T for the
        largest contributions S to be k % of it.

    Examples
    --------
    >>> import polars as pl
    >>> firms = pl.DataFrame({"sector": [*"aaab"], "sales": [80, 11, 9, 40]})
    >>> table = Table.from_records(firms, ["sector"], "sales")
    >>> Dominance(n=1, max_percent=75).find(table).unsafe
    array([False,  True,  True])
    """

    n: int = Field(ge=1, examples=[2])
    max_percent: float = Field(gt=0, lt=100, examples=[85])

    @property
    def contributions(self) -> int:
        """How many of the largest contributions of each cell it needs."""
        return self.n

    def levels(self, table: Table) -> tuple[Booleans, FloatColumn]:
        """Return the dominated cells."""
        contributions = contributions_of(table, self)
        lacking = 100 / self.max_percent * contributions.largest(self.n) - contributions.totals
        return above_rounding(lacking, contributions), lacking
