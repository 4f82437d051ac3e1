"""Count equal records: equivalence classes over any number of coded columns, without their cross product.

Missing codes (-1) are a category of their own, or wildcards that match every value.
"""

from dataclasses import dataclass

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Floats, Integers, SmallIntegers

LARGEST = 2**62  # combined codes stay below this
DENSE = 2**22  # up to so many possible codes a table that fits the cache beats a hash table
SPARSE = 32  # a table of more codes than so many for each record takes longer to lay out than to fill
COMPARED = 20  # numbering a record takes about as long as comparing it with so many others
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 divided by the golden ratio: spreads neighbouring codes


@dataclass(frozen=True, eq=False)
class Classes:
    """The equivalence classes of some records.

    Parameters
    ----------
    numbers
        The class of each record, shape (n,), numbered as they first appear.
    count
        How many classes there are.
    """

    numbers: Integers
    count: int

    def sizes(self, copies: Integers | None = None) -> Integers:
        """Return the number of records in each class; `copies` is how many each row stands for, one when not given."""
        if copies is None:
            return np.asarray(np.bincount(self.numbers, minlength=self.count), dtype=np.int64)
        return np.rint(self.totals(copies.astype(np.float64))).astype(np.int64)

    def totals(self, weights: Floats) -> Floats:
        """Return the sum of the weights in each class."""
        return np.asarray(np.bincount(self.numbers, weights=weights, minlength=self.count), dtype=np.float64)

    def first_rows(self) -> Integers:
        """Return the first record of each class."""
        return _first_rows(self.numbers, self.count)


def classes_of(columns: Integers) -> Classes:
    """Return the classes of records that are equal in all columns, a missing code being a category of its own.

    Parameters
    ----------
    columns
        Codes from -1 (missing) up, one column after another in memory, shape (d, n).

    Examples
    --------
    >>> classes_of(np.array([[0, 1, 0, -1], [2, 2, 2, 2]])).numbers
    array([0, 1, 0, 2])
    """
    numbers = np.zeros(columns.shape[1], dtype=np.int64)
    return Classes(numbers, _number_rows(np.ascontiguousarray(columns, dtype=np.int64), numbers))


def equal_codes(codes: Integers) -> Classes:
    """Return the classes of equal codes, which may be any integers, as digests are.

    Examples
    --------
    >>> equal_codes(np.array([-(2**62), 7, -(2**62)])).numbers
    array([0, 1, 0])
    """
    numbers = np.empty(codes.size, dtype=np.int64)
    return Classes(numbers, _number_by_hash(codes, numbers))


def matching_totals(columns: Integers, weights: Floats) -> Floats:
    """Return for each record the weights of all records that match it, a missing code matching every value.

    Two records match when they are equal in each column that both have; each matches itself.

    Parameters
    ----------
    columns
        Codes from -1 (missing) up, shape (d, n).
    weights
        One weight per record; ones to count records.

    Examples
    --------
    >>> matching_totals(np.array([[0, 0, 1, -1], [5, 5, 5, 5]]), np.ones(4))
    array([3., 3., 2., 4.])
    """
    whole = classes_of(columns)
    sums = matching_sums(columns[:, whole.first_rows()], whole.totals(weights)[:, None])
    return np.ascontiguousarray(sums[whole.numbers, 0])


def matching_sums(columns: Integers, held: Floats) -> Floats:
    """Return for each record the sums of what all records hold that match it, a missing code matching every value.

    Records with the same codes missing are dealt with together, so that it is best if no two records are equal.

    Parameters
    ----------
    columns
        Codes from -1 (missing) up, shape (d, n).
    held
        What each record holds, shape (n, m).

    Examples
    --------
    >>> matching_sums(np.array([[0, 1, -1]]), np.array([[1.0, 0.0], [1.0, 2.0], [1.0, 4.0]]))
    array([[2., 4.],
           [2., 6.],
           [3., 6.]])
    """
    columns, held = np.ascontiguousarray(columns), np.ascontiguousarray(held)
    patterns = classes_of((columns >= 0).astype(np.int64) - 1)
    members = [np.flatnonzero(patterns.numbers == pattern) for pattern in range(patterns.count)]
    codes = [np.ascontiguousarray(columns[:, rows]) for rows in members]
    holding = [held[rows] for rows in members]
    sums = np.zeros_like(held)
    for asking, asking_codes in zip(members, codes, strict=True):
        few: list[Integers] = []  # compared one by one, all that follow one another at once
        for asked, asked_codes, asked_held in zip(members, codes, holding, strict=True):
            if asking.size * asked.size <= COMPARED * (asking.size + asked.size):
                few.append(asked)
                continue
            if few:
                _add_matching(columns, asking, np.concatenate(few), held, sums)
                few = []
            both = (asking_codes[:, 0] >= 0) & (asked_codes[:, 0] >= 0)
            sums[asking] += _sums_of_equal(asking_codes[both], asked_codes[both], asked_held)
        if few:
            _add_matching(columns, asking, np.concatenate(few), held, sums)
    return sums


