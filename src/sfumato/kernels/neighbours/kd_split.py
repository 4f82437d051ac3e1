"""Split many records into blocks of near ones, as a kd-tree does."""

from collections.abc import Iterator

import numpy as np

from sfumato.numerics.arrays import Booleans, Floats, Integers

MIN_SHARE = 1 / 64  # of the records, on either side of a cut


def kd_blocks(points: Floats, rows: Integers, max_rows: int) -> Iterator[Integers]:
    """Cut the rows in the middle of the widest column until no block has more than `max_rows`; blocks are rising rows.

    The middle is that between the least and the greatest value, but not so far out that fewer than 1 in 64 rows lie
    beyond. So the few records in a long tail come together, while a cut at the median would split them over and over.

    Parameters
    ----------
    points
        Records without missing values, in columns of similar scale, shape (n, d).
    rows
        The rows to split.
    max_rows
        The greatest number of rows in a block, at least 1.

    Examples
    --------
    >>> points = np.array([[0.0], [9.0], [1.0], [8.0], [2.0]])
    >>> [block.tolist() for block in kd_blocks(points, np.arange(5), 3)]
    [[0, 2, 4], [1, 3]]
    """
    if rows.size <= max_rows:
        yield np.sort(rows)
        return
    part = points[rows]
    below = _below_the_middle(part[:, np.argmax(np.ptp(part, axis=0))])
    del part  # not kept while the parts are kd_blocks
    yield from kd_blocks(points, rows[below], max_rows)
    yield from kd_blocks(points, rows[~below], max_rows)


def _below_the_middle(values: Floats) -> Booleans:
    """Tell which values lie before the cut; of those equal to it, as many of the first as are wanted there."""
    least = max(int(MIN_SHARE * values.size), 1)
    below: Booleans = values < values.min() / 2 + values.max() / 2
    count = int(np.count_nonzero(below))
    wanted = min(max(count, least), values.size - least)
    if wanted == count:
        return below
    edge = np.partition(values, wanted - 1)[wanted - 1]
    below = values < edge
    below[np.flatnonzero(values == edge)[: wanted - np.count_nonzero(below)]] = True
    return below
