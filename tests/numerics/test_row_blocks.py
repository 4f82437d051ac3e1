"""Rows a block at a time."""

from sfumato.numerics.row_blocks import BLOCK, row_blocks


def test_blocks_cover_every_row_once() -> None:
    rows = [row for run in row_blocks(2 * BLOCK + 3) for row in range(run.start, run.stop)]
    assert rows == list(range(2 * BLOCK + 3))
