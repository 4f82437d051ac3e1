"""Numbers that come again by no chance, as the coordinates of a home: such records are of one person, or household."""

from collections.abc import Sequence
from functools import reduce
from itertools import combinations
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from sfumato.data import Kind, Microdata, Role, column_names, role
from sfumato.keys.households import MAX_DIFFERING_SHARE, MAX_MEMBERS
from sfumato.keys.units.agreeing_columns import (
    MAX_YEARS,
    agreeing_columns,
    are_unrelated,
    follows_order,
    joined,
    share_mixed,
    share_of_equal,
    spread_within,
)
from sfumato.numerics.arrays import CodeColumn
from sfumato.numerics.ranking import dense_numbers

MIN_GROUPS = 10  # of records with one value: fewer are like by chance
MIN_SHARED = 0.02  # of the records are equal to another: fewer may be by chance, as chance is seldom even
MIN_FINE = 0.5  # of the records have a value that so few share as may be of one household
MAX_COLUMNS = 12  # of numbers that are tried, those with most values
MORE = 10.0  # times as many pairs of records with two equal values as by chance
MIN_TOGETHER = 0.8  # of the pairs with either equal value have both: else what agrees within them must speak for it
MIN_APART = 0.05  # of the ranks between two values beside neighbouring ones: nearer ones are computed of each other
MIN_ALONE = 0.05  # of the records have a value of their own: where none has, values were made equal
MAX_LOOKED = 20_000  # records, by whole groups
MAX_OF_GROUPS = 0.5  # of the pairs that are equal in a column by which amounts may be computed
MAX_INPUTS = 4  # columns by which amounts are computed
MAX_UNTOLD = 0.1  # of the groups by these columns: they tell the amount in all others
BEYOND_CHANCE = 5.0  # times as many pairs of records agree in what tells the amount: they are of one person
ROLES = {Role.OTHER, Role.CONFIDENTIAL, Role.KEY}


class RepeatedValues(NamedTuple):
    """Columns of numbers that tell which records belong together.

    Parameters
    ----------
    columns
        One column, or two, in which such records are equal.
    number
        What each record belongs to, from 0; one that lacks a value is by itself.
    are_persons
        Whether records that are equal there are of one sex and age, so that they seem to be of one person.
    """

    columns: tuple[str, ...]
    number: CodeColumn
    are_persons: bool


_known: WeakKeyDictionary[Microdata, RepeatedValues | None] = WeakKeyDictionary()
"""What was found in files that are still in use."""


def find_repeated(data: Microdata) -> RepeatedValues | None:
    """Return the numbers in which records are equal that belong together, as the coordinates of a home; None if none.

    Numbers with many different values are equal in a few records by chance. Two such columns, neither of which is
    computed from the other, are hardly ever equal at once in records of strangers; and within one column nothing agrees
    but what is computed from it. Amounts that follow from a few columns, as a fee from age and sex, are equal in all
    who have these: such records agree in these columns as often as chance has it, and not more. Where nearly no record
    has a value of its own, values were made equal, unless sex and age agree too. A file with a number of households
    says itself who belongs together.
    """
    if data not in _known:
        _known[data] = None if data.select(role("household")) else _find(data)
    return _known[data]


def _find(data: Microdata) -> RepeatedValues | None:
    fine = _fine_columns(data)
    for names in (*combinations(fine, 2), *((name,) for name in fine)):
        number = _number(data, names)
        drawn = _draw(data, number)
        looked = data if drawn is None else data.take_rows(drawn)
        within = number if drawn is None else dense_numbers(number[drawn])
        if _belong_together(looked, names, within):
            columns = tuple(name for name in data.schema.names if name in names)
            return RepeatedValues(columns, number, _are_of_one_person(looked, names, within))
    return None


def _fine_columns(data: Microdata) -> list[str]:
    """Return the columns of numbers with many different values that a few records share, those with most first."""
    found = {}
    for one in data.schema.variables:
        if one.kind is not Kind.CONTINUOUS or one.role not in ROLES:
            continue
        codes = data.numbers(one.name)
        sizes = np.bincount(codes[codes >= 0])
        several = np.count_nonzero((sizes > 1) & (sizes <= MAX_MEMBERS))
        if several >= MIN_GROUPS and sizes[sizes <= MAX_MEMBERS].sum() >= MIN_FINE * data.n:
            found[one.name] = sizes.size
    return sorted(found, key=lambda name: -found[name])[:MAX_COLUMNS]


def _number(data: Microdata, names: Sequence[str]) -> CodeColumn:
    """Return a number for the values that each record has; one by itself where it lacks one, or many share one."""
    codes = np.array([data.numbers(name) for name in names])
    is_alone = (codes < 0).any(axis=0)
    for column in codes:
        is_alone |= (np.bincount(column + 1) > MAX_MEMBERS)[column + 1]
    return dense_numbers(np.where(is_alone, data.n + np.arange(data.n), reduce(joined, codes + 1)))


def _draw(data: Microdata, number: CodeColumn) -> CodeColumn | None:
    """Return some records, by whole groups, of a large file; None where all are looked at."""
    if data.n <= MAX_LOOKED:
        return None
    drawn = np.random.default_rng(0).random(int(number.max()) + 1) < MAX_LOOKED / data.n  # which ones is no secret
    return np.flatnonzero(drawn[number])


