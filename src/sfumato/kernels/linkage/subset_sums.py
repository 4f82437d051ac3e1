"""All sets of so many values whose sum lies in a window of its remainder: one in so many of all sets.

A set that comes to a wanted total is found by the sums of its halves. It can be halved in many ways, and one of them is
enough: halves are kept whose sum modulo `unit` lies in one window, and other halves whose difference from the total
does (Howgrave-Graham and Joux 2010, New generic algorithms for hard knapsacks).
"""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Floats, Integers


def subsets_in_window(
    values: Floats, size: int, total: float, sign: float, unit: float, low: float, width: float
) -> tuple[Integers, Floats]:
    """Return the sets of `size` values for which total + sign * sum lies in a window modulo `unit`, and their sums.

    Parameters
    ----------
    values
        Shape (p,).
    size
        Of the sets, at least 1.
    total, sign
        What is looked at is total + sign * sum.
    unit, low, width
        The window begins at `low` and is `width` wide, modulo `unit`; with a width of `unit` all sets are kept.

    Returns
    -------
    The members, rising, shape (sets, size), and the sums, shape (sets,).
    """
    nothing = np.empty((0, size), dtype=np.int64)
    if len(values) < size:
        return nothing, np.empty(0)
    window = (total, sign, unit, low, width)
    count = _enumerate(values, size, window, nothing, np.empty(0))
    members, sums = np.empty((count, size), dtype=np.int64), np.empty(count)
    _enumerate(values, size, window, members, sums)
    return members, sums


@compiled
def _enumerate(
    values: Floats, size: int, window: tuple[float, float, float, float, float], members: Integers, sums: Floats
) -> int:
    """Return how many sets lie in the window; fill `members` and `sums` (outputs) where they have room."""
    total, sign, unit, low, width = window
    count, fills = 0, len(sums) > 0
    chosen, partial = np.arange(size), np.zeros(size)
    for place in range(1, size):
        partial[place] = partial[place - 1] + values[chosen[place - 1]]
    while True:
        for last in range(chosen[size - 1], len(values)):
            summed = partial[size - 1] + values[last]
            rest = (total + sign * summed - low) / unit
            rest -= np.floor(rest)
            if rest * unit <= width:
                if fills:
                    members[count, : size - 1] = chosen[: size - 1]
                    members[count, size - 1] = last
                    sums[count] = summed
                count += 1
        place = size - 2
        while place >= 0 and chosen[place] == len(values) - size + place:
            place -= 1
        if place < 0:
            return count
        chosen[place] += 1
        for later in range(place + 1, size):
            chosen[later] = chosen[later - 1] + 1
            partial[later] = partial[later - 1] + values[chosen[later - 1]]
