"""Cut records into boxes of their keys, each as small as it can be with enough records: the Mondrian algorithm."""

from typing import TypeVar

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Booleans, Floats, Integers

Values = TypeVar("Values", Floats, Integers)

FAR = 2**62  # above all codes
NOWHERE = -2  # no cut; one at -1 would leave nothing on its left


@compiled
def boxes_of(
    codes: Integers,
    places: Floats,
    offsets: Integers,
    parents: Integers,
    lasts: Integers,
    is_tree: Booleans,
    sensitive: Integers,
    records: int,
    different: int,
) -> tuple[Integers, int]:
    """Return the box of each record and how many boxes there are.

    A box is cut in the key in which it is widest, of those that can be cut, so that both sides have records and
    sensitive values enough. All records of one code are on one side. Missing values are cut off first where they are
    enough; else they are below all codes.

    Parameters
    ----------
    codes
        The keys as codes in order, -1 where missing, shape (d, n). A key with a tree has the place of its category
        among all codes of the tree, each directly before those under it.
    places
        For each code of each key where it lies between 0 and 1; for a tree the share of all leaves under it.
    offsets
        Where the codes of each key start in `places`, `parents` and `lasts`, and where the last ends, shape (d + 1,).
    parents, lasts
        For a tree the code above each one (-1 for the root) and the last code under it.
    is_tree
        Which keys have a tree, shape (d,).
    sensitive
        The sensitive value of each record, from 0 up; -1 where missing, which counts as no value.
    records, different
        How many records, and different sensitive values, a box must have at least.
    """
    d, n = codes.shape
    order, scratch = np.arange(n), np.empty(n, dtype=np.int64)
    boxes, count = np.empty(n, dtype=np.int64), 0
    seen = np.full(sensitive.max() + 1 if n else 0, -1, dtype=np.int64)
    held = np.zeros(places.size + 1, dtype=np.int64)
    starts, ends, waiting = np.empty(n + 1, dtype=np.int64), np.empty(n + 1, dtype=np.int64), 1
    starts[0], ends[0] = 0, n
    tries = 0
    while waiting > 0:
        waiting -= 1
        start, end = starts[waiting], ends[waiting]
        middle = start
        if end - start >= 2 * records:
            widths = _widths(codes, places, offsets, parents, lasts, is_tree, order[start:end], records)
            for _ in range(2 * d):
                key = np.argmax(widths)
                if widths[key] <= 0:
                    break
                rows = order[start:end]
                if widths[key] > 1:
                    below = 0  # the missing ones
                elif is_tree[key]:
                    first, last = offsets[key], offsets[key + 1]
                    below = _tree_cut(codes[key], rows, parents[first:last], lasts[first:last], held, records)
                else:
                    below = _median_cut(codes[key], rows, scratch, records)
                if below != NOWHERE:
                    left = _split_rows(codes[key], rows, below, scratch)
                    tries += 2
                    if different < 2 or (
                        _values(sensitive, rows[:left], seen, tries - 1, different) >= different
                        and _values(sensitive, rows[left:], seen, tries, different) >= different
                    ):
                        middle = start + left
                        break
                if widths[key] > 1:  # missing values that cannot be cut off are below all codes
                    widths[key] = _widths(codes, places, offsets, parents, lasts, is_tree, rows, rows.size)[key]
                else:
                    widths[key] = 0.0
        if middle > start:
            starts[waiting], ends[waiting] = middle, end
            starts[waiting + 1], ends[waiting + 1] = start, middle
            waiting += 2
        else:
            for place in range(start, end):
                boxes[order[place]] = count
            count += 1
    return boxes, count


@compiled
def _widths(
    codes: Integers,
    places: Floats,
    offsets: Integers,
    parents: Integers,
    lasts: Integers,
    is_tree: Booleans,
    rows: Integers,
    records: int,
) -> Floats:
    """Return how wide a box is in each key, from 0 to 1; 2 where its missing values can be cut off."""
    widths = np.zeros(codes.shape[0])
    for key in range(codes.shape[0]):
        low, high, missing = FAR, -1, 0
        for row in rows:
            code = codes[key, row]
            if code < 0:
                missing += 1
            else:
                low, high = min(low, code), max(high, code)
        if records <= missing <= rows.size - records:
            widths[key] = 2.0
        elif low < high and is_tree[key]:
            offset = offsets[key]
            widths[key] = places[offset + _above(low, high, parents[offset:], lasts[offset:])]
        elif low < high:
            widths[key] = places[offsets[key] + high] - places[offsets[key] + low]
    return widths


