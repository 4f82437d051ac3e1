"""Persons who are found by the keys of their whole household: by its number, or by a column that stands for it."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sfumato.data import METRIC, Microdata, Role, role
from sfumato.data.distinct_values import NESTED
from sfumato.kernels.keys.counting import classes_of
from sfumato.keys.classes import visible_codes
from sfumato.keys.households import MAX_MEMBERS, Households, group_households, households_of
from sfumato.keys.persons import persons_of
from sfumato.keys.units.household_numbers import undeclared_households
from sfumato.keys.units.unit_numbers import lies_within, unit_columns
from sfumato.numerics.arrays import Booleans, CodeColumn

MIN_GROUPED = 0.25  # of the records, in groups of 2 to so many: such a column may stand for the household
ROUNDING = "; the method weight_rounding lets several households share one weight"
MAX_DIFFERING = 0.05  # of the households of several: a column in which more differ is none of the household
MIN_GAIN = 0.01  # of the groups so far: a column that tells fewer more apart is not named
TOGETHER = 0.5  # of the pairs with equal values: where so many live together, the column tells who does

PERSONS_ONE_BY_ONE = "the promise of k is for persons one by one"
"""How the sentence on households that are found begins."""


class FoundHouseholds(NamedTuple):
    """Who is found by the keys of a whole household.

    Parameters
    ----------
    remarks
        That in words.
    fewest
        How many households share the members' keys that fewest do, where they are hidden and yet told; None where the
        household is released, which its remark tells, or where no columns stand for it.
    """

    remarks: tuple[str, ...] = ()
    fewest: int | None = None


def found_households(masked: Microdata, names: tuple[str, ...], original: Microdata | None = None) -> FoundHouseholds:
    """Return who is found by the keys of all members, by the household's number or by equal values of columns.

    Parameters
    ----------
    masked, names
        The file as it is released, and its keys.
    original
        The file before masking, whose households may be known although they are not released.
    """
    if not names:
        return FoundHouseholds()
    keys = classes_of(visible_codes(masked, names)).numbers
    remarks, fewest = [], []
    if numbers := masked.select(role("household")):
        homes = _group(masked.numbers(numbers[0]))
        remarks.append(_found_words(keys, homes))
    elif original is None and (numbers := undeclared_households(masked)[:1]):
        homes = _group(masked.numbers(numbers[0]))
        remarks.append(f"{numbers[0]} numbers households by what it holds; {_found_words(keys, homes)}")
    weights = masked.select(role("weight"))
    hidden = [known for columns, known in known_numbers(masked, original) if columns != numbers]
    tried: list[CodeColumn | None] = [*hidden]
    for known in tried or ([] if numbers else [None]):
        for columns, told, homes in _stand_ins(masked, names, known, original):
            rounding = ROUNDING if set(columns) & set(weights) else ""
            remarks.append(f"{' and '.join(columns)}: {told}; {_found_words(keys, homes, known)}{rounding}")
            kinds = homes.compositions(keys)
            fewest += np.bincount(kinds)[kinds][_whole_households(homes, known)].tolist()
    return FoundHouseholds(tuple(dict.fromkeys(remarks)), min(fewest, default=None))


def household_remarks(masked: Microdata, names: tuple[str, ...], original: Microdata | None = None) -> tuple[str, ...]:
    """Return in words who is found by the keys of all members; see `found_households`."""
    return found_households(masked, names, original).remarks


def persons_found(data: Microdata, names: tuple[str, ...]) -> int | None:
    """Return how many persons the keys of their whole household tell apart; None where the file tells no households."""
    numbers = data.select(role("household"))
    if not names or not numbers:
        return None
    keys = classes_of(visible_codes(data, names)).numbers
    return count_found(keys, _group(data.numbers(numbers[0])))


def count_found(codes: CodeColumn, homes: Households, known: CodeColumn | None = None) -> int:
    """Return how many persons are in a household whose members' keys no other of the same size has, in any order.

    Parameters
    ----------
    codes
        A number for the keys of each person, equal where these are.
    homes
        The households, or records with equal values that are taken for them.
    known
        The household of each person, where `homes` may be none: only whole households are found.

    Examples
    --------
    >>> count_found(np.array([5, 9, 9, 5, 5, 5, 5]), group_households(np.array([0, 0, 1, 1, 2, 3, 3])))
    3
    """
    kinds = homes.compositions(codes)
    is_found = (np.bincount(kinds) == 1)[kinds] & _whole_households(homes, known)
    return int(np.count_nonzero(is_found[homes.number]))


def _found_words(keys: CodeColumn, homes: Households, known: CodeColumn | None = None) -> str:
    found = count_found(keys, homes, known)
    return (
        f"{PERSONS_ONE_BY_ONE}: {found:,} of {keys.size:,} persons are found by the keys of all members of their "
        f"household together, which no other household of that size has (a gap being a value of its own)"
    )


def _stand_ins(
    masked: Microdata, names: tuple[str, ...], known: CodeColumn | None, original: Microdata | None
) -> Iterator[tuple[tuple[str, ...], str, Households]]:
    """Yield the columns whose equal values stand for the household, what they tell, and the households by them.

    All columns in which members agree are looked at together where none of them stands for the household by itself.
    """
    is_told = False
    numbers = set() if original is None else {name for columns in numbers_of_homes(original) for name in columns}
    for one in masked.schema.variables:
        if one.role is Role.IDENTIFIER or (one.name not in numbers and (one.name in names or one.kind not in METRIC)):
            continue
        homes = _group(masked.numbers(one.name))
        if known is not None:
            told = _together_words(homes, known) if _tells_most(homes, known) else ""
        else:
            told = shared_weight_words(masked, one.name, original) if one.role is Role.WEIGHT else ""
        if told:
            is_told = True
            yield (one.name,), told, homes
    if known is not None and not is_told:
        columns, homes = _agreeing_columns(masked, known)
        keys = classes_of(visible_codes(masked, names)).numbers
        if set(columns) - set(names) and count_found(keys, homes, known):
            yield columns, _together_words(homes, known), homes


def _tells_most(homes: Households, known: CodeColumn) -> bool:
    """Tell whether many records are in small groups, and most pairs in these live together."""
    groups = homes.number[small := _small_groups(homes)]
    return groups.size >= MIN_GROUPED * known.size and _pairs_within(groups, known[small]) >= TOGETHER * _pairs(groups)


def _together_words(homes: Households, known: CodeColumn) -> str:
    """Return how many pairs of records with equal values live together, and how many households stand by themselves."""
    small = _small_groups(homes)
    pairs, together = _pairs(homes.number[small]), _pairs_within(homes.number[small], known[small])
    alone, several = _count_alone(homes, known), int(np.count_nonzero(np.bincount(known) > 1))
    return (
        f"equal values tell who lives together ({together:,} of {pairs:,} pairs do; {alone:,} of {several:,} "
        f"households of several persons have values that nobody else has)"
    )


def _agreeing_columns(masked: Microdata, known: CodeColumn) -> tuple[tuple[str, ...], Households]:
    """Return the columns in which members agree, those that tell most apart first, and the records by all of them.

    A gap differs from no value: who refused to tell an income has that of the household all the same.
    """
    found = []
    for one in masked.schema.variables:
        if one.role is Role.IDENTIFIER or isinstance(masked.table[one.name].dtype, NESTED):
            continue
        codes = masked.numbers(one.name)
        answered = np.flatnonzero((codes >= 0) & masked.observed(one.name))
        homes = group_households(known[answered])
        several = np.count_nonzero(np.bincount(homes.number) > 1)
        if several and homes.count_mixed(codes[answered]) <= MAX_DIFFERING * several:
            found.append((one.name, codes))
    columns: list[str] = []
    homes, alone = group_households(np.zeros(known.size, dtype=np.int64)), 0
    for name, codes in sorted(found, key=lambda one: -int(one[1].max(initial=-1))):
        finer = group_households(classes_of(np.array([homes.number, codes])).numbers)
        more = _count_alone(finer, known)
        if finer.count > (1 + MIN_GAIN) * homes.count and more >= alone:  # its gaps may tear households apart
            columns, homes, alone = [*columns, name], finer, more
    return tuple(columns), homes


def _whole_households(homes: Households, known: CodeColumn | None) -> Booleans:
    """Tell for each group whether it is one household and all of it; each is where no households are `known`."""
    if known is None:
        return np.ones(homes.count, dtype=np.bool_)
    first = known[homes.first_rows]
    is_mixed = np.bincount(homes.number, weights=known != first[homes.number]) > 0
    return np.asarray(~is_mixed & (np.bincount(homes.number) == np.bincount(known)[first]))


def _count_alone(homes: Households, known: CodeColumn) -> int:
    """Return how many households of several persons are a group by themselves."""
    return int(np.count_nonzero(_whole_households(homes, known) & (np.bincount(homes.number) > 1)))


def shared_weight_words(data: Microdata, name: str, original: Microdata | None = None) -> str:
    """Return what equal weights tell, where many records share theirs with a few others; nothing where they do not.

    Weights that were different in the `original`, and became equal by rounding, tell nothing.
    """
    homes = _group(data.numbers(name))
    small = _small_groups(homes)
    few = np.count_nonzero(small)
    if few < MIN_GROUPED * data.n:
        return ""
    if original is not None and name in original.schema:
        before = _group(original.numbers(name)).number[original.rows_of(data.row_ids)]
        if _pairs_within(homes.number[small], before[small]) < TOGETHER * _pairs(homes.number[small]):
            return ""
    return (
        f"equal weights tell who lives together where a household has one weight: {few:,} of {data.n:,} records share "
        f"theirs with a few others only"
    )


def _group(codes: CodeColumn) -> Households:
    """Return the records by equal codes, each without one by itself."""
    return group_households(np.where(codes < 0, codes.size + np.arange(codes.size), codes))


def _small_groups(homes: Households) -> Booleans:
    """Tell for each record whether it is in a group of several that may be one household."""
    sizes = np.bincount(homes.number)[homes.number]
    return np.asarray((sizes > 1) & (sizes <= MAX_MEMBERS))


def known_numbers(masked: Microdata, original: Microdata | None) -> Iterator[tuple[tuple[str, ...], CodeColumn]]:
    """Yield the columns of each number of households that the original holds, and the household of each record."""
    if original is None:
        return
    rows = original.rows_of(masked.row_ids)
    for columns in numbers_of_homes(original):
        yield columns, households_of(original, columns).number[rows]


def numbers_of_homes(original: Microdata) -> Iterator[tuple[str, ...]]:
    """Yield the columns of each number of households, or other units of several persons, that a file holds.

    Not those that tell whose of several records one is, nor what lies within one person, as a contract does.
    """
    found = persons_of(original)
    person = None if found is None or not found.has_several else found
    declared = original.select(role("household"))
    for columns in unit_columns(original):
        if person is None:
            is_home = True
        elif columns == person.columns:
            is_home = False
        else:
            is_home = columns == declared or not lies_within(households_of(original, columns).number, person.number)
        if is_home:
            yield columns


def _pairs(groups: CodeColumn) -> int:
    """Return how many pairs of records are in the same group."""
    sizes = np.unique(groups, return_counts=True)[1]
    return int((sizes * (sizes - 1)).sum()) // 2


def _pairs_within(groups: CodeColumn, known: CodeColumn) -> int:
    return _pairs(groups * (int(known.max(initial=0)) + 1) + known)
