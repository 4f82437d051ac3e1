"""Categories of a key that the value of another column rules out: no region but the smallest has such weights.

Somebody who knows how columns go together, from the design of a survey or from common sense (no child has a wage),
need not read a key off a column to be helped by it: it is enough that some categories cannot be. What holds in the file
is taken for such knowledge where chance would hardly make it so.
"""

from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b

import numpy as np

from sfumato.keys._chance import log_chance_of_few, log_chance_of_none, log_chance_within
from sfumato.keys.telling_columns import are_alike
from sfumato.numerics.arrays import AnyArray, Booleans, CodeColumn, Rows, SmallIntegers
from sfumato.numerics.held_values import HeldValues, ends_of_rows, join_columns

BY_CHANCE = 1e-6  # what is less likely where a column has nothing to do with a key is taken for knowledge
BY_CHANCE_IF_MADE = 1e-2  # the same where it is known that the key was used to make the column
MAX_CATEGORIES = 200  # of an ordered key, one by one: where there are more, neighbours are taken together
MAX_NAMES = 2_000  # of a nominal key: one with more tells nothing that could be counted in reasonable time
MAX_VALUES = 100  # of a column, the most frequent ones, whose categories are looked at
MAX_UNSEEN = 0.1  # of the holders of a value, in a category of their own: more would be in one not yet seen
MIN_HOLDERS = 4  # of a value: what fewer have in common is chance, however many others there are


@dataclass(frozen=True, eq=False)
class RuledOut:
    """What the values of a column rule out of a key.

    Parameters
    ----------
    kinds
        The kind of each record's value, as small integers: values that rule out the same are of one kind.
    categories
        The category that each record has in the key as it was; a gap is one too.
    allowed
        Which categories the values of each kind leave (kinds x categories).
    """

    kinds: AnyArray
    categories: CodeColumn | SmallIntegers
    allowed: Booleans

    @cached_property
    def kinds_digest(self) -> bytes:
        """A digest of the kinds, which are the same for many keys."""
        return blake2b(np.ascontiguousarray(self.kinds).data, key=self.kinds.dtype.char.encode()).digest()


@dataclass(frozen=True, eq=False)
class ReleasedKey:
    """A key before and after it was masked.

    Parameters
    ----------
    before, after
        Its codes, missing as -1.
    is_ordered
        Whether the order of the codes before means something.
    """

    before: CodeColumn
    after: CodeColumn
    is_ordered: bool
    _joined: dict[int, tuple["ReleasedKey", SmallIntegers]] = field(default_factory=dict, repr=False)

    def joined_with(self, other: "ReleasedKey") -> SmallIntegers:
        """Return the categories of each record in this key and another as one number, those of the other last."""
        found = self._joined.get(id(other))
        if found is None:  # the key that is kept beside it keeps its number from being given again
            (first, _), (second, wide) = self.categories, other.categories
            found = self._joined[id(other)] = other, (first * wide + second).astype(np.int32)
        return found[1]

    @cached_property
    def is_changed(self) -> bool:
        """Whether it shows less than before: fewer categories, or more gaps."""
        return not are_alike(self.after, self.before)

    def is_ruled_as(self, other: "ReleasedKey") -> bool:
        """Tell whether columns rule out the same of both, which differ in their gaps only."""
        return self.is_changed == other.is_changed and np.array_equal(self.groups, other.groups)

    @cached_property
    def categories(self) -> tuple[CodeColumn, int]:
        """The categories as they were, gaps as the last one, neighbours together where there are many; their count."""
        count = int(self.before.max(initial=-1)) + 1
        if count <= MAX_CATEGORIES or not self.is_ordered:
            return np.where(self.before < 0, count, self.before), count + 1
        records = np.bincount(self.before[self.before >= 0], minlength=count)
        place = (np.cumsum(records) - records) * MAX_CATEGORIES // records.sum()
        return np.where(self.before < 0, MAX_CATEGORIES, place[self.before]), MAX_CATEGORIES + 1

    @cached_property
    def groups(self) -> CodeColumn:
        """A number for what each category became, its own where it was suppressed altogether or became several.

        In an order, what lies between two categories that became one belongs to it, also where all of it is suppressed.
        """
        categories, count = self.categories
        highest, is_spread = np.full(count, -1), np.zeros(count, dtype=np.bool_)
        np.maximum.at(highest, categories, self.after)
        highest[:-1] = fill_between(highest[:-1]) if self.is_ordered else highest[:-1]
        is_spread[categories[(self.after >= 0) & (self.after != highest[categories])]] = True
        own = int(self.after.max(initial=-1)) + 1 + np.arange(count)
        return np.asarray(np.unique(np.where((highest < 0) | is_spread, own, highest), return_inverse=True)[1])


