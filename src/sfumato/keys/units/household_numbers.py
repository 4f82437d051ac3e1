"""Columns that number households although their role does not say so."""

from weakref import WeakKeyDictionary

import numpy as np

from sfumato.data import Kind, Microdata, Role, column_names
from sfumato.data.distinct_values import NESTED
from sfumato.data.recognition.register_numbers import are_numbering
from sfumato.keys.households import MAX_IN_LARGE, MAX_MEMBERS
from sfumato.keys.number_codes import numbers_of
from sfumato.keys.units.agreeing_columns import agreeing_columns, are_unrelated
from sfumato.numerics.arrays import CodeColumn

MIN_HOUSEHOLDS = 20  # different numbers: fewer are codes
MIN_GROUPED = 0.25  # of the records, in groups of 2 to so many as a household may have
ROLES = {Role.OTHER, Role.KEY, Role.CONFIDENTIAL, Role.STRATUM}

_known: WeakKeyDictionary[Microdata, tuple[str, ...]] = WeakKeyDictionary()
"""What was found in files that are still in use: it is asked for every figure."""


def undeclared_households(data: Microdata) -> tuple[str, ...]:
    """Return the columns that number households, but have neither that role nor that of identifiers.

    Such a column is named so, or holds whole numbers or texts that a few records share, within each of which two other
    columns agree at least that have little to do with each other: what is computed from a code, or ranked above it,
    hangs together. A name is no evidence against that: a tax file is no tax, and text is no amount. Whole numbers that
    are named like amounts, or have that role, number households if strangers would share some by chance, and do not.
    Keys by their names are none.
    """
    if data not in _known:
        _known[data] = tuple(name for name in data.schema.names if _numbers_households(data, name))
    return _known[data]


def _numbers_households(data: Microdata, name: str) -> bool:
    variable, dtype = data.schema[name], data.table[name].dtype
    if variable.role not in ROLES or variable.kind is Kind.DATE or isinstance(dtype, NESTED):
        return False
    is_named = column_names.is_household(name)
    if not are_small_groups(data.numbers(name)) or not _are_whole(data, name):
        return False
    is_called = column_names.is_identifier(name) or column_names.is_register_number(name)
    if not (is_named or is_called):
        if column_names.is_usual_key(name) or (_is_called_amount(data, name) and not _are_of_register(data, name)):
            return False
        return are_unrelated(data, agreeing_columns(data, data.numbers(name), (name,)), data.numbers(name))
    return is_named or bool(next(agreeing_columns(data, data.numbers(name), (name,)), ""))


def are_small_groups(codes: CodeColumn) -> bool:
    """Tell whether many records share a number with a few others, and hardly any with many."""
    sizes = np.bincount(codes[codes >= 0])
    few = sizes[(sizes > 1) & (sizes <= MAX_MEMBERS)].sum()
    many = sizes[sizes > MAX_MEMBERS].sum()
    return sizes.size >= MIN_HOUSEHOLDS and few >= MIN_GROUPED * codes.size and many <= MAX_IN_LARGE * codes.size


def _is_called_amount(data: Microdata, name: str) -> bool:
    """Tell whether numbers are named like an amount, or have the role of one."""
    if not data.table[name].dtype.is_numeric():
        return False
    variable = data.schema[name]
    is_masked = variable.role is Role.CONFIDENTIAL and variable.kind is Kind.CONTINUOUS
    return is_masked or column_names.is_amount(name)


def _are_of_register(data: Microdata, name: str) -> bool:
    """Tell whether the different numbers look as those of a register do, in the order of the file."""
    codes, values = data.numbers(name), numbers_of(data, name)
    return are_numbering(values[np.sort(np.unique(codes[codes >= 0], return_index=True)[1])])


def _are_whole(data: Microdata, name: str) -> bool:
    if not data.table[name].dtype.is_float():
        return True
    values = data.values(name) if data.schema[name].kind is Kind.CONTINUOUS else data.numbers(name)
    return bool((np.floor(values) == values)[np.isfinite(values)].all())
