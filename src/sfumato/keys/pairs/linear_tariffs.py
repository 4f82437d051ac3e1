"""Amounts that follow from a category and several numbers: a subsidy from the crop, the hectares and the animals."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from sfumato.keys.pairs._trimmed_fits import FITTED, ROUNDING, ROUNDS, central_width, trimmed_fit
from sfumato.keys.pairs.tariffs import FIRST_LOOK
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix, Floats

PROMISING = 0.5  # of the spread of an amount in its categories, left open at most at first, wrong entries included
TRIED = 3  # pairs of numbers, those that leave least open
FAR = 8  # times the usual distance from the middle: such values would draw the fit to themselves
OF_CATEGORY = 80  # records of a category, by which most numbers are left aside
MIN_HOLDERS = 3  # of a category, times what is fitted in it: for fewer, factors can be found for nearly any amounts
WITHIN = 0.003  # of the range of nine of ten amounts: what a tariff leaves open at most
MIN_KEPT = 0.6  # of the amounts, which keep to a tariff
MORE_KEPT = 0.2  # of the amounts, at least, for each number: what fits a little better may be chance
MIN_COMPLETE = 60  # records that have all columns: of fewer nothing is concluded
DEPENDENT = 1e-9  # of the spread of a number, left open by another: both are one


class LinearTariff(NamedTuple):
    """What each category costs by itself, and for each unit of some numbers; not a number where it is not known."""

    base: FloatColumn
    rates: FloatMatrix  # categories x numbers
    kept: float  # the share of the amounts that keep to it


def promising_sums(
    amounts: Mapping[str, FloatColumn], codes: CodeColumn, numbers: Mapping[str, FloatColumn]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the amounts with two or three numbers that may give them in each category, those that fit best first.

    It goes by sums of products within the categories of some records: what least squares leave open of an amount.

    Parameters
    ----------
    amounts, numbers
        Columns, whose records are in random order.
    codes
        The categories, missing as -1.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> crop, hectares, animals = rng.integers(0, 3, 200), rng.uniform(2, 90, 200), rng.uniform(0, 60, 200)
    >>> subsidy = np.array([215.0, 180, 340])[crop] * hectares + 400 * animals
    >>> columns = {"hectares": hectares, "luck": rng.permutation(hectares), "animals": animals}
    >>> next(promising_sums({"subsidy": subsidy}, crop, columns))
    ('subsidy', ('hectares', 'animals'))
    """
    names = list(dict.fromkeys([*numbers, *amounts]))
    columns = np.column_stack([{**numbers, **amounts}[name][:FIRST_LOOK] for name in names] or [np.empty(0)])
    products, members = _products(codes[:FIRST_LOOK], columns)
    for amount in amounts if members.size else ():
        place = names.index(amount)
        tried = np.array([at for at, name in enumerate(names) if name in numbers and name != amount], dtype=np.int64)
        whole = float((members * products[:, place, place]).sum())
        if tried.size < 2 or not whole > 0:
            continue
        inner, outer = products[:, tried[:, None], tried], products[:, tried, place]
        left = 1 - np.tensordot(members, _explained_by_pairs(inner, outer), 1) / whole
        pairs = np.column_stack(np.triu_indices(tried.size, 1))
        best = pairs[np.argsort(left[pairs[:, 0], pairs[:, 1]], kind="stable")[:TRIED]]
        two = [(int(first), int(second)) for first, second in best]
        three = _with_a_third(inner, outer, members / whole, two)
        for share, found in (*((float(left[pair]), pair) for pair in two), *three):
            if share <= PROMISING:
                yield amount, tuple(names[tried[at]] for at in found)


