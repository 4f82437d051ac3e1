"""Columns that number households although their role does not say so."""

import numpy as np

from sfumato.data import Kind, Microdata, Role, column_names
from sfumato.data.distinct_values import NESTED
from sfumato.keys.households import MAX_IN_LARGE, MAX_MEMBERS, agrees_within
from sfumato.numerics.arrays import CodeColumn

MIN_HOUSEHOLDS = 20  # different numbers: fewer are codes
MIN_GROUPED = 0.25  # of the records, in groups of 2 to so many as a household may have
MIN_AGREEING = 2  # other columns that agree within a number: one does for a column that is named like a number
ROLES = {Role.OTHER, Role.KEY, Role.CONFIDENTIAL, Role.STRATUM}


def undeclared_households(data: Microdata) -> tuple[str, ...]:
    """Return the columns that number households, but have neither that role nor that of identifiers.

    Such a column is named so, or holds whole numbers or texts that a few records share, each within which two other
    columns agree at least; amounts and keys, by their names or roles, are none. Strangers share an amount, and then
    agree in less.
    """
    return tuple(name for name in data.schema.names if _numbers_households(data, name))


def _numbers_households(data: Microdata, name: str) -> bool:
    variable, dtype = data.schema[name], data.table[name].dtype
    if variable.role not in ROLES or variable.kind is Kind.DATE or isinstance(dtype, NESTED):
        return False
    codes, is_named = data.numbers(name), column_names.is_household(name)
    if not _are_small_groups(codes) or not _are_whole(data, name):
        return False
    is_called = column_names.is_identifier(name) or column_names.is_register_number(name)
    is_amount = variable.role is Role.CONFIDENTIAL and variable.kind is Kind.CONTINUOUS
    is_content = is_amount or column_names.is_amount(name) or column_names.is_usual_key(name)
    if is_content and not (is_named or is_called):
        return False
    needed = 0 if is_named else 1 if is_called else MIN_AGREEING
    found = 0
    for one in data.schema.names:
        if found >= needed:
            break
        is_other = one != name and not isinstance(data.table[one].dtype, NESTED)
        found += is_other and agrees_within(data, one, name)
    return found >= needed


def _are_small_groups(codes: CodeColumn) -> bool:
    """Tell whether many records share a number with a few others, and hardly any with many."""
    sizes = np.bincount(codes[codes >= 0])
    few = sizes[(sizes > 1) & (sizes <= MAX_MEMBERS)].sum()
    many = sizes[sizes > MAX_MEMBERS].sum()
    return sizes.size >= MIN_HOUSEHOLDS and few >= MIN_GROUPED * codes.size and many <= MAX_IN_LARGE * codes.size


def _are_whole(data: Microdata, name: str) -> bool:
    if not data.table[name].dtype.is_float():
        return True
    values = data.values(name) if data.schema[name].kind is Kind.CONTINUOUS else data.numbers(name)
    return bool((np.floor(values) == values)[np.isfinite(values)].all())
