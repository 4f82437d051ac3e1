"""The sensitivity rules: few units, few who dominate, one who can estimate another."""

from typing import ClassVar

import numpy as np
from pydantic import Field, model_validator

from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.parameters import Percent
from sfumato.tables.cells.contributions import Contributions
from sfumato.tables.cells.table import Table
from sfumato.tables.sensitivity._sensitivity import Rule

ROUNDING = 1e-9  # share of a cell's value that sums of contributions may be off by


class MinUnits(Rule):
    """Call a cell unsafe that has at least one unit, and fewer than `units`.

    Parameters
    ----------
    units
        The smallest number of units that is safe.
    margin
        For magnitudes: the protection level in percent of the value. For counts it is not used: there the level is what
        the count lacks of `units`, so that no attacker can tell a small count from a safe one.

    Source
        Hundepool et al. (2012), Statistical Disclosure Control, section 4.2.1; the margin of 30 % is tau-Argus's.
    """

    word: ClassVar[str] = "min_units"
    units: int = Field(ge=1)
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
        return f"{self.word}({self.units})"


class Dominance(Rule):
    """Call a cell unsafe when its `n` largest contributions exceed `k` percent of it: the (n, k) rule.

    Parameters
    ----------
    n
        How many contributors are taken together.
    k
        The share, in percent, that they may not exceed.

    Source
        Hundepool et al. (2012), section 4.2.2. The level 100 S/k - T is what must be added to the total T for the
        largest contributions S to be k % of it.
    """

    word: ClassVar[str] = "dominance"
    n: int = Field(ge=1)
    k: float = Field(gt=0, lt=100)

    def levels(self, table: Table) -> tuple[Booleans, FloatColumn]:
        """Return the dominated cells."""
        contributions = contributions_of(table, self, self.n)
        lacking = 100 / self.k * contributions.largest(self.n) - contributions.totals
        return _above_rounding(lacking, contributions), lacking


class PPercent(Rule):
    """Call a cell unsafe when its second largest contributor can estimate the largest to within `p` percent.

    Parameters
    ----------
    p
        How near, in percent of the largest contribution, an estimate of it is too near.
    followers
        How many contributors after the largest put their knowledge together.

    Source
        Hundepool et al. (2012), section 4.2.2: T - (x1 + ... + x_{followers + 1}) < p/100 x1, and the level is the
        difference.
    """

    word: ClassVar[str] = "p_percent"
    p: float = Field(gt=0, le=1000)
    followers: int = Field(default=1, ge=1)

    def levels(self, table: Table) -> tuple[Booleans, FloatColumn]:
        """Return the cells in which the largest contribution can be estimated too well."""
        contributions = contributions_of(table, self, self.followers + 1)
        rest = contributions.totals - contributions.largest(self.followers + 1)
        lacking = self.p / 100 * contributions.largest(1) - rest
        return _above_rounding(lacking, contributions), lacking

    def __str__(self) -> str:
        return f"{self.word}({self.p:g}{f', followers={self.followers}' if self.followers > 1 else ''})"


class PQ(Rule):
    """Call a cell unsafe when an attacker who knew each contribution to `q` percent comes to know one to `p` percent.

    Parameters
    ----------
    p
        How near, in percent, an estimate after publication is too near.
    q
        How near, in percent, everybody's estimates were before publication; above `p`.
    followers
        How many contributors after the largest put their knowledge together.

    Source
        Hundepool et al. (2012), section 4.2.2: the p % rule with 100 p/q.
    """

    word: ClassVar[str] = "pq"
    p: float = Field(gt=0, lt=100)
    q: float = Field(gt=0, le=100)
    followers: int = Field(default=1, ge=1)

    @model_validator(mode="after")
    def _nearer_than_before(self) -> "PQ":
        if self.p >= self.q:
            raise ValueError(f"PQ.p must be below q = {self.q:g}: estimates get better, not worse; got {self.p:g}")
        return self

    def levels(self, table: Table) -> tuple[Booleans, FloatColumn]:
        """Return the cells in which the largest contribution can be estimated too well."""
        return PPercent(p=100 * self.p / self.q, followers=self.followers).levels(table)


