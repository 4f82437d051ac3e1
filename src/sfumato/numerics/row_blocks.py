"""Rows a block at a time, so that sums over large files fit in memory, or some of them, drawn."""

from collections.abc import Iterator

import numpy as np

from sfumato.numerics.arrays import Rows

BLOCK = 8192  # rows at a time: few enough for the processor's cache


def row_blocks(n: int) -> Iterator[slice]:
    """Yield runs of rows that together are the rows 0 .. n - 1."""
    for start in range(0, n, BLOCK):
        yield slice(start, min(start + BLOCK, n))


def draw_rows(n: int, size: int, seed: int) -> Rows:
    """Return the rows of a file of `n` records, in order: all, or so many as `size` says, drawn.

    Examples
    --------
    >>> draw_rows(4, 9, 0).tolist(), draw_rows(100, 3, 0).size
    ([0, 1, 2, 3], 3)
    """
    return np.arange(n) if n <= size else np.sort(np.random.default_rng(seed).choice(n, size, replace=False))
