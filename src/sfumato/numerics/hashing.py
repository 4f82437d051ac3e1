"""Hashes of 64 bits that stand for cells and records: which are unique, among others, or drawn, and their order."""

import numpy as np

from sfumato.numerics.arrays import AnyArray, Booleans, Hashes, Integers, Rows
from sfumato.numerics.ranking import stable_order

HASHES = 2**64
GOLDEN, FIRST, SECOND = 0x9E3779B97F4A7C15, np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
NOT_A_NUMBER = np.float64("nan").view(np.uint64)  # one of several forms of it


def unique_hashes(hashes: Hashes) -> Hashes:
    """Return those that occur just once, in rising order.

    Examples
    --------
    >>> unique_hashes(np.array([8, 9, 7, 8], dtype=np.uint64))
    array([7, 9], dtype=uint64)
    """
    distinct, counts = np.unique(hashes, return_counts=True)
    return np.asarray(distinct[counts == 1], dtype=np.uint64)


def is_among(hashes: Hashes, ascending: Hashes) -> Booleans:
    """Tell for each hash whether it is one of those in rising order."""
    if not ascending.size:
        return np.zeros(hashes.size, dtype=np.bool_)
    place = np.minimum(np.searchsorted(ascending, hashes), ascending.size - 1)
    return np.asarray(ascending[place] == hashes, dtype=np.bool_)


def mix_bits(bits: Hashes, place: int) -> Hashes:
    """Spread bits over all 64, differently in each column (the finaliser of the generator splitmix64)."""
    mixed = bits + np.uint64(GOLDEN * (2 * place + 1) % 2**64)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * FIRST
    mixed = (mixed ^ (mixed >> np.uint64(27))) * SECOND
    return mixed ^ (mixed >> np.uint64(31))


def is_drawn(rows: Integers, share: float) -> Booleans:
    """Tell which rows are in a random sample of a share (0..1) of them; it depends on the number of the row alone.

    Examples
    --------
    >>> is_drawn(np.arange(6), 0.5)
    array([False, False, False,  True,  True,  True])
    """
    if share >= 1:
        return np.ones(rows.size, dtype=np.bool_)
    return np.asarray(mix_bits(rows.astype(np.uint64), 0).astype(np.float64) < share * HASHES, dtype=np.bool_)


def rows_by_content(*columns: AnyArray) -> Rows:
    """Return the rows in an order that is the same for the same records, however the file is sorted.

    Where only some records are looked at, the first of these are drawn. Equal rows lie apart, as in a random order;
    which of them comes first does not matter to whoever looks at these columns alone.

    Examples
    --------
    >>> ages, towns = np.array([31.0, 45.0, 62.0, np.nan]), np.array([0, 1, 0, 2])
    >>> drawn, upside_down = rows_by_content(ages, towns), rows_by_content(ages[::-1], towns[::-1])
    >>> np.array_equal(towns[drawn], towns[::-1][upside_down])
    True
    """
    hashes = np.add.reduce([mix_bits(_bits(column), place) for place, column in enumerate(columns)])
    order = stable_order(hashes)
    is_first = np.append(True, np.diff(hashes[order]) != 0)[: order.size]
    starts = np.maximum.accumulate(np.where(is_first, np.arange(order.size), 0))
    repeats = (np.arange(order.size) - starts).astype(np.uint64)
    return order[stable_order(mix_bits(hashes[order] + mix_bits(repeats, 1), 0))]


def _bits(column: AnyArray) -> Hashes:
    values = column.astype(np.float64) + 0.0  # 0 and -0 are one number
    return np.where(np.isnan(values), NOT_A_NUMBER, values.view(np.uint64))
