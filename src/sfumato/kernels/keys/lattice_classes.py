"""The classes of a node in a lattice of recodings: rolled up from a finer node, and judged.

A class is kept as its parts, one for each sensitive value in it: a row that stands for the class, the value (0 where
it is missing, else from 1 up) and how many records there are. Parts of one class lie next to each other.
"""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.keys.counting import MULTIPLIER
from sfumato.numerics.arrays import Floats, Integers, SmallIntegers, TinyIntegers

UNSAFE, NEARLY, SAFE = 0, 1, 2
"""What a class is. One that is not unsafe has records and values enough, which no joining with others can undo."""


@compiled
def codes_at(tables: Integers, levels: Integers, keys: SmallIntegers, rows: Integers) -> Integers:
    """Return the codes of some rows at a node, shape (d, rows); 0 where missing.

    Parameters
    ----------
    tables
        The code of each category at each level, shape (d, levels, categories); category 0 is missing, and its code 0.
    levels
        The level of each key at the node, shape (d,).
    keys
        The categories of all rows, shape (n, d).
    rows
        Which rows are asked for.
    """
    codes = np.empty((levels.size, rows.size), dtype=np.int64)
    for place in range(rows.size):
        for j in range(levels.size):
            codes[j, place] = tables[j, levels[j], keys[rows[place], j]]
    return codes


@compiled
def number_classes_at(
    tables: Integers, levels: Integers, widths: Integers, keys: SmallIntegers, rows: Integers
) -> tuple[Integers, int]:
    """Return the class of each of some rows at a node, numbered as they first appear, and how many there are.

    Parameters
    ----------
    tables, levels, keys, rows
        As for `codes_at`.
    widths
        How many codes each key has at its level, missing included; their product is below 2^62.
    """
    digits = np.empty((levels.size, tables.shape[2]), dtype=np.int64)
    worth = 1
    for j in range(levels.size):
        digits[j] = tables[j, levels[j]] * worth
        worth *= widths[j]
    bits = 4
    while 1 << bits < 2 * rows.size:
        bits += 1
    last, shift = (1 << bits) - 1, np.uint64(64 - bits)
    held, codes = np.full(1 << bits, -1, dtype=np.int32), np.empty(1 << bits, dtype=np.int64)
    numbers, count = np.empty(rows.size, dtype=np.int64), 0
    for part in range(rows.size):
        code = np.int64(0)
        for j in range(levels.size):
            code += digits[j, keys[rows[part], j]]
        place = np.int64((np.uint64(code) * MULTIPLIER) >> shift)
        while held[place] >= 0 and codes[place] != code:
            place = (place + 1) & last
        if held[place] < 0:
            held[place], codes[place] = count, code
            count += 1
        numbers[part] = held[place]
    return numbers, count


