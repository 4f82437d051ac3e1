"""Columns that are no keys and help to guess one: an employment beside an age, a weight beside a region."""

from collections.abc import Callable, Hashable
from functools import partial
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from sfumato.data import Microdata, role
from sfumato.kernels.keys.counting import classes_of
from sfumato.keys.households import MAX_MEMBERS, Households
from sfumato.keys.ruled_out import ReleasedKey, RuledOut, rule_out
from sfumato.keys.telling_columns import (
    has_order,
    ordered_codes,
    released_households,
    telling_names,
)
from sfumato.numerics.arrays import CodeColumn, Rows


class Hint(NamedTuple):
    """A key, a released column, and what the column rules out of the key."""

    key: str
    column: str
    ruled: RuledOut


class KnownHints:
    """What columns were found to rule out of keys: it is not looked for again where neither was changed since."""

    def __init__(self) -> None:
        self._found: dict[tuple[Hashable, ...], RuledOut | None] = {}

    def find(self, about: tuple[Hashable, ...], look: Callable[[], RuledOut | None]) -> RuledOut | None:
        """Return what is known of a key and a column, or what a look at them finds."""
        if about not in self._found:
            self._found[about] = look()
        return self._found[about]


def hinting_columns(
    masked: Microdata, names: tuple[str, ...], original: Microdata, rows: Rows, known: KnownHints | None = None
) -> tuple[list[ReleasedKey], list[Hint]]:
    """Return the keys, and the other columns that rule out categories of those that were masked.

    Parameters
    ----------
    masked, names
        The file as it is released, and its keys.
    original, rows
        The file before masking, and which of its rows the masked records were.
    known
        What is known already; what is found is added. Of use where files are looked at that differ in a few columns.
    """
    keys, known = released_keys(masked, names, original, rows), KnownHints() if known is None else known
    changed = {name: key for name, key in zip(names, keys, strict=True) if key.is_changed}
    homes, hints = released_households(masked), []
    members = b"" if homes is None else _digest(homes.number)
    of_keys = {name: (_digest(key.before), _digest(key.groups), key.is_ordered) for name, key in changed.items()}
    for column in telling_names(masked) if changed else []:
        if column in names:  # whoever fits has the value that is shown
            continue
        codes, is_ordered = ordered_codes(masked, column), has_order(masked, column)
        is_weight = column in masked.select(role("weight"))
        of_column = (_digest(codes), is_ordered, is_weight, members)
        for name, key in changed.items():
            look = partial(_look, key, codes, homes, is_ordered=is_ordered, is_by_design=is_weight)
            ruled = known.find((*of_keys[name], *of_column), look)
            hints += [Hint(name, column, ruled)] if ruled is not None else []
    return keys, hints


def _look(
    key: ReleasedKey, codes: CodeColumn, homes: Households | None, *, is_ordered: bool, is_by_design: bool
) -> RuledOut | None:
    """Return what a column rules out of a key; members of a household who are alike count once."""
    if homes is not None and not homes.count_mixed(codes):
        units = _first_rows(homes.number, key.before)
    else:
        units = _rows_of_persons(key.before, codes, homes)
    return rule_out(key, codes, units, is_ordered, is_by_design=is_by_design)


def _digest(codes: CodeColumn) -> bytes:
    return blake2b(codes.tobytes()).digest()


def released_keys(masked: Microdata, names: tuple[str, ...], original: Microdata, rows: Rows) -> list[ReleasedKey]:
    """Return the keys as they were and as they are released."""
    return [
        ReleasedKey(ordered_codes(original, name)[rows], ordered_codes(masked, name), has_order(original, name))
        for name in names
    ]


def _first_rows(first: CodeColumn, second: CodeColumn) -> Rows:
    """Return a row for each pair of codes, as of a household and a key: members who have it say the same, once."""
    return classes_of(np.array([first, second])).first_rows()


def _rows_of_persons(key: CodeColumn, column: CodeColumn, homes: Households | None) -> Rows:
    """Return all rows; where households are not told, one for those who share a value that few have, as members do."""
    if homes is not None or (int(column.max(initial=-1)) + 1) * MAX_MEMBERS <= key.size:
        return np.arange(key.size)
    return _first_rows(key, column)