class Request(Rule):
    """Call a cell unsafe when a unit that asked for protection contributes more than `share` percent of it.

    Parameters
    ----------
    share
        The share, in percent, above which a request holds.
    margin
        The protection level in percent of the value.

    Source
        tau-Argus manual, request rule.
    """

    word: ClassVar[str] = "request"
    share: float = Field(ge=0, lt=100)
    margin: Percent = 30.0

    def levels(self, table: Table) -> tuple[Booleans, FloatColumn]:
        """Return the cells in which a request holds."""
        contributions = contributions_of(table, self, 0)
        if contributions.asking is None:
            raise DataError(
                f"{self}: the table does not say who asked for protection; make it from records, and name the column "
                "that does as `request`"
            )
        unsafe = contributions.asking > self.share / 100 * contributions.totals
        return unsafe, np.where(table.values == 0, 1.0, self.margin / 100 * np.abs(table.values))


class ZeroUnsafe(Rule):
    """Call a cell unsafe when its value is 0 although units contribute: publishing it tells that all of them have 0.

    Parameters
    ----------
    level
        How far above 0 an attacker must be unable to rule values out.

    Source
        tau-Argus manual, zero-unsafe option.
    """

    word: ClassVar[str] = "zero_unsafe"
    level: float = Field(default=1.0, gt=0)

    def levels(self, table: Table) -> tuple[Booleans, FloatColumn]:
        """Return the cells whose units all have 0."""
        if table.value_name is None:
            raise DataError(f"{self}: a table of counts has no units in its empty cells; leave the rule out")
        return (table.values == 0) & (table.counts > 0), np.full(table.values.size, self.level)


RULES: dict[str, type[Rule]] = {rule.word: rule for rule in (MinUnits, Dominance, PPercent, PQ, Request, ZeroUnsafe)}


def min_units(units: int, *, margin: float = 30.0) -> MinUnits:
    """Return the rule that a cell needs at least so many units."""
    return MinUnits(units=units, margin=margin)


def dominance(n: int, k: float) -> Dominance:
    """Return the (n, k) rule: the n largest contributions may not exceed k percent of a cell."""
    return Dominance(n=n, k=k)


def p_percent(p: float, *, followers: int = 1) -> PPercent:
    """Return the p % rule: no contributor may estimate another to within p percent."""
    return PPercent(p=p, followers=followers)


def pq(p: float, q: float, *, followers: int = 1) -> PQ:
    """Return the pq rule: nobody who knew contributions to q percent may come to know one to p percent."""
    return PQ(p=p, q=q, followers=followers)


def request(share: float, *, margin: float = 30.0) -> Request:
    """Return the rule that hides cells of which a unit that asked for it contributes more than `share` percent."""
    return Request(share=share, margin=margin)


def zero_unsafe(level: float = 1.0) -> ZeroUnsafe:
    """Return the rule that hides cells whose units all have 0."""
    return ZeroUnsafe(level=level)


def contributions_of(table: Table, rule: Rule, needed: int) -> Contributions:
    """Return the contributions of a table, or say why a rule cannot be applied to them."""
    contributions = table.contributions
    if contributions is None:
        raise DataError(
            f"{rule}: the table holds no contributions; make it from records, or give the columns of the largest ones"
        )
    if contributions.kept < needed:
        raise DataError(
            f"{rule}: the {needed} largest contributions of each cell are needed and the table keeps "
            f"{contributions.kept}; `keep` as many of records, or name as many columns of given cells as `largest`"
        )
    few = (contributions.weights.sum(axis=1) < needed) & (table.counts > contributions.kept)
    if few.any():
        raise DataError(
            f"{rule}: weights below 1 let {needed} units of the population lie beyond the {contributions.kept} largest "
            f"contributions that the table keeps, as in {table.cell_names[_smallest(table, few)]}; `keep` more of the "
            f"records, and leave out those of weight 0"
        )
    if contributions.losses.any():
        cell = table.cell_names[_smallest(table, contributions.losses > 0)]
        raise DataError(
            f"{rule}: contributions must be 0 or more; {cell} has negative ones. "
            "Name a column without them to judge by as `shadow`, for instance their absolute values"
        )
    return contributions


def _smallest(table: Table, cells: Booleans) -> int:
    """Return that of some cells which has the fewest units, so that a message names no total in place of its part."""
    chosen = np.flatnonzero(cells)
    return int(chosen[np.argmin(table.counts[chosen])])


def _above_rounding(lacking: FloatColumn, contributions: Contributions) -> Booleans:
    return lacking > ROUNDING * np.abs(contributions.totals)
