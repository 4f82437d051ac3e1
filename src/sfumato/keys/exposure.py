"""Whom the columns expose that tell a key: how many records are found by keys that are read off other columns."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.data import Microdata
from sfumato.keys.classes import MissingKeys, class_sizes
from sfumato.keys.telling_columns import SIZE, Telling, known_codes, telling_columns

READABLE = "A KEY CAN BE READ OFF OTHER COLUMNS"


@dataclass(frozen=True)
class Exposure:
    """What somebody finds who reads keys off other columns.

    Parameters
    ----------
    found
        Which columns tell which keys.
    k
        How many records should fit what each shows.
    records
        How many records fewer fit, at least; None where the file before masking is not known.
    smallest
        How many records fit the one that fewest do; None where that is not known.
    remark
        All that in words; nothing where no column tells a key.
    """

    found: tuple[Telling, ...] = ()
    k: int = 1
    records: int | None = None
    smallest: int | None = None
    remark: str = ""


def telling_exposure(masked: Microdata, names: tuple[str, ...], k: int, original: Microdata | None = None) -> Exposure:
    """Return which released columns tell a key, whom that exposes, and what to do.

    Parameters
    ----------
    masked, names
        The file as it is released, and its keys.
    k
        How many records should fit what each shows.
    original
        The file before masking: what a column tells of a key that was made broader is read there.
    """
    rows = None if original is None else original.rows_of(masked.row_ids)
    found = telling_columns(masked, names, original, rows)
    if not found:
        return Exposure(k=k)
    told, advice = _column_words(found), _advice(found, names)
    if original is None or rows is None:
        return Exposure(tuple(found), k, remark=f"{READABLE}: {told}. {advice}")
    sizes = class_sizes(known_codes(masked, names, found, original, rows), MissingKeys.WILDCARD)
    records, smallest = int(np.count_nonzero(sizes < k)), int(sizes.min())
    if not records:
        remark = (
            f"a key can be read off other columns: {told}; counted so, no record is found by keys that fewer than {k} "
            f"fit"
        )
        return Exposure(tuple(found), k, records, smallest, remark)
    remark = (
        f"{READABLE}: {told}. Whoever does that finds at least {records:,} of {masked.n:,} records by keys that fewer "
        f"than {k} fit, whatever k is told elsewhere. {advice}"
    )
    return Exposure(tuple(found), k, records, smallest, remark)


def _column_words(found: Sequence[Telling]) -> str:
    """Return the columns that tell each key."""
    told = {key: [one.column for one in found if one.key == key] for key in dict.fromkeys(one.key for one in found)}
    return "; ".join(f"{' and '.join(columns)} ({key})" for key, columns in told.items())


def _advice(found: Sequence[Telling], names: tuple[str, ...]) -> str:
    """Return what to do: a column that is a key already, or is none of the file, cannot be made one."""
    if all(one.column in names or one.column == SIZE for one in found):
        return "Drop such a column or the key that it tells, or recode both alike"
    column = next(one.column for one in found if one.column not in names and one.column != SIZE)
    return f"Give such a column the role key, drop it (as {column} with the role identifier is), or recode both alike"