def fill_between(codes: CodeColumn) -> CodeColumn:
    """Return codes with those that lack between two equal ones.

    Examples
    --------
    >>> fill_between(np.array([-1, 4, -1, -1, 4, -1, 7]))
    array([-1,  4,  4,  4,  4, -1,  7])
    """
    known = np.flatnonzero(codes >= 0)
    if not known.size:
        return codes
    place = np.searchsorted(known, np.arange(codes.size))
    below, above = codes[known[np.maximum(place - 1, 0)]], codes[known[np.minimum(place, known.size - 1)]]
    is_between = (codes < 0) & (below == above) & (place > 0) & (place < known.size)
    return np.where(is_between, below, codes)


def rule_out(
    key: ReleasedKey,
    column: CodeColumn,
    units: Rows,
    is_ordered: bool,
    *,
    is_by_design: bool = False,
    is_each: bool = False,
    by_chance: float = BY_CHANCE,
) -> RuledOut | None:
    """Return what a column rules out of a key; None where that is nothing.

    An ordered column rules out a category outside the range of its values, any column a category that none of those
    with a value have, and a value what is outside the range of an ordered key that those with it have.

    Parameters
    ----------
    key
        The key.
    column
        The column as codes in the order of its values, missing as -1.
    units
        The rows to conclude from: all, or one for members of a household who are alike.
    is_ordered
        Whether the order of the column means something.
    is_by_design
        Whether the column was computed by rules that are published, as weights are: where it goes with some categories
        by no chance, the ranges of all are known, also of those that few records have.
    is_each
        Whether it must be no chance of each category by itself that nobody with a value has it, and not only of all
        such categories together: of many categories that few records have the latter tells little of one.
    by_chance
        How likely something may be at most where the column has nothing to do with the key, to be taken for knowledge.

    Examples
    --------
    >>> region, row = np.arange(3).repeat(20), np.arange(60)
    >>> found = rule_out(ReleasedKey(region, np.zeros(60, dtype=np.int64), False), row, row, True)
    >>> found.allowed[found.kinds[[0, 30, 59]]].astype(int)
    array([[1, 0, 0, 1],
           [0, 1, 0, 1],
           [0, 0, 1, 1]])
    """
    values = int(column.max(initial=-1)) + 1
    categories, count = key.categories
    if not values or count > MAX_NAMES:
        return None
    held = HeldValues.of(column, categories, units, count)
    low, high = np.zeros(count, dtype=np.int64), np.full(count, values - 1)
    if is_ordered:
        low, high = _ranges(held.ends(), held.members, held.holders, by_chance, is_by_design)
    frequent = _frequent_values(held.holders)
    number = np.full(values, frequent.size)  # which stands for all others
    number[frequent] = np.arange(frequent.size)
    excluded = _excluded(held.cells(frequent), key, by_chance, is_each)
    return _by_kinds(column, categories, number, excluded, (low, high))


def _frequent_values(holders: CodeColumn) -> CodeColumn:
    """Return the values that most records have, as far as enough have them to conclude anything."""
    enough = np.flatnonzero(holders >= MIN_HOLDERS)
    return enough[np.argsort(-holders[enough], kind="stable")[:MAX_VALUES]]


def _excluded(cells: CodeColumn, key: ReleasedKey, by_chance: float, is_each: bool) -> Booleans:
    """Tell which categories (columns) frequent values rule out; all other values, in the last row, rule out none.

    `cells` says how many records have each value and category.
    """
    groups = key.groups
    count = groups.size
    joined = join_columns(cells, groups)
    excluded = np.zeros(cells.shape, dtype=np.bool_)
    for table, places in ((cells, np.arange(count)), (joined, groups)):
        excluded |= _empty_by_no_chance(table, by_chance)[:, places]
        if not is_each:
            excluded |= _left_by_those_together(table, by_chance)[:, places]
    if key.is_ordered and count > 1:
        observed = cells[:, :-1]
        low, high = _ranges(ends_of_rows(observed > 0), observed.sum(axis=1), observed.sum(axis=0), by_chance)
        place = np.arange(count - 1)
        excluded[:, :-1] |= (place < low[:, None]) | (place > high[:, None])
    excluded[-1] = False
    return excluded


