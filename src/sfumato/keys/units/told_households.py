"""Which columns tell the households of a file: by their role, or by what they hold."""

from collections.abc import Collection

import numpy as np

from sfumato.data import Kind, Microdata, column_names, role
from sfumato.data.distinct_values import NESTED
from sfumato.keys.households import (
    MAX_IN_LARGE,
    MAX_MEMBERS,
    MIN_TOGETHER,
    agreement_in_households,
    agrees_by,
    agrees_within,
    households_of,
)
from sfumato.keys.number_codes import is_amount
from sfumato.keys.units.agreeing_columns import follows_order, is_more_alike
from sfumato.keys.units.household_numbers import undeclared_households
from sfumato.keys.units.repeated_values import find_repeated
from sfumato.numerics.arrays import CodeColumn


def household_columns(data: Microdata) -> tuple[str, ...]:
    """Return the columns that tell the households: one of that role, else what members share.

    That is an identifier; of several the one that is named like the number of a household, else one within which about
    as many other columns agree as within any; of these that by which most records stand together. Amounts that
    strangers share by chance, as many as they may be, have hardly a column that agrees within them. Where there is
    none, it is a column that numbers households though its role does not say so, or numbers that come again by no
    chance, as the coordinates of a home. A number of households that is another in each record says that each is one.
    """
    if named := data.select(role("household")):
        return named
    found = shared_identifiers(data)
    called = [name for name in found if column_names.is_household(name)]
    if not called and any(_numbers_each_record(data, name) for name in data.select(role("identifier"))):
        return ()
    chosen = called or _with_evidence(data, _with_agreement(data, found) if len(found) > 1 else found)
    if chosen:
        return (max(chosen, key=found.__getitem__),)
    if undeclared := undeclared_households(data)[:1]:
        return undeclared
    repeated = find_repeated(data)
    return () if repeated is None else repeated.columns


def _numbers_each_record(data: Microdata, name: str) -> bool:
    """Tell whether a column is named like the number of a household, and different in each record."""
    return column_names.is_household(name) and np.unique(data.numbers(name)).size == data.n


def _with_evidence(data: Microdata, identifiers: Collection[str]) -> list[str]:
    """Return the identifiers whose records agree in a column that neighbouring ones do not share, as cells of a map."""
    return [name for name in identifiers if column_names.is_household(name) or _are_together(data, name)]


def _are_together(data: Microdata, name: str) -> bool:
    number = data.numbers(name)
    is_text = not data.table[name].dtype.is_numeric()
    order = _order_of_texts(data, name) if is_text else number
    for one in data.schema.names:
        if one == name or isinstance(data.table[one].dtype, NESTED):
            continue
        codes = data.numbers(one)
        if is_more_alike(codes, number) and not (is_text and follows_order(codes, number, order)):
            return True
    return False


def _order_of_texts(data: Microdata, name: str) -> CodeColumn:
    """Return for each number of a column of text its place in the alphabet."""
    number = data.numbers(name)
    rows = np.flatnonzero(number >= 0)
    found, first = np.unique(number[rows], return_index=True)
    texts = [str(value) for value in data.table[name][rows[first]].to_list()]
    order = np.empty(int(found.max(initial=-1)) + 1, dtype=np.int64)
    order[found[np.argsort(texts, kind="stable")]] = np.arange(found.size)
    return order


def evident_identifiers(data: Microdata) -> list[str]:
    """Return all identifiers that a few records share, and that are named like a household or go with another column.

    Those by which most records stand together come first.
    """
    found = shared_identifiers(data)
    return sorted(_with_evidence(data, found), key=lambda name: -found[name])


def numbers_of_households(data: Microdata, names: tuple[str, ...]) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Return which of some numbers are of whole households, or persons with several records, and by which column.

    That is the column of the role household for what agrees within it; for the rest the identifier by which most
    records stand together, of those within which a number agrees, one that is named like a household first: a turnover
    agrees within the number of an employer. Of several it is the one with the fewest households. Where that is none, it
    is what else tells households, as numbers do that come again by no chance.
    """
    units: dict[tuple[str, ...], tuple[str, ...]] = {}
    chosen: dict[str, tuple[str, ...]] = {}
    for household, agreeing in agreeing_numbers(data, names):
        for name in agreeing:
            if name not in chosen or _count(data, household) < _count(data, chosen[name]):
                chosen[name] = household
    for household in dict.fromkeys(chosen[name] for name in names if name in chosen):
        units[household] = tuple(name for name in names if chosen.get(name) == household)
    return units


def agreeing_numbers(data: Microdata, names: tuple[str, ...]) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return each number of households, or of persons with several records, and which of some numbers agree within."""
    found: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
    named = data.select(role("household"))
    if named and (agreeing := tuple(agreement_in_households(data, names, named))):
        found.append((named, agreeing))
    shared = shared_identifiers(data) if names else {}
    undeclared = undeclared_households(data) if names and named else ()
    numbers = sorted(shared, key=lambda name: (not column_names.is_household(name), -shared[name]))
    for column in (*numbers, *(name for name in undeclared if name not in named)):
        agreeing = tuple(
            name
            for name in agreement_in_households(data, names, (column,))
            if name != column and (column_names.is_household(column) or agrees_within(data, name, column))
        )
        if agreeing:
            found.append(((column,), agreeing))
    if names and not named and not found and (told := household_columns(data)):
        number = households_of(data, told).number
        agreeing = tuple(
            name for name in agreement_in_households(data, names, told) if name in told or agrees_by(data, name, number)
        )
        found += [(told, agreeing)] if agreeing else []
    return found


def _count(data: Microdata, columns: tuple[str, ...]) -> int:
    """Return how many households there are, a record that lacks the number being one."""
    return households_of(data, columns).count


def shared_identifiers(data: Microdata) -> dict[str, int]:
    """Return the identifiers that may tell households, and how many records share a value of each with a few others.

    One that many records share, such as a year of birth, tells no household, and neither does one of which only a few
    records share a value, as of a name.
    """
    found = {}
    for name in data.select(role("identifier")):
        is_date = data.schema[name].kind is Kind.DATE  # on which many things happen
        if not is_date and not isinstance(data.table[name].dtype, NESTED) and not is_amount(data, name):
            codes = data.numbers(name)
            members = np.bincount(codes[codes >= 0])
            together = int(members[(members > 1) & (members <= MAX_MEMBERS)].sum())
            least = 1 if column_names.is_household(name) else MIN_TOGETHER * members.sum()
            if together >= least and members[members > MAX_MEMBERS].sum() <= MAX_IN_LARGE * members.sum():
                found[name] = together
    return found


def _with_agreement(data: Microdata, identifiers: Collection[str]) -> list[str]:
    """Return the identifiers within which other columns agree, at least half as many as within any."""
    others = [
        one for one in data.schema.names if one not in identifiers and not isinstance(data.table[one].dtype, NESTED)
    ]
    agreeing = {name: sum(agrees_within(data, one, name) for one in others) for name in identifiers}
    most = max(agreeing.values())
    return [name for name, count in agreeing.items() if 2 * count >= most]
