"""Walk through the matchings of two files, each visited as often as it is probable, from the true matching on.

A matching of masked records to originals is as probable as the product of the likelihoods of its pairs. Each step takes
one masked record j, which holds the original a, and draws another original b for it by its likelihoods alone; whoever
holds b, say k, takes a in exchange. With draws by likelihood, Metropolis and Hastings accept that with the probability

    q = min(1, f_k(a) / f_k(b)).

The true matching is a draw from the posterior, so that a walk from there is in its stationary state at each step,
however slowly it moves. What is counted after a step of j is not whom it holds, but the probability of that before the
last draw: q for b, 1 - q for a. That has the same mean and varies less.
"""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Floats, Integers, SmallFloats, SmallIntegers

FREE, TAKEN = -1, -2  # an original that nobody holds, and one that somebody outside of the walk holds


@compiled
def walk_matchings(
    candidates: SmallIntegers,
    log_weights: SmallFloats,
    shares: Floats,
    rows: Integers,
    columns: Integers,
    members: Integers,
    starts: Integers,
    held: Integers,
    places: Integers,
    holders: Integers,
    draws: Floats,
    visits: SmallFloats,
) -> None:
    """Take one step with each masked record in turn, as often as there are draws, and count who holds what after it.

    Parameters
    ----------
    candidates
        For each class of masked records the classes of originals that it may be, rising, and at the end numbers beyond
        all classes, shape (r, k). A record never moves to a class that is not here.
    log_weights
        Their log likelihoods, shape (r, k).
    shares
        The likelihoods of each class of masked records, times the number of originals, summed up along the row and
        divided by the whole, shape (r, k).
    rows, columns
        The class of each masked record, shape (m,), and of each original, shape (n,).
    members, starts
        The originals class by class, shape (n,), and where each class begins, with the end.
    held, places
        The original of each masked record, shape (m,), and the place of its class among the candidates; outputs.
    holders
        The masked record of each original, or that it is free or taken, shape (n,); output.
    draws
        Numbers from 0 to 1, shape (sweeps, m, 3).
    visits
        How often each class of masked records held each candidate, counted on, shape (r, k); output.
    """
    last = candidates.shape[1] - 1
    for sweep in range(len(draws)):
        for record in range(len(rows)):
            row, own, old = rows[record], held[record], places[record]
            place = min(_count_below(shares, row, draws[sweep, record, 0]), last)
            drawn = candidates[row, place]
            size = starts[drawn + 1] - starts[drawn]
            wanted = members[starts[drawn] + min(int(draws[sweep, record, 1] * size), size - 1)]
            other = holders[wanted]
            chance, its = 0.0, -1
            if other == FREE:
                chance = 1.0
            elif other >= 0 and wanted != own:
                at, column = rows[other], columns[own]
                its = min(_count_below(candidates, at, column - 1), last)
                if candidates[at, its] == column:
                    gain = log_weights[at, its] - log_weights[at, places[other]]
                    chance = 1.0 if gain >= 0.0 else np.exp(gain)
            visits[row, place] += chance
            visits[row, old] += 1.0 - chance
            if draws[sweep, record, 2] < chance:
                held[record], places[record] = wanted, place
                holders[wanted], holders[own] = record, other
                if other >= 0:
                    held[other], places[other] = own, its


@compiled
def _count_below(rising: Floats | SmallIntegers, row: int, limit: float) -> int:
    """Return how many entries of a rising row are at most `limit`."""
    low, high = 0, rising.shape[1]
    while low < high:
        middle = (low + high) // 2
        if rising[row, middle] <= limit:
            low = middle + 1
        else:
            high = middle
    return low
