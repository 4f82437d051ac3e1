"""A partition of records into groups that can be changed record by record, and what each change costs.

The cost of a group is the sum of the squared distances of its members from their mean, the centre. The changes below
are measured from centres, so that no large squares cancel.
"""

from typing import NamedTuple

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Floats, Integers

LOG_LENGTH = 4096  # and the moves of a few groups
NEGLIGIBLE = 1e-12  # of the squared distance across all records: less than this may be rounding
EMPTY, LOGGED, STAMP = 0, 1, 2


class Partition(NamedTuple):
    """Records in groups; every array but `points` and `near` changes as records move.

    Parameters
    ----------
    k
        The smallest number of records in a group, k; the largest is 2k - 1, and 2k while records move.
    least_gain
        What a move must save to be worth making: more than rounding could pretend, so that a search ends.
    points
        The records, shape (n, d).
    near
        The rows of the nearest other records, the nearest first, shape (n, neighbours).
    group, slot, own
        For each record its group, its place among the members and its squared distance from the centre, shape (n,).
    members, size, centre, cost
        For each group its members (rows up to `size`), their number, mean and cost; shape (groups, 2k), (groups,),
        (groups, d) and (groups,).
    empty
        The numbers of empty groups, as a stack of `counts[EMPTY]` numbers.
    stamp
        For each group when it was last counted, for listing groups once.
    log
        The moves since the log was cleared, each a record and the group it left; `counts[LOGGED]` of them.
    counts
        The heights of `empty` and `log`, and the last stamp.
    total
        The cost of all groups, shape (1,).
    """

    k: int
    least_gain: float
    points: Floats
    near: Integers
    group: Integers
    slot: Integers
    own: Floats
    members: Integers
    size: Integers
    centre: Floats
    cost: Floats
    empty: Integers
    stamp: Integers
    log: Integers
    counts: Integers
    total: Floats


def partition_of(points: Floats, near: Integers, groups: Integers, k: int) -> Partition:
    """Return the partition of `points` (n, d) into `groups` numbered from 0, each of k to 2k - 1 records."""
    n, d = points.shape
    most = n // k + 8 * (2 * k - 1) // k + 1  # as many more as are made before others empty
    partition = Partition(
        k=k,
        least_gain=NEGLIGIBLE * float((np.ptp(points, axis=0) ** 2).sum()),
        points=points,
        near=near,
        group=groups.copy(),
        slot=np.empty(n, dtype=np.int64),
        own=np.zeros(n),
        members=np.empty((most, 2 * k), dtype=np.int64),
        size=np.zeros(most, dtype=np.int64),
        centre=np.zeros((most, d)),
        cost=np.zeros(most),
        empty=np.empty(most, dtype=np.int64),
        stamp=np.zeros(most, dtype=np.int64),
        log=np.empty((LOG_LENGTH + 32 * k, 2), dtype=np.int64),
        counts=np.zeros(3, dtype=np.int64),
        total=np.zeros(1),
    )
    _fill(partition)
    return partition


def group_numbers(partition: Partition) -> Integers:
    """Return the group of each record, numbered from 0 in the order of their first members, shape (n,)."""
    _, first, number = np.unique(partition.group, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[number], dtype=np.int64)


@compiled
def _fill(partition: Partition) -> None:
    """List the members of each group and measure it (output: partition)."""
    for record, group in enumerate(partition.group):
        partition.slot[record] = partition.size[group]
        partition.members[group, partition.size[group]] = record
        partition.size[group] += 1
    for group in range(len(partition.size) - 1, -1, -1):
        if partition.size[group]:
            measure_group(partition, group)
        else:
            partition.empty[partition.counts[EMPTY]] = group
            partition.counts[EMPTY] += 1


