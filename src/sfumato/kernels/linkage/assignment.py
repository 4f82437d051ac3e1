"""Assign rows to columns one to one, where each row may take one of a few columns or stay by itself.

Shortest chains of exchanges with prices, after Jonker and Volgenant (1987): first the rows bid for their best columns,
then each row left over is brought in along the cheapest chain. A row that stays by itself does so for good, because
prices only rise, so that many chains end early. In very large files the last rows would each look at most of the
columns: all chains together may look at so many, and the rows that are left then take what is free.
"""

import math
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Booleans, Floats, Integers

# 10^5 rows with 20 candidates: 18 CPU s where few true partners are near, 0.03 s where most are. Where rows outnumber
# the columns they compete for, bids only raise prices: stop when a round settles less than this share
MAX_CHAIN, WORTH_A_ROUND = 2000, 0.02
MAX_SETTLED = 10_000_000  # columns that chains settle, all together: 15 CPU s with 64 candidates


class Assignment(NamedTuple):
    """Which row takes which column.

    Parameters
    ----------
    columns
        The column of each row, shape (n,); -1 where a row stays by itself.
    left
        How many rows were left when chains had looked at as many columns as they may; 0: the total gain is the largest.
    """

    columns: Integers
    left: int


def assign(candidates: Integers, gains: Floats, columns: int) -> Assignment:
    """Return the one-to-one assignment of rows to columns that has the largest total gain, as far as it was searched.

    Parameters
    ----------
    candidates
        For each row the columns that it may take, each once, shape (n, k); -1 is none.
    gains
        What each of them gains over staying by itself, shape (n, k); where it is not above 0, it is never taken.
    columns
        The number of columns.
    """
    gains = np.ascontiguousarray(np.where(candidates < 0, 0.0, gains))
    candidates = np.ascontiguousarray(candidates)
    taken, owner = np.full(len(candidates), -1, dtype=np.int64), np.full(columns, -1, dtype=np.int64)
    prices, free = np.zeros(columns), np.arange(len(candidates))
    waiting = math.inf
    while len(free) < (1 - WORTH_A_ROUND) * waiting:
        waiting, free = len(free), _bid(candidates, gains, free, prices, owner, taken)
    left = _augment(candidates, gains, free, prices, owner, taken, MAX_SETTLED)
    found = np.take_along_axis(candidates, np.maximum(taken, 0)[:, None], axis=1)[:, 0]
    return Assignment(np.where(taken < 0, -1, found), left)


@compiled
def _bid(
    candidates: Integers, gains: Floats, free: Integers, prices: Floats, owner: Integers, taken: Integers
) -> Integers:
    """Let each free row take its best column, and its owner the next best, and so on; return the rows still free.

    `prices`, `owner` (the row of each column) and `taken` (the place in `candidates` of each row's column) are outputs.
    A column that nobody has costs 0. Who takes one raises its price until the second best is as good.
    """
    left, count = np.empty(len(free), dtype=np.int64), 0
    for start in free:
        row, chain = start, 0
        while row >= 0:
            place, lead = _best(candidates[row], gains[row], prices)
            if place < 0:
                break
            column = candidates[row, place]
            if owner[column] >= 0 and (lead == 0.0 or chain == MAX_CHAIN):  # no bid settles this, or no more bids
                left[count] = row
                count += 1
                break
            displaced = owner[column]
            prices[column] += lead
            owner[column], taken[row] = row, place
            if displaced >= 0:
                taken[displaced] = -1
            row, chain = displaced, chain + 1
    return left[:count]


@compiled
def _best(candidates: Integers, gains: Floats, prices: Floats) -> tuple[int, float]:
    """Return the place of a row's best column and its lead over the second best; -1 if staying by itself is as good."""
    best, second, place = 0.0, 0.0, -1
    for other in range(len(candidates)):
        if gains[other] > 0.0:
            profit = gains[other] - prices[candidates[other]]
            if profit > best:
                best, second, place = profit, best, other
            elif profit > second:
                second = profit
    return place, best - second


