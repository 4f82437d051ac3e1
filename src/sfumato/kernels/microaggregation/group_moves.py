"""The simple moves that lower the cost of a partition: relocate, swap, create a group, dissolve a group."""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.microaggregation.partition import (
    EMPTY,
    LOGGED,
    Partition,
    apart,
    cost_of_joining,
    cost_of_leaving,
    cost_of_replacing,
    from_centre,
    groups_around,
    move,
    roll_back,
)


@compiled
def relocate_or_swap(partition: Partition, record: int) -> bool:
    """Make the best move of a record to a near group, or exchange with a member of one, if one saves cost.

    Returns whether the partition (output) was changed. A record leaves only a group of more than k and joins only one
    of less than 2k - 1; an exchange leaves the sizes as they are.
    """
    own = partition.group[record]
    can_leave = partition.size[own] > partition.k
    saved = cost_of_leaving(partition, record) if can_leave else 0.0
    groups = np.empty(partition.near.shape[1], dtype=np.int64)
    best, best_group, best_other = -partition.least_gain, -1, -1
    for group in groups[: groups_around(partition, record, groups)]:
        distance = from_centre(partition, record, group)
        if can_leave and partition.size[group] < 2 * partition.k - 1:
            change = saved + cost_of_joining(partition, distance, group)
            if change < best:
                best, best_group, best_other = change, group, -1
        for other in partition.members[group, : partition.size[group]]:
            between = apart(partition, record, other)
            change = cost_of_replacing(partition, distance, between, other)
            change += cost_of_replacing(partition, from_centre(partition, other, own), between, record)
            if change < best:
                best, best_group, best_other = change, group, other
    if best_group < 0:
        return False
    move(partition, record, best_group)
    if best_other >= 0:
        move(partition, best_other, own)
    return True


@compiled
def create(partition: Partition, record: int) -> bool:
    """Make a new group of a record and its nearest ones whose groups can spare them, if that saves cost.

    Returns whether the partition (output) was changed.
    """
    if partition.size[partition.group[record]] <= partition.k or partition.counts[EMPTY] == 0:
        return False
    mark, before = partition.counts[LOGGED], partition.total[0]
    target = partition.empty[partition.counts[EMPTY] - 1]
    move(partition, record, target)
    for other in partition.near[record]:
        source = partition.group[other]
        if source != target and partition.size[source] > partition.k:
            move(partition, other, target)
            if partition.size[target] == partition.k:
                break
    if partition.size[target] == partition.k and partition.total[0] < before - partition.least_gain:
        return True
    roll_back(partition, mark)
    return False


@compiled
def dissolve(partition: Partition, group: int) -> bool:
    """Let each member of a group join the best near group that has room, if that saves cost.

    Returns whether the partition (output) was changed.
    """
    mark, before = partition.counts[LOGGED], partition.total[0]
    groups = np.empty(partition.near.shape[1], dtype=np.int64)
    # the changes of the other groups alone must stay below what the group costs
    spent, bound = 0.0, partition.cost[group] - partition.least_gain
    while partition.size[group]:
        record = partition.members[group, partition.size[group] - 1]
        best, target = np.inf, -1
        for other in groups[: groups_around(partition, record, groups)]:
            if partition.size[other] < 2 * partition.k - 1:
                change = cost_of_joining(partition, from_centre(partition, record, other), other)
                if change < best:
                    best, target = change, other
        spent += best
        if spent >= bound:
            break
        move(partition, record, target)
    if partition.size[group] == 0 and partition.total[0] < before - partition.least_gain:
        return True
    roll_back(partition, mark)
    return False