@compiled
def _above(low: int, high: int, parents: Integers, lasts: Integers) -> int:
    """Return the lowest code of a tree that has all codes from `low` to `high` under it, or is one of them."""
    code = low
    while lasts[code] < high:
        code = parents[code]
    return code


@compiled
def _median_cut(column: Integers, rows: Integers, scratch: Integers, records: int) -> int:
    """Return the code below which the left side lies: as near the middle as leaves enough records on both sides."""
    size = rows.size
    values = scratch[:size]
    for place in range(size):
        values[place] = column[rows[place]]
    median = _select_rank(values, size // 2)
    less, at_most, after = 0, 0, FAR
    for value in values:
        if value < median:
            less += 1
        if value <= median:
            at_most += 1
        else:
            after = min(after, value)
    fits_below, fits_above = less >= records, size - at_most >= records
    if fits_below and (not fits_above or size - less <= at_most):
        return median
    return after if fits_above else NOWHERE


@compiled
def _tree_cut(
    column: Integers, rows: Integers, parents: Integers, lasts: Integers, held: Integers, records: int
) -> int:
    """Return the code below which the left side lies: the first of a branch, as near the middle as can be."""
    low, high = FAR, -1
    for row in rows:
        if column[row] >= 0:
            low, high = min(low, column[row]), max(high, column[row])
    top = _above(low, high, parents, lasts)
    held[top : lasts[top] + 1] = 0
    left = 0
    for row in rows:
        code = column[row]
        if code < 0:
            left += 1
        else:
            while code != top and parents[code] != top:
                code = parents[code]
            held[code] += 1
    left += held[top]
    best, below, branch = records - 1, NOWHERE, top + 1
    while branch <= lasts[top]:
        smaller = min(left, rows.size - left)
        if smaller > best:
            best, below = smaller, branch
        left += held[branch]
        branch = lasts[branch] + 1
    return below


@compiled
def _split_rows(column: Integers, rows: Integers, below: int, scratch: Integers) -> int:
    """Put the rows (output) with codes below a value first, in their order, and return how many they are."""
    left, right = 0, 0
    for row in rows:
        if column[row] < below:
            rows[left] = row
            left += 1
        else:
            scratch[right] = row
            right += 1
    rows[left:] = scratch[:right]
    return left


@compiled
def _values(sensitive: Integers, rows: Integers, seen: Integers, mark: int, min_values: int) -> int:
    """Return how many different sensitive values rows have, counted up to `min_values`; `seen` (output) holds marks."""
    count = 0
    for row in rows:
        value = sensitive[row]
        if value >= 0 and seen[value] != mark:
            seen[value] = mark
            count += 1
            if count >= min_values:
                break
    return count


@compiled
def _select_rank(values: Integers, rank: int) -> int:
    """Return the value of a rank, from 0, after bringing smaller values (output) before it and larger ones behind."""
    low, high = 0, values.size - 1
    while low < high:
        a, b, c = values[low], values[(low + high) // 2], values[high]
        pivot = max(min(a, b), min(max(a, b), c))
        i, j = low, high
        while i <= j:
            while values[i] < pivot:
                i += 1
            while values[j] > pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        if rank <= j:
            high = j
        elif rank >= i:
            low = i
        else:
            break
    return int(values[rank])


@compiled
def box_extremes(values: Values, boxes: Integers, count: int) -> tuple[Values, Values]:
    """Return the lowest and the highest value of each box.

    Parameters
    ----------
    values, boxes
        The value and the box of each record.
    count
        How many boxes there are; each has a record.
    """
    low, high = np.empty(count, dtype=values.dtype), np.empty(count, dtype=values.dtype)
    found = np.zeros(count, dtype=np.bool_)
    for row in range(values.size):
        box = boxes[row]
        if not found[box]:
            low[box], high[box], found[box] = values[row], values[row], True
        low[box], high[box] = min(low[box], values[row]), max(high[box], values[row])
    return low, high
