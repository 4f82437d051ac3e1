"""Find equal rows of a matrix without sorting its rows."""

import numpy as np

from sfumato.kernels.keys.counting import equal_codes
from sfumato.numerics.arrays import Floats, Integers

MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 divided by the golden ratio: spreads neighbouring values
SHIFT = np.uint64(29)


def equal_rows(values: Floats) -> tuple[Integers, Integers]:
    """Return one row of each set of equal ones, and for each row the place of its set among these.

    Rows are equal when all their bits are, so that gaps are equal to gaps. Where two different rows have the same
    digest, which hardly ever happens, the rows equal to the second count as different from each other too.

    Parameters
    ----------
    values
        Shape (n, d).

    Examples
    --------
    >>> first, place = equal_rows(np.array([[1.0, 2.0], [3.0, 4.0], [1.0, 2.0]]))
    >>> sorted(first.tolist()), bool(place[0] == place[2] != place[1])
    ([0, 1], True)
    """
    bits = np.ascontiguousarray(values).view(np.uint64)
    digests = np.zeros(len(bits), dtype=np.uint64)
    for column in bits.T:
        digests = (digests ^ column) * MULTIPLIER
        digests ^= digests >> SHIFT
    sets = equal_codes(digests.view(np.int64))
    first, place = sets.first_rows(), sets.numbers
    others = np.flatnonzero((bits[first[place]] != bits).any(axis=1))
    place[others] = first.size + np.arange(others.size)
    return np.append(first, others), place
