"""Columns that are released as they were and tell records apart by themselves: most of them, or a few."""

from collections.abc import Iterable

import numpy as np

from sfumato.data import CATEGORICAL, METRIC, Kind, Microdata, Role
from sfumato.data.distinct_values import NESTED
from sfumato.display import format_count
from sfumato.kernels.keys.counting import classes_of
from sfumato.keys.classes import UNIQUE_SHARE
from sfumato.keys.households import households_of
from sfumato.keys.units.told_households import household_columns
from sfumato.keys.weight_notices import count_with_own_value
from sfumato.numerics.arrays import CodeColumn

OWN_NUMBERS = 0.05  # of the records: where so many have a number of their own, and not most, that is told too
MIN_TOGETHER = 2
NOTICED_ROLES = {Role.WEIGHT, Role.HOUSEHOLD, Role.IDENTIFIER}  # each has a notice of its own


def differing_columns(data: Microdata, keep: Iterable[str] = ()) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the columns that differ for most records, or households: numbers of role other, and all that are not.

    Amounts differ where most of those that are not zero do, if these are no few: who has none of something is like all
    others, and whoever has some is not.
    Whoever knows such a value of a person finds the record. Of confidential columns these are texts and codes, which
    nothing else masks. Columns to `keep` are left out.
    """
    homes = household_columns(data)
    units = households_of(data, homes).number if homes else np.arange(data.n)
    names = [
        one.name
        for one in data.schema.variables
        if one.role is Role.OTHER or (one.role is Role.CONFIDENTIAL and one.kind in CATEGORICAL)
        if one.name not in keep and not isinstance(data.table[one.name].dtype, NESTED)
    ]
    found = [name for name in names if _differs_for_most(data, name, np.arange(data.n), units)]
    numbers = tuple(name for name in found if data.schema[name].kind is Kind.CONTINUOUS)
    return numbers, tuple(name for name in found if name not in numbers)


def _differs_for_most(data: Microdata, name: str, *units: CodeColumn) -> bool:
    """Tell whether most of the records, or of the households, have a value that no other has; or most that have any."""
    codes = data.numbers(name)
    if data.schema[name].kind is not Kind.CONTINUOUS:
        return any(count_with_own_value(one, codes) >= UNIQUE_SHARE * _count(one) for one in units if one.size)
    amounts = np.where(data.values(name) == 0, -1, codes)
    return any(
        count_with_own_value(one, amounts) >= max(UNIQUE_SHARE * _count(one[amounts >= 0]), OWN_NUMBERS * _count(one))
        for one in units
        if (amounts >= 0).any()
    )


def _count(units: CodeColumn) -> int:
    return int(np.unique(units).size)


def unique_column_notices(unchanged: Iterable[str], released: Microdata) -> list[str]:
    """Return sentences about the columns released as they were that tell records apart by themselves.

    Such are those that differ for most records, numbers that differ for a part of them, as the amounts of those who
    have any, and texts and categories that only one record has.
    """
    records = np.arange(released.n)
    codes = {
        name: released.numbers(name)
        for name in unchanged
        if released.schema[name].role not in NOTICED_ROLES and not isinstance(released.table[name].dtype, NESTED)
    }
    own = {name: count_with_own_value(records, column) for name, column in codes.items()}
    telling = [name for name, count in own.items() if count >= UNIQUE_SHARE * max(released.n, 1)]
    numbers = {
        name: count
        for name, count in own.items()
        if count >= OWN_NUMBERS * released.n and name not in telling and released.schema[name].kind in METRIC
    }
    rare = {
        name: count
        for name, count in own.items()
        if count and name not in telling and released.schema[name].kind in CATEGORICAL
    }
    others = {name: column for name, column in codes.items() if released.schema[name].role is not Role.KEY}
    together = [] if telling else _together_notice(others, released.n)
    return [*_telling_notice(telling), *together, *_number_notice(numbers), *_rare_notice(rare)]


def _telling_notice(telling: list[str]) -> list[str]:
    if not telling:
        return []
    them = "it" if len(telling) == 1 else "them"
    return [
        f"Released as {'it was' if them == 'it' else 'they were'}, and different for most records: "
        f"{', '.join(telling)}. Whoever knows {'its value' if them == 'it' else 'one of them'} of a person finds the "
        f"record: drop {them} (columns with the role identifier are dropped), mask {them}, or give {them} the role key."
    ]


def _together_notice(codes: dict[str, CodeColumn], records: int) -> list[str]:
    """Return a sentence about columns that are no keys and tell most records apart together."""
    if len(codes) < MIN_TOGETHER:
        return []
    alone = int(np.count_nonzero(classes_of(np.array(list(codes.values()))).sizes() == 1))
    if alone < UNIQUE_SHARE * max(records, 1):
        return []
    return [
        f"Released as they were, and together different for {alone:,} of {records:,} records: {', '.join(codes)}. "
        f"Whoever knows them all of a person finds the record: give those the role key that others may know, and mask "
        f"or drop the rest."
    ]


def _number_notice(numbers: dict[str, int]) -> list[str]:
    if not numbers:
        return []
    listed = ", ".join(f"{name} ({format_count(count, 'record')})" for name, count in numbers.items())
    return [
        f"Released as it was, with a number that no other record has: {listed}. Whoever knows it of a person finds the "
        f"record: mask it (give it the role confidential), round it, or drop the column (role identifier)."
    ]


def _rare_notice(rare: dict[str, int]) -> list[str]:
    if not rare:
        return []
    listed = ", ".join(f"{name} ({format_count(count, 'record')})" for name, count in rare.items())
    return [
        f"Released as it was, with a text or category that no other record has: {listed}. It may tell who that is, as "
        f"a remark that names somebody does: read these values, drop the column (role identifier), recode it, or give "
        f"it the role key."
    ]
