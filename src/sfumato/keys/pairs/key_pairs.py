"""Two keys of which one column rules out combinations: nobody is asked about a pregnancy but women of some ages."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np

from sfumato.keys.ruled_out import ReleasedKey, RuledOut
from sfumato.numerics.arrays import CodeColumn, Rows, SmallIntegers

MAX_TOGETHER = 600  # categories of two keys: with more, hardly any is so frequent that chance would not leave it out
MAX_VALUES = 20  # of a column: questions with few answers


def key_pairs(keys: Mapping[str, ReleasedKey]) -> dict[tuple[str, str], ReleasedKey]:
    """Return two keys as one, for all pairs of keys that have few categories together."""
    found = {}
    for one, other in combinations(keys, 2):
        first, second = keys[one], keys[other]
        if first.categories[1] * second.categories[1] <= MAX_TOGETHER:
            found[one, other] = _together(first, second)
    return found


def has_few_values(column: CodeColumn) -> bool:
    """Tell whether a column has so few values that each may rule out two keys together."""
    return 1 < int(column.max(initial=-1)) + 1 <= MAX_VALUES


def tells_more(both: RuledOut, alone: list[RuledOut]) -> bool:
    """Tell whether two keys together are ruled out where neither is by itself.

    Parameters
    ----------
    both
        What a column rules out of two keys together.
    alone
        What it rules out of either.
    """
    (kinds, rows), (seen, persons) = _first_rows(both.kinds), _first_rows(both.categories)
    left = np.ones((kinds.size, seen.size), dtype=np.bool_)
    for one in alone:
        left &= one.allowed[one.kinds[rows]][:, one.categories[persons]]
    return bool((left & ~both.allowed[kinds][:, seen]).any())


def _first_rows(numbers: CodeColumn | SmallIntegers) -> tuple[CodeColumn, Rows]:
    """Return which numbers there are, in order, and a row of each.

    Examples
    --------
    >>> _first_rows(np.array([3, 0, 3, 0]))
    (array([0, 3]), array([1, 0]))
    """
    rows = np.full(int(numbers.max(initial=-1)) + 1, -1)
    rows[numbers[::-1]] = np.arange(numbers.size)[::-1]
    return np.flatnonzero(rows >= 0), rows[rows >= 0]


def _together(first: ReleasedKey, second: ReleasedKey) -> ReleasedKey:
    """Return two keys as one, of which a record shows something where it shows both."""
    (codes, _), (others, wide) = first.categories, second.categories
    shown = first.after * (int(second.after.max(initial=0)) + 1) + second.after
    is_shown = (first.after >= 0) & (second.after >= 0)
    return ReleasedKey(codes * wide + others, np.where(is_shown, shown, -1), is_ordered=False)
