"""Find the triples of records that cost least beyond what their members are worth."""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Floats, Integers


@compiled
def cheapest_triples(distances: Floats, worths: Floats) -> tuple[Floats, Integers]:
    """Return for each record the least excess of a triple it is in, where that is below 0, and the triple.

    Parameters
    ----------
    distances
        The squared distances of all records, shape (n, n).
    worths
        What each record is worth, shape (n,).

    Returns
    -------
    The least excess cost(triple) - worth(triple), 0 where none is negative, shape (n,); the other two members of that
    triple, -1 where there is none, shape (n, 2).

    Notes
    -----
    The cost of m records is the sum of the squared distances of their pairs / m. When the excess f of a group of m with
    cost c is negative, some group of m - 1 of its members has one of at most (m - 1) / m f - c / (m (m - 1)), the mean
    over the members left out. So every negative triple holds a negative pair, and only these are extended; and where no
    triple is negative no larger group is.
    """
    n = len(worths)
    excess = np.zeros(n)
    others = np.full((n, 2), -1, dtype=np.int64)
    for i in range(n):
        for j in range(i + 1, n):
            if distances[i, j] / 2 - worths[i] - worths[j] < 0.0:
                _extend(distances, worths, i, j, excess, others)
    return excess, others


@compiled
def _extend(distances: Floats, worths: Floats, i: int, j: int, excess: Floats, others: Integers) -> None:
    """Note every triple of a pair that is cheaper than those its members have so far (outputs: excess, others)."""
    for k in range(len(worths)):
        cost = (distances[i, j] + distances[i, k] + distances[j, k]) / 3
        found = cost - worths[i] - worths[j] - worths[k]
        if found >= 0.0 or k in (i, j):
            continue
        if found < excess[i]:
            excess[i], others[i, 0], others[i, 1] = found, j, k
        if found < excess[j]:
            excess[j], others[j, 0], others[j, 1] = found, i, k
        if found < excess[k]:
            excess[k], others[k, 0], others[k, 1] = found, i, j
