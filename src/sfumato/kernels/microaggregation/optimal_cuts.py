"""Cut a list of records into groups of neighbours at the least cost."""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Floats, Integers


@compiled
def optimal_cuts(points: Floats, k: int) -> Integers:
    """Return the group number of each record, groups of `k` to `2 k - 1` records in a row.

    Parameters
    ----------
    points
        Records in the order that the groups keep, shape (n, d), n >= k, rows contiguous.
    k
        The smallest number of records in a group.

    Returns
    -------
    Rising group numbers from 0, shape (n,), with the least sum of squared distances to the means of the groups.

    Notes
    -----
    cost(j) = min over m of cost(j - m) + sse(j - m, j), the least cost of grouping the first j records when the last
    group has m of them. With u = x_i - x_j the sse of m records is sum |u|^2 - |sum u|^2 / m: measured from a record
    of the group itself, nothing cancels as it would in differences of sums over the whole list.
    """
    n, d = points.shape
    cost = np.full(n + 1, np.inf)
    cost[0] = 0.0
    last = np.empty(n + 1, dtype=np.int64)  # for the first j records the size of their last group
    total = np.empty(d)
    for j in range(k, n + 1):
        last[j] = j if j < 2 * k else k
        total[:] = 0.0
        squares = 0.0
        for m in range(1, min(2 * k - 1, j) + 1):
            for column in range(d):
                u = points[j - m, column] - points[j - 1, column]
                total[column] += u
                squares += u * u
            if m < k:
                continue
            of_total = 0.0
            for column in range(d):
                of_total += total[column] * total[column]
            found = cost[j - m] + squares - of_total / m
            if found < cost[j]:
                cost[j], last[j] = found, m
    return _number_groups(last, n)


@compiled
def _number_groups(last: Integers, n: int) -> Integers:
    """Return the group number of each record, given the size of the last group of every beginning of the list."""
    groups = np.empty(n, dtype=np.int64)
    group, end = 0, n
    while end > 0:
        groups[end - last[end] : end] = group
        end -= last[end]
        group += 1
    return group - 1 - groups
