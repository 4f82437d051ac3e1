"""Drop the last bits of numbers, in which a sum still shows its parts."""

import numpy as np

from sfumato.numerics.arrays import Floats

KEPT_BITS = 32  # of 53: ten digits
_DROPPED = 53 - KEPT_BITS


def drop_last_bits(values: Floats) -> Floats:
    """Return values rounded to 32 significant bits; missing ones stay missing.

    Which doubles a sum or product can come to depends on its parts: of the numbers near a noisy value, a fourth can
    come of one original and not of another. Rounded so far, each can come of some thousand draws or more, whatever the
    original.

    Examples
    --------
    >>> drop_last_bits(np.array([0.1, 1234.5, 1e10 + 1e-5, np.nan])).tolist()
    [0.10000000000582077, 1234.5, 10000000000.0, nan]
    """
    bits = np.ascontiguousarray(values, dtype=np.float64).view(np.int64)
    half = np.int64(1) << np.int64(_DROPPED - 1)
    rounded = (bits + half) & ~((np.int64(1) << np.int64(_DROPPED)) - np.int64(1))
    return np.asarray(np.where(np.isfinite(values), rounded.view(np.float64), values), dtype=np.float64)
