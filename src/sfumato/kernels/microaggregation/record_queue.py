"""A queue of records that wait to be looked at."""

from typing import NamedTuple

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Booleans, Integers

FIRST, COUNT = 0, 1


class Queue(NamedTuple):
    """Records that wait, each once, in the order they came.

    Parameters
    ----------
    records
        The records in a ring, shape (n,), from the place `ends[FIRST]`; `ends[COUNT]` of them.
    is_queued
        Whether a record is in the queue, shape (n,).
    ends
        Where the first one is, and how many there are.
    """

    records: Integers
    is_queued: Booleans
    ends: Integers


def empty_queue(n: int) -> Queue:
    """Return an empty queue for records 0 to n - 1."""
    return Queue(np.empty(n, dtype=np.int64), np.zeros(n, dtype=np.bool_), np.zeros(2, dtype=np.int64))


@compiled
def enqueue(queue: Queue, record: int) -> None:
    """Let a record wait at the end of the queue unless it waits already (output: queue)."""
    if not queue.is_queued[record]:
        queue.is_queued[record] = True
        queue.records[(queue.ends[FIRST] + queue.ends[COUNT]) % queue.records.size] = record
        queue.ends[COUNT] += 1


@compiled
def dequeue(queue: Queue) -> int:
    """Return the first record and take it out of the queue (output), which is not empty."""
    record = int(queue.records[queue.ends[FIRST]])
    queue.ends[FIRST] = (queue.ends[FIRST] + 1) % queue.records.size
    queue.ends[COUNT] -= 1
    queue.is_queued[record] = False
    return record
