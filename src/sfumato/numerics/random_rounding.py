"""Fractions rounded at random to whole numbers that keep their total."""

import numpy as np

from sfumato.numerics.arrays import CodeColumn


def round_to_total(parts: CodeColumn, unit: int, rng: np.random.Generator) -> CodeColumn:
    """Return each of `parts` / `unit`, whose total is whole, rounded down or up so that the total stays.

    Each fraction becomes one more with just that probability: the fractions are laid end to end in random order, and
    points at distance 1, from a random start, hit them (Madow 1949, On the theory of systematic sampling, II).

    Parameters
    ----------
    parts
        Whole numbers from 0 whose sum is a multiple of `unit`.
    unit
        What they are parts of.
    rng
        The generator.

    Examples
    --------
    >>> round_to_total(np.array([3, 3, 3, 3]), 2, np.random.default_rng(0)).sum()
    np.int64(6)
    """
    whole, rest = np.divmod(parts, unit)
    order = rng.permutation(parts.size)
    hit = np.diff((np.cumsum(rest[order]) + rng.integers(unit)) // unit, prepend=0)
    whole[order] += hit
    return np.asarray(whole, dtype=np.int64)
