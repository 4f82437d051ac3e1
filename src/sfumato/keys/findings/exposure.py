"""Whom the columns expose that tell a key or a part of it: how many records are found by keys and these columns."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from sfumato.data import Microdata
from sfumato.keys.classes import visible_codes
from sfumato.keys.findings.equal_records import are_equal_in_groups
from sfumato.keys.findings.person_side import PersonSide, person_side
from sfumato.keys.fitting_persons import FittingPersons, is_recoded
from sfumato.keys.gaps.own_gaps import own_gaps, ruled_out_by_own_gaps
from sfumato.keys.gaps.telling_gaps import exposed_by_gaps, ruled_out_by_gaps
from sfumato.keys.hinting_columns import Hint, KnownHints, hinting_columns, known_tariffs
from sfumato.keys.pairs.telling_pairs import columns_made_of_two_keys, fitting_records, telling_pairs
from sfumato.keys.pairs.telling_tariffs import telling_tariffs
from sfumato.keys.ruled_out import RuledOut
from sfumato.keys.telling_columns import MEMBERS, SIZE, Telling, telling_columns
from sfumato.numerics.arrays import CodeColumn, CodeMatrix, Rows

READABLE = "A KEY CAN BE READ OFF OTHER COLUMNS"
PARTLY = "OTHER COLUMNS TELL A PART OF A KEY"
EQUAL = (
    "each record is equal to at least {others} others in every column that is released, gaps included: nobody can tell "
    "these apart, whatever columns tell of each other; what they have in common is told of all of them"
)


@dataclass(frozen=True)
class Exposure:
    """What somebody finds who reads keys, or parts of them, off other columns.

    Parameters
    ----------
    found
        Which columns tell which keys.
    columns
        The columns that tell a key or a part of it.
    k
        How many records should fit what each shows.
    records
        How many records fewer fit, at least; None where the file before masking is not known.
    smallest
        How many records fit the one that fewest do, k where that is enough; None where that is not known.
    hinted
        How many of these records fewer fit by what columns rule out, and not only by keys that are read off them.
    hinting
        The keys, each with a column that rules out some of its categories, also where that exposes nobody.
    side
        Who is left with few records for somebody who looks for one person; None where the file before is not known, or
        a key was swapped, so that nobody knows what a person shows.
    remarks
        All that in words; nothing where no column tells a key, or a part of it that exposes somebody.
    """

    found: tuple[Telling, ...] = ()
    columns: tuple[str, ...] = ()
    k: int = 1
    records: int | None = None
    smallest: int | None = None
    hinted: int = 0
    hinting: tuple[tuple[str, str], ...] = ()
    side: PersonSide | None = None
    remarks: tuple[str, ...] = ()


def telling_exposure(
    masked: Microdata,
    names: tuple[str, ...],
    k: int,
    original: Microdata | None = None,
    known: KnownHints | None = None,
) -> Exposure:
    """Return which released columns tell a key or a part of it, whom that exposes, and what to do.

    Parameters
    ----------
    masked, names
        The file as it is released, and its keys.
    k
        How many records should fit what each shows.
    original
        The file before masking: what a column tells of a key that was made broader is read there.
    known
        What columns are known to rule out, as in `hinting_columns`.
    """
    if are_equal_in_groups(masked, k):
        return Exposure(k=k, records=0, smallest=k, remarks=(EQUAL.format(others=k - 1),))
    rows = None if original is None else original.rows_of(masked.row_ids)
    found = telling_columns(masked, names, original, rows)
    found += telling_pairs(masked, names, found, original, rows)
    if original is None or rows is None:
        told = [f"{READABLE}: {_column_words(_pairs(found))}. {_advice(_pairs(found), names)}"] if found else []
        return Exposure(tuple(found), _columns(_pairs(found)), k, remarks=tuple(told))
    known = KnownHints() if known is None else known
    tariffs = known_tariffs(masked, names, original, rows, known)
    found += telling_tariffs(masked, names, found, tariffs, original, rows)
    found += columns_made_of_two_keys(masked, names, found, original, rows)
    read, remarks = np.full(masked.n, k), []
    keys, hints = hinting_columns(masked, names, original, rows, known)
    file = FittingPersons.of(keys, [hint.ruled for hint in hints])
    helped, hinting = _helped_sizes(file, hints, k)
    side = None
    if all(map(is_recoded, keys)):  # of swapped keys nobody knows what a person shows
        own = known.find(("own gaps", *names), partial(own_gaps, original, names))
        gaps = [*ruled_out_by_gaps(keys), *ruled_out_by_own_gaps(own, masked, rows)]
        side = person_side(file, gaps, k)
        helped = np.minimum(helped, sizes_by_gaps(file, gaps, visible_codes(masked, names), k))
    if found:
        read = fitting_records(masked, names, found, original, rows, k)
        few = np.flatnonzero(read < k)
        by_keys = int(np.count_nonzero(file.ruled_by(()).counts(few, k) < k))
        remarks.append(_readable_words(read, k, _pairs(found), names, by_keys, is_calm=not hinting))
    remarks += [_helped_words(helped, k, hinting, names)] if hinting else []
    sizes, columns = np.minimum(read, helped), _columns([*_pairs(found), *hinting])
    exposed, smallest = int(np.count_nonzero(sizes < k)), int(sizes.min())
    hinted = int(np.count_nonzero(helped < k))
    every = tuple(dict.fromkeys((hint.key, hint.column) for hint in hints))
    return Exposure(tuple(found), columns, k, exposed, smallest, hinted, every, side, tuple(remarks))


def sizes_by_gaps(file: FittingPersons, gaps: Sequence[RuledOut], seen: CodeMatrix, k: int) -> CodeColumn:
    """Return how many persons fit each record by what columns and gaps rule out together; k where neither does alone.

    What gaps tell by themselves is counted elsewhere.
    """
    sizes = np.full(file.classes.is_unknown.size, k)
    if gaps and file.ruled:
        rows, fitting = exposed_by_gaps(file, gaps, seen, k)
        alone = file.ruled_by(gaps).counts(rows, k)
        sizes[rows[alone >= k]] = fitting[alone >= k]
    return sizes


def count_hinted(masked: Microdata, names: tuple[str, ...], k: int, original: Microdata, known: KnownHints) -> int:
    """Return how many records fewer than k persons fit by what other columns rule out, as `telling_exposure` counts."""
    keys, hints = hinting_columns(masked, names, original, original.rows_of(masked.row_ids), known)
    return int(FittingPersons.of(keys, [hint.ruled for hint in hints]).exposed(k)[0].size)


def _helped_sizes(file: FittingPersons, hints: Sequence[Hint], k: int) -> tuple[CodeColumn, list[tuple[str, str]]]:
    """Return how many persons fit each record for somebody who knows what columns rule out, k if enough.

    Returned too: the keys with the columns that expose somebody, those that expose most first. They do so by
    themselves, or together where none does.
    """
    sizes = np.full(file.classes.is_unknown.size, k)
    exposed, fitting = file.exposed(k)
    sizes[exposed] = fitting
    if not exposed.size:
        return sizes, []
    alone = [_count_exposed(file.ruled_by([hint.ruled]), exposed, k) for hint in hints]
    found = sorted(zip(alone, hints, strict=True), key=lambda one: -one[0])
    return sizes, list(dict.fromkeys((hint.key, hint.column) for records, hint in found if records or not any(alone)))


def _count_exposed(file: FittingPersons, rows: Rows, k: int) -> int:
    """Return how many of some records, which k persons fit by their keys, fewer fit once columns rule out some."""
    return int(np.count_nonzero(file.counts(rows[file.is_helped[rows]], k) < k))


def _helped_words(sizes: CodeColumn, k: int, found: Sequence[tuple[str, str]], names: tuple[str, ...]) -> str:
    """Return who is found by what other columns rule out."""
    return (
        f"{PARTLY}: {_column_words(found)}. Some of their values go with few of the categories that the key had before "
        f"it was masked. Whoever knows which finds at least {np.count_nonzero(sizes < k):,} of {sizes.size:,} records "
        f"by keys that fewer than {k} persons fit, whatever k is told elsewhere. {_advice(found, names)}"
    )


def _readable_words(
    sizes: CodeColumn, k: int, found: Sequence[tuple[str, str]], names: tuple[str, ...], by_keys: int, *, is_calm: bool
) -> str:
    """Return who is found by keys that are read off other columns; no comfort where what they rule out exposes some.

    `by_keys` is how many of them are found by all keys alone, as where k is promised by some keys at a time.
    """
    records, told = int(np.count_nonzero(sizes < k)), _column_words(found)
    if not records and not is_calm:
        return f"a key can be read off other columns: {told}; whom that helps to find is counted in the next note"
    if not records:
        return (
            f"a key can be read off other columns: {told}; by what was looked for, no record is found by keys that "
            f"fewer than {k} fit"
        )
    already = f"{by_keys:,} of them by all keys at once without reading anything, " if by_keys else ""
    return (
        f"{READABLE}: {told}. Whoever does that finds at least {records:,} of {sizes.size:,} records by keys that "
        f"fewer than {k} fit, {already}whatever k is told elsewhere. {_advice(found, names)}"
    )


def _pairs(found: Iterable[Telling]) -> list[tuple[str, str]]:
    return [(one.key, one.words) for one in found]


def _columns(found: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(column for _, column in found))


def _column_words(found: Sequence[tuple[str, str]]) -> str:
    """Return the columns that tell each key."""
    told = {key: [column for one, column in found if one == key] for key in dict.fromkeys(key for key, _ in found)}
    return "; ".join(f"{' and '.join(columns)} ({key})" for key, columns in told.items())


def _advice(found: Sequence[tuple[str, str]], names: tuple[str, ...]) -> str:
    """Return what to do: a column that is a key already, or is none of the file, cannot be made one."""
    columns = [column for _, column in found if column not in names and column not in {SIZE, MEMBERS}]
    if not columns:
        return "Drop such a column or the key that it tells, or recode both alike"
    return (
        "Give such a column the role key, drop it (columns with the role identifier are dropped), or recode both alike"
    )
