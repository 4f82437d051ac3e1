"""Whose each record is: the identifier that tells it where some persons have several."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from weakref import WeakKeyDictionary

import numpy as np

from sfumato.data import Kind, Microdata, Role, column_names, role
from sfumato.data.distinct_values import NESTED
from sfumato.kernels.keys.counting import classes_of
from sfumato.keys.findings.equal_records import are_equal_in_groups
from sfumato.keys.households import MIN_TOGETHER, agreement_in_households, agrees_within
from sfumato.keys.number_codes import is_amount
from sfumato.keys.units.agreeing_columns import MAX_YEARS, spread_within
from sfumato.keys.units.birth_years import contradicts_birth
from sfumato.keys.units.household_members import columns_of_members
from sfumato.keys.units.panel_persons import find_panel
from sfumato.keys.units.repeated_values import find_repeated
from sfumato.keys.units.told_households import shared_identifiers
from sfumato.numerics.arrays import CodeColumn, FloatColumn, Rows
from sfumato.numerics.ranking import dense_numbers

MIN_PAIRS = 10  # of records with one day of birth and one sex: fewer agree by chance
MORE = 3.0  # times as many as by chance: most of them are then of one person
MIN_PERSONS = 20  # different numbers: fewer are codes
NUMBERING_ROLES = {Role.OTHER, Role.CONFIDENTIAL, Role.STRATUM}
DAYS_OF_YEAR = 365.25
MIN_YEARS = 20  # over which days of birth reach
MAX_FIRSTS = 0.15  # of the days, that are the first of a month


@dataclass(frozen=True, eq=False)
class Persons:
    """Whose the records of a file are, where that is known or may be.

    Parameters
    ----------
    columns
        The columns by which records are of one person.
    number
        The person of each record, one that lacks a value being a person of its own.
    period
        The column in which the records of one person differ, of a panel that nothing numbers.
    is_said
        Whether the schema says so.
    is_by_values
        Whether that is a guess by numbers that come again by no chance, as the coordinates of a home.
    """

    columns: tuple[str, ...]
    number: CodeColumn
    period: str = ""
    is_said: bool = False
    is_by_values: bool = False

    @property
    def count(self) -> int:
        """How many persons there are."""
        return int(self.number.max(initial=-1)) + 1

    @property
    def has_several(self) -> bool:
        """Whether some person has several records."""
        return self.count < self.number.size

    @property
    def is_guessed(self) -> bool:
        """Whether no number tells it, but what records have in common."""
        return len(self.columns) > 1 or bool(self.period) or self.is_by_values

    @property
    def column(self) -> str:
        """The columns in words."""
        return " and ".join(part for part in (", ".join(self.columns[:-1]), self.columns[-1]) if part)


_known: WeakKeyDictionary[Microdata, Persons | None] = WeakKeyDictionary()
"""Whose the records of files are that are still in use: it is asked of each for every figure."""


def persons_of(data: Microdata) -> Persons | None:
    """Return whose the records are, as the schema says, or an identifier or what records have in common tells.

    That is an identifier; a number of the household and of its member; a day of birth and what goes with it; what stays
    the same of a person in a panel; or numbers that come again by no chance, as the coordinates of a home. None where
    nothing tells that some persons have several records. Records that are equal in everything that is released, each to
    others, are of several persons that were made equal.
    """
    if data not in _known:
        _known[data] = _find_persons(data)
    return _known[data]


def _find_persons(data: Microdata) -> Persons | None:
    if said := data.schema.person:
        return Persons((said,), persons_by(data, (said,)), is_said=True)
    if column := person_column(data):
        return Persons((column,), persons_by(data, (column,)))
    if columns := columns_of_members(data) or _columns_of_births(data):
        return None if are_equal_in_groups(data, 2) else Persons(columns, persons_by(data, columns))
    if (panel := find_panel(data)) is not None and not are_equal_in_groups(data, 2):
        return Persons(panel.columns, panel.number, panel.period)
    repeated = find_repeated(data)
    if repeated is not None and repeated.are_persons and not are_equal_in_groups(data, 2):
        return Persons(repeated.columns, repeated.number, is_by_values=True)
    return None


def numbers_of_persons(data: Microdata, rows: Rows | None = None) -> CodeColumn | None:
    """Return a number for the person of each record, or of some; None where nobody has several."""
    found = persons_of(data)
    if found is None or not found.has_several:
        return None
    return found.number if rows is None else found.number[rows]


def persons_by(data: Microdata, columns: tuple[str, ...]) -> CodeColumn:
    """Return a number for the person of each record, one that lacks a value being a person of its own."""
    codes = np.array([data.numbers(column) for column in columns])
    numbers = classes_of(codes).numbers
    return dense_numbers(np.where((codes < 0).any(axis=0), data.n + np.arange(data.n), numbers))


def person_columns(data: Microdata) -> tuple[str, ...]:
    """Return the columns by which records are of one person; nothing where no person has several."""
    found = persons_of(data)
    return () if found is None or not found.has_several else found.columns


def _columns_of_births(data: Microdata) -> tuple[str, ...]:
    """Return the day of birth with the sex, where by no chance so many records share both; nothing where they do not.

    Of n persons about n (n - 1) / 2 pairs times the chance of two to be born on one day and to have one sex agree. Days
    are taken to be equally frequent in each year. Where three times as many pairs agree, most are of one person.
    """
    personal = tuple(name for name in data.schema.names if column_names.is_personal(name))
    births = [name for name in personal if _is_day_of_birth(data, name)] or _keys_like_births(data)
    if not births or data.select(role("household")):  # of which some are of twins, or entered for the head
        return ()
    columns = (births[0], *(name for name in personal if name not in births))
    days = data.values(births[0])
    known = np.isfinite(days)
    if not known.any() or _are_months(days[known]):
        return ()
    years = np.unique((days[known] // DAYS_OF_YEAR).astype(np.int64), return_counts=True)[1]
    chance = float(((years / years.sum()) ** 2).sum()) / DAYS_OF_YEAR
    for name in columns[1:]:
        counts = np.bincount(data.numbers(name)[known] + 1).astype(np.float64)
        chance *= float(((counts / counts.sum()) ** 2).sum())
    held = np.bincount(persons_by(data, columns)).astype(np.float64)
    pairs, expected = float((held * (held - 1) / 2).sum()), chance * known.sum() * (known.sum() - 1) / 2
    return columns if pairs >= MIN_PAIRS and pairs > MORE * expected else ()


def _keys_like_births(data: Microdata) -> list[str]:
    """Return the keys that hold days over as many years as births do, whatever they are called."""
    keys = [name for name in data.select(role("key")) if _is_day_of_birth(data, name) and data.observed(name).any()]
    days = {name: data.values(name) for name in keys}
    return [
        name
        for name, one in days.items()
        if np.ptp(one[np.isfinite(one)]) >= MIN_YEARS * DAYS_OF_YEAR and not contradicts_birth(data, one)
    ]


def _are_months(days: FloatColumn) -> bool:
    """Tell whether dates stand for months or years: far more of them than chance puts there are the first of one."""
    dates = days.astype(np.int64).astype("datetime64[D]")
    return bool((dates == dates.astype("datetime64[M]")).mean() > MAX_FIRSTS)


def _is_day_of_birth(data: Microdata, name: str) -> bool:
    return data.schema[name].kind is Kind.DATE and not data.summary.date_problem(name)


def person_column(data: Microdata) -> str:
    """Return the column that several records share because they are of one person; empty where there is none.

    An identifier is named like the number of a person, or records that share it have one sex and one day of birth;
    households have several. Where neither is in the file, other columns agree within it, ages included. Where no
    identifier is such a number, one of those that are about to be released may be.
    """
    if said := data.schema.person:
        return said
    personal = tuple(name for name in data.schema.names if column_names.is_personal(name))
    shared = None
    for name in data.select(role("identifier")):
        if isinstance(data.table[name].dtype, NESTED) or column_names.is_household(name) or is_amount(data, name):
            continue
        codes = data.numbers(name)
        sizes = np.bincount(codes[codes >= 0])
        if sizes[sizes > 1].sum() < MIN_TOGETHER * data.n:
            continue
        others = tuple(one for one in personal if one != name)
        agree = len(agreement_in_households(data, others, (name,))) == len(others) if others else False
        agree = agree and (_tells_birth(data, others) or _agrees_in_more(data, name, others))
        if column_names.is_person_number(name) or (agree and data.schema[name].kind is not Kind.DATE):
            return name
        shared = shared_identifiers(data) if shared is None else shared
        if not personal and name in shared and _numbers_persons(data, name):
            return name
    found = next((name for name in data.schema.names if is_released_number_of_persons(data, name)), "")
    return "" if found and are_equal_in_groups(data, 2) else found


def _tells_birth(data: Microdata, personal: tuple[str, ...]) -> bool:
    """Tell whether one of some columns is a day of birth: a sex alone may go with the hours of a day."""
    return any(_is_day_of_birth(data, name) for name in personal)


def _agrees_in_more(data: Microdata, name: str, personal: tuple[str, ...]) -> bool:
    """Tell whether records that share a number agree in a column more than in the sex, and ages lie together."""
    others = [one for one in data.schema.names if one != name and not isinstance(data.table[one].dtype, NESTED)]
    if not _has_one_age(data, name, others):
        return False
    return any(agrees_within(data, one, name) for one in others if one not in personal)


def _has_one_age(data: Microdata, name: str, others: Sequence[str]) -> bool:
    """Tell whether records that share a number are of about one age, where ages are known."""
    ages = [one for one in others if column_names.is_age(one) and data.schema[one].kind is Kind.CONTINUOUS]
    return all(spread_within(data.values(age), data.numbers(name)) <= MAX_YEARS for age in ages)


def is_released_number_of_persons(data: Microdata, name: str) -> bool:
    """Tell whether a column that is no identifier numbers persons, of whom some have several records.

    It has many values, which are whole numbers or text, and is not named like an amount or a key. Records that share
    one have one sex and one day of birth, and agree in one more column at least. Where neither is in the file, it has
    to be named like a number of a person, file or register too, as communes and firms agree in much.
    """
    if not _may_number(data, name):
        return False
    codes = data.numbers(name)
    sizes = np.bincount(codes[codes >= 0])
    several = sizes[sizes > 1]
    if sizes.size < MIN_PERSONS or several.size < MIN_PAIRS or several.sum() < MIN_TOGETHER * data.n:
        return False
    others = tuple(one for one in data.schema.names if one != name and not isinstance(data.table[one].dtype, NESTED))
    personal = tuple(one for one in others if column_names.is_personal(one))
    if personal:
        agree = all(agrees_within(data, one, name) for one in personal)
        return agree and any(agrees_within(data, one, name) for one in others if one not in personal)
    return _is_called_number(name) and _numbers_persons(data, name)


def _may_number(data: Microdata, name: str) -> bool:
    """Tell whether a column that is neither a key nor an identifier holds whole numbers or text, and no amount."""
    variable, dtype = data.schema[name], data.table[name].dtype
    if variable.role not in NUMBERING_ROLES or variable.kind not in {Kind.NOMINAL, Kind.CONTINUOUS}:
        return False
    is_called_amount = dtype.is_numeric() and column_names.is_amount(name)  # text is none, whatever it is called
    is_content = is_called_amount or column_names.is_usual_key(name) or column_names.is_household(name)
    if isinstance(dtype, NESTED) or (is_content and not _is_called_number(name)):
        return False
    if not dtype.is_float():
        return True
    values = data.values(name) if variable.kind is Kind.CONTINUOUS else data.numbers(name)
    return bool((np.floor(values) == values)[np.isfinite(values)].all())


def _is_called_number(name: str) -> bool:
    is_number = column_names.is_identifier(name) or column_names.is_register_number(name)
    return is_number or column_names.is_person_number(name)


def _numbers_persons(data: Microdata, name: str) -> bool:
    """Tell whether other columns agree within an identifier: one if it is named like a number, else several."""
    is_numbered = column_names.is_identifier(name) or column_names.is_register_number(name)
    is_content = data.table[name].dtype.is_numeric() and column_names.is_amount(
        name
    )  # a firm may be a key by its name, and a number by its role
    if data.schema[name].kind is Kind.DATE or (is_content and not is_numbered):
        return False
    homes = [
        one for one in data.schema.names if column_names.is_household(one) or one in data.select(role("household"))
    ]
    if any(agreement_in_households(data, (name,), (home,)) for home in homes):
        return False  # it is one of a household
    others = [one for one in data.schema.names if one != name and not isinstance(data.table[one].dtype, NESTED)]
    if not _has_one_age(data, name, others):
        return False
    needed = 1 if is_numbered else 2
    agreeing = (one for one in others if agrees_within(data, one, name))
    return len(tuple(islice(agreeing, needed))) == needed
