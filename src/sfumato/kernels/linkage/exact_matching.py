"""Sum over all one-to-one matchings of a few rows, by a dynamic programme over the columns.

The weight of all matchings is a coefficient of a product: with x_j for a row of class j, column class i of b copies
contributes (1 + X)^b, where X is the sum over j of f_ji x_j, and wanted is the coefficient of the product of x_j^a_j,
where class j has a_j rows. A state says how many rows of each class have a column; there are at most 2^rows. All terms
are positive, so that no sum loses precision.
"""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Floats, Integers


@compiled
def exact_marginals(
    rows: Integers,
    columns: Integers,
    candidates: Integers,
    weights: Floats,
    row_counts: Integers,
    column_counts: Integers,
    places: Integers,
    marginals: Floats,
) -> bool:
    """Fill the marginals of one component, and return whether its rows can be matched at all.

    `rows` and `columns` are those of the component, `weights` (n, k) at most 1 and 0 where there is no candidate, and
    the rest is as in `matching_marginals`. `marginals` (n, k) is an output; `places` is scratch, one for each column.
    """
    sizes = row_counts[rows]
    strides, states = np.empty_like(sizes), 1
    for j in range(sizes.size):
        strides[j], states = states, states * (sizes[j] + 1)
    table = _table(rows, columns, candidates, weights, places)
    copies = column_counts[columns]
    ahead = np.zeros((len(columns) + 1, states))  # before each column: the weight of all ways on from each state
    ahead[-1, -1] = 1.0
    for i in range(len(columns) - 1, -1, -1):
        before = _multiply(ahead[i + 1], table[i], copies[i], sizes, strides, -1)
        for state in range(states):  # one by one: to copy a slice compiles slowly
            ahead[i, state] = before[state]
    if ahead[0, 0] <= 0.0:
        return False
    reached = np.zeros(states)  # the weight of all ways to each state
    reached[0] = 1.0
    shares = np.zeros(table.shape)
    for i in range(len(columns)):
        reached = _multiply(reached, table[i], copies[i] - 1, sizes, strides, 1)
        for j in range(len(rows)):  # the last copy takes a row of class j, the others what they like
            if table[i, j] > 0.0:
                joined = table[i, j] * _join(reached, ahead[i + 1], sizes[j], strides[j])
                shares[i, j] = copies[i] * joined / (ahead[0, 0] * sizes[j])
        reached = _multiply(reached, table[i], 1, sizes, strides, 1)
    for j in range(len(rows)):
        row = rows[j]
        for place in range(candidates.shape[1]):
            if weights[row, place] > 0.0:
                marginals[row, place] = shares[places[candidates[row, place]], j]
    return True


@compiled
def _table(rows: Integers, columns: Integers, candidates: Integers, weights: Floats, places: Integers) -> Floats:
    """Return the weights of a component, columns x rows, and set the place of each column in `places`."""
    table = np.zeros((len(columns), len(rows)))
    for i in range(len(columns)):
        places[columns[i]] = i
    for j in range(len(rows)):
        row = rows[j]
        for place in range(candidates.shape[1]):
            if weights[row, place] > 0.0:
                table[places[candidates[row, place]], j] = weights[row, place]
    return table


@compiled
def _multiply(old: Floats, table: Floats, copies: int, sizes: Integers, strides: Integers, direction: int) -> Floats:
    """Return `old` times (1 + X)^copies, by Horner's rule for its binomial series; `direction` -1 goes backwards."""
    new, most = old.copy(), 0
    for size in sizes:
        most += size
    for power in range(min(copies, most), 0, -1):
        factor, last, new = (copies - power + 1) / power, new, old.copy()
        for j in range(len(sizes)):
            if table[j] > 0.0:
                _shift(last, new, factor * table[j], sizes[j], strides[j], direction)
    return new


@compiled
def _shift(old: Floats, new: Floats, factor: float, size: int, stride: int, direction: int) -> None:
    """Add to `new` (output) `factor` times `old`, with one row more of a class, or one less where going backwards."""
    source, target = (0, stride) if direction > 0 else (stride, 0)
    for start in range(0, len(old), stride * (size + 1)):
        for state in range(start, start + stride * size):
            new[state + target] += factor * old[state + source]


@compiled
def _join(reached: Floats, ahead: Floats, size: int, stride: int) -> float:
    """Return the sum over all states of the ways to it times the ways on with one row more of a class."""
    total = 0.0
    for start in range(0, len(reached), stride * (size + 1)):
        for state in range(start, start + stride * size):
            total += reached[state] * ahead[state + stride]
    return total
