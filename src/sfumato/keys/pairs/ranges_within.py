"""Ranges of a key within categories of another that a column leaves: pensions begin at 60 for women, at 65 for men."""

from collections.abc import Iterator, Mapping

import numpy as np

from sfumato.keys._chance import log_chance_of_none
from sfumato.keys.ruled_out import BY_CHANCE, ReleasedKey, RuledOut, as_kinds
from sfumato.numerics.arrays import CodeColumn, Rows

MAX_CATEGORIES = 30  # of the key within which ranges are looked at


def ordered_pairs(keys: Mapping[str, ReleasedKey]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of an ordered key and another of few categories."""
    for one, first in keys.items():
        for other, second in keys.items():
            if one != other and first.is_ordered and second.categories[1] <= MAX_CATEGORIES:
                yield one, other


def ruled_out_within(
    first: ReleasedKey, second: ReleasedKey, column: CodeColumn, units: Rows | None, *, is_by_design: bool = False
) -> RuledOut | None:
    """Return what lies outside the range of an ordered key that those with a value have, in each category of another.

    Parameters
    ----------
    first, second
        The ordered key, and that within whose categories its ranges are looked at.
    column
        A column of few values as codes, missing as -1.
    units
        The rows to conclude from; None: all.
    is_by_design
        Whether the column was computed by rules that are published: where one range is no chance, all are known.

    Examples
    --------
    >>> age, sex = np.tile(np.arange(100), 4), np.repeat([0, 1], 200)
    >>> has_pension = (age >= np.where(sex == 0, 60, 65)).astype(np.int64)
    >>> nothing, rows = np.zeros(400, dtype=np.int64), np.arange(400)
    >>> found = ruled_out_within(ReleasedKey(age, nothing, True), ReleasedKey(sex, nothing, False), has_pension, rows)
    >>> [int(found.allowed[1][:-1].reshape(101, 3)[:100, one].sum()) for one in (0, 1)]
    [40, 35]
    """
    count, wide, both = first.categories[1], second.categories[1], first.joined_with(second)
    values = int(column.max(initial=-1)) + 1
    codes, joined = (column, both) if units is None else (column[units], both[units])
    cells = np.bincount((codes + 1) * (count * wide) + joined, minlength=(values + 1) * count * wide)
    held = cells.reshape(values + 1, count, wide)[1:, :-1].transpose(0, 2, 1)  # without the gaps of either
    members, upto = held.sum(axis=2), held.sum(axis=0).cumsum(axis=1)
    total, has_any = upto[:, -1] if count > 1 else np.zeros(wide, dtype=np.int64), held > 0
    low, high = has_any.argmax(axis=2), count - 2 - has_any[:, :, ::-1].argmax(axis=2)
    stratum = np.arange(wide)
    below, above = upto[stratum, low] - held.sum(axis=0)[stratum, low], total - upto[stratum, high]
    is_bounded = [
        (members > 0) & (others > 0) & (log_chance_of_none(total, members, others) <= np.log(BY_CHANCE))
        for others in (below, above)
    ]
    if not np.logical_or(*is_bounded).any():
        return None
    if is_by_design:
        is_bounded = [members > 0, members > 0]
    low, high = np.where(is_bounded[0], low, 0), np.where(is_bounded[1], high, count - 2)
    place = np.arange(count)
    allowed = (place[:, None] >= low[:, None, :]) & (
        (place[:, None] <= high[:, None, :]) | (place[:, None] == count - 1)
    )
    allowed[:, count - 1, :] = True  # of a gap nothing is known
    allowed = np.vstack([allowed.reshape(values, -1), np.ones(count * wide, dtype=np.bool_)])
    allowed = np.hstack([allowed, np.ones((values + 1, 1), dtype=np.bool_)])
    return RuledOut(as_kinds(np.where(column < 0, values, column), len(allowed)), both, allowed)
