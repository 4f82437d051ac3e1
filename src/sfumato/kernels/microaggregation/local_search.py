"""Search for moves that lower the cost of a partition until none is left, with a queue of records to look at."""

from sfumato.kernels.compiling import compiled
from sfumato.kernels.microaggregation.exchange_chains import rotate
from sfumato.kernels.microaggregation.group_moves import create, dissolve, relocate_or_swap
from sfumato.kernels.microaggregation.neighbour_lists import nearest_others
from sfumato.kernels.microaggregation.partition import LOGGED, Partition, group_numbers, partition_of
from sfumato.kernels.microaggregation.record_queue import COUNT, Queue, dequeue, empty_queue, enqueue
from sfumato.numerics.arrays import Floats, Integers

MIN_NEIGHBOURS = 15


@compiled
def settle(partition: Partition, queue: Queue, patient: Queue) -> None:
    """Make moves that save cost until no record in the queues has one, or the log is full (outputs: all three).

    A record for which no simple move is left goes on to the `patient` queue, which is looked at for chains when no
    other record waits. When a move is made, the members of the groups that it touched wait again.
    """
    room = len(partition.log) - 8 * partition.k  # a step takes less, even if it is taken back
    while partition.counts[LOGGED] < room and queue.ends[COUNT] + patient.ends[COUNT]:
        mark = partition.counts[LOGGED]
        if queue.ends[COUNT]:
            record = dequeue(queue)
            if not improve(partition, record):
                enqueue(patient, record)
        else:
            rotate(partition, dequeue(patient))
        enqueue_touched(partition, mark, queue)


@compiled
def improve(partition: Partition, record: int) -> bool:
    """Make a simple move of a record or its group that saves cost; return whether there was one (output: partition)."""
    return (
        relocate_or_swap(partition, record) or create(partition, record) or dissolve(partition, partition.group[record])
    )


@compiled
def enqueue_touched(partition: Partition, mark: int, queue: Queue) -> None:
    """Put the members of the groups that the moves logged from `mark` on touched into the queue (output)."""
    for place in range(mark, partition.counts[LOGGED]):
        record, source = partition.log[place]
        for group in (source, partition.group[record]):
            for member in partition.members[group, : partition.size[group]]:
                enqueue(queue, member)


def settle_all(partition: Partition) -> None:
    """Make moves that save cost until no record has one left (output: partition)."""
    queue, patient = empty_queue(len(partition.points)), empty_queue(len(partition.points))
    is_moving = True
    while is_moving:
        is_moving = False
        for record in range(len(partition.points)):
            enqueue(queue, record)
        while queue.ends[COUNT] + patient.ends[COUNT]:
            partition.counts[LOGGED] = 0
            settle(partition, queue, patient)
            is_moving = is_moving or partition.counts[LOGGED] > 0


def refine_groups(points: Floats, groups: Integers, k: int) -> Integers:
    """Return groups that no move, chain or cycle among near records makes cheaper, starting from `groups`.

    Parameters
    ----------
    points
        Standardised records without missing values, shape (n, d).
    groups
        The group number of each record, groups of `k` to `2 k - 1`; so are those that come back.
    k
        The smallest number of records in a group.

    Returns
    -------
    The group number of each record, from 0, shape (n,).
    """
    partition = partition_of(points, near_candidates(points, k), groups, k)
    settle_all(partition)
    return group_numbers(partition)


def near_candidates(points: Floats, k: int) -> Integers:
    """Return the rows of the nearest others of each record, as many as a search looks at, shape (n, neighbours)."""
    return nearest_others(points, max(MIN_NEIGHBOURS, 3 * k))
