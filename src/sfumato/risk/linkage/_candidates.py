"""Which original records a masked one may be: those of its block, and of many the nearest by rank."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from sfumato.comparison.side_by_side import common_codes
from sfumato.data import Microdata
from sfumato.kernels.keys.counting import classes_of
from sfumato.numerics.arrays import CodeColumn, CodeMatrix, FloatColumn, FloatMatrix, Rows
from sfumato.risk.linkage._discrepancies import Discrepancies

Blocks = list[tuple[Rows, Rows]]
"""The original and the masked rows of each block."""

GOLDEN, SILVER = 0.5 * (5**0.5 - 1), 2**0.5 - 1
LOT = 1e-7  # how far lots move records apart: less than one rank
LEAF_SIZE = 64  # points in a leaf of the kd-tree: in ten columns half of scipy's time with 16


@dataclass(frozen=True, eq=False)
class Candidates:
    """The nearest original records of each masked one, kept for several ways to compare the same two files."""

    _kept: dict[int, CodeMatrix] = field(default_factory=dict)

    def nearest(self, files: Discrepancies, blocks: Blocks, count: int) -> CodeMatrix:
        """Return what `nearest_candidates` does; looked for only once, as places and blocks are the same each time."""
        if count not in self._kept:
            self._kept[count] = nearest_candidates(files, blocks, count)
        return self._kept[count]


def lots(rows: Rows, step: float) -> FloatColumn:
    """Return numbers from 0 to 1 that are spread evenly over the records and tell nothing about their order.

    They distinguish equal records. Two files need two steps whose ratio is irrational, such as `GOLDEN` and
    `SILVER`: then a record's two lots are as near to each other as those of two different persons.

    Examples
    --------
    >>> lots(np.arange(5), GOLDEN).round(2).tolist()
    [0.31, 0.93, 0.55, 0.16, 0.78]
    """
    return np.asarray((rows + 0.5) * step % 1.0, dtype=np.float64)


def block_numbers(original: Microdata, masked: Microdata, names: tuple[str, ...]) -> tuple[CodeColumn, CodeColumn]:
    """Return the block of each record of both files: records equal in all of `names`, where missing is a value too."""
    columns = [np.concatenate(common_codes(original, masked, name)[:2]) for name in names]
    cells = classes_of(np.reshape(columns, (len(names), original.n + masked.n)).astype(np.int64)).numbers
    return cells[: original.n], cells[original.n :]


def pairs_of_blocks(original: CodeColumn, masked: CodeColumn) -> Iterator[tuple[Rows, Rows]]:
    """Yield the rows of both files in each block that both have.

    Examples
    --------
    >>> [(before.tolist(), after.tolist()) for before, after in pairs_of_blocks(np.array([0, 1, 0]), np.array([0, 2]))]
    [([0, 2], [0])]
    """
    before, after = np.argsort(original, kind="stable"), np.argsort(masked, kind="stable")
    for block in np.intersect1d(original, masked):
        some = [
            order[np.searchsorted(blocks, block, "left", order) : np.searchsorted(blocks, block, "right", order)]
            for blocks, order in ((original, before), (masked, after))
        ]
        yield some[0], some[1]


def nearest_candidates(files: Discrepancies, blocks: Blocks, count: int) -> CodeMatrix:
    """Return for each masked record the nearest original records of its block by rank, ties by lot.

    Returns
    -------
    Rows of the original, one row per masked record; -1 where its block has fewer than `count`, or there is no block.
    """
    candidates = np.full((len(files.masked), count), -1, dtype=np.int64)
    before = _with_lots(files.original_places, GOLDEN)
    after = _with_lots(files.masked_places, SILVER)
    for original_rows, masked_rows in blocks:
        found = _nearest(before[original_rows], after[masked_rows], count)
        candidates[masked_rows, : found.shape[1]] = original_rows[found]
    return candidates


def _with_lots(places: FloatMatrix, step: float) -> FloatMatrix:
    return np.column_stack([places, LOT * lots(np.arange(len(places)), step)])


def _nearest(points: FloatMatrix, queries: FloatMatrix, count: int) -> CodeMatrix:
    from scipy.spatial import cKDTree

    _, found = cKDTree(points, leafsize=LEAF_SIZE).query(
        queries, k=np.arange(1, min(count, len(points)) + 1), workers=-1
    )
    return np.asarray(found, dtype=np.int64)
