"""Order values."""

import numpy as np

from sfumato.numerics.arrays import Floats, Integers


def stable_order(values: Floats) -> Integers:
    """Return the rows by rising value, equal values by row; the quick unstable sort serves where none are equal."""
    order = np.argsort(values)
    by_rank = values[order]
    if np.any(by_rank[1:] == by_rank[:-1]) or np.isnan(by_rank[-1:]).any():
        order = np.argsort(values, kind="stable")
    return order
