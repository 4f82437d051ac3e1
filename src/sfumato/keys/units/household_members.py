"""Persons of a panel of households: the household's number, and what tells its members apart, come again and again."""

from collections.abc import Iterator, Sequence

import numpy as np

from sfumato.data import Kind, Microdata, Role, column_names, role
from sfumato.data.distinct_values import NESTED
from sfumato.kernels.keys.counting import classes_of
from sfumato.keys.households import MAX_DIFFERING_SHARE, MIN_TOGETHER
from sfumato.keys.number_codes import is_amount
from sfumato.keys.units.agreeing_columns import MAX_YEARS, share_mixed, spread_within
from sfumato.numerics.arrays import CodeColumn

MAX_NUMBERS = 60  # members of one household are numbered no further
MAX_MONTHS = 12  # of a column with more values that is named like a birth, these are days or years
MIN_MIXED = 0.1  # of the households of several records: members differ so often in what tells them apart
LESS_MIXED = 0.25  # of that share: those of one person differ by mistake
MORE = 3.0  # times as many pairs of one birth as by chance: most of them are then of one person
MAX_LOOKED = 20_000  # records, by whole households: whether persons come again is the same in more
NUMBERING_ROLES = {Role.OTHER, Role.KEY, Role.IDENTIFIER, Role.STRATUM}


def columns_of_members(data: Microdata) -> tuple[str, ...]:
    """Return a number of households, and what tells whose a record is within one, where members have several records.

    That is the household alone where each seems to be of one person; a number of its members, named so or within which
    sex, birth and age agree; or the sex and birth themselves. Members who differ in none of these are one: twins are
    fewer than those who come again.
    """
    for home in _numbers_of_homes(data):
        drawn = _draw_homes(data, home)
        if found := _columns_within(drawn, home):
            return found
    return ()


def _numbers_of_homes(data: Microdata) -> Iterator[str]:
    """Yield the columns that number households and come again: of that role, named so, or identifiers."""
    identifiers = [
        name
        for name in data.select(role("identifier"))
        if data.schema[name].kind is not Kind.DATE
        and not isinstance(data.table[name].dtype, NESTED)
        and not is_amount(data, name)
    ]
    named = (name for name in data.schema.names if column_names.is_household(name))
    for name in dict.fromkeys((*data.select(role("household")), *named, *identifiers)):
        if not isinstance(data.table[name].dtype, NESTED) and _share_together(data.numbers(name)) >= MIN_TOGETHER:
            yield name


def _draw_homes(data: Microdata, home: str) -> Microdata:
    """Return the records of some households, drawn by number; all where they are not many."""
    if data.n <= MAX_LOOKED:
        return data
    numbers = data.numbers(home)
    drawn = np.random.default_rng(0).random(int(numbers.max()) + 1) < MAX_LOOKED / data.n  # which ones is no secret
    return data.take_rows(np.flatnonzero((numbers >= 0) & drawn[numbers]))


def _columns_within(data: Microdata, home: str) -> tuple[str, ...]:
    personal = tuple(name for name in data.schema.names if name != home and column_names.is_personal(name))
    if personal and _share_together(_cells(data, (home, *personal))) < MIN_TOGETHER:
        return ()  # whoever came again would have the same household, sex and birth
    births = [name for name in personal if data.numbers(name).max(initial=-1) + 1 > MAX_MONTHS]
    if personal and (births or _ages(data)) and _are_persons(data, (home,), personal):
        return (home,)
    numbers = [name for name in data.schema.names if name not in (home, *personal) and _may_number(data, name)]
    called = [name for name in numbers if column_names.is_member_number(name)]
    found = [(home, name) for name in called if _are_members(data, home, name, personal, is_called=True)]
    if not found and personal:
        others = [name for name in numbers if name not in called]
        found = [(home, name) for name in others if _are_members(data, home, name, personal, is_called=bool(births))]
    if found:
        return min(found, key=lambda columns: int(_cells(data, columns).max()))
    told = (home, *personal)
    is_told = births and _are_mixed(data, home, births) and _are_of_one_age(data, told)
    return told if is_told and not _agree_by_chance(data, home, personal) else ()


