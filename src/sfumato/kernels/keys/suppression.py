"""Find the cheapest columns of a record to leave out so that enough records show the rest."""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Floats, Integers


@compiled
def cheapest_sets(
    records: Integers, copies: Integers, rows: Integers, k: int, sets: Integers, costs: Floats
) -> Integers:
    """Return for some records the set of columns whose values to leave out, as bits: bit j stands for column j.

    Parameters
    ----------
    records
        The different records as codes, shape (n, m); a negative code is missing.
    copies
        How many records are like each of them, shape (n,).
    rows
        The records to find sets for, shape (r,).
    k
        How many records, copies counted, must show the values that are left.
    sets, costs
        All 2**m sets of columns and what each costs, by rising cost.

    Returns
    -------
    The cheapest set that suffices, shape (r,); of equally cheap ones that whose rest most records show, then the first.
    When not even all columns suffice, all of them.

    Notes
    -----
    With d(s) the columns in which the record at hand shows a value that s does not, the values left by the set S are
    shown by the sum of copies over all s with d(s) a subset of S. The records are counted by d once; a set is then
    looked up by its subsets, or by the d that occur, whichever are fewer.
    """
    n, m = records.shape
    counts = np.zeros(1 << m, dtype=np.int64)
    found = np.empty(n, dtype=np.int64)
    chosen = np.empty(rows.size, dtype=np.int64)
    for place in range(rows.size):
        different = _count_differences(records, copies, rows[place], counts, found)
        best, fits_most, cheapest = sets[-1], 0, np.inf
        for i in range(sets.size):
            if costs[i] > cheapest:
                break
            fitting = _count_fitting(counts, found, different, sets[i])
            if fitting >= k and fitting > fits_most:
                best, fits_most, cheapest = sets[i], fitting, costs[i]
        chosen[place] = best
        for i in range(different):
            counts[found[i]] = 0
    return chosen


@compiled
def _count_differences(records: Integers, copies: Integers, row: int, counts: Integers, found: Integers) -> int:
    """Count the records by the columns in which they do not show one's value (outputs: counts, the sets in found)."""
    n, m = records.shape
    different = 0
    for s in range(n):
        d = 0
        for j in range(m):
            if records[row, j] >= 0 and records[row, j] != records[s, j]:
                d |= 1 << j
        if counts[d] == 0:
            found[different] = d
            different += 1
        counts[d] += copies[s]
    return different


@compiled
def _count_fitting(counts: Integers, found: Integers, different: int, chosen: int) -> int:
    """Return how many records show all values but in columns of the chosen set."""
    size = 0
    left = chosen
    while left:
        left &= left - 1
        size += 1
    total = 0
    if different < (1 << size):
        for i in range(different):
            if found[i] & ~chosen == 0:
                total += counts[found[i]]
        return int(total)
    subset = chosen
    while True:
        total += counts[subset]
        if subset == 0:
            return int(total)
        subset = (subset - 1) & chosen
