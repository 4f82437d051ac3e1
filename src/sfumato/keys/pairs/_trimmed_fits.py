"""Fits by least squares that a part of the records, such as wrong entries, does not spoil."""

from typing import NamedTuple

import numpy as np

from sfumato.numerics.arrays import CodeMatrix, FloatColumn, FloatMatrix

FITTED = 0.75  # of the records, those that fit best, by which the fit goes on
ROUNDS = 3  # of leaving aside those that fit worst
CENTRAL = 0.9  # of the values, which lie in the range that is looked at
DEPENDENT = 1e-9  # of the spread of a column, left open by another: both are one
ROUNDING = 1e-9  # of the spread of a column: what is nearer than that is equal


class Fit(NamedTuple):
    """A column as a sum of multiples of others, and what is left over in each record."""

    factors: FloatColumn
    rest: FloatColumn


def trimmed_fit(columns: FloatMatrix, target: FloatColumn) -> Fit:
    """Return the fit of a target by some columns (records x columns) and a constant, the quarter that fits worst aside.

    Examples
    --------
    >>> columns = np.column_stack([np.arange(20.0) ** 2, np.arange(20.0) % 7])
    >>> target = columns[:, 0] - 3 * columns[:, 1] + 5
    >>> target[4] = 1000
    >>> fit = trimmed_fit(columns, target)
    >>> fit.factors.round(6), np.flatnonzero(np.abs(fit.rest) > 1e-6)
    (array([ 1., -3.]), array([4]))
    """
    away = np.abs(columns - np.median(columns, axis=0))
    varies = away.any(axis=0)  # what rounding leaves of a constant beside its mean is no value to fit by
    scale = np.where(varies, np.maximum(away.mean(axis=0), np.finfo(np.float64).tiny), 1.0)
    design = np.column_stack([np.where(varies, columns - columns.mean(axis=0), 0.0) / scale, np.ones(len(columns))])
    kept = max(int(FITTED * target.size), min(design.shape[1], target.size))
    rows = np.argpartition((away / scale).max(axis=1), kept - 1)[:kept]  # far values would draw the fit to themselves
    for _ in range(ROUNDS):
        found = np.linalg.lstsq(design[rows], target[rows], rcond=None)[0]
        rest = target - design @ found
        rows = np.argpartition(np.abs(rest), kept - 1)[:kept]
    return Fit(found[:-1] / scale, rest)


def open_widths(target: FloatColumn, columns: FloatMatrix, pairs: CodeMatrix) -> FloatColumn:
    """Return how wide the range of nine of ten records is that a fit by each of many pairs of columns leaves open.

    The fits are those of `trimmed_fit`, all at once.

    Parameters
    ----------
    target, columns
        What is fitted, and the columns (columns x records).
    pairs
        The places of both columns of each pair (pairs x 2).

    Examples
    --------
    >>> columns = np.array([np.arange(20.0) ** 2, np.arange(20.0) % 7, np.arange(20.0) % 3])
    >>> open_widths(columns[0] - 3 * columns[1] + 5, columns, np.array([[0, 1], [1, 2]])) < 1e-6
    array([ True, False])
    """
    away = np.abs(columns - np.median(columns, axis=1, keepdims=True))
    scale = np.maximum(away.mean(axis=1, keepdims=True), np.finfo(np.float64).tiny)
    columns = (columns - columns.mean(axis=1, keepdims=True)) / scale
    first, second = columns[pairs[:, 0]], columns[pairs[:, 1]]
    kept = max(int(FITTED * target.size), min(3, target.size))
    away = np.maximum(*(away / scale)[pairs.T])
    rest = np.empty_like(first)
    for _ in range(ROUNDS):
        rows = np.argpartition(away, kept - 1, axis=1)[:, :kept]
        one, other = np.take_along_axis(first, rows, axis=1), np.take_along_axis(second, rows, axis=1)
        means = [part.mean(axis=1, keepdims=True) for part in (one, other, target[rows])]
        one, other, wanted = (part - mean for part, mean in zip((one, other, target[rows]), means, strict=True))
        factors = _two_factors(one, other, wanted)
        rest = (target - means[2]) - factors[0] * (first - means[0]) - factors[1] * (second - means[1])
        away = np.abs(rest)
    ascending = np.sort(rest, axis=1)
    inside = max(int(np.ceil(CENTRAL * target.size)), 1)
    return np.asarray((ascending[:, inside - 1 :] - ascending[:, : target.size - inside + 1]).min(axis=1))


def _two_factors(one: FloatMatrix, other: FloatMatrix, wanted: FloatMatrix) -> tuple[FloatMatrix, FloatMatrix]:
    """Return by what centred columns are multiplied to come nearest to a target by least squares, row by row."""
    own, others, both = (
        (first * second).sum(axis=1, keepdims=True) for first, second in ((one, one), (other, other), (one, other))
    )
    of_one, of_other = (one * wanted).sum(axis=1, keepdims=True), (other * wanted).sum(axis=1, keepdims=True)
    together = own * others - both**2
    is_two = together > DEPENDENT * own * others
    inverse = 1 / np.where(is_two, together, 1.0)
    by_one = own > 0  # of two columns that are one, or of which one is constant
    return (
        np.where(is_two, (others * of_one - both * of_other) * inverse, by_one * of_one / np.where(own > 0, own, 1.0)),
        np.where(
            is_two, (own * of_other - both * of_one) * inverse, ~by_one * of_other / np.where(others > 0, others, 1)
        ),
    )


def shortest_range(values: FloatColumn) -> tuple[float, float]:
    """Return the shortest range in which nine of ten values lie.

    Examples
    --------
    >>> shortest_range(np.array([5.0, 1, 2, 3, 4, 5, 6, 7, 8, 900]))
    (1.0, 8.0)
    """
    ascending = np.sort(values)
    inside = max(int(np.ceil(CENTRAL * values.size)), 1)
    first = int(np.argmin(ascending[inside - 1 :] - ascending[: values.size - inside + 1]))
    return float(ascending[first]), float(ascending[first + inside - 1])


def central_width(values: FloatColumn) -> float:
    """Return how wide the shortest range is in which nine of ten values lie."""
    low, high = shortest_range(values)
    return high - low


def correlation(target: FloatColumn, column: FloatColumn) -> float:
    """Return how closely a column goes with a target, 0 where too few records have it or all have the same."""
    known = np.isfinite(target) & np.isfinite(column)
    if np.count_nonzero(known) < 3 or not np.ptp(column[known]) or not np.ptp(target[known]):
        return 0.0
    return abs(float(np.corrcoef(target[known], column[known])[0, 1]))