def keeps_at_first(codes: CodeColumn, numbers: FloatMatrix, amount: FloatColumn, width: float) -> bool:
    """Tell whether half of the amounts keep to a tariff in the category of most records, by some of these.

    Parameters
    ----------
    codes, numbers, amount
        As for `fitted_linear_tariff`.
    width
        How wide the range is in which nine of ten amounts lie.
    """
    rows = np.flatnonzero(codes == np.bincount(codes[codes >= 0]).argmax())[:OF_CATEGORY]
    design, wanted = np.column_stack([numbers[rows], np.ones(rows.size)]), amount[rows]
    known = np.isfinite(design.sum(axis=1) + wanted) & (wanted != 0)
    design, wanted = design[known], wanted[known]
    if wanted.size < MIN_HOLDERS * design.shape[1]:
        return True  # too few to tell
    design = design / np.maximum(np.abs(design).max(axis=0), np.finfo(np.float64).tiny)
    kept, fitting = int(FITTED * wanted.size), np.arange(wanted.size)
    off = np.zeros(wanted.size)
    for _ in range(ROUNDS):
        off = np.abs(wanted - design @ np.linalg.lstsq(design[fitting], wanted[fitting], rcond=None)[0])
        fitting = np.argpartition(off, kept)[:kept]
    return bool(np.median(off) <= WITHIN * width)


def fitted_linear_tariff(codes: CodeColumn, numbers: FloatMatrix, amount: FloatColumn) -> LinearTariff:
    """Return the tariff that fits best in each category, the quarter of its records that fit worst aside.

    Parameters
    ----------
    codes, numbers, amount
        The category of each record, missing as -1, its numbers (records x numbers) and its amount.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> codes, numbers = np.repeat([0, 1], 40), rng.uniform(1, 9, (80, 2))
    >>> amount = np.where(codes == 0, 10.0, 7.0) * numbers[:, 0] + 5 * numbers[:, 1]
    >>> amount[2] = 999.0
    >>> found = fitted_linear_tariff(codes, numbers, amount)
    >>> found.rates.round(6).tolist(), round(found.kept, 4)
    ([[10.0, 5.0], [7.0, 5.0]], 0.9875)
    """
    count, number = int(codes.max(initial=-1)) + 1, numbers.shape[1]
    base, rates = np.full(count, np.nan), np.full((count, number), np.nan)
    known = np.flatnonzero((codes >= 0) & np.isfinite(numbers.sum(axis=1) + amount) & (amount != 0))
    if known.size < MIN_COMPLETE:
        return LinearTariff(base, rates, 0.0)
    codes, numbers, amount = codes[known], numbers[known], amount[known]
    off = np.full(known.size, np.inf)
    for code in np.flatnonzero(np.bincount(codes, minlength=count) >= MIN_HOLDERS * (number + 1)):
        rows = np.flatnonzero(codes == code)
        fit = trimmed_fit(numbers[rows], amount[rows])
        rates[code] = fit.factors
        base[code] = np.median(amount[rows] - numbers[rows] @ fit.factors)
        off[rows] = np.abs(amount[rows] - base[code] - numbers[rows] @ fit.factors)
    near = off <= WITHIN * central_width(amount) + ROUNDING * np.abs(amount)
    return LinearTariff(base, rates, float(np.count_nonzero(near) / known.size))


def needs_all(codes: CodeColumn, numbers: FloatMatrix, amount: FloatColumn, kept: float) -> bool:
    """Tell whether an amount keeps to no tariff of fewer numbers, or to one nearly as well."""
    limit = min(MIN_KEPT, kept - MORE_KEPT)
    fewer = combinations(range(numbers.shape[1]), numbers.shape[1] - 1)
    return all(fitted_linear_tariff(codes, numbers[:, list(some)], amount).kept < limit for some in fewer)


