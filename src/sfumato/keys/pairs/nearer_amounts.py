"""Masked amounts that released columns bring nearer than their own column does: a masked ratio times what it is of."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from sfumato.keys.pairs._trimmed_fits import correlation
from sfumato.keys.pairs.column_pairs import logarithms
from sfumato.keys.pairs.pair_amounts import MIN_FITTED, MIN_TOLD, TIMES_CHANCE, Way, promising_ways, scaled
from sfumato.keys.pairs.sums_of_multiples import some_rows
from sfumato.numerics.arrays import Booleans, FloatColumn

NEAR = 0.05  # of an amount: what is computed as near as that is told, as sources may be masked
FIRST_LOOK = 1_000  # records, by which columns are chosen where there are many
NEARER = 0.5  # of how far the own column is off: what is off by no more is nearer, and no other estimate as good
MAX_COLUMNS = 30  # of which pairs are tried, those that go with the amount most
TIMES_OWN = 3  # as many records in which the own column is that much nearer: columns twice as good as it have more


class NearerAmounts(NamedTuple):
    """By which released columns a masked amount comes out nearer than by its own.

    Parameters
    ----------
    sources
        These columns, masked or not.
    records, values, own
        Of how many records they come within 5 % of the amount, of all that have one, and of how many the column itself.
    """

    sources: tuple[str, ...]
    records: int
    values: int
    own: int


def nearer_amounts(name: str, exact: FloatColumn, columns: Mapping[str, FloatColumn]) -> NearerAmounts | None:
    """Return by which released columns, one or two, a masked amount comes out nearer than by its own; None by none.

    Tried are each other column, and the sum, difference, product and ratio of each two, all times a constant; where
    there are many, of those that go with the amount most. A record
    counts where what comes out is within 5 % of the amount, and at most half as far off as the own column. It takes a
    quarter of the amounts, five times as many as by chance, and three times as many as those in which the own column is
    that much the nearer one: a column that is masked alike and goes with the amount is as often farther off.

    Parameters
    ----------
    name, exact
        The masked column, and the amounts that it had.
    columns
        The released columns of numbers, that column among them.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> heads, by_head = rng.integers(1, 90, 600).astype(float), rng.lognormal(8, 0.5, 600)
    >>> columns = {"heads": heads, "by_head": by_head * rng.uniform(0.97, 1.03, 600)}
    >>> columns["turnover"] = heads * by_head * rng.uniform(0.5, 1.5, 600)
    >>> found = nearer_amounts("turnover", heads * by_head, columns)
    >>> found.sources, found.records, found.own < 100
    (('heads', 'by_head'), 600, True)
    """
    has_amount = np.flatnonzero(np.isfinite(exact) & (exact != 0))
    rows = some_rows(has_amount)
    if rows.size < MIN_FITTED:
        return None
    wanted, off = exact[rows], _off(columns[name], exact)
    some = {
        one: columns[one][rows] for one in _going_with(wanted, {one: column[rows] for one, column in columns.items()})
    }
    needed = np.minimum(NEAR, NEARER * off[rows])
    best: Way | None = None
    most = 0
    for way in promising_ways(wanted, some, np.where(off[rows] > 0, needed, -1.0)):  # nothing is nearer than exact
        if way.sources == (name,):
            continue
        told = _count_nearer(scaled(way.of(some), wanted), wanted, off[rows])
        if told > most:
            best, most = way, told
    if best is None:
        return None
    computed = scaled(best.of(columns), exact)
    records, own = (int(np.count_nonzero(one[has_amount] <= NEAR)) for one in (_off(computed, exact), off))
    return NearerAmounts(best.sources, records, has_amount.size, own)


def _going_with(exact: FloatColumn, columns: Mapping[str, FloatColumn]) -> list[str]:
    """Return the columns that go with an amount most, by their values or logarithms, in the order of the file."""
    few = slice(None, FIRST_LOOK)
    wanted = (exact[few], logarithms(np.abs(exact[few])))
    names = list(columns)
    if len(names) > MAX_COLUMNS:
        both = {name: (column[few], logarithms(np.abs(column[few]))) for name, column in columns.items()}
        names.sort(key=lambda name: -max(map(correlation, wanted, both[name])))
    return [name for name in columns if name in {*names[:MAX_COLUMNS]}]


def _count_nearer(computed: FloatColumn, exact: FloatColumn, own: FloatColumn) -> int:
    """Return in how many records what is computed is near, and nearer than the own column; 0 where they are too few."""
    off, by_chance = _off(computed, exact), _off(np.roll(computed, exact.size // 2), exact)
    told, chance = (int(np.count_nonzero(_is_nearer(one, own))) for one in (off, by_chance))
    farther = int(
        np.count_nonzero(_is_nearer(own, off) & np.isfinite(off))
    )  # who has nothing computed takes the own column
    needed = max(MIN_TOLD * exact.size, float(TIMES_CHANCE * chance), float(TIMES_OWN * farther))
    return told if told >= needed else 0


def _is_nearer(one: FloatColumn, other: FloatColumn) -> Booleans:
    return np.asarray((one <= NEAR) & (one <= NEARER * other) & (one < other))


def _off(computed: FloatColumn, exact: FloatColumn) -> FloatColumn:
    """Return how far what is computed is off, as a share of the amount; infinite where nothing is, or there is none."""
    off = np.abs(np.divide(computed - exact, exact, out=np.full_like(exact, np.inf), where=exact != 0))
    return np.where(np.isnan(off), np.inf, off)
