"""Pair units of different areas that are alike."""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.swapping.pools import take_from_pool
from sfumato.numerics.arrays import Floats, Integers


@compiled
def pair_across_areas(turn: Integers, group: Integers, cell: Integers, most: int, draws: Floats) -> Integers:
    """Pair units in turn, each with a free one of its cell in another area, chosen uniformly.

    Parameters
    ----------
    turn
        The units in the order in which they choose, shape (n,).
    group
        The group of each unit, from 0: units of one cell and one area, shape (n,). Groups of a cell are consecutive.
    cell
        The cell of each group, rising from 0 without gaps, shape (groups,): units of a cell are alike.
    most
        How many pairs to make at most.
    draws
        A uniform number in [0, 1) per unit, shape (n,).

    Returns
    -------
    For each unit its partner, shape (n,); one that has none has itself.

    Notes
    -----
    The free units of group g are `pool[starts[g] : starts[g] + sizes[g]]`, in no order, with `place` telling where each
    stands. A unit is found by walking over the groups of its cell.
    """
    groups = cell.size
    sizes = np.zeros(groups, dtype=np.int64)
    for g in group:
        sizes[g] += 1
    starts = np.cumsum(sizes) - sizes
    first = np.full(groups, groups, dtype=np.int64)
    free = np.zeros(groups, dtype=np.int64)
    for g in range(groups):
        first[cell[g]] = min(first[cell[g]], g)
        free[cell[g]] += sizes[g]
    pool = np.argsort(group, kind="mergesort")
    place = np.empty(group.size, dtype=np.int64)
    place[pool] = np.arange(group.size)
    partner = np.arange(group.size)
    made = 0
    for unit in turn:
        if made == most:
            break
        own = group[unit]
        elsewhere = free[cell[own]] - sizes[own]
        if partner[unit] != unit or elsewhere == 0:
            continue
        left = min(int(draws[unit] * elsewhere), elsewhere - 1)
        other = first[cell[own]]
        while other == own or left >= sizes[other]:
            left -= 0 if other == own else sizes[other]
            other += 1
        chosen = pool[starts[other] + left]
        take_from_pool(unit, own, pool, place, starts, sizes)
        take_from_pool(chosen, other, pool, place, starts, sizes)
        free[cell[own]] -= 2
        partner[unit], partner[chosen] = chosen, unit
        made += 1
    return partner