def _belong_together(data: Microdata, names: tuple[str, ...], number: CodeColumn) -> bool:
    """Tell whether records that are equal in some numbers are so by no chance, and not as these are computed."""
    sizes = np.bincount(number)
    if np.count_nonzero(sizes > 1) < MIN_GROUPS or sizes[sizes > 1].sum() < MIN_SHARED * data.n:
        return False
    is_joint = len(names) > 1
    if is_joint and (not _are_apart(data, names) or not _are_more_than_by_chance(data, names, number)):
        return False
    agreeing = list(agreeing_columns(data, number, names))
    if not (is_joint and _are_mostly_together(data, names, number)):
        telling = (one for one in agreeing if not _is_of_order(data, one, names, number))
        if not are_unrelated(data, telling, number):
            return False
    if np.count_nonzero(sizes == 1) < MIN_ALONE * data.n and not _are_of_one_person(data, names, number):
        return False
    return not _is_computed(data, (*agreeing, *names), number)


def _are_apart(data: Microdata, names: tuple[str, ...]) -> bool:
    """Tell whether records with neighbouring values of each of two columns lie far apart in the other."""
    ranks = [data.value_order(name) for name in names]
    known = np.flatnonzero((ranks[0] >= 0) & (ranks[1] >= 0))
    for one, other in (ranks, ranks[::-1]):
        by_one = known[np.argsort(one[known], kind="stable")]
        is_next = one[by_one][1:] != one[by_one][:-1]
        away = np.abs(np.diff(other[by_one]))[is_next]
        if not away.size or np.median(away) < MIN_APART * (int(other.max()) + 1):
            return False
    return True


def _pairs(codes: CodeColumn) -> float:
    sizes = np.bincount(codes[codes >= 0]).astype(np.float64)
    return float((sizes * (sizes - 1) / 2)[sizes <= MAX_MEMBERS].sum())


def _are_more_than_by_chance(data: Microdata, names: tuple[str, ...], number: CodeColumn) -> bool:
    """Tell whether far more pairs of records are equal in both columns than if those next to each other were."""
    codes = [data.numbers(name) for name in names]
    pairs = [_pairs(one) for one in codes]
    beside = (_equal_beside(data, names[0], codes[1]), _equal_beside(data, names[1], codes[0]))
    by_chance = pairs[0] * pairs[1] / (data.n * (data.n - 1) / 2)
    return _pairs(number) > MORE * max(by_chance, pairs[0] * beside[0], pairs[1] * beside[1])


def _equal_beside(data: Microdata, name: str, codes: CodeColumn) -> float:
    """Return the share of records with neighbouring values of a column that are equal in another."""
    order = data.value_order(name)
    held = codes[np.unique(order, return_index=True)[1]]
    return float((held[1:] == held[:-1]).mean()) if held.size > 1 else 1.0


def _are_mostly_together(data: Microdata, names: Sequence[str], number: CodeColumn) -> bool:
    return _pairs(number) >= MIN_TOGETHER * max(_pairs(data.numbers(name)) for name in names)


def _is_of_order(data: Microdata, one: str, names: Sequence[str], number: CodeColumn) -> bool:
    """Tell whether records that are next to each other by one of the numbers agree nearly as equal ones do."""
    first = np.unique(number, return_index=True)[1]
    return any(follows_order(data.numbers(one), number, data.value_order(name)[first]) for name in names)


def _are_of_one_person(data: Microdata, names: Sequence[str], number: CodeColumn) -> bool:
    """Tell whether records that are equal have one sex and birth, as far as the file tells, and about one age."""
    told = [one for one in data.schema.names if one not in names and column_names.is_personal(one)]
    ages = [one for one in data.schema.names if one not in names and column_names.is_age(one)]
    ages = [one for one in ages if data.schema[one].kind is Kind.CONTINUOUS]
    if not told and not ages:
        return False
    is_one_age = all(spread_within(data.values(age), number) <= MAX_YEARS for age in ages)
    return is_one_age and all(share_mixed(data.numbers(one), number) <= MAX_DIFFERING_SHARE for one in told)


def _is_computed(data: Microdata, agreeing: Sequence[str], number: CodeColumn) -> bool:
    """Tell whether numbers follow from a few columns in which records agree by chance, as a fee from age and sex."""
    inputs = {name: data.numbers(name) + 1 for name in agreeing if _is_shared_by_strangers(data, name, number)}
    cells, by_chance = np.zeros(data.n, dtype=np.int64), 1.0
    for _ in range(MAX_INPUTS):
        finer = {name: joined(cells, codes) for name, codes in inputs.items()}
        if not finer:
            return False
        best = min(finer, key=lambda name: share_mixed(number, finer[name]))
        cells, by_chance = finer[best], by_chance * share_of_equal(inputs.pop(best))
        if share_mixed(number, cells) <= MAX_UNTOLD:
            return share_of_equal(cells) <= BEYOND_CHANCE * by_chance
    return False


def _is_shared_by_strangers(data: Microdata, name: str, number: CodeColumn) -> bool:
    """Tell whether most pairs of records that are equal in a column are not in the same group."""
    codes = data.numbers(name) + 1
    both = share_of_equal(joined(codes, number))
    return both <= MAX_OF_GROUPS * share_of_equal(codes)
