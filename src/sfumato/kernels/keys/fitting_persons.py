"""Count the persons whom a released record may be about, as far as other columns leave their keys possible."""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Booleans, Integers


@compiled
def count_fitting(
    asking: Integers,
    order: Integers,
    starts: Integers,
    kinds: Integers,
    categories: Integers,
    allowed: Booleans,
    offsets: Integers,
    widths: Integers,
    k: int,
) -> Integers:
    """Return for each record how many persons fit it, at most k: more are not looked for.

    Parameters
    ----------
    asking
        The class of each record: the persons of that class have what it shows, shape (r,).
    order, starts
        The persons class by class, shape (n,), and where each class starts, one more than there are classes.
    kinds
        The kind of each record's value in each column, shape (q, r).
    categories
        The category of each person in the key that each of the columns is about, shape (q, n).
    allowed, offsets, widths
        Whether kind a of column j leaves category b, at `offsets[j] + a * widths[j] + b`.
    k
        How many are enough.
    """
    counts = np.zeros(asking.size, dtype=np.int64)
    for i in range(asking.size):
        for place in range(starts[asking[i]], starts[asking[i] + 1]):
            is_possible = True
            for j in range(offsets.size):
                if not allowed[offsets[j] + kinds[j, i] * widths[j] + categories[j, order[place]]]:
                    is_possible = False
                    break
            if is_possible:
                counts[i] += 1
                if counts[i] == k:
                    break
    return counts
