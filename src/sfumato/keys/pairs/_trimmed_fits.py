"""Fits by least squares that a part of the records, such as wrong entries, does not spoil."""

from typing import NamedTuple

import numpy as np

from sfumato.numerics.arrays import FloatColumn, FloatMatrix

FITTED = 0.75  # of the records, those that fit best, by which the fit goes on
ROUNDS = 3  # of leaving aside those that fit worst
CENTRAL = 0.9  # of the values, which lie in the range that is looked at
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
    scale = np.maximum(away.mean(axis=0), np.finfo(np.float64).tiny)
    design = np.column_stack([(columns - columns.mean(axis=0)) / scale, np.ones(len(columns))])
    kept = max(int(FITTED * target.size), min(design.shape[1], target.size))
    rows = np.argpartition((away / scale).max(axis=1), kept - 1)[:kept]  # far values would draw the fit to themselves
    for _ in range(ROUNDS):
        found = np.linalg.lstsq(design[rows], target[rows], rcond=None)[0]
        rest = target - design @ found
        rows = np.argpartition(np.abs(rest), kept - 1)[:kept]
    return Fit(found[:-1] / scale, rest)


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
