"""Approximate the marginals of a random one-to-one matching by messages between rows and columns.

Sum-product belief propagation, which is exact on trees and elsewhere the Bethe approximation of the permanent: Huang
and Jebara (2009), Approximating the permanent with belief propagation; Vontobel (2013), The Bethe permanent of a
nonnegative matrix. With a_j and b_i copies of row j and column i, and f their weights:

    nu(j->i) = f_ji / (sum over i' of b_i' f_ji' mu(i'->j), less one copy of i)
    mu(i->j) = 1 / (s + sum over j' of a_j' nu(j'->i), less one copy of j)
    marginal of (j, i) = b_i f_ji mu(i->j) / (the sum of this over i)

where s is the weight of a column that stays free. Only the ratio of s to nu matters: s is set in each round such that
the columns expect as many rows as there are, which keeps the rounds few where nearly all columns are taken. "Less one
copy" is never a difference of nearly equal sums: the largest term is kept apart from the rest.

Where a row may belong to columns outside its candidates, their weights, summed, enter its sum with the mean mu of all
columns; and the columns that such rows take are free for the rows that are looked at.

Two rows that can only swap with each other come out too certain: of a 2 x 2 table, only the likelier matching is left,
which `pair_swaps` mends.
"""

from math import exp, sqrt

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Floats, Integers

MAX_ROUNDS = 300
MAX_CHANGE, MAX_CHANGE_OF_MANY, MANY = 1e-7, 1e-4, 1000  # of a marginal in the last round; many rows are a good sample
DAMPED_EVERY = 4  # always damped, the mean over rows goes half as fast; never, pairs that may swap go to and fro
SMALLEST, LARGEST = 1e-140, 1e140  # of messages: the product of two is a number still
TOLERATED = 0.01  # rows too many for their columns, of all rows of a component
NOW, NEXT = 0, 2  # where the largest message to a column stands; after it, the sum of the rest


@compiled
def propagate(
    rows: Integers,
    columns: Integers,
    candidates: Integers,
    weights: Floats,
    outside: Floats,
    row_counts: Integers,
    column_counts: Integers,
    sums: Floats,
    messages: Floats,
    marginals: Floats,
) -> bool:
    """Fill the marginals of one component, and return whether its rows can be matched, but for a few.

    `rows` and `columns` are those of the component, `weights` (n, k) at most 1 and 0 where there is no candidate,
    `outside` (n,) what all other columns weigh together, and the rest is as in `matching_marginals`. `marginals` (n, k)
    is an output; `messages` (n, k) and `sums` (columns, 4) are scratch. Rows that cannot all be matched load their
    columns with at least one row too many.
    """
    masked = row_counts[rows].sum()
    originals = column_counts[columns].sum()
    away = _start(rows, columns, candidates, weights, outside, row_counts, column_counts, sums, messages)
    spare, is_open = originals - masked + away, away > 0.0
    free = _mean_total(columns, column_counts, sums) * spare / originals if spare > 0.0 else 0.0
    for number in range(MAX_ROUNDS):
        if spare > 0.0:
            free = _weight_of_free(columns, column_counts, sums, masked - away, free)
        is_damped = number % DAMPED_EVERY == 0
        mean = _mean_reply(columns, column_counts, sums, free) if is_open else 0.0
        change, away = _exchange(
            rows,
            candidates,
            weights,
            outside,
            row_counts,
            column_counts,
            free,
            mean,
            is_damped,
            sums,
            messages,
            marginals,
        )
        _turn(columns, sums)
        if change < (MAX_CHANGE if len(rows) < MANY else MAX_CHANGE_OF_MANY):
            break
    excess = _excess(rows, columns, candidates, weights, row_counts, column_counts, sums, marginals)
    return bool(excess < max(0.5, TOLERATED * masked))


@compiled
def _start(
    rows: Integers,
    columns: Integers,
    candidates: Integers,
    weights: Floats,
    outside: Floats,
    row_counts: Integers,
    column_counts: Integers,
    sums: Floats,
    messages: Floats,
) -> float:
    """Send the posterior of each row by itself; return how many rows belong to others (`sums`, `messages` outputs)."""
    away = 0.0
    for column in columns:
        sums[column] = 0.0
    for row in rows:
        total = outside[row]
        for place in range(candidates.shape[1]):
            if weights[row, place] > 0.0:
                total += column_counts[candidates[row, place]] * weights[row, place]
        for place in range(candidates.shape[1]):
            if weights[row, place] > 0.0:
                messages[row, place] = weights[row, place] / total
                _add(sums[candidates[row, place]], NOW, messages[row, place], row_counts[row])
        away += row_counts[row] * outside[row] / total
    return away


