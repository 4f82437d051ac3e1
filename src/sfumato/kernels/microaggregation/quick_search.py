"""A local search for many records: rough neighbour lists, simple moves until none is left, one look for chains."""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.microaggregation.group_chains import rotate
from sfumato.kernels.microaggregation.group_search import improve
from sfumato.kernels.microaggregation.partition import LOGGED, Partition, group_numbers, partition_of
from sfumato.kernels.microaggregation.queue import WAITING, Queue, put, queue_for, take
from sfumato.numerics.arrays import Floats, Integers

NEIGHBOURS = 10
SLACK = 2.0  # a listed neighbour may be so many times farther than the one it stands for, and once more
CHAINED = 5  # the largest group size with a look for chains, which takes longer and gains less the larger groups are


def quickly_refined_groups(points: Floats, groups: Integers, k: int) -> Integers:
    """Return groups that no simple move among records listed as near makes cheaper, starting from `groups`.

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
    partition = partition_of(points, _roughly_nearest(points, NEIGHBOURS), groups, k)
    _search(partition, queue_for(len(points)), k <= CHAINED)
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
        put(queue, record)
    _settle(partition, queue)
    if has_chains:
        for record in range(len(partition.points)):
            partition.counts[LOGGED] = 0
            rotate(partition, record)
            _put_touched(partition, queue)
        _settle(partition, queue)


@compiled
def _settle(partition: Partition, queue: Queue) -> None:
    """Make simple moves until no record in the queue has one (outputs: both)."""
    while queue.ends[WAITING]:
        partition.counts[LOGGED] = 0
        improve(partition, take(queue))
        _put_touched(partition, queue)


@compiled
def _put_touched(partition: Partition, queue: Queue) -> None:
    """Let the members of the groups that the logged moves touched wait (output: queue)."""
    for place in range(partition.counts[LOGGED]):
        record, source = partition.log[place]
        for group in (source, partition.group[record]):
            for member in partition.members[group, : partition.size[group]]:
                put(queue, member)
