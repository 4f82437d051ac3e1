"""Fits that half of the records decide, however far the others are from them, and to the rounding of amounts."""

from typing import NamedTuple

import numpy as np

from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, FloatMatrix

FIRST_LOOK, FOR_EACH = 250, 5  # records, in all or for each column, by which a fit is judged promising
MIN_ROUNDS, ROUNDS, STEADY = 10, 60, 1e-4  # of a fit, and the gain by which it goes on
POWER = 1.5  # of what a record was left with, by which it counts less
CLOSER, CLOSE = 0.4, 0.1  # of what least squares, and the mean, leave open: what the best fitted part may be left with
SPARE = 8  # records more than columns, that a relation must give: so many are no chance
HELD = 0.25  # of the records, those that are left with least, by which it is judged how near a fit comes
HALF = 0.55  # of the unit to which amounts are rounded, and a little
SAME = 0.99  # of the records in which a relation holds, in which one with fewer columns must
RIDGE = 1e-14  # by which equations are solved that are nearly one
POLISHED = 4  # fits of what holds alone
PRUNED_ONE_BY_ONE = 40  # columns, at most


class Rounded(NamedTuple):
    """Columns of amounts (records x columns), and the unit to which each is rounded."""

    columns: FloatMatrix
    units: FloatColumn

    def take(self, places: CodeColumn) -> "Rounded":
        """Return some of the columns."""
        return Rounded(self.columns[:, places], self.units[places])


class Relation(NamedTuple):
    """Multiples of columns, a constant, and in which records their sum is the target."""

    factors: FloatColumn
    holds: Booleans


def fit(target: FloatColumn, unit: float, others: Rounded) -> FloatColumn | None:
    """Return the factors of as few columns as give a target, with a constant, in many records; None if none do.

    Parameters
    ----------
    target, unit
        The column, and the unit to which it is rounded.
    others
        The columns that may give it, in the same records: fewer columns than records, and none a sum of others.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> parts = rng.integers(0, 900, (100, 3)).astype(float)
    >>> fit(2 * parts[:, 0] + parts[:, 1], 1.0, Rounded(parts, np.ones(3))).round(6)
    array([2., 1., 0.])
    """
    first = slice(None, None, max(target.size // max(FIRST_LOOK, FOR_EACH * others.units.size), 1))
    rest = _least_rest(target[first], unit, others.columns[first])
    if rest is not None and rest.size < target.size:
        rest = _least_rest(target, unit, others.columns)
    if rest is None:
        return None
    kept = np.abs(rest) <= max(2 * _left_open(rest), HALF * unit)
    places = np.arange(others.units.size)
    relation = _polished(target, unit, others, places, kept)
    if relation is None:
        return None
    added = np.abs(relation.factors) * np.ptp(others.columns[relation.holds], axis=0)
    needed = np.flatnonzero(added > tolerance_of(relation.factors, unit, others.units))
    places, relation = _with_fewer(target, unit, others, needed, relation, places)
    if places.size <= PRUNED_ONE_BY_ONE:
        for place in places[np.argsort(added[places], kind="stable")]:
            fewer = places[places != place]
            places, relation = _with_fewer(target, unit, others, fewer, relation, places)
    factors = np.zeros(others.units.size)
    factors[places] = relation.factors
    return factors


def _with_fewer(
    target: FloatColumn, unit: float, others: Rounded, fewer: CodeColumn, relation: Relation, places: CodeColumn
) -> tuple[CodeColumn, Relation]:
    """Return fewer columns and their relation where it holds in as many records; else those that there were."""
    if fewer.size == places.size or not fewer.size:
        return places, relation
    most = tolerance_of(relation.factors, unit, others.units[places])  # what is less exact is another relation
    found = _polished(target, unit, others, fewer, relation.holds, most)
    if found is None or np.count_nonzero(found.holds) < SAME * np.count_nonzero(relation.holds):
        return places, relation
    return fewer, found


def _least_rest(target: FloatColumn, unit: float, columns: FloatMatrix) -> FloatColumn | None:
    """Return what is left of a target by the multiples of columns, and a constant, that leave the least of it.

    There is none where a part of the records, as large as one in which a relation may hold, is left with nearly as much
    as by least squares, and that is much.

    What is left is least as a sum of roots, so that records in which a relation holds decide, however much is left in
    others, and half of the records are enough: least squares, each record weighted by what it was left with, and those
    that were left with least alike.
    """
    scale = np.maximum(np.abs(columns).max(axis=0), np.finfo(np.float64).tiny)
    basis = np.linalg.qr(np.column_stack([np.ones(target.size), columns / scale]))[0]
    least = max(unit / 4, 1e-9 * float(np.abs(target).mean()))
    rest: FloatColumn = target - basis @ (basis.T @ target)
    before = _left_open(rest)
    spread = np.abs(target - np.median(target))
    promising = max(CLOSER * before, CLOSE * float(spread.mean()), 4 * least)
    for turn in range(ROUNDS):
        weighted = basis / (np.maximum(np.abs(rest), max(before, least)) ** POWER)[:, None]
        gram = basis.T @ weighted
        gram.flat[:: len(gram) + 1] += RIDGE * np.trace(gram)
        rest = target - basis @ np.linalg.solve(gram, weighted.T @ target)
        left = _left_open(rest)
        if turn == MIN_ROUNDS and left > promising:
            return None
        if turn >= MIN_ROUNDS and (left <= least or left > (1 - STEADY) * before):
            break
        before = left
    return rest


def _left_open(rest: FloatColumn) -> float:
    """Return what is left at most of the records that are fitted best."""
    last = int(HELD * (rest.size - 1))
    return float(np.partition(np.abs(rest), last)[last])


def _polished(
    target: FloatColumn,
    unit: float,
    others: Rounded,
    places: CodeColumn,
    kept: Booleans,
    most: float = np.inf,
) -> Relation | None:
    """Return the relation by the records in which it holds, found from those that it nearly holds in."""
    columns, units = others.columns[:, places], others.units[places]
    scale = np.maximum(np.abs(columns).max(axis=0), np.finfo(np.float64).tiny)
    design = np.column_stack([columns / scale, np.ones(target.size)])
    found = None
    for _ in range(POLISHED):
        if np.count_nonzero(kept) < places.size + SPARE:
            return None
        solved = np.linalg.lstsq(design[kept], target[kept], rcond=None)[0]
        factors = solved[:-1] / scale
        holds = np.abs(target - design @ solved) <= min(tolerance_of(factors, unit, units), most)
        found = Relation(factors, holds)
        if np.array_equal(holds, kept):
            break
        kept = holds
    return found if np.count_nonzero(kept) >= places.size + SPARE else None


def tolerance_of(factors: FloatColumn, unit: float, units: FloatColumn) -> float:
    """Return how far a rounded sum may be from its rounded parts."""
    return HALF * float(unit + np.abs(factors) @ units)
