"""A local search for many records: rough neighbour lists, simple moves until none is left, one look for chains."""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.microaggregation.exchange_chains import rotate
from sfumato.kernels.microaggregation.local_search import enqueue_touched, improve
from sfumato.kernels.microaggregation.partition import LOGGED, Partition, group_numbers, partition_of
from sfumato.kernels.microaggregation.record_queue import COUNT, Queue, dequeue, empty_queue, enqueue
from sfumato.numerics.arrays import Floats, Integers

NEIGHBOURS = 10
SLACK = 2.0  # a listed neighbour may be so many times farther than the one it stands for, and once more
CHAINED = 5  # the largest group size with a look for chains, which takes longer and gains less the larger groups are


def refine_groups_quickly(points: Floats, groups: Integers, k: int) -> Integers:
    """Return groups that no simple move among records listed as near makes cheaper, starting from `groups`.

    Parameters and what is returned are those of `kernels.microaggregation.local_search.refine_groups`.
    """
    partition = partition_of(points, _roughly_nearest(points, NEIGHBOURS), groups, k)
    _search(partition, empty_queue(len(points)), k <= CHAINED)
    return group_numbers(partition)


def _roughly_nearest(points: Floats, count: int) -> Integers:
    """Return the rows of near records of each, itself among them, shape (n, count + 1) or (n, n)."""
    from scipy.spatial import cKDTree

    listed = np.arange(1, min(count + 1, len(points)) + 1)
    return np.asarray(cKDTree(points).query(points, k=listed, eps=SLACK)[1], dtype=np.int64)


@compiled
def _search(partition: Partition, queue: Queue, has_chains: bool) -> None:
    """Move records until no simple move saves cost, with one look at each for a chain or none (outputs: both)."""
    for record in range(len(partition.points)):
        enqueue(queue, record)
    _settle(partition, queue)
    if has_chains:
        for record in range(len(partition.points)):
            partition.counts[LOGGED] = 0
            rotate(partition, record)
            enqueue_touched(partition, 0, queue)
        _settle(partition, queue)


@compiled
def _settle(partition: Partition, queue: Queue) -> None:
    """Make simple moves until no record in the queue has one (outputs: both)."""
    while queue.ends[COUNT]:
        partition.counts[LOGGED] = 0
        improve(partition, dequeue(queue))
        enqueue_touched(partition, 0, queue)
