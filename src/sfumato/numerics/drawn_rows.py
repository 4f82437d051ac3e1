"""Rows of a file, drawn."""

import numpy as np

from sfumato.numerics.arrays import Rows


def draw_rows(n: int, size: int, seed: int) -> Rows:
    """Return the rows of a file of `n` records, in order: all, or so many as `size` says, drawn.

    Examples
    --------
    >>> draw_rows(4, 9, 0).tolist(), draw_rows(100, 3, 0).size
    ([0, 1, 2, 3], 3)
    """
    return np.arange(n) if n <= size else np.sort(np.random.default_rng(seed).choice(n, size, replace=False))
