"""What speaks for records being of one household: columns in which they agree, and that say different things."""

from collections.abc import Iterable, Iterator

import numpy as np

from sfumato.data import Microdata
from sfumato.data.distinct_values import NESTED
from sfumato.keys.households import agrees_by
from sfumato.numerics.arrays import CodeColumn, FloatColumn
from sfumato.numerics.ranking import dense_numbers

MAX_YEARS = 10  # between the ages in records of one person: those of a household lie further apart
MAX_RELATED = 0.3  # of the way from two columns that say nothing of each other to one that tells the other
MOSTLY_DIFFERENT = 0.9  # of the groups: such a column is the number in other words
HALF_WAY = 0.5  # from what records have alike by chance to all: such a column goes with a number, or with its order


def agreeing_columns(data: Microdata, number: CodeColumn, but: Iterable[str]) -> Iterator[str]:
    """Yield the columns that agree within groups of one number, and differ elsewhere, but for some."""
    for one in data.schema.names:
        if one not in but and not isinstance(data.table[one].dtype, NESTED) and agrees_by(data, one, number):
            yield one


def are_unrelated(data: Microdata, names: Iterable[str], number: CodeColumn) -> bool:
    """Tell whether some two columns say different things of groups of records with one number.

    The chapter of a code agrees within it too, as does its wording, which says the same as the code; the region of a
    household and its rooms have nothing to do with each other. Of each group one record is looked at.
    """
    groups, first = np.unique(number, return_index=True)
    first = first[groups >= 0]
    found: list[CodeColumn] = []
    for name in names:
        codes = data.numbers(name)[first] + 1
        if np.unique(codes).size >= MOSTLY_DIFFERENT * codes.size:
            continue
        if any(_relation(codes, other) <= MAX_RELATED for other in found):
            return True
        found.append(codes)
    return False


def _relation(one: CodeColumn, other: CodeColumn) -> float:
    """Return how far two columns tell each other: 0 if pairs of records are equal in both by chance, 1 if by rule."""
    equal_one, equal_other = share_of_equal(one), share_of_equal(other)
    both = share_of_equal(joined(one, other))
    by_chance = equal_one * equal_other
    return (both - by_chance) / max(min(equal_one, equal_other) - by_chance, 1e-12)


def joined(one: CodeColumn, other: CodeColumn) -> CodeColumn:
    """Return a number for each pair of two codes from 0 on; without loops, which take long to load."""
    return dense_numbers(one * (int(other.max(initial=0)) + 1) + other)


def share_of_equal(codes: CodeColumn) -> float:
    """Return which share of all pairs of records has one code."""
    sizes = np.bincount(codes).astype(np.float64)
    return float((sizes * (sizes - 1)).sum()) / max(codes.size * (codes.size - 1), 1)


def is_more_alike(codes: CodeColumn, number: CodeColumn) -> bool:
    """Tell whether records with one number agree far more often than others, though not always."""
    known = (codes >= 0) & (number >= 0)
    codes, number = codes[known], number[known]
    together, by_chance = share_of_equal(number), share_of_equal(codes)
    alike = share_of_equal(joined(codes, number))
    return together > 0 and by_chance < 1 and alike / together - by_chance >= HALF_WAY * (1 - by_chance)


def follows_order(codes: CodeColumn, number: CodeColumn, order: CodeColumn) -> bool:
    """Tell whether records with neighbouring numbers agree nearly as those with equal ones: then the number tells it.

    Parameters
    ----------
    codes, number
        What records may agree in, and their numbers; -1 is none.
    order
        Of each number the place among all of them.

    Examples
    --------
    >>> cells = np.arange(8)
    >>> follows_order(np.array([0, 0, 0, 0, 1, 1, 1, 1]), cells, cells)
    True
    >>> follows_order(np.array([0, 1, 1, 0, 1, 0, 0, 1]), cells, cells)
    False
    """
    known = (codes >= 0) & (number >= 0)
    found, first = np.unique(number[known], return_index=True)
    held = codes[known][first][np.argsort(order[found], kind="stable")]
    by_chance = share_of_equal(held)
    return bool((held[1:] == held[:-1]).mean() - by_chance >= HALF_WAY * (1 - by_chance)) if held.size > 1 else True


def share_mixed(codes: CodeColumn, cells: CodeColumn) -> float:
    """Return the share of the groups of several in which codes differ; 1 where there is no such group."""
    known = (codes >= 0) & (cells >= 0)
    if not known.any():
        return 1.0
    codes, groups = codes[known], dense_numbers(cells[known])
    sizes = np.bincount(groups)
    first = np.zeros(sizes.size, dtype=np.int64)
    first[groups[::-1]] = codes[::-1]
    mixed = np.unique(groups[codes != first[groups]]).size
    several = int(np.count_nonzero(sizes > 1))
    return mixed / several if several else 1.0


def spread_within(values: FloatColumn, number: CodeColumn) -> float:
    """Return how far values of one number lie apart, typically, where several have it."""
    known = np.isfinite(values) & (number >= 0)
    values, number = values[known], number[known]
    low, high = np.full(number.max(initial=0) + 1, np.inf), np.full(number.max(initial=0) + 1, -np.inf)
    np.minimum.at(low, number, values)
    np.maximum.at(high, number, values)
    several = np.bincount(number, minlength=low.size) > 1
    return float(np.median((high - low)[several])) if several.any() else 0.0