@compiled
def merge_sizes(
    numbers: Integers, count: int, rows: Integers, sizes: Integers
) -> tuple[Integers, Integers, Integers, Integers]:
    """Return what `merge_parts` does where there is one value only, so that each class is one part."""
    new_rows, new_sizes = np.empty(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    for part in range(numbers.size):
        new_rows[numbers[part]] = rows[part]
        new_sizes[numbers[part]] += sizes[part]
    return np.arange(count + 1), new_rows, np.ones(count, dtype=np.int64), new_sizes


@compiled
def merge_parts(
    numbers: Integers, count: int, rows: Integers, values: Integers, sizes: Integers, possible: int
) -> tuple[Integers, Integers, Integers, Integers]:
    """Return where each new class starts (and the last ends), and the rows, values and sizes of its parts.

    Parameters
    ----------
    numbers, count
        The new class of each part, and how many classes there are.
    rows, values, sizes
        The parts of the finer classes.
    possible
        How many values there may be, missing included.
    """
    ends = np.zeros(count + 1, dtype=np.int64)
    for part in range(numbers.size):
        ends[numbers[part] + 1] += 1
    for number in range(count):
        ends[number + 1] += ends[number]
    order, next_place = np.empty(numbers.size, dtype=np.int64), ends[:-1].copy()
    for part in range(numbers.size):
        order[next_place[numbers[part]]] = part
        next_place[numbers[part]] += 1
    starts = np.zeros(count + 1, dtype=np.int64)
    new_rows, new_values = np.empty(numbers.size, dtype=np.int64), np.empty(numbers.size, dtype=np.int64)
    new_sizes = np.empty(numbers.size, dtype=np.int64)
    latest = np.full(possible, -1, dtype=np.int64)  # where the latest part with each value is
    filled = 0
    for number in range(count):
        starts[number] = filled
        for place in range(ends[number], ends[number + 1]):
            part = order[place]
            found = latest[values[part]]
            if found < starts[number]:
                found = filled
                latest[values[part]] = found
                new_rows[found], new_values[found], new_sizes[found] = rows[part], values[part], 0
                filled += 1
            new_sizes[found] += sizes[part]
    starts[count] = filled
    return starts, new_rows[:filled].copy(), new_values[:filled].copy(), new_sizes[:filled].copy()


@compiled
def class_states(
    starts: Integers,
    values: Integers,
    sizes: Integers,
    records: int,
    different: int,
    entropy: float,
    recursion: float,
    recursive_values: int,
    farthest: float,
    is_ordered: bool,
    overall: Floats,
) -> TinyIntegers:
    """Return for each class whether it is unsafe, nearly safe or safe.

    Parameters
    ----------
    starts, values, sizes
        The classes as their parts.
    records, different
        How many records, and how many different values that are not missing, a class must have at least.
    entropy
        The least entropy of the values, in natural units; 0 to ask for none.
    recursion, recursive_values
        c and l: the most frequent value must have fewer records than c times all from the l-th most frequent on; an
        l of 0 asks for nothing.
    farthest, is_ordered, overall
        The largest distance of the values from their distribution in the file, `overall`; and whether values far apart
        in their order are farther from each other. 1 asks for nothing.
    """
    states = np.empty(starts.size - 1, dtype=np.int8)
    shares = np.zeros(overall.size)
    for number in range(states.size):
        start, end = starts[number], starts[number + 1]
        missing, known = 0, 0
        for part in range(start, end):
            if values[part] == 0:
                missing = sizes[part]
            else:
                known += sizes[part]
        held = end - start - (1 if missing > 0 else 0)
        states[number] = SAFE
        if known + missing < records or held < different:
            states[number] = UNSAFE
        elif (entropy > 0 and _entropy(values[start:end], sizes[start:end], known) < entropy - 1e-12) or (
            recursive_values > 0 and not _is_recursive(values[start:end], sizes[start:end], recursion, recursive_values)
        ):
            states[number] = NEARLY
        elif farthest < 1 and known > 0:
            for part in range(start, end):
                if values[part] > 0:
                    shares[values[part] - 1] = sizes[part] / known
            if _distance(shares, overall, is_ordered) > farthest + 1e-12:
                states[number] = NEARLY
            for part in range(start, end):
                if values[part] > 0:
                    shares[values[part] - 1] = 0.0
    return states


@compiled
def lost_shares(
    states: TinyIntegers,
    below: int,
    starts: Integers,
    rows: Integers,
    sizes: Integers,
    keys: SmallIntegers,
    levels: Integers,
    shares: Floats,
) -> Floats:
    """Return how many records are in classes whose state is below `below`, and then for each key what they lose.

    Parameters
    ----------
    states, starts, rows, sizes
        The classes, judged, as their parts.
    keys
        The categories of all rows, 0 where missing, shape (n, d).
    levels, shares
        The level of each key; the share of each category's ancestor at each level in all leaves, shape
        (d, levels, categories). A missing value says nothing, which is a share of 1: it has nothing to lose.
    """
    lost = np.zeros(levels.size + 1)
    for number in range(states.size):
        if states[number] >= below:
            continue
        start, end = starts[number], starts[number + 1]
        size = 0
        for part in range(start, end):
            size += sizes[part]
        lost[0] += size
        for j in range(levels.size):
            lost[j + 1] += size * (1.0 - shares[j, levels[j], keys[rows[start], j]])
    return lost


@compiled
def _entropy(values: Integers, sizes: Integers, known: int) -> float:
    entropy = 0.0
    for part in range(values.size):
        if values[part] > 0:
            share = sizes[part] / known
            entropy -= share * np.log(share)
    return entropy


@compiled
def _is_recursive(values: Integers, sizes: Integers, recursion: float, recursive_values: int) -> bool:
    frequent = np.sort(sizes[values > 0])[::-1]
    if frequent.size < recursive_values:
        return False
    return bool(frequent[0] < recursion * frequent[recursive_values - 1 :].sum())


@compiled
def _distance(shares: Floats, overall: Floats, is_ordered: bool) -> float:
    """Return the earth mover's distance: each unit of mass moves 1, or by steps in the order of the values."""
    if not is_ordered:
        return float(0.5 * np.abs(shares - overall).sum())
    moved, ahead = 0.0, 0.0
    for value in range(shares.size - 1):
        ahead += shares[value] - overall[value]
        moved += abs(ahead)
    return moved / max(shares.size - 1, 1)