def _products(codes: CodeColumn, columns: FloatMatrix) -> tuple[Floats, FloatColumn]:
    """Return the mean products of columns within each category (categories x columns x columns), and its records.

    Each mean is over the records that have both columns.
    """
    columns = np.column_stack([_without_far_values(column) for column in columns.T])
    members = np.bincount(codes[codes >= 0])
    held = np.flatnonzero(members >= MIN_HOLDERS * 3)
    found = np.zeros((held.size, columns.shape[1], columns.shape[1]))
    for place, code in enumerate(held):
        some = columns[codes == code]
        known = np.isfinite(some).astype(np.float64)
        filled = np.where(known > 0, some, 0.0)
        centred = np.where(known > 0, some - filled.sum(axis=0) / np.maximum(known.sum(axis=0), 1), 0.0)
        found[place] = centred.T @ centred / np.maximum(known.T @ known, 1)
    return found, members[held].astype(np.float64)


def _without_far_values(column: FloatColumn) -> FloatColumn:
    known = column[np.isfinite(column)]
    if not known.size:
        return column
    away = np.abs(column - np.median(known))
    return np.where(away > FAR * (np.nanmedian(away) or np.nanmean(away)), np.nan, column)


def _explained_by_pairs(inner: Floats, outer: FloatMatrix) -> Floats:
    """Return how much of an amount each pair of numbers explains in each category (categories x numbers x numbers)."""
    spread = np.diagonal(inner, axis1=1, axis2=2)
    both = spread[:, :, None] * spread[:, None, :]
    together = both - inner**2
    cross = outer[:, :, None] * outer[:, None, :]
    told = outer[:, :, None] ** 2 * spread[:, None, :] + outer[:, None, :] ** 2 * spread[:, :, None] - 2 * cross * inner
    is_two = together > DEPENDENT * both
    alone = np.where(spread > 0, outer**2 / np.where(spread > 0, spread, 1.0), 0.0)
    either = np.maximum(alone[:, :, None], alone[:, None, :])
    return np.where(is_two, told / np.where(is_two, together, 1.0), either)


def _with_a_third(
    inner: Floats, outer: FloatMatrix, weights: FloatColumn, pairs: Sequence[tuple[int, int]]
) -> list[tuple[float, tuple[int, ...]]]:
    """Return what pairs of numbers and a third leave open of an amount, with the numbers, the best third of each."""
    found = dict[tuple[int, ...], float]()
    spread = np.diagonal(inner, axis1=1, axis2=2)
    for pair in pairs:
        first, second = inner[:, pair[0]], inner[:, pair[1]]  # categories x numbers
        by_first, by_second = _factors(first, second, pair, first, second)
        of_first, of_second = (one[:, 0] for one in _factors(first, second, pair, *(outer[:, [at]] for at in pair)))
        own = np.maximum(spread - by_first * first - by_second * second, 0.0)  # of each third, besides the pair
        rest = outer - by_first * outer[:, [pair[0]]] - by_second * outer[:, [pair[1]]]
        is_own = own > DEPENDENT * spread
        told = np.where(is_own, rest**2 / np.where(is_own, own, 1.0), 0.0)
        told += (of_first * outer[:, pair[0]] + of_second * outer[:, pair[1]])[:, None]
        left = 1 - weights @ told
        left[list(pair)] = np.inf
        best = int(left.argmin())
        if left.size > len(pair):
            found[tuple(sorted((*pair, best)))] = float(left[best])
    return [(left, numbers) for numbers, left in sorted(found.items(), key=lambda one: one[1])]


def _factors(
    first: FloatMatrix,
    second: FloatMatrix,
    pair: tuple[int, int],
    with_first: FloatMatrix,
    with_second: FloatMatrix,
) -> tuple[FloatMatrix, FloatMatrix]:
    """Return by what the two numbers of a pair are multiplied to come nearest to others (categories x others)."""
    one, other, both = first[:, [pair[0]]], second[:, [pair[1]]], first[:, [pair[1]]]
    together = one * other - both**2
    inverse = np.where(together > DEPENDENT * one * other, 1 / np.where(together != 0, together, 1.0), 0.0)
    return (other * with_first - both * with_second) * inverse, (one * with_second - both * with_first) * inverse
