"""Find which columns to leave out of records, or of whole households, by what is unsafe without them.

A set of columns is a number: bit j stands for column j.
"""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import AnyArray, Booleans, Bytes, Floats, Integers

MAX_LISTED_SETS = 64  # beyond so many rare sets it is quicker to mark whatever holds one of them


@compiled
def mark_rare_sets(
    records: Integers, copies: Integers, rows: Integers, sets: Integers, needed: Integers, rare: Booleans
) -> None:
    """Mark the sets of columns in which a record shows values that too few records show.

    Parameters
    ----------
    records
        The different records as codes, shape (n, m); a negative code is missing.
    copies
        How many records are like each of them, shape (n,).
    rows
        The records to look at, shape (r,).
    sets, needed
        The sets, and how many records must show the values of each, shape (q,).
    rare
        Output, shape (r, q): whether fewer do. A set in which the record lacks a value is not marked: what the record
        shows of it is another set.

    Notes
    -----
    Values of the set Q are shown by the records that lack values of the one at hand in columns outside Q only. The
    records are counted by the set of columns in which they do; sums over subsets, one column after another, do the
    rest.
    """
    n, m = records.shape
    counts, differing = np.empty(1 << m, dtype=np.int64), np.empty(n, dtype=np.int64)
    columns = records.T.copy()
    for place in range(rows.size):
        counts[:] = 0
        differing[:] = 0
        row, missing = rows[place], 0
        for j in range(m):
            value, bit = records[row, j], 1 << j
            if value < 0:
                missing |= bit
                continue
            column = columns[j]
            for s in range(n):  # column by column, so that several records are compared at once
                differing[s] |= bit if column[s] != value else 0
        for s in range(n):
            counts[differing[s]] += copies[s]
        add_subsets(counts)
        for i in range(sets.size):
            rare[place, i] = sets[i] & missing == 0 and counts[(1 << m) - 1 - sets[i]] < needed[i]


@compiled
def totals_of_sets(records: Integers, held: Floats, row: int, totals: Floats) -> None:
    """Sum what the records hold that show the values left of one record, for each set of columns that is left out.

    Parameters
    ----------
    records
        The different records as codes, shape (n, m); a negative code is missing.
    held
        What is to be summed, shape (n, k).
    row
        The record to look at.
    totals
        Output, shape (k, 2**m).
    """
    n, m = records.shape
    totals[:] = 0.0
    for s in range(n):
        differing = 0
        for j in range(m):
            if records[row, j] >= 0 and records[row, j] != records[s, j]:
                differing |= 1 << j
        for k in range(held.shape[1]):
            totals[k, differing] += held[s, k]
    for k in range(held.shape[1]):
        add_subsets(totals[k])


@compiled
def cheapest_together(
    rare: Booleans,
    sets: Integers,
    members: Integers,
    starts: Integers,
    shared: Integers,
    worth: Floats,
    own: Integers,
    own_costs: Floats,
) -> Integers:
    """Return for each member of each household the columns to leave out, those that it shares the same for all.

    Parameters
    ----------
    rare, sets
        For each record and each set of columns, none of them empty, whether its values are rare, shape (r, q) and (q,).
    members, starts
        The records of the households, one household after the other, and where each starts, the end included.
    shared, worth
        The sets of household columns, and what each column is worth to each household, shape (households, m).
    own, own_costs
        The sets of the other columns, and what each costs a member, by rising cost.

    Returns
    -------
    The set of each member, shape of `members`: the cheapest in sum over the household, the first of equally cheap.

    Notes
    -----
    A choice is safe when it leaves out a column of each rare set: the cheapest set that hits all of them.
    """
    chosen = np.zeros(members.size, dtype=np.int64)
    every = shared[-1] | own[-1]
    to_hit, is_rare = np.empty(sets.size, dtype=np.int64), np.zeros(every + 1, dtype=np.bool_)
    unsafe, totals = np.empty(every + 1, dtype=np.uint8), np.empty(shared.size)
    for household in range(starts.size - 1):
        first, last = starts[household], starts[household + 1]
        for u in range(shared.size):
            totals[u] = 0.0
            for j in range(worth.shape[1]):
                if shared[u] >> j & 1:
                    totals[u] += worth[household, j]
        for place in range(first, last):
            count = _sets_to_hit(rare[members[place]], sets, to_hit, is_rare, unsafe)
            for u in range(shared.size):
                v = _cheapest_hitting(to_hit, count, unsafe, shared[u], own)
                totals[u] += own_costs[v] if v >= 0 else np.inf
                chosen[place] = shared[u] | own[v]
        if shared.size > 1:
            best = np.argmin(totals)
            for place in range(first, last):
                count = _sets_to_hit(rare[members[place]], sets, to_hit, is_rare, unsafe)
                chosen[place] = shared[best] | own[_cheapest_hitting(to_hit, count, unsafe, shared[best], own)]
    return chosen


@compiled
def _sets_to_hit(rare: Booleans, sets: Integers, to_hit: Integers, is_rare: Booleans, unsafe: Bytes) -> int:
    """Put the rare sets of a record into `to_hit` (output) but those that hold another; return how many these are.

    When they are many, whatever holds one of them is marked in `unsafe` (output). `is_rare` is all false, before and
    after.
    """
    for i in range(sets.size):
        is_rare[sets[i]] = rare[i]
    count = 0
    for i in range(sets.size):
        if not rare[i]:
            continue
        is_least, left = True, sets[i]
        while left and is_least:
            is_least = not is_rare[sets[i] ^ (left & -left)]
            left &= left - 1
        if is_least:
            to_hit[count] = sets[i]
            count += 1
    for i in range(sets.size):
        is_rare[sets[i]] = False
    if count > MAX_LISTED_SETS:
        unsafe[:] = 0
        for i in range(count):
            unsafe[to_hit[i]] = 1
        _mark_supersets(unsafe)
    return count


@compiled
def _cheapest_hitting(to_hit: Integers, count: int, unsafe: Bytes, given: int, own: Integers) -> int:
    """Return which of the sets `own` is the first that hits all sets that the given one does not; -1 when none does.

    Many sets are hit when nothing unsafe is left; of few, what was missed last is tried first next time.
    """
    if count > MAX_LISTED_SETS:
        for v in range(own.size):
            if not unsafe[(unsafe.size - 1) & ~(given | own[v])]:
                return v
        return -1
    for v in range(own.size):
        is_hit, columns = True, given | own[v]
        for i in range(count):
            if to_hit[i] & columns == 0:
                is_hit = False
                to_hit[0], to_hit[i] = to_hit[i], to_hit[0]
                break
        if is_hit:
            return v
    return -1


@compiled
def _mark_supersets(marks: Bytes) -> None:
    """Mark (in place) each set that holds a marked one."""
    width = 1
    while width < marks.size:
        for start in range(0, marks.size, 2 * width):
            without, with_column = marks[start : start + width], marks[start + width : start + 2 * width]
            for i in range(width):
                with_column[i] |= without[i]
        width *= 2


@compiled
def add_subsets(sums: AnyArray) -> None:
    """Add to the entry of each set (in place) those of all its subsets."""
    width = 1
    while width < sums.size:
        for start in range(0, sums.size, 2 * width):
            for i in range(start, start + width):
                sums[i + width] += sums[i]
        width *= 2
