"""Walk through the matchings of two files of households, of which each moves as a whole; as in `matching_walk`.

A step exchanges the originals of two records j and k and of those who live with them. It is accepted with the
probability of `matching_walk`, times the same ratio of likelihoods for all who move along.
"""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Floats, Integers


@compiled
def walk_households(
    candidates: Integers,
    log_weights: Floats,
    shares: Floats,
    rows: Integers,
    columns: Integers,
    members: Integers,
    starts: Integers,
    homes: Integers,
    inmates: Integers,
    home_starts: Integers,
    held: Integers,
    holders: Integers,
    draws: Floats,
    visits: Floats,
) -> None:
    """Take one step with each masked record in turn, as often as there are draws, and count who holds what after it.

    Parameters
    ----------
    candidates
        For each class of masked records the classes of originals that it may be, rising, -1 at the end for none,
        shape (r, k). A record never moves to or from a class that is not here.
    log_weights
        Their log likelihoods, shape (r, k).
    shares
        The likelihoods of each class of masked records, times the number of originals, summed up along the row and
        divided by the whole, shape (r, k).
    rows, columns
        The class of each masked record, shape (m,), and of each original, shape (n,).
    members, starts
        The originals class by class, shape (n,), and where each class begins, with the end.
    homes, inmates, home_starts
        The household of each masked record, the records household by household, and where each begins, with the end.
        A household moves as a whole, to where one of the same size was.
    held, holders
        The original of each masked record, shape (m,), and the masked record of each original, -1 for none, shape (n,);
        outputs.
    draws
        Numbers from 0 to 1, shape (sweeps, m, 4).
    visits
        How often each class of masked records held each candidate, counted on, shape (r, k); output.
    """
    for sweep in range(len(draws)):
        for record in range(len(rows)):
            row, own = rows[record], held[record]
            if _place(candidates, row, columns[own]) < 0:
                continue
            draw = draws[sweep, record]
            place = min(np.searchsorted(shares[row], draw[0], side="right"), shares.shape[1] - 1)
            drawn = candidates[row, place]
            if drawn < 0:
                continue
            size = starts[drawn + 1] - starts[drawn]
            wanted = members[starts[drawn] + min(int(draw[1] * size), size - 1)]
            if wanted == own:
                continue
            other = holders[wanted]
            if other < 0:
                continue
            home, away = homes[record], homes[other]
            turn = 0
            if home == away:
                gain = _gain(candidates, log_weights, rows, columns, other, wanted, own)
            else:
                gain = _gain(candidates, log_weights, rows, columns, other, wanted, own)
                length = home_starts[home + 1] - home_starts[home]
                if home_starts[away + 1] - home_starts[away] != length:
                    continue
                turn = int(draw[2] * (length - 1)) if length > 1 else 0
                for number in range(length - 1):
                    one = _inmate(inmates, home_starts[home], record, number)
                    two = _inmate(inmates, home_starts[away], other, (number + turn) % (length - 1))
                    gain += _gain(candidates, log_weights, rows, columns, one, held[one], held[two])
                    gain += _gain(candidates, log_weights, rows, columns, two, held[two], held[one])
            if gain < 0.0 and draw[3] >= np.exp(gain):
                continue
            if home != away:
                length = home_starts[home + 1] - home_starts[home]
                for number in range(length - 1):
                    one = _inmate(inmates, home_starts[home], record, number)
                    two = _inmate(inmates, home_starts[away], other, (number + turn) % (length - 1))
                    _exchange(held, holders, one, two)
            _exchange(held, holders, record, other)
        for record in range(len(rows)):
            place = _place(candidates, rows[record], columns[held[record]])
            if place >= 0:
                visits[rows[record], place] += 1.0


@compiled
def _gain(
    candidates: Integers, log_weights: Floats, rows: Integers, columns: Integers, record: int, old: int, new: int
) -> float:
    """Return by how much a record's log likelihood grows with another original; minus infinity if it is not told."""
    row = rows[record]
    before, after = _place(candidates, row, columns[old]), _place(candidates, row, columns[new])
    if before < 0 or after < 0:
        return -np.inf
    return float(log_weights[row, after] - log_weights[row, before])


@compiled
def _place(candidates: Integers, row: int, column: int) -> int:
    """Return the place of a class of originals among the candidates of a row; -1 where it is none of them."""
    low, high = 0, candidates.shape[1]
    guess = column - candidates[row, 0]  # where all classes of a block are candidates
    if 0 <= guess < high and candidates[row, guess] == column:
        return int(guess)
    while low < high:
        middle = (low + high) // 2
        found = candidates[row, middle]
        if found >= 0 and found < column:
            low = middle + 1
        else:
            high = middle
    return low if low < candidates.shape[1] and candidates[row, low] == column else -1


@compiled
def _inmate(inmates: Integers, start: int, record: int, number: int) -> int:
    """Return the number-th member of a household without a record that is one of them."""
    for place in range(start, start + number + 1):
        if inmates[place] == record:
            return int(inmates[start + number + 1])
    return int(inmates[start + number])


@compiled
def _exchange(held: Integers, holders: Integers, one: int, two: int) -> None:
    """Let two records exchange what they hold; `held` and `holders` are outputs."""
    first, second = held[one], held[two]
    held[one], held[two] = second, first
    holders[second], holders[first] = one, two
