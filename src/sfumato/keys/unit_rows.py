"""Which records count once for what a column tells: those of a household, or of a person, that say the same."""

from dataclasses import dataclass, field

import numpy as np

from sfumato.kernels.keys.counting import classes_of
from sfumato.keys.households import MAX_MEMBERS, Households
from sfumato.numerics.arrays import CodeColumn, Rows


@dataclass(frozen=True, eq=False)
class UnitRows:
    """The rows of units for one key and column after the other: what households show of either is found once.

    Parameters
    ----------
    homes, persons
        The households, where they are released, and the person of each record, where some have several.
    """

    homes: Households | None
    persons: CodeColumn | None
    _mixed: dict[int, tuple[CodeColumn, bool]] = field(default_factory=dict)
    _of_keys: dict[int, tuple[CodeColumn, Rows]] = field(default_factory=dict)

    def of(self, key: CodeColumn, column: CodeColumn) -> Rows:
        """Return what `rows_of_units` does."""
        if self.persons is not None or self.homes is None or self._is_mixed(self.homes, column):
            return _rows_of_persons(key, column, self.homes, self.persons)
        found = self._of_keys.get(id(key))
        if found is None:  # the key that is kept beside it keeps its number from being given again
            found = self._of_keys[id(key)] = key, _first_rows(self.homes.number, key)
        return found[1]

    def _is_mixed(self, homes: Households, column: CodeColumn) -> bool:
        """Tell whether members of one household have different values of a column."""
        found = self._mixed.get(id(column))
        if found is None:
            found = self._mixed[id(column)] = column, homes.count_mixed(column) > 0
        return found[1]


def rows_of_units(
    key: CodeColumn, column: CodeColumn, homes: Households | None, persons: CodeColumn | None = None
) -> Rows:
    """Return a row for each household and key where members have the same value of a column, else those of persons.

    Where some persons have several records, those of one that are alike count once.
    """
    return UnitRows(homes, persons).of(key, column)


def _first_rows(first: CodeColumn, second: CodeColumn) -> Rows:
    """Return a row for each pair of codes, as of a household and a key: members who have it say the same, once."""
    return classes_of(np.array([first, second])).first_rows()


def _rows_of_persons(key: CodeColumn, column: CodeColumn, homes: Households | None, persons: CodeColumn | None) -> Rows:
    """Return all rows, of persons with several records one of those that are alike.

    Where households are not told, those who share a value that few have count once, as members do.
    """
    if persons is not None:
        return classes_of(np.array([persons, key, column])).first_rows()
    if homes is not None or (int(column.max(initial=-1)) + 1) * MAX_MEMBERS <= key.size:
        return np.arange(key.size)
    return _first_rows(key, column)
