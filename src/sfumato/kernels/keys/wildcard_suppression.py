"""Suppress values record by record where the gaps of all records fit every value, and restore what was not needed.

A set of columns is a number: bit j stands for column j.
"""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.keys.unsafe_sets import add_subsets
from sfumato.numerics.arrays import Floats, Integers


@compiled
def suppress_in_turn(
    records: Integers,
    copies: Integers,
    rows: Integers,
    combinations: Integers,
    needed: Integers,
    sets: Integers,
    costs: Floats,
) -> None:
    """Make values of some records missing, one record after the other, so that enough records fit each of them.

    Parameters
    ----------
    records
        The records as codes, shape (n, m); a negative code is missing and fits every value. Output: values of `rows`
        become missing.
    copies
        How many records are like each of them, shape (n,).
    rows
        The records to make safe, in their order; gaps of the earlier ones count for the later ones.
    combinations, needed
        The sets of columns that may be known together, and how many records must fit in each.
    sets, costs
        All 2**m sets of columns and what each costs, by rising cost.

    Notes
    -----
    Each takes the cheapest set that suffices; of equally cheap ones that which most records fit, then the first.
    """
    m = records.shape[1]
    every = (1 << m) - 1
    fitting = np.empty(1 << m, dtype=np.int64)
    for row in rows:
        fitting[:] = 0
        for other in range(len(records)):
            fitting[_differing(records, row, other)] += copies[other]
        add_subsets(fitting)
        best, most, cheapest = 0, -1, np.inf
        for i in range(sets.size):
            if costs[i] > cheapest:
                break
            suffices = True
            for c in range(combinations.size):
                suffices = suffices and fitting[(every & ~combinations[c]) | sets[i]] >= needed[c]
            if suffices and fitting[sets[i]] > most:
                best, most, cheapest = sets[i], fitting[sets[i]], costs[i]
        for j in range(m):
            if best >> j & 1:
                records[row, j] = -1


@compiled
def restore_in_turn(
    records: Integers,
    original: Integers,
    copies: Integers,
    rows: Integers,
    columns: Integers,
    combinations: Integers,
    needed: Integers,
    fitting: Integers,
) -> None:
    """Give suppressed cells their values back, one after the other, where enough records still fit every record.

    Parameters
    ----------
    records, original
        The records with gaps and as they came, shape (n, m). Output: cells of `records` have their value again.
    copies
        How many records are like each of them; those with suppressed cells are single.
    rows, columns
        The cells to try, in their order.
    combinations, needed
        The sets of columns that may be known together, and how many records must fit in each.
    fitting
        How many records fit each in each combination, shape (n, c). Output: as it is afterwards.
    """
    lost = np.zeros_like(fitting)
    for place in range(rows.size):
        row, column = rows[place], columns[place]
        value = original[row, column]
        lost[:] = 0
        is_safe = True
        for other in range(len(records)):
            if other == row or records[other, column] < 0 or records[other, column] == value:
                continue
            differing = _differing(records, row, other)
            for c in range(combinations.size):
                if combinations[c] >> column & 1 and differing & combinations[c] == 0:
                    lost[other, c] += copies[row]
                    lost[row, c] += copies[other]
                    is_safe = is_safe and fitting[other, c] - lost[other, c] >= needed[c]
            if not is_safe:
                break
        for c in range(combinations.size):
            is_safe = is_safe and fitting[row, c] - lost[row, c] >= needed[c]
        if is_safe:
            records[row, column] = value
            fitting -= lost


@compiled
def _differing(records: Integers, row: int, other: int) -> int:
    """Return the columns in which both records have a value, and not the same."""
    differing = 0
    for j in range(records.shape[1]):
        one, two = records[row, j], records[other, j]
        if one >= 0 and two >= 0 and one != two:
            differing |= 1 << j
    return differing
