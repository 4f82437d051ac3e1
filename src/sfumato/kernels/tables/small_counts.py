"""Round small counts to nothing or a base so that the sums over them stay near."""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Booleans, Floats, Integers

LEAST = 1e-9  # what a change must gain


@compiled
def settle_small(
    starts: Integers, sums: Integers, base: float, others: Integers, rests: Floats, ups: Integers, is_up: Booleans
) -> int:
    """Let small counts change between 0 and the base while that brings the sums nearer to what they should be.

    The loss is the sum of the squared rests. Each count is changed by itself where that lowers the loss; then counts
    at the base change places with others at 0. A sum that must not hold two counts at the base never does.

    Parameters
    ----------
    starts, sums
        The sums that each small count is part of, itself among them, one after the other: count j has those from
        `starts[j]` to the next.
    base
        What counts are rounded to, besides 0.
    others
        (rounds, counts): for each round and count another one to change places with.
    rests
        By how much each sum lies above what it should be; changed in place.
    ups
        How many counts at the base each sum has, where it may have one at most; below -1 where it may have any number.
        Changed in place.
    is_up
        Which counts are at the base; changed in place.

    Returns
    -------
    changes
        How many changes there were.
    """
    changes = 0
    while True:
        before = changes
        for count in range(is_up.size):
            change = -base if is_up[count] else base
            if _gain(starts, sums, rests, ups, count, change) < -LEAST:
                _change(starts, sums, rests, ups, is_up, count, change)
                changes += 1
        for round_ in range(others.shape[0]):
            for count in range(is_up.size):
                other = others[round_, count]
                if is_up[count] and not is_up[other]:
                    gain = _gain(starts, sums, rests, ups, count, -base)
                    _change(starts, sums, rests, ups, is_up, count, -base)
                    gain += _gain(starts, sums, rests, ups, other, base)
                    if gain < -LEAST:
                        _change(starts, sums, rests, ups, is_up, other, base)
                        changes += 1
                    else:
                        _change(starts, sums, rests, ups, is_up, count, base)
        if changes == before:
            return changes


@compiled
def _gain(starts: Integers, sums: Integers, rests: Floats, ups: Integers, count: int, change: float) -> float:
    """Return by how much the loss rises when a count changes; infinite where it must not."""
    gain = 0.0
    for entry in range(starts[count], starts[count + 1]):
        if change > 0.0 and ups[sums[entry]] > 0:
            return np.inf
        gain += change * (2.0 * rests[sums[entry]] + change)
    return gain


@compiled
def _change(
    starts: Integers, sums: Integers, rests: Floats, ups: Integers, is_up: Booleans, count: int, change: float
) -> None:
    """Change a count; `rests`, `ups` and `is_up` are changed in place."""
    is_up[count] = change > 0.0
    for entry in range(starts[count], starts[count + 1]):
        rests[sums[entry]] += change
        if ups[sums[entry]] >= 0:
            ups[sums[entry]] += 1 if change > 0.0 else -1
