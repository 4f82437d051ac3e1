"""Find the multiples of columns of which another is the sum, to the rounding and in many records at least."""

from functools import partial

import numpy as np

from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, FloatMatrix
from sfumato.numerics.relations.column_choice import explaining, independent, independent_beyond_rounding
from sfumato.numerics.relations.fits import SAME, SPARE, Rounded, fit, tolerance_of

MAX_FITTED, RARE = 1_000, 20  # records that are fitted, and those added for each column that few have
MIN_SHARE = 0.4  # of the records, in which a sum must hold
MIN_SHARE_OF_MULTIPLES = 0.75  # of the records, in which one of other multiples must: a step of a fee scale is none
TIMES_CHANCE = 4.0  # as many records as those that it gives by chance
MAX_TAKEN = 50  # times a column, that others come to which are added and taken off again
DIGITS, MAX_DIGITS = 5, 9  # of a round factor, and of any: later ones differ with the number of threads


def exact_relation(target: FloatColumn, unit: float, others: Rounded) -> dict[int, float]:
    """Return the multiples of other columns whose sum, and a constant, a column is in many records; none if it is not.

    Sums and differences must hold in two of five records, and are found where they hold in half; those with other
    multiples must hold in three of four. They are exact up to what rounding to the units leaves open. Where several
    sums are exact, as the columns have exact relations themselves, one of them is found.

    Parameters
    ----------
    target, unit
        The column, in records in which it is to be told, and the unit to which it is rounded.
    others
        The other columns, in the same records.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> parts = rng.lognormal(5, 1, (200, 3)).round(2)
    >>> total = parts[:, 0] - 0.2 * parts[:, 2] + 70
    >>> total[:40] = rng.lognormal(5, 1, 40)
    >>> exact_relation(total.round(2), 0.01, Rounded(parts, np.full(3, 0.01)))
    {0: 1.0, 2: -0.2}
    """
    if target.size < SPARE:
        return {}
    rows = _fitted_rows(others.columns)
    tried: list[tuple[int, ...]] = []
    for choose in (independent, independent_beyond_rounding, partial(explaining, target[rows])):
        places = choose(others.columns[rows])
        if tuple(places) in tried:
            continue
        tried.append(tuple(places))
        factors = _found_factors(target, unit, others.take(places), rows)
        if factors is not None:
            return {int(place): float(factor) for place, factor in zip(places, factors, strict=True) if factor}
    return {}


def _found_factors(target: FloatColumn, unit: float, others: Rounded, rows: CodeColumn) -> FloatColumn | None:
    """Return the factors of a relation in many records, found by some; None where there is none but by chance."""
    if not others.units.size or rows.size < others.units.size + SPARE:
        return None
    found = fit(target[rows], unit, Rounded(others.columns[rows], others.units))
    if found is None:
        return None
    factors = _rounded_factors(found, target, unit, others)
    taken = float(np.abs(factors) @ np.abs(others.columns).mean(axis=0))
    if taken > MAX_TAKEN * float(np.abs(target).mean()):  # large multiples of what rounding left of columns
        return None
    return factors if _is_no_chance(factors, target, unit, others) else None


def _fitted_rows(columns: FloatMatrix) -> CodeColumn:
    """Return the records that are fitted: some in equal steps, and some that have what few have."""
    count = len(columns)
    if count <= MAX_FITTED:
        return np.arange(count)
    chosen = [np.arange(0, count, -(-count // MAX_FITTED))]
    for column in columns.T:
        having = np.flatnonzero(column)
        if having.size < count / 10:
            chosen.append(having[:: -(-having.size // RARE) or 1])
    return np.unique(np.concatenate(chosen))


def _rounded_factors(factors: FloatColumn, target: FloatColumn, unit: float, others: Rounded) -> FloatColumn:
    """Return factors of as few digits as let a relation hold in as many records."""
    count = np.count_nonzero(_holds(factors, target, unit, others))
    size = np.floor(np.log10(np.where(factors != 0, np.abs(factors), 1.0)))
    for digits in (*range(DIGITS), MAX_DIGITS):
        places = digits - size.astype(np.int64)
        rounded = np.array([round(float(factor), int(place)) for factor, place in zip(factors, places, strict=True)])
        if digits == MAX_DIGITS or np.count_nonzero(_holds(rounded, target, unit, others)) >= SAME * count:
            break
    return rounded


def _holds(factors: FloatColumn, target: FloatColumn, unit: float, others: Rounded) -> Booleans:
    """Tell in which records a relation holds, up to a constant."""
    rest = target - others.columns @ factors
    tolerance = tolerance_of(factors, unit, others.units)
    ascending = np.sort(rest)
    first = np.arange(rest.size)
    within = np.searchsorted(ascending, ascending + 2 * tolerance, side="right") - first  # in the fullest range
    start = ascending[int(np.argmax(within))]
    return np.asarray((rest >= start) & (rest <= start + 2 * tolerance), dtype=np.bool_)


def _is_no_chance(factors: FloatColumn, target: FloatColumn, unit: float, others: Rounded) -> bool:
    """Tell whether a relation holds in many more records than by chance, as between amounts of different records."""
    if not factors.any():
        return False
    held = int(np.count_nonzero(_holds(factors, target, unit, others)))
    needed = MIN_SHARE if np.array_equal(factors, np.round(factors)) else MIN_SHARE_OF_MULTIPLES
    if held < max(needed * target.size, float(np.count_nonzero(factors) + SPARE)):
        return False
    apart = Rounded(np.roll(others.columns, max(target.size // 2, 1), axis=0), others.units)
    alone = np.zeros(factors.size)
    by_chance = max(
        int(np.count_nonzero(_holds(factors, target, unit, apart))),
        int(np.count_nonzero(_holds(alone, target, unit, others))),
    )
    return held >= TIMES_CHANCE * by_chance or target.size - held <= (target.size - by_chance) / TIMES_CHANCE
