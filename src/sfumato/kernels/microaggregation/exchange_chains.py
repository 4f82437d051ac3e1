"""Chains and cycles: up to three records move on together, each taking the place of the next.

A chain starts in a group that can spare a record and ends in one that has room; a cycle ends where it started. The
search follows a chain only while what was saved so far exceeds what was spent: each cycle that saves cost has a record
to start from for which that holds all along.
"""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.microaggregation.partition import (
    Partition,
    apart,
    cost_of_joining,
    cost_of_leaving,
    cost_of_replacing,
    from_centre,
    groups_around,
    move,
)
from sfumato.numerics.arrays import Floats, Integers


@compiled
def rotate(partition: Partition, record: int) -> bool:
    """Make the best chain or cycle that starts with a record, if one saves cost.

    Returns whether the partition (output) was changed.
    """
    best = np.array([-partition.least_gain])
    path = np.full(4, -1, dtype=np.int64)  # the second and third record, and where the second and the third go
    _find_second(partition, record, best, path)
    if path[0] < 0:
        return False
    move(partition, record, partition.group[path[0]])
    if path[1] >= 0:
        move(partition, path[0], partition.group[path[1]])
        move(partition, path[1], path[3])
    else:
        move(partition, path[0], path[2])
    return True


@compiled
def _find_second(partition: Partition, first: int, best: Floats, path: Integers) -> None:
    """Look for the record whose place the first one takes (outputs: best, path)."""
    can_leave = partition.size[partition.group[first]] > partition.k
    saved = cost_of_leaving(partition, first) if can_leave else 0.0
    groups = np.empty(partition.near.shape[1], dtype=np.int64)
    for group in groups[: groups_around(partition, first, groups)]:
        distance = from_centre(partition, first, group)
        for second in partition.members[group, : partition.size[group]]:
            change = cost_of_replacing(partition, distance, apart(partition, first, second), second)
            if saved + change < 0.0:
                _find_third(partition, first, second, saved, change, best, path)


@compiled
def _find_third(
    partition: Partition, first: int, second: int, saved: float, change: float, best: Floats, path: Integers
) -> None:
    """Look for where the second record goes: to a group with room, or in the place of a third (outputs: best, path)."""
    start = partition.group[first]
    can_leave = partition.size[start] > partition.k
    groups = np.empty(partition.near.shape[1], dtype=np.int64)
    for group in groups[: groups_around(partition, second, groups)]:
        if group == start:
            continue
        distance = from_centre(partition, second, group)
        if can_leave and partition.size[group] < 2 * partition.k - 1:
            total = saved + change + cost_of_joining(partition, distance, group)
            if total < best[0]:
                best[0] = total
                path[0], path[1], path[2] = second, -1, group
        for third in partition.members[group, : partition.size[group]]:
            longer = change + cost_of_replacing(partition, distance, apart(partition, second, third), third)
            if longer < 0.0:
                _close_cycle(partition, first, second, third, longer, best, path)
            if can_leave and saved + longer < best[0]:
                _end_chain(partition, first, second, third, saved + longer, best, path)


@compiled
def _close_cycle(
    partition: Partition, first: int, second: int, third: int, change: float, best: Floats, path: Integers
) -> None:
    """Let the third record take the place of the first, if that is better (outputs: best, path)."""
    start = partition.group[first]
    distance = from_centre(partition, third, start)
    total = change + cost_of_replacing(partition, distance, apart(partition, third, first), first)
    if total < best[0]:
        best[0] = total
        path[0], path[1], path[3] = second, third, start


@compiled
def _end_chain(
    partition: Partition, first: int, second: int, third: int, change: float, best: Floats, path: Integers
) -> None:
    """Let the third record join the best group with room, if that is better (outputs: best, path)."""
    start, passed = partition.group[first], partition.group[second]
    groups = np.empty(partition.near.shape[1], dtype=np.int64)
    for group in groups[: groups_around(partition, third, groups)]:
        if group in (start, passed) or partition.size[group] == 2 * partition.k - 1:
            continue
        total = change + cost_of_joining(partition, from_centre(partition, third, group), group)
        if total < best[0]:
            best[0] = total
            path[0], path[1], path[3] = second, third, group
