"""Amounts that follow from a category and a number: the costs of a stay from the diagnosis and its days."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from sfumato.keys.pairs._trimmed_fits import FITTED, ROUNDING, ROUNDS, central_width
from sfumato.numerics.arrays import CodeColumn, FloatColumn, Rows
from sfumato.numerics.ranking import stable_order

FIRST_LOOK = 600  # records, by which most amounts are left aside
WITHIN = 0.01  # of the range of nine of ten amounts: what a tariff leaves open at most
MIN_ALIKE = 0.2  # of three records of a category, as many as where six of ten amounts keep to the tariff
MIN_TRIPLES = 20  # of records, of fewer nothing is concluded
MIN_HOLDERS = 4  # of a category: for fewer, two numbers can be found for nearly any amounts
MAX_CATEGORIES = 1_000  # of a column: one with more is no tariff


class Tariff(NamedTuple):
    """What each category costs by itself, and for each unit of a number; not a number where it is not known."""

    base: FloatColumn
    rate: FloatColumn

    def amounts(self, codes: CodeColumn, number: FloatColumn) -> FloatColumn:
        """Return the amounts of some categories, missing as -1, and numbers."""
        known = np.where(codes < 0, np.nan, 1.0)
        return np.asarray(known * (self.base[codes] + self.rate[codes] * number))

    def numbers(self, codes: CodeColumn, amount: FloatColumn) -> FloatColumn:
        """Return the numbers by which categories, missing as -1, have some amounts; missing where the rate is 0."""
        rate = np.where((codes < 0) | (self.rate[codes] == 0), np.nan, self.rate[codes])
        return np.asarray((amount - self.base[codes]) / rate)


def promising_tariffs(
    amounts: Mapping[str, FloatColumn],
    categories: Mapping[str, CodeColumn],
    numbers: Mapping[tuple[str, ...], FloatColumn],
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield the amounts that may be a category's rate times a number plus its base, by some records.

    Of three records of one category, that with the middle number has then an amount between those of the others, and
    as far between; equal numbers have equal amounts. So a number that is always the same stands for fees by category.

    Parameters
    ----------
    amounts, categories, numbers
        Columns, whose records are in random order; categories as codes, missing as -1. Numbers may be of two columns,
        such as the days between two dates, or of none.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> ward, days = rng.integers(0, 5, 400), rng.integers(1, 20, 400).astype(float)
    >>> costs = np.array([310.0, 122, 415, 96, 230])[ward] * days
    >>> columns = {("days",): days, ("luck",): rng.permutation(days), (): np.zeros(400)}
    >>> list(promising_tariffs({"costs": costs}, {"ward": ward}, columns))
    [('costs', 'ward', ('days',))]
    """
    few = np.column_stack([column[:FIRST_LOOK] for column in amounts.values()] or [np.empty(0)])
    few = np.where(few == 0, np.nan, few)  # who pays nothing keeps to every tariff
    widths = WITHIN * np.array([_width(column) for column in few.T])
    for category, codes in categories.items():
        triples = _triples(codes[:FIRST_LOOK])
        for number, column in numbers.items() if triples.size else ():
            by_number = np.take_along_axis(triples, np.argsort(column[triples], axis=1, kind="stable"), axis=1)
            low, middle, high = column[by_number].T
            is_same = high == low
            share = ((middle - low) / np.where(is_same, 1.0, high - low))[:, None]
            first = few[by_number[:, 0]]
            second, third = few[by_number[:, 1]] - first, few[by_number[:, 2]] - first
            off = np.where(is_same[:, None], np.maximum(np.abs(second), np.abs(third)), np.abs(second - share * third))
            tried, alike = np.count_nonzero(np.isfinite(off), axis=0), np.count_nonzero(off <= widths, axis=0)
            for amount, is_alike in zip(amounts, (tried >= MIN_TRIPLES) & (alike >= MIN_ALIKE * tried), strict=True):
                if is_alike:
                    yield amount, category, number