@compiled
def _add(sums: Floats, place: int, message: float, copies: int) -> None:
    """Add `copies` equal messages to the largest and the sum of the rest, which stand at `place` (output)."""
    if message > sums[place]:
        sums[place + 1] += sums[place] + (copies - 1) * message
        sums[place] = message
    else:
        sums[place + 1] += copies * message


@compiled
def _exchange(
    rows: Integers,
    candidates: Integers,
    weights: Floats,
    outside: Floats,
    row_counts: Integers,
    column_counts: Integers,
    free: float,
    mean: float,
    is_damped: bool,
    sums: Floats,
    messages: Floats,
    marginals: Floats,
) -> tuple[float, float]:
    """Send one message both ways between each row and its candidates, and the `mean` one from all other columns.

    Return the largest change of a marginal, and how many rows belong to those others.
    `messages`, `marginals` and the NEXT of `sums` are outputs. Damped messages go half of the way, in logarithms.
    """
    change, away, terms, row_sums = 0.0, 0.0, np.empty(candidates.shape[1]), np.empty(2)
    for row in rows:
        elsewhere = outside[row] * mean
        row_sums[0], row_sums[1] = 0.0, elsewhere
        for place in range(candidates.shape[1]):
            if weights[row, place] > 0.0:
                column = candidates[row, place]
                others = sums[column, NOW + 1] + (sums[column, NOW] - messages[row, place])
                terms[place] = weights[row, place] / max(free + others, SMALLEST)
                _add(row_sums, 0, terms[place], column_counts[column])
        total = row_sums[0] + row_sums[1]
        away += row_counts[row] * elsewhere / total
        for place in range(candidates.shape[1]):
            if weights[row, place] > 0.0:
                column = candidates[row, place]
                marginal = column_counts[column] * terms[place] / total
                change = max(change, abs(marginal - marginals[row, place]))
                marginals[row, place] = marginal
                others = row_sums[1] + (row_sums[0] - terms[place])
                message = weights[row, place] / max(others, SMALLEST)
                if is_damped:
                    message = sqrt(messages[row, place] * message)
                messages[row, place] = min(max(message, SMALLEST), LARGEST)
                _add(sums[column], NEXT, messages[row, place], row_counts[row])
    return change, away


@compiled
def _turn(columns: Integers, sums: Floats) -> None:
    """Make the next sums the present ones."""
    for column in columns:
        sums[column, NOW], sums[column, NOW + 1] = sums[column, NEXT], sums[column, NEXT + 1]
        sums[column, NEXT] = sums[column, NEXT + 1] = 0.0


@compiled
def _mean_total(columns: Integers, column_counts: Integers, sums: Floats) -> float:
    """Return the sum of the messages to an original, on average."""
    total, copies = 0.0, 0
    for column in columns:
        total += column_counts[column] * (sums[column, NOW] + sums[column, NOW + 1])
        copies += column_counts[column]
    return total / copies


@compiled
def _mean_reply(columns: Integers, column_counts: Integers, sums: Floats, free: float) -> float:
    """Return the message of a column to a row that it does not hear of, on average."""
    total, copies = 0.0, 0
    for column in columns:
        total += column_counts[column] / max(free + sums[column, NOW] + sums[column, NOW + 1], SMALLEST)
        copies += column_counts[column]
    return total / copies


@compiled
def _weight_of_free(columns: Integers, column_counts: Integers, sums: Floats, masked: float, free: float) -> float:
    """Return the weight of a free column with which the columns expect `masked` rows, by two careful Newton steps."""
    for _ in range(2):
        expected, slope = 0.0, SMALLEST
        for column in columns:
            total = sums[column, NOW] + sums[column, NOW + 1]
            share = total / (free + total)
            expected += column_counts[column] * share
            slope += column_counts[column] * share * (1.0 - share)
        step = (expected - masked) / slope
        free = min(max(free * exp(min(max(step, -2.0), 2.0)), SMALLEST), LARGEST)
    return free


@compiled
def _excess(
    rows: Integers,
    columns: Integers,
    candidates: Integers,
    weights: Floats,
    row_counts: Integers,
    column_counts: Integers,
    sums: Floats,
    marginals: Floats,
) -> float:
    """Return by how many rows the columns are expected to have too many; `sums` is scratch."""
    for row in rows:
        for place in range(candidates.shape[1]):
            if weights[row, place] > 0.0:
                sums[candidates[row, place], NEXT] += row_counts[row] * marginals[row, place]
    excess = 0.0
    for column in columns:
        excess += max(0.0, sums[column, NEXT] - column_counts[column])
    return excess
