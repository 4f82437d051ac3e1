"""Combinations of components of noise, and which of them are kept on the way to the likelihood of a pair.

A state is a row: the logarithm of how likely a combination is so far, and what is left of the coordinates.
"""

import math

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Floats

EXHAUSTIVE = 64  # combinations of components up to which all are looked at
WIDTH = 32  # combinations that are kept where there are more
FIRST_WIDTH = 3  # combinations that are kept to find out which originals are likely
NEAR_BELOW = 10.0  # how much less likely, in logarithms, a combination is that does not count where few are kept
FAR_BELOW = 20.0  # and where all can be


@compiled
def prune(states: Floats, count: int, largest: float, width: int) -> int:
    """Keep the states that are not far less likely than the best, at most `width`; return how many."""
    kept, least = 0, largest - (FAR_BELOW if width == EXHAUSTIVE else NEAR_BELOW)
    for state in range(count):
        if states[state, 0] > least:
            _move(states, state, kept)
            kept += 1
    return kept if kept <= width else keep_best(states, kept, width, 0)


@compiled
def _move(states: Floats, start: int, end: int) -> None:
    """Put a state in the place of another; `states` is output."""
    if start != end:
        for c in range(states.shape[1]):  # a row at once takes longer
            states[end, c] = states[start, c]


@compiled
def keep_best(states: Floats, count: int, width: int, coordinate: int) -> int:
    """Keep the `width` states with the largest logarithm, less what is left of a coordinate where one is given."""
    if count <= width:
        return count
    if width == FIRST_WIDTH:
        return _keep_few(states, count, width)
    merits = states[:count, 0].copy()
    if coordinate > 0:
        merits -= 0.5 * states[:count, coordinate] ** 2
    least = np.partition(merits, count - width)[count - width]
    kept = 0
    for state in range(count):
        if merits[state] >= least and kept < width:
            _move(states, state, kept)
            kept += 1
    return kept


@compiled
def _keep_few(states: Floats, count: int, width: int) -> int:
    """Keep the few states with the largest logarithm, one after the other, without room for an order of all."""
    for place in range(width):
        best = place
        for state in range(place + 1, count):
            if states[state, 0] > states[best, 0]:
                best = state
        if best != place:
            for c in range(states.shape[1]):
                states[place, c], states[best, c] = states[best, c], states[place, c]
    return width


@compiled
def log_sum(states: Floats, count: int) -> float:
    """Return the logarithm of how likely all states are together."""
    largest = -np.inf
    for state in range(count):
        largest = max(largest, states[state, 0])
    total = 0.0
    for state in range(count):
        total += math.exp(states[state, 0] - largest)
    return largest + math.log(total) if total > 0.0 else largest
