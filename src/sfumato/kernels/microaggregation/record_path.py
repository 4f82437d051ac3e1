"""Put records in the order of a short path through all of them."""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.microaggregation.partition import squared_distance
from sfumato.kernels.microaggregation.record_queue import COUNT, Queue, dequeue, empty_queue, enqueue
from sfumato.numerics.arrays import Floats, Integers

MAX_PIECE = 3  # records that are moved elsewhere together
MAX_REVERSAL = 50_000  # records: longer ones hardly ever pay and take long
NEGLIGIBLE = 1e-9  # of the length of the edges in question


def short_path(points: Floats, near: Integers) -> Integers:
    """Return the rows in the order of a short path through all records.

    Parameters
    ----------
    points, near
        The records, shape (n, d), and the rows of the nearest others of each, shape (n, neighbours).

    Notes
    -----
    From the record farthest from the mean the path goes to the nearest record not yet on it; it is then shortened by
    reversing a stretch (2-opt) and by moving up to three records elsewhere (Or-opt) until neither helps.
    """
    path = _walk(points, near)
    _shorten(points, near, path, empty_queue(len(path)))
    return path


@compiled
def _walk(points: Floats, near: Integers) -> Integers:
    """Return the path that goes on to the nearest record not yet on it."""
    n = len(points)
    path, left, place = np.empty(n, dtype=np.int64), np.arange(n), np.arange(n)
    mean = np.zeros(points.shape[1])
    for point in points:
        mean += point / n
    farthest, record = -1.0, 0
    for row in range(n):
        distance = squared_distance(points[row], mean)
        if distance > farthest:
            farthest, record = distance, row
    for step in range(n):
        path[step] = record
        last = left[n - 1 - step]  # close the gap in the list of those left
        left[place[record]], place[last] = last, place[record]
        place[record] = -1
        record = _next(points, near, left[: n - 1 - step], place, record)
    return path


@compiled
def _next(points: Floats, near: Integers, left: Integers, place: Integers, record: int) -> int:
    """Return the nearest of the records left, -1 when there is none; `place` is -1 for those on the path."""
    for other in near[record]:
        if place[other] >= 0:
            return int(other)
    least, found = np.inf, -1
    for other in left:
        distance = squared_distance(points[record], points[other])
        if distance < least:
            least, found = distance, other
    return found


@compiled
def _shorten(points: Floats, near: Integers, path: Integers, queue: Queue) -> None:
    """Shorten a path until no reversal and no removal of a piece helps (outputs: path, and an empty queue)."""
    place = np.empty(len(path), dtype=np.int64)
    for step in range(len(path)):
        place[path[step]] = step
        enqueue(queue, path[step])
    touched = np.empty(6, dtype=np.int64)
    while queue.ends[COUNT]:
        record = dequeue(queue)
        count = _reverse(points, near, path, place, record, touched)
        if count == 0:
            count = _move_piece(points, near, path, place, record, touched)
        for end in touched[:count]:
            enqueue(queue, end)


@compiled
def _length(points: Floats, path: Integers, one: int, other: int) -> float:
    """Return the distance of the records at two places of the path; 0 where a place is beyond its ends."""
    if min(one, other) < 0 or max(one, other) >= len(path):
        return 0.0
    return float(np.sqrt(squared_distance(points[path[one]], points[path[other]])))


@compiled
def _turn(path: Integers, place: Integers, start: int, stop: int) -> None:
    """Reverse the path (output) from `start` to `stop`, both included."""
    while start < stop:
        path[start], path[stop] = path[stop], path[start]
        place[path[start]], place[path[stop]] = start, stop
        start, stop = start + 1, stop - 1
    if start == stop:
        place[path[start]] = start


@compiled
def _reverse(points: Floats, near: Integers, path: Integers, place: Integers, record: int, touched: Integers) -> int:
    """Reverse a stretch so that a record stands beside a nearer one, if the path (output) becomes shorter.

    Returns how many ends of changed edges it put into `touched`.
    """
    n, here = len(path), place[record]
    for step in (1, -1):  # towards the record's successor, then its predecessor
        beside = here + step
        if beside < 0 or beside >= n:
            continue
        edge = _length(points, path, here, beside)
        for other in near[record]:
            there = place[other]
            reach = _length(points, path, here, there)
            if reach >= edge:
                break
            cut = edge + _length(points, path, there, there + step)
            made = reach + _length(points, path, beside, there + step)
            if made >= cut * (1.0 - NEGLIGIBLE) or abs(there - here) > MAX_REVERSAL:
                continue
            touched[0], touched[1], touched[2] = record, other, path[beside]
            touched[3] = path[there + step] if 0 <= there + step < n else record
            low, high = min(here, there), max(here, there)
            if step == 1:
                _turn(path, place, low + 1, high)
            else:
                _turn(path, place, low, high - 1)
            return 4
    return 0


@compiled
def _move_piece(points: Floats, near: Integers, path: Integers, place: Integers, record: int, touched: Integers) -> int:
    """Move a piece that begins or ends with a record beside a near one, if the path (output) becomes shorter.

    Returns how many ends of changed edges it put into `touched`.
    """
    here = place[record]
    for size in range(1, min(MAX_PIECE, len(path) - 1) + 1):
        for start in (here, here - size + 1):
            stop = start + size - 1
            if start >= 0 and stop < len(path) and _moves(points, near, path, place, start, stop, here, touched):
                return 6
    return 0


@compiled
def _moves(
    points: Floats,
    near: Integers,
    path: Integers,
    place: Integers,
    start: int,
    stop: int,
    here: int,
    touched: Integers,
) -> bool:
    """Move the piece from `start` to `stop` beside a record near to that at its end `here`, if that is shorter.

    Returns whether it did (outputs: path, place, touched).
    """
    n, end = len(path), start + stop - here
    loose = _length(points, path, start - 1, start) + _length(points, path, stop, stop + 1)
    closed = _length(points, path, start - 1, stop + 1)
    for other in near[path[here]]:
        there = place[other]
        reach = _length(points, path, here, there)
        if reach >= loose - closed:
            return False
        if start <= there <= stop or abs(there - here) > MAX_REVERSAL:
            continue
        for beyond in (there - 1, there + 1):
            cut = loose + _length(points, path, there, beyond)
            made = closed + reach + _length(points, path, end, beyond)
            if made < cut * (1.0 - NEGLIGIBLE) and not start <= beyond <= stop:
                touched[0], touched[1], touched[2] = path[here], other, path[end]
                touched[3] = path[beyond] if 0 <= beyond < n else other
                touched[4] = path[start - 1] if start > 0 else other
                touched[5] = path[stop + 1] if stop < n - 1 else other
                _carry(path, place, start, stop, here, there, beyond)
                return True
    return False


@compiled
def _carry(path: Integers, place: Integers, start: int, stop: int, here: int, there: int, beyond: int) -> None:
    """Move the piece from `start` to `stop` between the places `there` and `beyond` (outputs: path, place).

    What stands at `here`, one of the piece's ends, comes to stand beside what stands at `there`.
    """
    size = stop - start + 1
    low, high = min(there, beyond), max(there, beyond)
    if low > stop:
        _turn(path, place, start, low)
        _turn(path, place, start, low - size)
        first, begins = low - size + 1, there == low
    else:
        _turn(path, place, high, stop)
        _turn(path, place, high + size, stop)
        first, begins = high, there == low
    if (here == stop) != begins:  # turning has reversed the piece
        _turn(path, place, first, first + size - 1)
