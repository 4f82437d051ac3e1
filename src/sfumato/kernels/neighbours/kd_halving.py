"""Put points in the order of a kd-tree, by halving them again and again at the median of their longest side."""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Floats, Integers


@compiled
def halve_points(points: Floats, leaves: int) -> tuple[Integers, Integers, Integers]:
    """Return the rows of `points`, shape (n, d), in parts of near ones, and where each part starts and its size.

    Parameters
    ----------
    points
        Every value is there, n >= leaves.
    leaves
        The number of parts, a power of two.

    Returns
    -------
    Rows, shape (n,); starts and sizes, shape (leaves,).

    Notes
    -----
    A part is cut at the median of the column in which its box is longest, by place and not by value: half of the
    points go to either side however many are equal, so that all parts are of one size, but for one point.
    """
    n, d = points.shape
    starts, sizes = np.empty(2 * leaves - 1, dtype=np.int64), np.empty(2 * leaves - 1, dtype=np.int64)
    rows, keys, low, high = np.arange(n), np.empty(n), np.empty(d), np.empty(d)
    starts[0], sizes[0] = 0, n
    for part in range(leaves - 1):
        start, end, half = starts[part], starts[part] + sizes[part], sizes[part] // 2
        _enclose(points, rows[start:end], low, high)
        longest = _longest_side(low, high)
        for place in range(start, end):
            keys[place] = points[rows[place], longest]
        _select_least(keys[start:end], rows[start:end], half)
        left, right = 2 * part + 1, 2 * part + 2
        starts[left], sizes[left] = start, half
        starts[right], sizes[right] = start + half, sizes[part] - half
    return rows, starts[leaves - 1 :].copy(), sizes[leaves - 1 :].copy()


@compiled
def _longest_side(low: Floats, high: Floats) -> int:
    """Return the column in which a box is longest."""
    found = 0
    for j in range(low.size):
        if high[j] - low[j] > high[found] - low[found]:
            found = j
    return found


@compiled
def _enclose(points: Floats, members: Integers, low: Floats, high: Floats) -> None:
    """Put the least and greatest value of each column of some points into `low` and `high` (outputs), shape (d,)."""
    for j in range(low.size):
        low[j], high[j] = points[members[0], j], points[members[0], j]
    for row in members:
        for j in range(low.size):
            low[j], high[j] = min(low[j], points[row, j]), max(high[j], points[row, j])


@compiled
def _select_least(keys: Floats, members: Integers, half: int) -> None:
    """Bring the members with the `half` least keys to the front (outputs: keys, members), by Hoare's selection."""
    first, last = 0, keys.size - 1
    while first < last:
        pivot = _choose_pivot(keys, first, last)
        i, j = first, last
        while i <= j:
            while keys[i] < pivot:
                i += 1
            while keys[j] > pivot:
                j -= 1
            if i <= j:
                keys[i], keys[j] = keys[j], keys[i]
                members[i], members[j] = members[j], members[i]
                i += 1
                j -= 1
        if half <= j:
            last = j
        elif half >= i:
            first = i
        else:
            return


@compiled
def _choose_pivot(keys: Floats, first: int, last: int) -> float:
    """Return the median of three keys at scattered places, so that no usual order of the points makes unequal parts."""
    count = last - first + 1
    a = keys[first + _scattered_place(count, 2_654_435_769)]
    b = keys[first + _scattered_place(count, 2_246_822_519)]
    c = keys[first + _scattered_place(count, 3_266_489_917)]
    return float(max(min(a, b), min(max(a, b), c)))


@compiled
def _scattered_place(count: int, factor: int) -> int:
    """Return a place below `count` (< 2^31) that moves about as `count` falls: the low bits of a product, scaled."""
    return ((count * factor) & 0xFFFFFFFF) * count >> 32
