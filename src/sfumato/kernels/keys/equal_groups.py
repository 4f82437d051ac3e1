"""Let rare records find others that are equal to them without the values of some columns."""

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Booleans, Floats, Integers

ROUNDING = 1e-9
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 divided by the golden ratio: spreads neighbouring codes


@compiled
def join_rare_groups(
    records: Integers,
    unit: Integers,
    form: Integers,
    copies: Integers,
    spare: Integers,
    is_rare: Booleans,
    columns: Integers,
    limits: Floats,
    price: Floats,
    k: int,
) -> int:
    """Join rare groups with others, step by step, and return how many groups there are at the end.

    Parameters
    ----------
    records
        The different records as codes, shape (u, m); a negative code is missing.
    unit, form, copies, spare, is_rare
        The groups, one for each record at the beginning, in arrays with room for as many as there are copies (outputs):
        which record they are, the columns in which they are missing, as bits, how many they are, how many of them may
        leave, and whether they must still find a group.
    columns, limits
        The steps: the columns, as bits, whose values are left out, and the most that a group may cost for each rare
        record in it.
    price
        What each set of columns costs, by its bits.
    k
        How many records must be equal at least.

    Notes
    -----
    In a step the groups count that are missing in no other columns: those that are missing in just these and not rare,
    the rare ones, and those with records to spare. Of these all join that are equal without the columns, if the rare
    ones among them cost no more than the limit; of records to spare only as many as are lacking, first ones first.
    """
    count = len(records)
    left = 0
    for group in range(count):
        left += is_rare[group]
    number = np.empty(unit.size, dtype=np.int64)
    for step in range(columns.size):
        if not left:
            break
        classes = _number_groups(records, unit, form, spare, is_rare, count, columns[step], number)
        if not classes:
            continue
        is_made, lacking = _made_groups(
            form, copies, spare, is_rare, count, columns[step], limits[step], price, k, number, classes
        )
        for group in range(count):
            here = number[group]
            if here < 0 or not is_made[here]:
                continue
            if is_rare[group]:
                form[group], is_rare[group] = columns[step], False
                left -= 1
            elif form[group] != columns[step] and spare[group] and lacking[here]:
                leaving = min(spare[group], lacking[here])
                lacking[here] -= leaving
                copies[group] -= leaving
                spare[group] -= leaving
                unit[count], form[count], copies[count] = unit[group], columns[step], leaving
                spare[count], is_rare[count] = 0, False
                count += 1
    return count


@compiled
def _number_groups(
    records: Integers,
    unit: Integers,
    form: Integers,
    spare: Integers,
    is_rare: Booleans,
    count: int,
    columns: int,
    number: Integers,
) -> int:
    """Give equal groups that count in a step the same number (output), others -1; return how many numbers there are.

    There are none where no rare group counts.
    """
    near = rare = 0
    for group in range(count):
        number[group] = -1
        if form[group] & ~columns == 0 and (is_rare[group] or spare[group] > 0 or form[group] == columns):
            number[group] = 0
            near += 1
            rare += is_rare[group]
    if not rare:
        return 0
    bits = 4
    while 1 << bits < 2 * near:
        bits += 1
    first = np.full(1 << bits, -1, dtype=np.int64)  # an open table, at most half full: the first group of each number
    classes = 0
    for group in range(count):
        if number[group] < 0:
            continue
        place = _place(records, unit, first, columns, bits, unit[group])
        if first[place] < 0:
            first[place] = group
            number[group] = classes
            classes += 1
        else:
            number[group] = number[first[place]]
    return classes


@compiled
def _place(records: Integers, unit: Integers, first: Integers, columns: int, bits: int, record: int) -> np.int64:
    """Return where in the table the records are that are equal to one without some columns, or the free place."""
    mixed = np.uint64(0)
    for j in range(records.shape[1]):
        if not columns >> j & 1:
            mixed = (mixed ^ np.uint64(records[record, j] + 1)) * MULTIPLIER
            mixed ^= mixed >> np.uint64(32)
    last = (1 << bits) - 1
    place = np.int64((mixed * MULTIPLIER) >> np.uint64(64 - bits))
    while first[place] >= 0 and not _are_equal(records, unit[first[place]], record, columns):
        place = (place + 1) & last
    return place


@compiled
def _are_equal(records: Integers, one: int, other: int, columns: int) -> bool:
    equal = True
    for j in range(records.shape[1]):
        equal &= bool(columns >> j & 1) or records[one, j] == records[other, j]
    return equal


@compiled
def _made_groups(
    form: Integers,
    copies: Integers,
    spare: Integers,
    is_rare: Booleans,
    count: int,
    columns: int,
    limit: float,
    price: Floats,
    k: int,
    number: Integers,
    classes: int,
) -> tuple[Booleans, Integers]:
    """Return for each number whether a group is made of its records, and how many with records to spare it lacks."""
    asking, there = np.zeros(classes, dtype=np.int64), np.zeros(classes, dtype=np.int64)
    company, cost = np.zeros(classes, dtype=np.int64), np.zeros(classes)
    for group in range(count):
        here = number[group]
        if here < 0:
            continue
        if is_rare[group]:
            asking[here] += copies[group]
            cost[here] += copies[group] * (price[columns] - price[form[group]])
        elif form[group] == columns:
            there[here] += copies[group]
        else:
            company[here] += spare[group]
    is_made, lacking = np.zeros(classes, dtype=np.bool_), np.zeros(classes, dtype=np.int64)
    for here in range(classes):
        lacking[here] = max(k - there[here] - asking[here], 0)
        whole = cost[here] + lacking[here] * price[columns]
        is_made[here] = (
            asking[here] > 0 and company[here] >= lacking[here] and whole <= limit * asking[here] * (1 + ROUNDING)
        )
    return is_made, lacking
