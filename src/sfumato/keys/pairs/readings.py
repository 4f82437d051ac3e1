"""Columns, alone or in pairs, that gave a key exactly before they were masked: what is left of that is read off them.

Somebody who read the questionnaire knows that turnover over turnover by head is the number of employees, and what a
year of birth says of an age. Where such columns are masked, some readings come out right all the same.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from sfumato.data import Microdata
from sfumato.keys.number_codes import has_numbers, numbers_of
from sfumato.keys.pairs.column_pairs import SECOND_LOOK, KeySource, promising_pairs, usual_pairs
from sfumato.keys.pairs.column_sums import giving_sums
from sfumato.keys.ruled_out import ReleasedKey, RuledOut
from sfumato.keys.telling_columns import is_told
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, Rows
from sfumato.numerics.hashing import rows_by_content
from sfumato.numerics.ranking import in_order

NEAR = 0.1  # of the way to the next category: what is nearer to one is taken for it
USUAL = 0.9  # of the records of a category, whose values lie around its middle: others are wrong entries
POOLED = 10  # readings at least, by which it is judged whether such readings are right
MOSTLY_RIGHT = 0.5  # of such readings: whoever takes them all is more often right than wrong


class Reading(NamedTuple):
    """A key, and the column, or columns together, that gave it before masking."""

    key: str
    source: str | KeySource

    @property
    def words(self) -> str:
        """What gave the key, in words."""
        return self.source if isinstance(self.source, str) else self.source.words

    def of(self, data: Microdata) -> FloatColumn:
        """Return what the columns of a file give."""
        return data.values(self.source) if isinstance(self.source, str) else self.source.of(data)


def readings(
    original: Microdata,
    columns: Sequence[str],
    keys: Mapping[str, ReleasedKey],
    rows: Rows,
    persons: CodeColumn | None = None,
) -> list[Reading]:
    """Return the keys with the columns, or pairs of them, that told them before masking.

    Parameters
    ----------
    original, columns
        The file before masking, and the columns of numbers to look at.
    keys, rows
        The keys that were masked, and the row of each record in the original.
    persons
        The person of each record, where some have several.
    """
    looked = np.arange(rows.size) if persons is None else np.unique(persons, return_index=True)[1]
    numbers = {name: original.values(name)[rows] for name in columns}
    content = [*(key.before for key in keys.values()), *numbers.values()]
    drawn = looked[rows_by_content(*(one[looked] for one in content))][:SECOND_LOOK] if content else looked[:0]
    values = {name: column[drawn] for name, column in numbers.items()}
    before = {name: key.before[drawn] for name, key in keys.items()}
    alone = [
        Reading(key, name)
        for name, column in values.items()
        for key, codes in before.items()
        if key != name and is_told(codes, in_order(column), True)
    ]
    pairs = promising_pairs(values, usual_pairs(original, columns), before)
    told = [(key, pair) for key, pair in pairs if is_told(before[key], in_order(pair.of_values(values)), True)]
    exact = {key: numbers_of(original, key)[rows[drawn]] for key in keys if has_numbers(original, key)}
    sums = [Reading(key, found) for key, found in giving_sums(exact, values).items()]
    return [*alone, *(Reading(key, pair) for key, pair in told), *sums]


def ruled_out_by_reading(key: ReleasedKey, exact: FloatColumn, released: FloatColumn) -> RuledOut | None:
    """Return what is ruled out of a key where it is read off masked columns, and read right; None if nothing.

    Parameters
    ----------
    key
        The key.
    exact, released
        What the columns gave in each record before they were masked, and what they give now.

    Examples
    --------
    >>> heads = np.arange(1, 5).repeat(20)
    >>> masked = np.where(heads < 3, heads, heads + 0.4)
    >>> key = ReleasedKey(heads, np.zeros(80, dtype=np.int64), True)
    >>> found = ruled_out_by_reading(key, heads.astype(float), masked)
    >>> found.allowed[found.kinds[[0, 79]]].sum(axis=1)
    array([1, 6])
    """
    categories, count = key.categories
    told = _right_readings(categories, exact, released)
    if not told.any():
        return None
    allowed = np.vstack([np.eye(count, dtype=np.bool_), np.ones(count, dtype=np.bool_)])
    return RuledOut(np.where(told, categories, count), categories, allowed)


def _right_readings(categories: CodeColumn, exact: FloatColumn, released: FloatColumn) -> Booleans:
    """Tell of which records the category is read right off what columns give, where such readings mostly are right."""
    known = np.flatnonzero(np.isfinite(exact))
    order = known[np.lexsort((exact[known], categories[known]))]
    held, starts, counts = np.unique(categories[order], return_index=True, return_counts=True)
    if held.size < 2:
        return np.zeros(categories.size, dtype=np.bool_)
    aside = ((1 - USUAL) / 2 * counts).astype(np.int64)
    low, high = exact[order[starts + aside]], exact[order[starts + counts - 1 - aside]]
    by_value = np.argsort(low + high, kind="stable")
    held, low, high = held[by_value], low[by_value], high[by_value]
    between = np.maximum(low[1:] - high[:-1], 0.0)
    between = np.concatenate([between[:1], between, between[-1:]])  # beyond the ends as far as to the next inside
    readings = np.flatnonzero(np.isfinite(released))
    place = np.minimum(np.searchsorted(high + between[1:] / 2, released[readings]), held.size - 1)
    below, above = low - NEAR * between[:-1], high + NEAR * between[1:]
    is_near = (released[readings] >= below[place]) & (released[readings] <= above[place])
    readings, place = readings[is_near], place[is_near]
    is_right = held[place] == categories[readings]
    told = np.zeros(categories.size, dtype=np.bool_)
    told[readings] = is_right & _are_mostly_right(place, is_right, held.size)
    return told


def _are_mostly_right(place: CodeColumn, is_right: Booleans, count: int) -> Booleans:
    """Tell of each reading whether those of its category, with its neighbours where they are few, are mostly right."""
    pool, pooled, number = np.zeros(count, dtype=np.int64), 0, 0
    for category, read in enumerate(np.bincount(place, minlength=count)):
        if pooled >= POOLED:
            pooled, number = 0, number + 1
        pool[category], pooled = number, pooled + int(read)
    if pooled < POOLED:
        pool[pool == number] = max(number - 1, 0)
    of_reading = pool[place]
    share = np.bincount(of_reading, weights=is_right) / np.maximum(np.bincount(of_reading), 1)
    return np.asarray(share[of_reading] > MOSTLY_RIGHT)