@compiled
def measure_group(partition: Partition, group: int) -> None:
    """Put the mean, the cost and the distances of a group that is not empty in place (output: partition)."""
    centre, size = partition.centre[group], partition.size[group]
    centre[:] = 0.0
    for slot in range(size):
        point = partition.points[partition.members[group, slot]]
        for j in range(centre.size):
            centre[j] += point[j]
    for j in range(centre.size):
        centre[j] /= size
    cost = 0.0
    for slot in range(size):
        record = partition.members[group, slot]
        partition.own[record] = squared_distance(partition.points[record], centre)
        cost += partition.own[record]
    partition.total[0] += cost - partition.cost[group]
    partition.cost[group] = cost


@compiled
def squared_distance(one: Floats, other: Floats) -> float:
    """Return the squared Euclidean distance of two points, shape (d,)."""
    total = 0.0
    for j in range(one.size):
        difference = one[j] - other[j]
        total += difference * difference
    return total


@compiled
def from_centre(partition: Partition, record: int, group: int) -> float:
    """Return the squared distance of a record from the centre of a group."""
    return squared_distance(partition.points[record], partition.centre[group])


@compiled
def apart(partition: Partition, one: int, other: int) -> float:
    """Return the squared distance of two records."""
    return squared_distance(partition.points[one], partition.points[other])


@compiled
def cost_of_leaving(partition: Partition, record: int) -> float:
    """Return the change in cost of a group of a >= 2 that a record at squared distance D leaves: -a / (a - 1) D."""
    size = partition.size[partition.group[record]]
    return float(-partition.own[record] * size / (size - 1))


@compiled
def cost_of_joining(partition: Partition, distance: float, group: int) -> float:
    """Return the change in cost of a group of b that a record at squared `distance` D joins: b / (b + 1) D."""
    size = partition.size[group]
    return float(distance * size / (size + 1))


@compiled
def cost_of_replacing(partition: Partition, distance: float, between: float, record: int) -> float:
    """Return the change in cost of the group of b that `record` leaves as another comes in its place.

    The newcomer y is at squared `distance` from the centre c and `between` from the record x that leaves:
    |y - c|^2 - |x - c|^2 - |y - x|^2 / b.
    """
    return float(distance - partition.own[record] - between / partition.size[partition.group[record]])


@compiled
def move(partition: Partition, record: int, target: int) -> None:
    """Move a record to another group and log it (output: partition)."""
    source = partition.group[record]
    partition.log[partition.counts[LOGGED], 0] = record
    partition.log[partition.counts[LOGGED], 1] = source
    partition.counts[LOGGED] += 1
    if partition.size[target] == 0:
        partition.counts[EMPTY] -= 1  # the target is the one on top of the stack
    partition.members[target, partition.size[target]] = record
    last = partition.members[source, partition.size[source] - 1]
    partition.members[source, partition.slot[record]] = last
    partition.slot[last] = partition.slot[record]
    partition.slot[record] = partition.size[target]
    partition.size[target] += 1
    partition.size[source] -= 1
    partition.group[record] = target
    measure_group(partition, target)
    if partition.size[source]:
        measure_group(partition, source)
    else:
        partition.total[0] -= partition.cost[source]
        partition.cost[source] = 0.0
        partition.empty[partition.counts[EMPTY]] = source
        partition.counts[EMPTY] += 1


@compiled
def roll_back(partition: Partition, mark: int) -> None:
    """Undo the moves since the log had the length `mark` (output: partition)."""
    while partition.counts[LOGGED] > mark:
        latest = partition.counts[LOGGED] - 1
        record, source = partition.log[latest]
        partition.counts[LOGGED] = latest
        move(partition, record, source)
        partition.counts[LOGGED] = latest


@compiled
def groups_around(partition: Partition, record: int, groups: Integers) -> int:
    """List the groups of the near records, but not the record's own, each once (output: groups); return their number.

    `groups` has room for as many as there are near records.
    """
    partition.counts[STAMP] += 1
    stamp = partition.counts[STAMP]
    partition.stamp[partition.group[record]] = stamp
    count = 0
    for other in partition.near[record]:
        group = partition.group[other]
        if partition.stamp[group] != stamp:
            partition.stamp[group] = stamp
            groups[count] = group
            count += 1
    return count
