"""PQ: the p percent rule for intruders who knew contributions roughly before."""

from pydantic import Field, model_validator

from sfumato.display import format_compact
from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.tables.cells.table import Table
from sfumato.tables.rule import Rule
from sfumato.tables.sensitivity.p_percent import PPercent


class PQ(Rule):
    """Call a cell unsafe when an intruder who knew each contribution to `q` percent comes to know one to `p` percent.

    Parameters
    ----------
    p
        How near, in percent, an estimate after publication is too near.
    q
        How near, in percent, everybody's estimates were before publication; above `p`.
    followers
        How many contributors after the largest put their knowledge together.

    Effect on risk
        As that of the p % rule with 100 p/q: what intruders knew before makes more cells unsafe.
    Effect on utility
        The nearer `q` is to `p`, the more cells are unsafe and the more is lost to protect them.
    Source
        Hundepool et al. (2012), section 4.2.2: the p % rule with 100 p/q.

    Examples
    --------
    >>> import polars as pl
    >>> firms = pl.DataFrame({"sector": [*"aaab"], "sales": [80, 11, 9, 40]})
    >>> table = Table.from_records(firms, ["sector"], "sales")
    >>> PQ(p=10, q=50).find(table).unsafe
    array([False,  True,  True])
    """

    p: float = Field(gt=0, lt=100, examples=[10])
    q: float = Field(gt=0, le=100, examples=[50])
    followers: int = Field(default=1, ge=1)

    @model_validator(mode="after")
    def _check_percents(self) -> "PQ":
        if self.p >= self.q:
            raise ValueError(
                f"PQ.p must be below q = {format_compact(self.q)}: estimates get better, not worse; got "
                f"{format_compact(self.p)}"
            )
        return self

    @property
    def contributions(self) -> int:
        """How many of the largest contributions of each cell it needs."""
        return self.followers + 1

    def levels(self, table: Table) -> tuple[Booleans, FloatColumn]:
        """Return the cells in which the largest contribution can be estimated too well."""
        return PPercent(p=100 * self.p / self.q, followers=self.followers).levels(table)