def _agree_by_chance(data: Microdata, home: str, personal: Sequence[str]) -> bool:
    """Tell whether members of a household are alike in sex and birth about as often as anybody in the file."""
    homes, born = data.numbers(home), _cells(data, personal)
    known = (homes >= 0) & (born >= 0)
    pairs, alike, within = (_pairs(codes[known]) for codes in (homes, born, _cells(data, (home, *personal))))
    return within <= MORE * alike / max(_pairs(np.zeros_like(homes[known])), 1.0) * pairs


def _pairs(codes: CodeColumn) -> float:
    """Return how many pairs of records have the same code."""
    sizes = np.bincount(codes).astype(np.float64)
    return float((sizes * (sizes - 1) / 2).sum())


def _are_members(data: Microdata, home: str, number: str, personal: Sequence[str], *, is_called: bool) -> bool:
    """Tell whether a number tells members apart, and not only siblings from parents as an education may."""
    columns = (home, number)
    if _share_together(_cells(data, columns)) < MIN_TOGETHER or not _are_persons(data, columns, personal):
        return False
    if personal and not _are_mixed(data, home, personal):
        return False
    if personal and is_called:
        return True
    return any(
        _agrees(data, name, columns) and _are_mixed(data, home, (name,))
        for name in data.schema.names
        if name not in (*columns, *personal) and not isinstance(data.table[name].dtype, NESTED)
    )


def _are_persons(data: Microdata, columns: tuple[str, ...], personal: Sequence[str]) -> bool:
    """Tell whether records that share some columns have one sex, one birth, and one age."""
    if _share_together(_cells(data, columns)) < MIN_TOGETHER:
        return False
    return all(_agrees(data, name, columns) for name in personal) and _are_of_one_age(data, columns)


def _agrees(data: Microdata, name: str, columns: tuple[str, ...]) -> bool:
    """Tell whether records that share some columns have the same of another, nearly always and not by chance."""
    within, in_homes = (share_mixed(data.numbers(name), _cells(data, one)) for one in (columns, columns[:1]))
    return within <= MAX_DIFFERING_SHARE and (len(columns) == 1 or within <= LESS_MIXED * in_homes)


def _are_mixed(data: Microdata, home: str, names: Sequence[str]) -> bool:
    return any(share_mixed(data.numbers(name), data.numbers(home)) >= MIN_MIXED for name in names)


def _are_of_one_age(data: Microdata, columns: tuple[str, ...]) -> bool:
    cells = _cells(data, columns)
    return all(spread_within(data.values(age), cells) <= MAX_YEARS for age in _ages(data))


def _ages(data: Microdata) -> list[str]:
    ages = [name for name in data.schema.names if column_names.is_age(name)]
    return [name for name in ages if data.schema[name].kind is Kind.CONTINUOUS]


def _may_number(data: Microdata, name: str) -> bool:
    variable, dtype = data.schema[name], data.table[name].dtype
    if variable.role not in NUMBERING_ROLES or variable.kind is Kind.DATE or isinstance(dtype, NESTED):
        return False
    return 1 < int(data.numbers(name).max(initial=-1)) + 1 <= MAX_NUMBERS


def _cells(data: Microdata, columns: Sequence[str]) -> CodeColumn:
    """Return a number for what each record has in some columns, -1 where it lacks one."""
    codes = np.array([data.numbers(column) for column in columns])
    return np.where((codes < 0).any(axis=0), -1, classes_of(codes).numbers)


def _share_together(cells: CodeColumn) -> float:
    """Return the share of the records that have a number with others."""
    sizes = np.bincount(cells[cells >= 0])
    return float(sizes[sizes > 1].sum()) / max(cells.size, 1)
