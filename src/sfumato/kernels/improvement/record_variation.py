"""How far a masked record is from an original one, in parts of the original values."""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Floats, Integers

NEGLIGIBLE = 1e-100  # numbers below this count as 0
UNKNOWN = -1.0  # the variation of a record in which original and masked values are all 0


@compiled
def record_variation(originals: Floats, nearest: int, masked: Floats, row: int) -> float:
    """Return the mean of |x' - x| / |x| over the columns of a masked record x' and an original one x.

    Where x is 0 the divisor is |x'|; where both are 0 the value is left out, and `UNKNOWN` comes where none is left.
    """
    total, known = 0.0, 0
    for j in range(originals.shape[1]):
        original, value = originals[nearest, j], masked[row, j]
        scale = abs(original) if abs(original) > NEGLIGIBLE else abs(value)
        if scale > NEGLIGIBLE:
            total += abs(value - original) / scale
            known += 1
    return total / known if known else UNKNOWN


@compiled
def record_variations(originals: Floats, nearest: Integers, masked: Floats) -> Floats:
    """Return the variation of each masked record against the original in its row of `nearest`.

    Parameters
    ----------
    originals, masked
        Values, shapes (n, d) and (m, d).
    nearest
        Rows of `originals`, shape (m,); -1 where there is nothing to compare with.

    Returns
    -------
    One variation per masked record, shape (m,); `UNKNOWN` where there is none.
    """
    variations = np.full(len(masked), UNKNOWN)
    for row in range(len(masked)):
        if nearest[row] >= 0:
            variations[row] = record_variation(originals, nearest[row], masked, row)
    return variations
