"""Break up a few neighbouring groups, build others of their records, and keep what is not worse."""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.microaggregation.local_search import settle
from sfumato.kernels.microaggregation.partition import (
    EMPTY,
    LOGGED,
    Partition,
    apart,
    groups_around,
    move,
    roll_back,
    squared_distance,
)
from sfumato.kernels.microaggregation.record_queue import COUNT, Queue, dequeue, enqueue
from sfumato.numerics.arrays import Floats, Integers

MAX_GROUPS = 8  # that are broken up at a time
CHOICES = 4  # draws of a trial before those for a random order: where, how many groups, in which way, around whom
SMALL_RUIN_SHARE = 0.8  # the share of trials that break up 2 to 5 groups; the others 6 to 8
AT_RANDOM = 0.2  # the share of trials that deal the records out at random
AROUND_CENTRE = 0.6  # the share of trials below which they start far from the centre, above far from some record


def draws_per_trial(k: int) -> int:
    """Return how many random numbers a trial takes."""
    return CHOICES + MAX_GROUPS * (2 * k - 1)


@compiled
def ruin_and_recreate(partition: Partition, queue: Queue, patient: Queue, draws: Floats) -> int:
    """Break up and rebuild some groups once for each row of `draws`; return how often that saved cost.

    Parameters
    ----------
    partition
        The partition (output), which does not become worse.
    queue, patient
        Empty queues for its records; empty again at the end.
    draws
        Uniform numbers in [0, 1), shape (trials, draws_per_trial).
    """
    improved = 0
    for draw in draws:
        partition.counts[LOGGED] = 0
        before = partition.total[0]
        records = _records_around(partition, draw)
        _regroup(partition, records, draw)
        for record in records:
            enqueue(queue, record)
        settle(partition, queue, patient)
        _clear(queue)
        _clear(patient)
        if partition.total[0] > before:
            roll_back(partition, 0)
            partition.total[0] = before  # without the rounding of going there and back
        improved += partition.total[0] < before - partition.least_gain
    return improved


@compiled
def _records_around(partition: Partition, draw: Floats) -> Integers:
    """Return the members of the group of a drawn record and of some groups of its nearest records."""
    record = int(draw[0] * len(partition.points))
    small = SMALL_RUIN_SHARE
    wanted = 2 + int(4 * draw[1] / small) if draw[1] < small else 6 + int(3 * (draw[1] - small) / (1.0 - small))
    groups = np.empty(partition.near.shape[1], dtype=np.int64)
    around = groups_around(partition, record, groups)
    records = np.empty(MAX_GROUPS * (2 * partition.k - 1), dtype=np.int64)
    count = _append(partition, partition.group[record], records, 0)
    for group in groups[: min(around, wanted - 1, MAX_GROUPS - 1)]:
        count = _append(partition, group, records, count)
    return records[:count]


@compiled
def _append(partition: Partition, group: int, records: Integers, count: int) -> int:
    """Put the members of a group after the first `count` records (output); return how many there are then."""
    for member in partition.members[group, : partition.size[group]]:
        records[count] = member
        count += 1
    return count


@compiled
def _regroup(partition: Partition, records: Integers, draw: Floats) -> None:
    """Put the records of some groups into new groups of k, the last with up to 2k - 1 (output: partition)."""
    size, count = partition.k, len(records)
    free = records.copy()
    if draw[2] < AT_RANDOM:
        _shuffle(free, draw[CHOICES:])
    anchor = partition.points[records[int(draw[3] * count)]]
    while count >= 2 * size:
        if draw[2] >= AT_RANDOM:
            centre = _centre(partition, free[:count]) if draw[2] < AROUND_CENTRE else anchor
            _gather(partition, free, count, centre)
        _make_group(partition, free[count - size : count])
        count -= size
    _make_group(partition, free[:count])


@compiled
def _shuffle(records: Integers, draw: Floats) -> None:
    """Put records in random order, given a uniform number for each (output: records)."""
    for place in range(len(records) - 1, 0, -1):
        other = int(draw[place] * (place + 1))
        records[place], records[other] = records[other], records[place]


@compiled
def _centre(partition: Partition, records: Integers) -> Floats:
    """Return the mean of some records."""
    centre = np.zeros(partition.points.shape[1])
    for record in records:
        centre += partition.points[record]
    return centre / len(records)


@compiled
def _gather(partition: Partition, free: Integers, count: int, centre: Floats) -> None:
    """Put the free record farthest from `centre` and its k - 1 nearest last of the `count` free ones (output: free)."""
    farthest, found = -1.0, -1
    for place in range(count):
        distance = squared_distance(partition.points[free[place]], centre)
        if distance > farthest:
            farthest, found = distance, place
    free[found], free[count - 1] = free[count - 1], free[found]
    first = free[count - 1]
    for end in range(count - 1, count - partition.k, -1):
        least, found = np.inf, -1
        for place in range(end):
            distance = apart(partition, first, free[place])
            if distance < least:
                least, found = distance, place
        free[found], free[end - 1] = free[end - 1], free[found]


@compiled
def _make_group(partition: Partition, records: Integers) -> None:
    """Move records into a group of their own (output: partition)."""
    target = partition.empty[partition.counts[EMPTY] - 1]
    for record in records:
        move(partition, record, target)


@compiled
def _clear(queue: Queue) -> None:
    """Send all waiting records away (output: queue)."""
    while queue.ends[COUNT]:
        dequeue(queue)
