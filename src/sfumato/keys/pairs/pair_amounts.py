"""Amounts that two columns give: their sum, difference, product or ratio, times a constant."""

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from typing import NamedTuple

import numpy as np

from sfumato.keys.pairs.column_pairs import AT_ONCE
from sfumato.numerics.arrays import FloatColumn, FloatMatrix, Integers

FIRST_LOOK = 200  # records, by which most ways are left aside
MIN_FITTED = 50  # records that have an amount and what should give it: of fewer nothing is concluded
MIN_TOLD = 0.25  # of the values: a way that comes near fewer may be a good guess and no more
TIMES_CHANCE = 5  # as often as in records put together at random, and more, is no chance


class Way(NamedTuple):
    """One column or two, and what is computed from them."""

    sources: tuple[str, ...]
    compute: Callable[..., FloatMatrix]

    def of(self, columns: Mapping[str, FloatColumn]) -> FloatColumn:
        """Return what the columns give."""
        return _computed(self.compute, *(columns[name] for name in self.sources))


def promising_ways(exact: FloatColumn, columns: Mapping[str, FloatColumn], near: float | FloatColumn) -> Iterator[Way]:
    """Yield the ways in which one column or two may give an amount, by some records.

    Parameters
    ----------
    exact, columns
        The amounts, none of which is 0, and the columns that may give them; all in random order.
    near
        How much of an amount may be left open, or of each.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> days, rate, luck = rng.integers(1, 40, 90).astype(float), rng.uniform(280, 900, 90), rng.random(90)
    >>> columns = {"days": np.append(0, days[1:]), "rate": rate, "luck": luck}
    >>> [way.sources for way in promising_ways(days * rate, columns, 0.01)]
    [('days', 'rate')]
    """
    few, names = exact[:FIRST_LOOK], list(columns)
    near = near if isinstance(near, float) else near[:FIRST_LOOK]
    if few.size < MIN_FITTED or not names:
        return
    values = np.array([column[:FIRST_LOOK] for column in columns.values()])
    enough = MIN_TOLD / 2 * few.size
    for place in np.flatnonzero(counts_near(values, few, near) >= enough):
        yield Way((names[place],), np.positive)
    pairs = np.array([*combinations(range(len(names)), 2)], dtype=np.int64).reshape(-1, 2)
    for some in np.array_split(pairs, max(-(-pairs.shape[0] * few.size // AT_ONCE), 1)) if pairs.size else ():
        for compute, reverse in ((np.add, 1), (np.subtract, 1), (np.multiply, 1), (quotients, 1), (quotients, -1)):
            both = some[:, ::reverse]
            counts = counts_near(_computed(compute, values[both[:, 0]], values[both[:, 1]]), few, near)
            yield from (Way((names[one], names[other]), compute) for one, other in both[counts >= enough])


def quotients(above: FloatMatrix, below: FloatMatrix) -> FloatMatrix:
    """Return ratios, missing where they do not exist."""
    return np.divide(above, below, out=np.full_like(above, np.nan), where=below != 0)


def counts_near(computed: FloatMatrix, exact: FloatColumn, near: float | FloatColumn) -> Integers:
    """Return of how many amounts each row comes near, times the constant by which most do, whatever the sign.

    Examples
    --------
    >>> exact = np.arange(1.0, 61)
    >>> counts_near(np.array([2 * exact, exact[::-1], np.zeros(60)]), exact, 0.01)
    array([60,  0,  0])
    """
    ratios = np.abs(_computed(np.divide, computed, exact))
    ratios = np.where(np.isfinite(ratios) & (ratios > 0), ratios, np.nan)
    known = ratios.shape[1] - np.count_nonzero(np.isnan(ratios), axis=1)
    usual = _middles(np.sort(ratios, axis=1), known)[:, None]
    is_near = (ratios >= (1 - near) * usual) & (ratios <= (1 + near) * usual)
    return np.asarray(np.where(known >= MIN_FITTED, np.count_nonzero(is_near, axis=1), 0))


def scaled(computed: FloatColumn, exact: FloatColumn) -> FloatColumn:
    """Return what was computed times the constant by which most amounts come out."""
    ratios = _computed(quotients, computed, exact)
    ratios = ratios[np.isfinite(ratios) & (ratios != 0)]
    usual = float(np.median(np.abs(ratios))) * (-1 if np.median(ratios) < 0 else 1) if ratios.size else 1.0
    return computed / usual


def _computed(compute: Callable[..., FloatMatrix], *columns: FloatMatrix) -> FloatMatrix:
    """Return what columns give; beyond the largest number it is infinite, and tells nothing."""
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(compute(*columns))


def _middles(ascending: FloatMatrix, known: Integers) -> FloatColumn:
    """Return the median of each row, whose first numbers are known."""
    rows, half = np.arange(len(ascending)), np.maximum(known - 1, 0)
    return np.asarray((ascending[rows, half // 2] + ascending[rows, (half + 1) // 2]) / 2)
