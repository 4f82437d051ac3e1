"""Contributions of units to cells, when one unit may stand behind several cells."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.numerics.arrays import Booleans, CodeColumn, CodeMatrix, FloatColumn, Rows
from sfumato.tables.cells.contributions import NOBODY, Contributions
from sfumato.tables.cells.dimension import Dimension
from sfumato.tables.cells.layers import each_layer
from sfumato.tables.cells.records import Records
from sfumato.tables.cells.relations import LARGEST_KEY


@dataclass(frozen=True, eq=False)
class Shares:
    """What each unit contributes to each cell.

    Parameters
    ----------
    keys, units
        The cell and the unit.
    signed
        The contribution, before weighting.
    sizes, weighted_sizes
        The absolute values that it is made of, added up before and after weighting.
    counts
        How many units stand behind it: 1, except in records that were counted before.
    asking
        Whether the unit asked for protection.
    """

    keys: CodeColumn
    units: CodeColumn
    signed: FloatColumn
    sizes: FloatColumn
    weighted_sizes: FloatColumn
    counts: FloatColumn
    asking: Booleans

    @property
    def size(self) -> int:
        """How many shares there are."""
        return int(self.keys.size)

    @property
    def amounts(self) -> FloatColumn:
        """The absolute contributions, before weighting."""
        return np.abs(self.signed)

    @property
    def weights(self) -> FloatColumn:
        """The mean weight behind each share, by the size of the values; 1 where they are all 0."""
        some = self.sizes > 0
        return np.where(some, self.weighted_sizes / np.where(some, self.sizes, 1.0), 1.0)

    def take(self, chosen: Booleans | Rows) -> "Shares":
        """Return some of the shares."""
        return Shares(
            self.keys[chosen],
            self.units[chosen],
            self.signed[chosen],
            self.sizes[chosen],
            self.weighted_sizes[chosen],
            self.counts[chosen],
            self.asking[chosen],
        )

    def by_size(self) -> "Shares":
        """Return the shares, largest first; of equal ones the unit with the lower number first."""
        return self.take(np.lexsort((self.units, -self.amounts)))

    def split_spread(self) -> "tuple[Shares, Shares]":
        """Return the shares of units that stand behind one cell, and of those that stand behind several."""
        several = np.bincount(self.units)[self.units] > 1
        return (self.take(~several), self.take(several)) if several.any() else (self, self.take(several))


def shares_of(keys: CodeColumn, records: Records) -> Shares:
    """Return what each unit contributes to each cell of the finest level."""
    sizes = np.abs(records.shadows)
    shares = Shares(
        keys, records.units, records.shadows, sizes, sizes * records.weights, records.counts, records.asking
    )
    return _merge_shares(shares, np.ones(keys.size, dtype=np.bool_), keys) if records.has_holdings else shares


def add_spread(
    known: Contributions, counts: FloatColumn, keys: CodeColumn, spread: Shares, dimensions: Sequence[Dimension]
) -> tuple[Contributions, FloatColumn]:
    """Return contributions and counts with those of units that stand behind several cells of the finest level.

    Parameters
    ----------
    known, counts
        The contributions of all other units, and how many they are.
    keys
        The cells of the table, ascending.
    spread
        The shares of the units to add, in the cells of the finest level.
    dimensions
        What adds up to what.
    """
    counts, totals, losses = counts.copy(), known.totals.copy(), known.losses.copy()
    amounts, holders, weights = known.amounts.copy(), known.holders.copy(), known.weights.copy()
    asking = None if known.asking is None else known.asking.copy()
    for shares in each_layer(spread, dimensions, _merge_shares):
        starts = _starts(shares.keys)
        cells = np.searchsorted(keys, shares.keys[starts])
        weighted = shares.amounts * shares.weights
        counts[cells] += np.add.reduceat(shares.counts, starts)
        totals[cells] += np.add.reduceat(weighted, starts)
        losses[cells] += np.add.reduceat(np.where(shares.signed < 0, weighted, 0.0), starts)
        if asking is not None:
            asked = np.maximum.reduceat(np.where(shares.asking, shares.amounts, 0.0), starts)
            asking[cells] = np.maximum(asking[cells], asked)
        largest = _largest(shares.amounts, starts, known.kept)
        more = (np.append(shares.amounts, 0.0), np.append(shares.units, NOBODY), np.append(shares.weights, 1.0))
        joined = [
            np.concatenate([before[cells], column[largest]], axis=1)
            for before, column in zip((amounts, holders, weights), more, strict=True)
        ]
        first = np.lexsort((joined[1] == NOBODY, -joined[0]), axis=1)[:, : known.kept]
        for part, both in zip((amounts, holders, weights), joined, strict=True):
            part[cells] = np.take_along_axis(both, first, axis=1)
    return Contributions(amounts, holders, weights, totals, losses, asking), counts


def _merge_shares(shares: Shares, there: Booleans, keys: CodeColumn) -> Shares:
    """Return one share for each unit and cell, by cell and unit."""
    units = shares.units[there]
    order = _order(keys, units)
    keys, units = keys[order], units[order]
    starts = _starts(keys, units)
    asking = shares.asking[there][order]
    if not starts.size:
        return shares.take(np.empty(0, dtype=np.int64))
    signed, sizes, weighted = (
        np.add.reduceat(column[there][order], starts) for column in (shares.signed, shares.sizes, shares.weighted_sizes)
    )
    asks = np.logical_or.reduceat(asking, starts)
    return Shares(keys[starts], units[starts], signed, sizes, weighted, np.ones(starts.size), asks)


def _order(keys: CodeColumn, units: CodeColumn) -> Rows:
    """Return the order by key, and by unit where keys are equal."""
    beyond = int(units.max(initial=0)) + 1
    if int(keys.max(initial=0)) < LARGEST_KEY // beyond:  # one number is sorted quicker than two
        return np.argsort(keys * beyond + units, kind="stable")
    return np.lexsort((units, keys))


def _starts(*columns: CodeColumn) -> Rows:
    """Return the rows at which one of the columns, sorted together, takes a new value."""
    is_new = np.ones(columns[0].size, dtype=np.bool_)
    is_new[1:] = np.any([column[1:] != column[:-1] for column in columns], axis=0)
    return np.flatnonzero(is_new)


def _largest(amounts: FloatColumn, starts: Rows, kept: int) -> CodeMatrix:
    """Return the rows of the largest amounts of each run, the earlier of equal ones first, past the end for none."""
    left = amounts.copy()
    lengths = np.diff(np.append(starts, amounts.size))
    largest = np.full((starts.size, kept), amounts.size, dtype=np.int64)
    for place in range(kept):
        at_best = np.flatnonzero(left == np.repeat(np.maximum.reduceat(left, starts), lengths))
        runs = np.searchsorted(starts, at_best, side="right") - 1
        first = at_best[_starts(runs)]
        some = lengths > place
        largest[some, place] = first[some]
        left[first] = -1.0
    return largest
