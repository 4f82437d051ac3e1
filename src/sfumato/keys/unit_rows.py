"""Which records count once for what a column tells: those of a household, or of a person, that say the same."""

import numpy as np

from sfumato.kernels.keys.counting import classes_of
from sfumato.keys.households import MAX_MEMBERS, Households
from sfumato.numerics.arrays import CodeColumn, Rows


def rows_of_units(
    key: CodeColumn, column: CodeColumn, homes: Households | None, persons: CodeColumn | None = None
) -> Rows:
    """Return a row for each household and key where members have the same value of a column, else those of persons.

    Where some persons have several records, those of one that are alike count once.
    """
    if persons is not None:
        return classes_of(np.array([persons, key, column])).first_rows()
    if homes is not None and not homes.count_mixed(column):
        return _first_rows(homes.number, key)
    return _rows_of_persons(key, column, homes)


def _first_rows(first: CodeColumn, second: CodeColumn) -> Rows:
    """Return a row for each pair of codes, as of a household and a key: members who have it say the same, once."""
    return classes_of(np.array([first, second])).first_rows()


def _rows_of_persons(key: CodeColumn, column: CodeColumn, homes: Households | None) -> Rows:
    """Return all rows; where households are not told, one for those who share a value that few have, as members do."""
    if homes is not None or (int(column.max(initial=-1)) + 1) * MAX_MEMBERS <= key.size:
        return np.arange(key.size)
    return _first_rows(key, column)
