"""Look through the records that have no group yet: how far they are, and which is the farthest or the nearest.

The first `left` places hold the remaining records, `rows` their rows by rising row; `groups` is -1 for a free record.
"""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Floats, Integers


@compiled
def measure_squares(columns: Floats, centre: Floats, left: int, distances: Floats) -> None:
    """Put the squared distance of the first `left` records from `centre` into `distances` (output).

    Shapes: columns (d, n), centre (d,), distances (n,).
    """
    distances[:left] = 0.0
    for j in range(centre.size):
        column, origin = columns[j], centre[j]
        for i in range(left):
            distances[i] += (column[i] - origin) ** 2


@compiled
def farthest_free(distances: Floats, rows: Integers, groups: Integers, left: int) -> int:
    """Return the place of the farthest free record, the lowest row of equally far ones; -1 if none is free."""
    most, found = -1.0, -1
    for i in range(left):
        if distances[i] > most and groups[rows[i]] < 0:
            most, found = distances[i], i
    return found


@compiled
def nearest_free(distances: Floats, rows: Integers, groups: Integers, left: int) -> int:
    """Return the place of the nearest free record, the lowest row of equally near ones; -1 if none is free."""
    least, found = np.inf, -1
    for i in range(left):
        if distances[i] < least and groups[rows[i]] < 0:
            least, found = distances[i], i
    return found
