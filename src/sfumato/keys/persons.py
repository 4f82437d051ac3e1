"""Whose each record is: the identifier that tells it where some persons have several."""

import numpy as np

from sfumato.data import Microdata, column_names, role
from sfumato.data.distinct_values import NESTED
from sfumato.keys.households import MIN_TOGETHER, agreement_in_households
from sfumato.numerics.arrays import CodeColumn, Rows
from sfumato.numerics.ranking import dense_numbers


def numbers_of_persons(data: Microdata, rows: Rows | None = None) -> CodeColumn | None:
    """Return a number for the person of each record, or of some; None where nobody has several."""
    column = person_column(data)
    if not column:
        return None
    return persons_by(data, column) if rows is None else persons_by(data, column)[rows]


def persons_by(data: Microdata, column: str) -> CodeColumn:
    """Return a number for the person of each record, one without an identifier being a person of its own."""
    codes = data.numbers(column)
    return dense_numbers(np.where(codes < 0, data.n + np.arange(data.n), codes))


def person_column(data: Microdata) -> str:
    """Return the identifier that several records share because they are of one person; empty where there is none.

    It is named like the number of a person, or records that share it have one sex and one day of birth; households
    have several.
    """
    personal = tuple(name for name in data.schema.names if column_names.is_personal(name))
    for name in data.select(role("identifier")):
        if isinstance(data.table[name].dtype, NESTED) or column_names.is_household(name):
            continue
        codes = data.numbers(name)
        sizes = np.bincount(codes[codes >= 0])
        if sizes[sizes > 1].sum() < MIN_TOGETHER * data.n:
            continue
        agree = len(agreement_in_households(data, personal, (name,))) == len(personal) if personal else False
        if agree or column_names.is_person_number(name):
            return name
    return ""
