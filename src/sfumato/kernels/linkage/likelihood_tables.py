"""The densities of all coordinates as tables, with the largest values of their ranges."""

from typing import NamedTuple

import numpy as np

from sfumato.numerics.arrays import Floats, Integers
from sfumato.numerics.densities import Grid


class Tables(NamedTuple):
    """The grids of all coordinates, one after the other.

    Parameters
    ----------
    values
        The table of each coordinate, level by level.
    starts, steps
        For each coordinate where its table starts in `values` and how many steps a level has, shape (d,).
    maxima
        For each coordinate the largest value of any level over 1, 2, 4 ... consecutive steps, run length by run length.
    maxima_starts
        Where those of each coordinate start, shape (d,).
    """

    values: Floats
    starts: Integers
    steps: Integers
    maxima: Floats
    maxima_starts: Integers


def join_grids(grids: list[Grid], *, with_missing: list[bool]) -> Tables:
    """Return the grids of all coordinates as one; where an original place may be missing, it adds 0 to the sum."""
    maxima = []
    for grid, is_missing in zip(grids, with_missing, strict=True):
        row = grid.table.max(axis=0)
        maxima.append(_range_maxima(np.maximum(row, 0.0) if is_missing else row))
    return Tables(
        np.concatenate([grid.table.ravel() for grid in grids]),
        _starts([grid.table.size for grid in grids]),
        np.array([grid.table.shape[1] for grid in grids], dtype=np.int64),
        np.concatenate(maxima),
        _starts([len(table) for table in maxima]),
    )


def _starts(sizes: list[int]) -> Integers:
    return np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)


def _range_maxima(row: Floats) -> Floats:
    """Return the largest of each run of 1, 2, 4, ... values that starts at each place, run length by run length.

    Examples
    --------
    >>> _range_maxima(np.array([1.0, 3.0, 2.0]))
    array([1., 3., 2., 3., 3., 2.])
    """
    found, length = [row], 1
    while 2 * length <= len(row):
        last = found[-1]
        shifted = np.concatenate([last[length:], last[len(last) - length :]])
        found.append(np.maximum(last, shifted))
        length *= 2
    return np.concatenate(found)
