"""Find the remaining records that are nearest to one.

The answer is that of a loop over all records, ties included.
"""

from math import sqrt

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.microaggregation.remaining_records import RemainingRecords, on_axes
from sfumato.kernels.neighbours.kd_tree import LANES, LEAF
from sfumato.kernels.neighbours.tree_distances import measure_gaps, measure_leaf
from sfumato.kernels.neighbours.tree_search import MAX_STACK, insert, push
from sfumato.numerics.arrays import Floats, Integers


@compiled
def near_records(records: RemainingRecords, query: Floats, rows: Integers, near: Floats) -> None:
    """Find the records nearest to `query`, shape (1, d), nearest first and the lowest row first of equally near ones.

    Rows and distances are put into `rows` and `near`, shape (1, count), which hold `NO_ROW` and infinity before.
    """
    _, rows_of, starts, sizes, children, parents, held, first_rows, lows, highs = records.tree
    values, axes = records.values, records.axes
    slack, branches, last = axes.slack, len(children), near.shape[1] - 1
    stack, bounds = np.empty(MAX_STACK, dtype=np.int64), np.empty(MAX_STACK)
    gaps, distances = np.empty(LANES), np.empty(LEAF)
    place = on_axes(axes, query)
    top, limit = 1, np.inf
    stack[0], bounds[0] = 0, 0.0
    while top > 0:
        top -= 1
        node, gap, worst = stack[top], -bounds[top], near[0, last]
        branch = parents[node]
        lane = node - children[branch]
        is_tie = worst == 0.0 or (gap == worst and slack == 0.0)
        if gap > limit or (is_tie and first_rows[branch, lane] > rows[0, last]):
            continue
        if node >= branches:
            start, left = starts[node - branches], held[branch, lane]
            if measure_leaf(values, start, sizes[node - branches], left, 2, query, 0, worst, distances):
                for i in range(left):
                    if distances[i] <= near[0, last]:
                        insert(rows, near, 0, rows_of[start + i], distances[i])
                limit = near[0, last] if slack == 0.0 else (sqrt(near[0, last]) + slack) ** 2
            continue
        measure_gaps(lows, highs, node, 2, place, 0, gaps)
        bottom = top
        for i in range(LANES):
            if held[node, i] > 0 and gaps[i] <= limit:
                push(stack, bounds, bottom, top, children[node] + i, -gaps[i])
                top += 1
