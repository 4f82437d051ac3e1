"""Every number of households, couples or firms that a file holds: whoever knows one of them counts by it."""

from weakref import WeakKeyDictionary

import numpy as np

from sfumato.data import Microdata
from sfumato.kernels.keys.counting import classes_of
from sfumato.keys.households import households_of
from sfumato.keys.units.household_numbers import undeclared_households
from sfumato.keys.units.told_households import evident_identifiers, household_columns
from sfumato.numerics.arrays import CodeColumn

Columns = tuple[str, ...]

_known: WeakKeyDictionary[Microdata, tuple[Columns, ...]] = WeakKeyDictionary()
"""What was found in files that are still in use: it is asked for every figure."""


def unit_columns(data: Microdata) -> tuple[Columns, ...]:
    """Return the columns of each number of units that a file holds, those that tell its households first.

    Beside these, an employee has an employer, and who moved has the household of last year. Such a number is an
    identifier that a few records share, and that other columns go with, or a column that numbers households though its
    role does not say so.
    """
    if data not in _known:
        first = household_columns(data)
        others = (*evident_identifiers(data), *undeclared_households(data))
        found = [first] if first else []
        _known[data] = (*found, *((name,) for name in dict.fromkeys(others) if name not in first))
    return _known[data]


def widest_columns(data: Microdata, chosen: Columns) -> Columns:
    """Return the number of units by which k units are k of those `chosen` too, and of as many other numbers as may be.

    That is one within each unit of which those chosen lie wholly, as households of one person lie within an employer:
    the one with the fewest units. Where there is none, it is the one chosen.

    Parameters
    ----------
    data
        The file.
    chosen
        The columns of a number; records where there are none.
    """
    number = households_of(data, chosen).number
    for columns in unit_columns(data):
        wider = households_of(data, columns).number
        if wider.max(initial=-1) < number.max(initial=-1) and lies_within(number, wider):
            chosen, number = columns, wider
    return chosen


def lies_within(number: CodeColumn, wider: CodeColumn) -> bool:
    """Tell whether each unit of one number, from 0, lies wholly in one of another.

    Examples
    --------
    >>> lies_within(np.array([0, 1, 2, 2]), np.array([0, 0, 1, 1]))
    True
    >>> lies_within(np.array([0, 0, 1, 1]), np.array([0, 1, 2, 2]))
    False
    """
    both = classes_of(np.array([number, wider])).numbers
    return bool(both.max(initial=-1) == number.max(initial=-1))