def _sums_of_equal(asking: Integers, asked: Integers, held: Floats) -> Floats:
    """Return for each record of `asking` the sums of `held` over the records of `asked` that are equal to it."""
    together = classes_of(np.concatenate([asking, asked], axis=1))
    first, second = together.numbers[: asking.shape[1]], together.numbers[asking.shape[1] :]
    sums = np.empty((first.size, held.shape[1]))
    for place, column in enumerate(held.T):
        sums[:, place] = np.bincount(second, weights=column, minlength=together.count)[first]
    return sums


@compiled
def _add_matching(columns: Integers, asking: Integers, asked: Integers, held: Floats, sums: Floats) -> None:
    """Add to `sums` (output) of each record of `asking` what the records of `asked` hold that match it."""
    for row in asking:
        for other in asked:
            matches = True
            for j in range(columns.shape[0]):
                one, two = columns[j, row], columns[j, other]
                if one >= 0 and two >= 0 and one != two:
                    matches = False
                    break
            if matches:
                for place in range(held.shape[1]):
                    sums[row, place] += held[other, place]


@compiled
def _number_rows(columns: Integers, numbers: Integers) -> int:
    """Put the number of each record's class into `numbers` (output), zeros before, and return how many there are.

    The columns become digits of one code. Where the codes would grow too large, those of the columns so far are
    numbered, and the next columns joined to the numbers.
    """
    possible = 1
    for j in range(columns.shape[0]):
        width = 1
        for row in range(numbers.size):
            width = max(width, columns[j, row] + 2)
        if possible > LARGEST // width:
            possible = _number_codes(numbers, possible)
        for row in range(numbers.size):
            numbers[row] = numbers[row] * width + columns[j, row] + 1
        possible *= width
    return _number_codes(numbers, possible)


@compiled
def _number_codes(codes: Integers, possible: int) -> int:
    """Put the number of its class in place of each code in 0 .. possible - 1, and return how many there are."""
    if possible <= max(min(DENSE, SPARSE * codes.size), codes.size // 4):
        return _number_by_table(codes, possible, codes)
    return _number_by_hash(codes, codes)


@compiled
def _number_by_table(codes: Integers, possible: int, numbers: Integers) -> int:
    """Put the number of each code's class into `numbers` (output) and return how many classes there are."""
    table = np.full(possible, -1, dtype=np.int32)
    count = 0
    for row in range(codes.size):
        number = table[codes[row]]
        if number < 0:
            number = count
            table[codes[row]] = count
            count += 1
        numbers[row] = number
    return count


@compiled
def _number_by_hash(codes: Integers, numbers: Integers) -> int:
    """Put the number of each code's class into `numbers` (output) and return how many classes there are.

    An open table, at most half full: a code looks for its place from its hash onwards.
    """
    bits = 12
    keys, held = np.empty(1 << bits, dtype=np.int64), np.full(1 << bits, -1, dtype=np.int32)
    count = 0
    for row in range(codes.size):
        code = codes[row]
        place = _place(code, keys, held, bits)
        if held[place] < 0:
            keys[place], held[place] = code, count
            count += 1
            numbers[row] = count - 1
            if 2 * count > held.size:
                bits += 2
                while 4 * count > row and 1 << bits < 2 * codes.size:  # nearly all differ: make room at once
                    bits += 1
                keys, held = _grow_table(keys, held, bits)
        else:
            numbers[row] = held[place]
    return count


@compiled
def _place(code: int, keys: Integers, held: SmallIntegers, bits: int) -> np.int64:
    """Return where a code is in the table, or the free place where it belongs."""
    last = (1 << bits) - 1
    place = np.int64((np.uint64(code) * MULTIPLIER) >> np.uint64(64 - bits))
    while held[place] >= 0 and keys[place] != code:
        place = (place + 1) & last
    return place


@compiled
def _grow_table(keys: Integers, held: SmallIntegers, bits: int) -> tuple[Integers, SmallIntegers]:
    """Return the table with room for more, its entries in their new places."""
    more_keys, more_held = np.empty(1 << bits, dtype=np.int64), np.full(1 << bits, -1, dtype=np.int32)
    for place in range(held.size):
        if held[place] >= 0:
            found = _place(keys[place], more_keys, more_held, bits)
            more_keys[found], more_held[found] = keys[place], held[place]
    return more_keys, more_held


@compiled
def _first_rows(numbers: Integers, count: int) -> Integers:
    rows = np.empty(count, dtype=np.int64)
    seen = 0
    for row in range(numbers.size):
        if numbers[row] == seen:  # numbers come in the order of their first appearance
            rows[seen] = row
            seen += 1
    return rows
