"""Draw what each category turns into."""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Floats, Integers


@compiled
def draw_transitions(codes: Integers, reached: Floats, draws: Floats) -> Integers:
    """Return for each code the one that it turns into.

    Parameters
    ----------
    codes
        Codes 0, 1, ..., shape (n,).
    reached
        Row i holds the probabilities that code i turns into code 0, into 0 or 1, and so on, up to exactly 1, shape
        (k, k).
    draws
        Uniform numbers in [0, 1), shape (n,).
    """
    turned = np.empty(codes.size, dtype=np.int64)
    for record in range(codes.size):
        row, target = codes[record], 0
        while draws[record] >= reached[row, target]:
            target += 1
        turned[record] = target
    return turned
