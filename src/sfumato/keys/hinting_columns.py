"""Columns that are no keys and help to guess one: an employment beside an age, a weight beside a region."""

from typing import NamedTuple

import numpy as np

from sfumato.data import Microdata, role
from sfumato.kernels.keys.counting import classes_of
from sfumato.keys.found_households import MAX_MEMBERS
from sfumato.keys.households import Households
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


def hinting_columns(
    masked: Microdata, names: tuple[str, ...], original: Microdata, rows: Rows
) -> tuple[list[ReleasedKey], list[Hint]]:
    """Return the keys, and the other columns that rule out categories of those that were masked."""
    keys = released_keys(masked, names, original, rows)
    changed = {name: key for name, key in zip(names, keys, strict=True) if key.is_changed}
    homes, hints = released_households(masked), []
    of_members = {} if homes is None else {name: _first_rows(homes.number, key.before) for name, key in changed.items()}
    for column in telling_names(masked) if changed else []:
        if column in names:  # whoever fits has the value that is shown
            continue
        codes, is_ordered = ordered_codes(masked, column), has_order(masked, column)
        is_weight = column in masked.select(role("weight"))
        is_of_household = homes is not None and not homes.count_mixed(codes)
        for name, key in changed.items():
            rows = of_members[name] if is_of_household else _rows_of_persons(key.before, codes, homes)
            ruled = rule_out(key, codes, rows, is_ordered, is_by_design=is_weight)
            hints += [Hint(name, column, ruled)] if ruled is not None else []
    return keys, hints


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
