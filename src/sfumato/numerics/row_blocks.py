"""Rows a block at a time, so that sums over large files fit in memory."""

from collections.abc import Iterator

BLOCK = 8192  # rows at a time: few enough for the processor's cache


def row_blocks(n: int) -> Iterator[slice]:
    """Yield runs of rows that together are the rows 0 .. n - 1."""
    for start in range(0, n, BLOCK):
        yield slice(start, min(start + BLOCK, n))
