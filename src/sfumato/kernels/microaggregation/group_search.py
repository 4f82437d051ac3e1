"""Search for moves that lower the cost of a partition until none is left, with a queue of records to look at."""

from sfumato.kernels.compiling import compiled
from sfumato.kernels.microaggregation.group_chains import rotate
from sfumato.kernels.microaggregation.group_moves import create, dissolve, relocate_or_swap
from sfumato.kernels.microaggregation.neighbour_lists import nearest_others
from sfumato.kernels.microaggregation.partition import LOGGED, Partition, group_numbers, partition_of
from sfumato.kernels.microaggregation.queue import WAITING, Queue, put, queue_for, take
from sfumato.numerics.arrays import Floats, Integers

FEWEST_NEIGHBOURS = 15


@compiled
def settle(partition: Partition, queue: Queue, patient: Queue) -> None:
    """Make moves that save cost until no record in the queues has one, or the log is full (outputs: all three).

    A record for which no simple move is left goes on to the `patient` queue, which is looked at for chains when no
    other record waits. When a move is made, the members of the groups that it touched wait again.
    """
    room = len(partition.log) - 8 * partition.k  # a step takes less, even if it is taken back
    while partition.counts[LOGGED] < room and queue.ends[WAITING] + patient.ends[WAITING]:
        mark = partition.counts[LOGGED]
        if queue.ends[WAITING]:
            record = take(queue)
            if not improve(partition, record):
                put(patient, record)
        else:
            rotate(partition, take(patient))
        for place in range(mark, partition.counts[LOGGED]):
            moved, source = partition.log[place]
            _put_members(partition, source, queue)
            _put_members(partition, partition.group[moved], queue)


@compiled
def improve(partition: Partition, record: int) -> bool:
    """Make a simple move of a record or its group that saves cost; return whether there was one (output: partition)."""
    return (
        relocate_or_swap(partition, record) or create(partition, record) or dissolve(partition, partition.group[record])
    )


@compiled
def _put_members(partition: Partition, group: int, queue: Queue) -> None:
    for member in partition.members[group, : partition.size[group]]:
        put(queue, member)


def settle_all(partition: Partition) -> None:
    """Make moves that save cost until no record has one left (output: partition)."""
    queue, patient = queue_for(len(partition.points)), queue_for(len(partition.points))
    is_moving = True
    while is_moving:
        is_moving = False
        for record in range(len(partition.points)):
            put(queue, record)
        while queue.ends[WAITING] + patient.ends[WAITING]:
            partition.counts[LOGGED] = 0
            settle(partition, queue, patient)
            is_moving = is_moving or partition.counts[LOGGED] > 0


def refined_groups(points: Floats, groups: Integers, k: int) -> Integers:
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
    partition = partition_of(points, near_enough(points, k), groups, k)
    settle_all(partition)
    return group_numbers(partition)


def near_enough(points: Floats, k: int) -> Integers:
    """Return the rows of the nearest others of each record, as many as a search looks at, shape (n, neighbours)."""
    return nearest_others(points, max(FEWEST_NEIGHBOURS, 3 * k))
