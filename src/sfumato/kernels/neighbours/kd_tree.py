"""A kd-tree in flat arrays: near points lie together, and every node knows the box around its points.

Distances are sums of |difference| ** power over the columns, added up in their order. Those from a box are added up in
the same way, so that rounding never puts its nearest place beyond a point inside, nor its farthest before one.
"""

from typing import NamedTuple

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Floats, Integers

STRIDE = 8  # columns between two looks at whether all points of a leaf are too far already
LEAF = 64  # most points in a leaf: 10^5 x 7, 10^5 x 13, 10^4 x 104 take 0.49, 1.80, 5.9 s; with 32 0.51, 1.99, 7.0 s


class Tree(NamedTuple):
    """Points in the order of a kd-tree; nodes are numbered as in a heap: those of node k are 2 k + 1 and 2 k + 2.

    Parameters
    ----------
    values
        The points of one leaf after another, each leaf column by column, shape (n d,).
    rows
        The row that each point had, leaf by leaf, shape (n,).
    starts, sizes
        Where the points of each node start in `rows`, and how many they are, shape (nodes,). The last (nodes + 1) / 2
        nodes are the leaves.
    first_rows
        The lowest row among the points of each node, shape (nodes,).
    lows, highs
        The corners of the box around the points of each node, shape (nodes, d).
    """

    values: Floats
    rows: Integers
    starts: Integers
    sizes: Integers
    first_rows: Integers
    lows: Floats
    highs: Floats


@compiled
def grow_tree(points: Floats) -> Tree:
    """Return the kd-tree of `points`, shape (n, d), n >= 1, every value there and rows contiguous.

    Notes
    -----
    A node is cut at the median of the column in which its box is longest, by place and not by value: half of the
    points go to either side however many are equal, so that all leaves are at one depth.
    """
    n, d = points.shape
    leaves = 1
    while leaves * LEAF < n:
        leaves *= 2
    nodes = 2 * leaves - 1
    starts, sizes, first_rows = np.empty((3, nodes), dtype=np.int64)
    lows, highs = np.empty((nodes, d)), np.empty((nodes, d))
    values, rows, keys = np.empty(n * d), np.arange(n), np.empty(n)
    starts[0], sizes[0] = 0, n
    for node in range(nodes):
        start, end = starts[node], starts[node] + sizes[node]
        first_rows[node] = _enclose(points, rows[start:end], lows[node], highs[node])
        if node >= leaves - 1:
            _lay_out(points, rows[start:end], values[start * d : end * d])
            continue
        longest = _longest(lows[node], highs[node])
        for place in range(start, end):
            keys[place] = points[rows[place], longest]
        half = sizes[node] // 2
        _part(keys[start:end], rows[start:end], half)
        left, right = 2 * node + 1, 2 * node + 2
        starts[left], sizes[left] = start, half
        starts[right], sizes[right] = start + half, sizes[node] - half
    return Tree(values, rows, starts, sizes, first_rows, lows, highs)


@compiled
def _longest(low: Floats, high: Floats) -> int:
    """Return the column in which a box is longest."""
    found = 0
    for j in range(low.size):
        if high[j] - low[j] > high[found] - low[found]:
            found = j
    return found


@compiled
def _enclose(points: Floats, members: Integers, low: Floats, high: Floats) -> int:
    """Put the least and greatest value of each column of points into `low` and `high`; return their first row."""
    first = members[0]
    for j in range(low.size):
        low[j], high[j] = points[first, j], points[first, j]
    for row in members:
        first = min(first, row)
        for j in range(low.size):
            low[j], high[j] = min(low[j], points[row, j]), max(high[j], points[row, j])
    return int(first)


@compiled
def _lay_out(points: Floats, members: Integers, leaf: Floats) -> None:
    """Put some points column by column into `leaf`."""
    for j in range(points.shape[1]):
        for place in range(members.size):
            leaf[j * members.size + place] = points[members[place], j]


@compiled
def _part(keys: Floats, members: Integers, half: int) -> None:
    """Bring the members with the `half` least keys to the front (outputs: keys, members), by Hoare's selection."""
    first, last = 0, keys.size - 1
    while first < last:
        pivot = _pivot(keys, first, last)
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
def _pivot(keys: Floats, first: int, last: int) -> float:
    """Return the median of three keys at scattered places, so that no usual order of the points makes unequal parts."""
    count = last - first + 1
    a = keys[first + _scattered(count, 2_654_435_769)]
    b = keys[first + _scattered(count, 2_246_822_519)]
    c = keys[first + _scattered(count, 3_266_489_917)]
    return float(max(min(a, b), min(max(a, b), c)))


@compiled
def _scattered(count: int, factor: int) -> int:
    """Return a place below `count` (< 2^31) that moves about as `count` falls: the low bits of a product, scaled."""
    return ((count * factor) & 0xFFFFFFFF) * count >> 32


@compiled
def from_box(lows: Floats, highs: Floats, node: int, power: int, queries: Floats, query: int) -> float:
    """Return the distance of a query from the nearest place in the box of a node."""
    total = 0.0
    for j in range(queries.shape[1]):
        outside = max(lows[node, j] - queries[query, j], queries[query, j] - highs[node, j], 0.0)
        total += outside if power == 1 else outside * outside
    return total


@compiled
def from_far_corner(lows: Floats, highs: Floats, node: int, power: int, queries: Floats, query: int) -> float:
    """Return the distance of a query from the farthest place in the box of a node."""
    total = 0.0
    for j in range(queries.shape[1]):
        reach = max(abs(lows[node, j] - queries[query, j]), abs(highs[node, j] - queries[query, j]))
        total += reach if power == 1 else reach * reach
    return total


@compiled
def measure_leaf(
    values: Floats, start: int, size: int, power: int, queries: Floats, query: int, bound: float, distances: Floats
) -> int:
    """Put the distances of a query from the points of a leaf into `distances`; return how many are up to `bound`.

    The leaf has `size` points, from `start` on in `Tree.values`. Where none is near enough, the distances are any
    numbers beyond `bound`.
    """
    d = queries.shape[1]
    distances[:size] = 0.0
    within = 0
    for j in range(d):
        first, origin = start * d + j * size, queries[query, j]
        for i in range(size):
            difference = values[first + i] - origin
            distances[i] += abs(difference) if power == 1 else difference * difference
        if j % STRIDE < STRIDE - 1 and j < d - 1:
            continue
        within = 0
        for i in range(size):
            within += distances[i] <= bound
        if within == 0:
            break
    return within
