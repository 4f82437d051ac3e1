"""Order values."""

from collections.abc import Sequence

import numpy as np

from sfumato.numerics.arrays import FloatColumn, Floats, Integers


def stable_order(values: Floats) -> Integers:
    """Return the rows by rising value, equal values by row; the quick unstable sort serves where none are equal."""
    order = np.argsort(values)
    by_rank = values[order]
    if np.any(by_rank[1:] == by_rank[:-1]) or np.isnan(by_rank[-1:]).any():
        order = np.argsort(values, kind="stable")
    return order


def reaches_of(widths: Sequence[float] | Floats | Integers, n: int) -> FloatColumn:
    """Return how many ranks some percents of `n` records are, at least one.

    Examples
    --------
    >>> reaches_of([1.0, 7.0], 100).round(6), reaches_of([1.0, 10.0], 15).round(6)
    (array([1., 7.]), array([1. , 1.5]))
    """
    ranks = np.asarray(widths) * n / 100 + 1e-9  # so that 7 % of 100 records are 7 in floating point too
    return np.asarray(np.maximum(ranks, 1.0), dtype=np.float64)
