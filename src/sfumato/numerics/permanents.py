"""Permanents of many small tables: sums over all ways to give each row a column of its own."""

import numpy as np

from sfumato.numerics.arrays import FloatColumn, Floats

MAX_COLUMNS = 8  # up to which the sum is exact


def log_permanents(logarithms: Floats) -> FloatColumn:
    """Return the logarithm of the permanent of each table of weights, given by their logarithms.

    Tables have no more rows than columns, shape (tables, rows, columns). With more than `MAX_COLUMNS` columns rows are
    taken for independent, and the share of the ways in which no two rows have the same column is that of equal weights.

    Examples
    --------
    >>> np.exp(log_permanents(np.log(np.array([[[1.0, 2.0], [3.0, 4.0]]])))).round(6)
    array([10.])
    """
    count, rows, columns = logarithms.shape
    best = logarithms.max(axis=2, initial=-1e300, keepdims=True)
    weights = np.exp(logarithms - best)
    if columns > MAX_COLUMNS:
        kept = np.log1p(-np.arange(rows) / columns).sum()
        return np.asarray((best[:, :, 0] + np.log(weights.sum(axis=2))).sum(axis=1) + kept, dtype=np.float64)
    totals = {0: np.ones(count)}  # by the set of columns that the rows so far have, as bits
    for row in range(rows):
        found: dict[int, FloatColumn] = {}
        for taken, total in totals.items():
            for column in range(columns):
                if not taken >> column & 1:
                    term = total * weights[:, row, column]
                    both = taken | 1 << column
                    found[both] = found[both] + term if both in found else term
        totals = found
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(sum(totals.values())) + best[:, :, 0].sum(axis=1), dtype=np.float64)
