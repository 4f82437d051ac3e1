"""Find the smallest sets of columns by which a record differs from all others: its minimal sample uniques.

The sets are visited in an order in which every set comes after its subsets. From one set to a larger one the classes of
equal records are split further; a record that is left alone in its class is unique on the set, and no longer looked at
in the sets beyond it, and a class in which nobody can be alone any more is dropped. So the work falls quickly from set
to set.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sfumato.kernels.compiling import compiled
from sfumato.kernels.keys.counting import classes_of
from sfumato.numerics.arrays import Booleans, Integers, SmallIntegers

MAX_COLUMNS = 62  # a set of columns is a whole number: bit j stands for column j
BLOCK = 8  # sets that fill one line of the cache


@dataclass(frozen=True, eq=False)
class MinimalUniques:
    """Records and the minimal sets of columns on which each is unique, one pair after another.

    Parameters
    ----------
    rows
        The record of each pair, shape (p,).
    sets
        Its columns as bits, shape (p,): bit j stands for column j.
    """

    rows: Integers
    sets: Integers

    def sizes(self) -> Integers:
        """Return how many columns each set has."""
        return np.bitwise_count(self.sets).astype(np.int64)

    def contains_column(self, column: int) -> Booleans:
        """Tell for each set whether it holds a column."""
        return np.asarray((self.sets >> column) & 1, dtype=np.bool_)


def minimal_uniques(columns: Integers, max_size: int, *, matches_missing: bool = False) -> MinimalUniques:
    """Return all minimal sets of at most `max_size` columns on which a record is unique.

    Parameters
    ----------
    columns
        Codes from -1 (missing) up, one column after another in memory, shape (m, n), m up to 62.
    max_size
        The largest size of a set.
    matches_missing
        Whether a missing code matches every value, so that it makes nobody unique; else it is a category of its own.

    Examples
    --------
    >>> found = minimal_uniques(np.array([[0, 0, 0, 1], [0, 0, 1, 1], [0, 1, 1, 1]]), 3)
    >>> found.rows, found.sets
    (array([3, 2, 0, 1]), array([1, 3, 4, 6]))
    """
    alike = classes_of(columns)
    rows = alike.first_rows()
    order = np.argsort([column.max(initial=-1) for column in columns], kind="stable")  # the finest column comes last
    shift = 0 if matches_missing else 1
    codes = np.empty((len(columns), rows.size), dtype=np.int32)
    for position, column in enumerate(order):
        codes[position] = columns[column][rows] + shift
    numbers = np.arange(rows.size, dtype=np.int32)
    members = np.where(alike.sizes() == 1, numbers, ~numbers)  # a record that has a double is unique on no set
    places, sets = _minimal(_uniques_by_set(codes, members, max_size), rows.size)
    bits = np.zeros(places.size, dtype=np.int64)
    for position, column in enumerate(order):
        bits |= ((sets >> position) & 1) << column
    return MinimalUniques(rows[places], bits)


def _uniques_by_set(codes: SmallIntegers, members: SmallIntegers, max_size: int) -> Iterator[tuple[int, SmallIntegers]]:
    """Yield each set of columns with the records that are unique on it but not on it less its first column."""
    widths = [int(column.max(initial=-1)) + 1 for column in codes]

    def larger(
        chosen: int, size: int, below: int, members: SmallIntegers, starts: Integers
    ) -> Iterator[tuple[int, SmallIntegers]]:
        for column in range(below):
            grown = chosen | 1 << column
            if size + 1 == max_size or column == 0:
                yield grown, _alone(members, starts, codes[column], widths[column])
                continue
            split, bounds, alone = _split(members, starts, codes[column], widths[column])
            yield grown, alone
            if bounds.size > 1:
                yield from larger(grown, size + 1, column, split, bounds)

    return larger(0, 0, len(codes), members, np.array([0, members.size], dtype=np.int64))


def _minimal(uniques: Iterator[tuple[int, SmallIntegers]], n: int) -> tuple[Integers, Integers]:
    """Return the pairs of a record and a set of which no smaller set came before for that record."""
    latest, count = np.full(n, -1, dtype=np.int64), 0
    blocks = Blocks.of(max(n, 1))
    for chosen, alone in uniques:
        if count + alone.size > blocks.owners.size:
            blocks = blocks.grow(2 * (count + alone.size))
        count = _note(alone, chosen, count, latest, blocks.owners, blocks.former, blocks.held, blocks.sets)
    kept = np.arange(BLOCK) < blocks.held[:count, np.newaxis]
    return np.repeat(blocks.owners[:count], blocks.held[:count]), blocks.sets[:count][kept]


@dataclass(frozen=True, eq=False)
class Blocks:
    """The sets of each record in blocks of a few, so that those of one record lie near each other in memory.

    Parameters
    ----------
    owners, former, held
        The record of each block, the block before it of the same record (-1 for none), and how many sets it holds.
    sets
        The sets, shape (blocks, BLOCK).
    """

    owners: Integers
    former: Integers
    held: Integers
    sets: Integers

    @classmethod
    def of(cls, size: int) -> "Blocks":
        """Return room for some blocks."""
        owners, former, held = (np.empty(size, dtype=np.int64) for _ in range(3))
        return cls(owners, former, held, np.empty((size, BLOCK), dtype=np.int64))

    def grow(self, size: int) -> "Blocks":
        """Return more room, with what is there in its place."""
        larger, used = Blocks.of(size), self.owners.size
        larger.owners[:used], larger.former[:used] = self.owners, self.former
        larger.held[:used], larger.sets[:used] = self.held, self.sets
        return larger


@compiled
def _note(
    alone: SmallIntegers,
    chosen: int,
    count: int,
    latest: Integers,
    owners: Integers,
    former: Integers,
    held: Integers,
    sets: Integers,
) -> int:
    """Add the chosen set to the blocks (outputs) of the records for which it is minimal; return how many are used.

    `latest` holds the last block of each record, -1 for none.
    """
    for i in range(alone.size):
        row = alone[i]
        block = latest[row]
        is_minimal = True
        while block >= 0 and is_minimal:
            for place in range(held[block]):
                if sets[block, place] & ~chosen == 0:
                    is_minimal = False
                    break
            block = former[block]
        if not is_minimal:
            continue
        block = latest[row]
        if block < 0 or held[block] == BLOCK:
            owners[count], former[count], held[count] = row, block, 0
            latest[row] = block = count
            count += 1
        sets[block, held[block]] = chosen
        held[block] += 1
    return count


@compiled
def _split(
    members: SmallIntegers, starts: Integers, codes: SmallIntegers, width: int
) -> tuple[SmallIntegers, Integers, SmallIntegers]:
    """Split classes by one more column.

    Parameters
    ----------
    members, starts
        The records of all classes one after another, and where each class starts, and ends the last. A record that
        cannot be unique, but keeps others from being so, is stored as its complement, below 0.
    codes, width
        The column's code of each record, negative where it matches every value, and how many codes there are.

    Returns
    -------
    The members and starts of the smaller classes in which a record may yet become unique, and the records that are now
    alone in their class.
    """
    split = np.empty(members.size, dtype=np.int32)
    alone = np.empty(members.size, dtype=np.int32)
    bounds = np.zeros(members.size + 1, dtype=np.int64)
    totals, hopeful = np.zeros(width, dtype=np.int32), np.zeros(width, dtype=np.int32)
    places, touched = np.empty(width, dtype=np.int64), np.empty(width, dtype=np.int64)
    there = np.empty(members.size, dtype=np.int32)
    used, classes, alone_count = 0, 0, 0
    for c in range(starts.size - 1):
        wild, different = 0, 0
        for i in range(starts[c], starts[c + 1]):
            member = members[i]
            code = codes[member if member >= 0 else ~member]
            there[i] = code
            if code < 0:
                wild += 1
                continue
            if totals[code] == 0:
                touched[different] = code
                different += 1
            totals[code] += 1
            hopeful[code] += member >= 0
        kept = 0
        for t in range(different):
            code = touched[t]
            if hopeful[code] > 0 and totals[code] + wild > 1:
                touched[kept], places[code] = code, used
                used += totals[code] + wild
                kept += 1
                classes += 1
                bounds[classes] = used
            else:
                places[code] = -1 - hopeful[code]  # -2 for one alone
                totals[code], hopeful[code] = 0, 0
        if used > split.size:
            larger = np.empty(2 * used, dtype=np.int32)
            for i in range(split.size):
                larger[i] = split[i]
            split = larger
        for i in range(starts[c], starts[c + 1]):
            member, code = members[i], there[i]
            if code < 0:
                for t in range(kept):  # it may be anybody there, and is itself unique by other columns only
                    split[places[touched[t]]] = member if member < 0 else ~member
                    places[touched[t]] += 1
            elif places[code] >= 0:
                split[places[code]] = member
                places[code] += 1
            elif places[code] == -2:
                alone[alone_count] = member
                alone_count += 1
        for t in range(kept):
            totals[touched[t]], hopeful[touched[t]] = 0, 0
    return split[:used], bounds[: classes + 1], alone[:alone_count]


@compiled
def _alone(members: SmallIntegers, starts: Integers, codes: SmallIntegers, width: int) -> SmallIntegers:
    """Return the records that are alone in their class once it is split by one more column; see `_split`."""
    alone = np.empty(members.size, dtype=np.int32)
    totals, holder = np.zeros(width, dtype=np.int32), np.empty(width, dtype=np.int32)
    touched = np.empty(width, dtype=np.int64)
    count = 0
    for c in range(starts.size - 1):
        wild, different = 0, 0
        for i in range(starts[c], starts[c + 1]):
            member = members[i]
            code = codes[member if member >= 0 else ~member]
            if code < 0:
                wild += 1
                continue
            if totals[code] == 0:
                touched[different], holder[code] = code, member
                different += 1
            totals[code] += 1
        for t in range(different):
            code = touched[t]
            if totals[code] == 1 and wild == 0 and holder[code] >= 0:
                alone[count] = holder[code]
                count += 1
            totals[code] = 0
    return alone[:count]