@compiled
def _augment(
    candidates: Integers,
    gains: Floats,
    free: Integers,
    prices: Floats,
    owner: Integers,
    taken: Integers,
    room: int,
) -> int:
    """Bring in each free row along its cheapest chain of exchanges; outputs as in `_bid`.

    When the chains have settled `room` columns, the rows that are left take the best column that nobody has. Returns
    how many these are.
    """
    columns = len(prices)
    costs, is_settled = np.full(columns, np.inf), np.zeros(columns, dtype=np.bool_)
    seen, steps = np.empty(columns, dtype=np.int64), np.empty((columns, 2), dtype=np.int64)
    for number in range(len(free)):
        last, end, cheapest, count, room = _cheapest_chain(
            free[number], candidates, gains, prices, owner, taken, costs, is_settled, steps, seen, room
        )
        if room < 0:
            _take_free(candidates, gains, free[number:], owner, taken)
            return len(free) - number
        for column in seen[:count]:
            if is_settled[column]:
                prices[column] += cheapest - costs[column]
            costs[column], is_settled[column] = np.inf, False
        _exchange(last, end, candidates, steps, owner, taken)
    return 0


@compiled
def _take_free(candidates: Integers, gains: Floats, free: Integers, owner: Integers, taken: Integers) -> None:
    """Let each free row take the best of its columns that nobody has; `owner` and `taken` are outputs."""
    for row in free:
        best = 0.0
        for place in range(candidates.shape[1]):
            if gains[row, place] > best and owner[candidates[row, place]] < 0:
                best, taken[row] = gains[row, place], place
        if taken[row] >= 0:
            owner[candidates[row, taken[row]]] = row


@compiled
def _cheapest_chain(
    start: int,
    candidates: Integers,
    gains: Floats,
    prices: Floats,
    owner: Integers,
    taken: Integers,
    costs: Floats,
    is_settled: Booleans,
    steps: Integers,
    seen: Integers,
    room: int,
) -> tuple[int, int, float, int, int]:
    """Return the last row of the cheapest chain, the free column it takes (-1: none), its cost and the columns seen.

    The last figure is the `room` that is left, below 0 where the chain was given up. `costs` (of the chain to each
    column), `is_settled` (no cheaper one can come), `steps` (the row before each column, and its place there) and
    `seen` are outputs.
    """
    row, spent, count = start, 0.0, 0
    last, end, cheapest = start, -1, 0.0  # a row may stay by itself
    heap = [(0.0, -1)]
    heap.pop()
    while True:
        for place in range(candidates.shape[1]):
            if gains[row, place] <= 0.0:
                continue
            column = candidates[row, place]
            cost = spent - (gains[row, place] - prices[column])
            if is_settled[column] or cost >= costs[column] or cost >= cheapest:
                continue
            if costs[column] == np.inf:
                seen[count] = column
                count += 1
            costs[column], steps[column, 0], steps[column, 1] = cost, row, place
            if owner[column] < 0:
                last, end, cheapest = row, column, cost
            else:
                heappush(heap, (cost, column))
        while len(heap) > 0 and is_settled[heap[0][1]]:
            heappop(heap)
        if len(heap) == 0 or heap[0][0] >= cheapest:
            return last, end, cheapest, count, room
        room -= 1
        if room < 0:
            return last, end, cheapest, count, room
        spent, column = heappop(heap)
        is_settled[column] = True
        row = owner[column]
        spent += gains[row, taken[row]] - prices[column]
        if spent < cheapest:
            last, end, cheapest = row, -1, spent


@compiled
def _exchange(last: int, end: int, candidates: Integers, steps: Integers, owner: Integers, taken: Integers) -> None:
    """Give each column of a chain to the row before it; `owner` and `taken` are outputs."""
    column = end
    if end < 0 and taken[last] >= 0:
        column = candidates[last, taken[last]]
        taken[last] = -1
    while column >= 0:
        row, place = steps[column]
        previous = taken[row]
        owner[column], taken[row] = row, place
        column = candidates[row, previous] if previous >= 0 else -1
