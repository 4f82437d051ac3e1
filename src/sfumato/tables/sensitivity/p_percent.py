"""P percent: no contributor may estimate another too well."""

from pydantic import Field

from sfumato.display import format_compact
from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.tables.cells.table import Table
from sfumato.tables.rule import Rule
from sfumato.tables.sensitivity._contributions import above_rounding, contributions_of


class PPercent(Rule):
    """Call a cell unsafe when its second largest contributor can estimate the largest to within `p` percent.

    Parameters
    ----------
    p
        How near, in percent of the largest contribution, an estimate of it is too near.
    followers
        How many contributors after the largest put their knowledge together.

    Effect on risk
        After publication nobody in a cell can estimate another's contribution to it better than to within `p` percent.
    Effect on utility
        The higher `p` and the more `followers`, the more cells are unsafe and the more is lost to protect them.
    Source
        Hundepool et al. (2012), section 4.2.2: T - (x1 + ... + x_{followers + 1}) < p/100 x1, and the level is the
        difference.

    Examples
    --------
    >>> import polars as pl
    >>> firms = pl.DataFrame({"sector": [*"aaab"], "sales": [80, 11, 9, 40]})
    >>> table = Table.from_records(firms, ["sector"], "sales")
    >>> PPercent(p=10).find(table).unsafe
    array([False, False,  True])
    """

    p: float = Field(gt=0, le=1000, examples=[10])
    followers: int = Field(default=1, ge=1)

    @property
    def contributions(self) -> int:
        """How many of the largest contributions of each cell it needs."""
        return self.followers + 1

    def levels(self, table: Table) -> tuple[Booleans, FloatColumn]:
        """Return the cells in which the largest contribution can be estimated too well."""
        contributions = contributions_of(table, self)
        rest = contributions.totals - contributions.largest(self.contributions)
        lacking = self.p / 100 * contributions.largest(1) - rest
        return above_rounding(lacking, contributions), lacking

    def __str__(self) -> str:
        return f"{self.name()}({format_compact(self.p)}{f', followers={self.followers}' if self.followers > 1 else ''})"