def _empty_by_no_chance(cells: CodeColumn, by_chance: float) -> Booleans:
    """Tell which cells of a table of counts are empty although by chance they would not be."""
    total, rows, columns = int(cells.sum()), cells.sum(axis=1)[:, None], cells.sum(axis=0)
    return np.asarray((cells == 0) & (log_chance_of_none(total, columns, rows) <= np.log(by_chance)))


def _left_by_those_together(cells: CodeColumn, by_chance: float) -> Booleans:
    """Tell which categories (columns) no holder of a value (row) has, where all being in so few others is no chance.

    Categories that one holder alone has are as many, in expectation, as those that one more holder would be the first
    to have (Good and Turing): where they are not few, nothing is concluded.
    """
    total, members, of_category, held = int(cells.sum()), cells.sum(axis=1), cells.sum(axis=0), cells > 0
    chance = log_chance_of_few(total, members, held @ of_category, held.sum(axis=1), int((of_category > 0).sum()))
    is_settled = np.count_nonzero(cells == 1, axis=1) <= MAX_UNSEEN * members
    is_together = (chance <= np.log(by_chance)) & is_settled
    return np.asarray(~held & (of_category > 0) & is_together[:, None])


def _ranges(
    ends: tuple[CodeColumn, CodeColumn],
    members: CodeColumn,
    records: CodeColumn,
    by_chance: float,
    is_by_design: bool = False,
) -> tuple[CodeColumn, CodeColumn]:
    """Return from where to where the members of each group lie, all places where that may be chance.

    `ends` are the lowest and highest place of each group, `members` how many it has, and `records` says how many lie at
    each place, members of any group. By design no range is chance if one is not.
    """
    last, (low, high) = records.size - 1, ends
    below = np.concatenate([[0], np.cumsum(records)])
    low, high = np.where(members > 0, low, 0), np.where(members > 0, high, last)
    total, limit = int(below[-1]), np.log(by_chance)
    is_narrow = log_chance_within(total, members, below[high + 1] - below[low]) <= limit
    is_bounded_below = is_narrow | (log_chance_of_none(total, members, below[low]) <= limit)
    is_bounded_above = is_narrow | (log_chance_of_none(total, members, total - below[high + 1]) <= limit)
    if is_by_design and (is_bounded_below | is_bounded_above).any():
        return low, high
    return np.where(is_bounded_below, low, 0), np.where(is_bounded_above, high, last)


def _by_kinds(
    column: CodeColumn,
    categories: CodeColumn,
    number: CodeColumn,
    excluded: Booleans,
    ranges: tuple[CodeColumn, CodeColumn],
) -> RuledOut | None:
    """Return what values rule out, those together that rule out the same; a gap rules out nothing."""
    low, high = ranges
    bounds = np.unique(np.concatenate([low, high + 1]))
    piece = np.searchsorted(bounds, np.arange(number.size), side="right")
    first, kinds = _first_places(piece * len(excluded) + number)
    allowed = (first[:, None] >= low) & (first[:, None] <= high) & ~excluded[number[first]]
    if allowed.all():
        return None
    allowed = np.vstack([allowed, np.ones(low.size, dtype=np.bool_)])
    kinds = as_kinds(np.append(kinds, len(allowed) - 1), len(allowed))
    return RuledOut(kinds[column], categories, allowed)  # a gap, -1, is of the last kind


def _first_places(codes: CodeColumn) -> tuple[Rows, CodeColumn]:
    """Return where each of some small codes is first, in the order of the codes, and the number of each in that order.

    Examples
    --------
    >>> _first_places(np.array([7, 3, 7, 5]))
    (array([1, 3, 0]), array([2, 0, 2, 1]))
    """
    first = np.full(int(codes.max()) + 1, -1)
    first[codes[::-1]] = np.arange(codes.size)[::-1]
    is_there = first >= 0
    return first[is_there], (np.cumsum(is_there) - 1)[codes]


def as_kinds(kinds: CodeColumn, count: int) -> AnyArray:
    """Return the kinds of values in as little memory as their count allows: there are many columns of them."""
    return kinds.astype(np.int8 if count <= 2**7 else np.int16 if count <= 2**15 else np.int32)