def fitted_tariff(codes: CodeColumn, number: FloatColumn, amount: FloatColumn) -> Tariff:
    """Return the tariff that fits best in each category, the quarter of its records that fit worst aside.

    Examples
    --------
    >>> codes, days = np.repeat([0, 1], 6), np.tile(np.arange(1.0, 7), 2)
    >>> amount = np.where(codes == 0, 10.0, 7.0) * days
    >>> amount[2] = 999.0
    >>> [found.round(6).tolist() for found in fitted_tariff(codes, days, amount)]
    [[0.0, 0.0], [10.0, 7.0]]
    """
    count = int(codes.max(initial=-1)) + 1
    known = np.flatnonzero((codes >= 0) & np.isfinite(number) & np.isfinite(amount) & (amount != 0))
    codes, number, amount = codes[known], number[known], amount[known]
    members = np.bincount(codes, minlength=count)
    kept = np.ceil(FITTED * members).astype(np.int64)
    starts = np.cumsum(members) - members
    rows = _nearest(codes, _distances_from_median(codes, number, amount, starts, members), starts, kept)
    base = rate = np.full(count, np.nan)
    for _ in range(ROUNDS + 1):
        base, rate = _least_squares(codes[rows], number[rows], amount[rows], count)
        rows = _nearest(codes, np.abs(amount - base[codes] - rate[codes] * number), starts, kept)
    is_known = members >= MIN_HOLDERS
    return Tariff(np.where(is_known, base, np.nan), np.where(is_known, rate, np.nan))


def _triples(codes: CodeColumn) -> Rows:
    """Return the rows of three records of the same category, next to each other in its order (triples x 3)."""
    order = stable_order(codes)
    order = order[codes[order] >= 0]
    if order.size < 3 or int(codes.max()) >= MAX_CATEGORIES:
        return np.empty((0, 3), dtype=np.int64)
    found = np.column_stack([order[:-2], order[1:-1], order[2:]])
    return np.asarray(found[codes[found[:, 0]] == codes[found[:, 2]]])


def _width(column: FloatColumn) -> float:
    known = column[np.isfinite(column)]
    return central_width(known) + ROUNDING * float(np.abs(known).max()) if known.size else 0.0


def _distances_from_median(
    codes: CodeColumn, number: FloatColumn, amount: FloatColumn, starts: Rows, members: CodeColumn
) -> FloatColumn:
    """Return how far records are from the middle of their category in either column: far ones would draw the fit."""
    found = np.zeros(codes.size)
    for column in (number, amount):
        ordered = column[np.lexsort((column, codes))]
        medians = ordered[np.minimum(starts + members // 2, codes.size - 1)] if codes.size else ordered
        away = np.abs(column - medians[codes])
        scale = np.bincount(codes, weights=away, minlength=members.size) / np.maximum(members, 1)
        found = np.maximum(found, away / np.where(scale > 0, scale, 1.0)[codes])
    return found


def _nearest(codes: CodeColumn, distances: FloatColumn, starts: Rows, kept: CodeColumn) -> Rows:
    """Return the rows of each category with the smallest distances, as many as are kept of it."""
    order = np.lexsort((distances, codes))
    place = np.arange(codes.size) - starts[codes[order]]
    return np.asarray(order[place < kept[codes[order]]])


def _least_squares(
    codes: CodeColumn, number: FloatColumn, amount: FloatColumn, count: int
) -> tuple[FloatColumn, FloatColumn]:
    """Return the base and the rate of each category; a rate of 0 where all have the same number."""
    members = np.maximum(np.bincount(codes, minlength=count), 1)
    middle, mean = (np.bincount(codes, weights=one, minlength=count) / members for one in (number, amount))
    away = number - middle[codes]
    spread = np.bincount(codes, weights=away**2, minlength=count)
    slope = np.bincount(codes, weights=away * (amount - mean[codes]), minlength=count)
    rate = np.where(spread > 0, slope / np.where(spread > 0, spread, 1.0), 0.0)
    return mean - rate * middle, rate
