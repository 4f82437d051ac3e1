"""Columns that are no keys and help to guess one: an employment beside an age, a weight beside a region."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from typing import Any, NamedTuple, TypeVar

import numpy as np

from sfumato.data import Microdata, role
from sfumato.keys.gaps.own_gaps import gap_kinds
from sfumato.keys.mass_points import is_shown_by, keep_shown, mass_point
from sfumato.keys.number_codes import has_numbers, numbers_of
from sfumato.keys.pairs.column_pairs import ColumnPair, is_number, usual_pairs
from sfumato.keys.pairs.fractions import ruled_out_by_fraction
from sfumato.keys.pairs.hinting_pairs import hinting_pairs
from sfumato.keys.pairs.key_pairs import has_few_values, key_pairs, tells_more
from sfumato.keys.pairs.key_tariffs import KeyTariff, key_tariffs
from sfumato.keys.pairs.ranges_within import ordered_pairs, ruled_out_within
from sfumato.keys.pairs.readings import Reading, readings, ruled_out_by_reading
from sfumato.keys.pairs.telling_tariffs import reading_tariffs
from sfumato.keys.parts.date_parts import date_parts
from sfumato.keys.parts.text_parts import text_parts
from sfumato.keys.persons import numbers_of_persons
from sfumato.keys.ruled_out import ReleasedKey, RuledOut, rule_out
from sfumato.keys.telling_columns import (
    SIZE,
    has_order,
    ordered_codes,
    released_households,
    telling_names,
)
from sfumato.keys.unit_rows import UnitRows
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, Rows

Found = TypeVar("Found")


class Hint(NamedTuple):
    """A key, a released column or what two of them give together, and what that rules out of the key.

    `source` is the column whose gap would rule out nothing; empty where there is none, as for a gap.
    """

    key: str
    column: str
    ruled: RuledOut
    source: str = ""


class KnownHints:
    """What columns were found to rule out of keys: it is not looked for again where neither was changed since."""

    def __init__(self) -> None:
        self._found: dict[tuple[Hashable, ...], Any] = {}

    def find(self, about: tuple[Hashable, ...], look: Callable[[], Found]) -> Found:
        """Return what is known of keys and columns, or what a look at them finds."""
        if about not in self._found:
            self._found[about] = look()
        found: Found = self._found[about]
        return found


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
    persons = None
    if homes is None and changed:
        persons = known.find(("persons", _digest(rows)), partial(numbers_of_persons, original, rows))
    units = UnitRows(homes, persons)
    members = b"" if homes is None else _digest(homes.number)
    parts = _parts_of_dates(original, changed, rows)
    looked = changed | parts
    of_keys = {name: (_digest(key.before), _digest(key.groups), key.is_ordered) for name, key in looked.items()}
    numbers: dict[str, bytes] = {}
    pairs_of_keys = key_pairs(changed)
    for column in telling_names(masked) if changed else []:
        if column in names:  # whoever fits has the value that is shown
            continue
        digest, codes = _codes_and_digest(masked, column)
        is_ordered, is_weight = has_order(masked, column), column in masked.select(role("weight"))
        of_column = (digest, is_ordered, is_weight, members)
        gaps = gap_kinds(masked, column)  # no child was asked for working hours
        of_gaps = _digest(gaps) if gaps.any() else b""
        for name, key in looked.items() if of_gaps else ():
            look = partial(_look, key, gaps, units, is_ordered=False, is_by_design=False)
            ruled = known.find((*of_keys[name], of_gaps, members), look)
            hints += [Hint(name, f"the gaps of {column}", ruled)] if ruled is not None else []
        if of_gaps:
            found = {one.key: one.ruled for one in hints if one.column == f"the gaps of {column}"}
            look_at_keys = partial(_look_at_key_pairs, pairs_of_keys, gaps, found, units, changed)
            ruled_together = known.find(("key pairs", *of_keys.items(), of_gaps, members), look_at_keys)
            hints += [Hint(pair, f"the gaps of {column}", ruled) for pair, ruled in ruled_together]
        if is_number(masked, column):
            numbers[column] = digest
        for name, key in looked.items():
            look = partial(_look, key, codes, units, is_ordered=is_ordered, is_by_design=is_weight)
            ruled = known.find((*of_keys[name], *of_column), look)
            hints += [Hint(name, column, ruled, column)] if ruled is not None else []
        if has_few_values(codes):
            found = {one.key: one.ruled for one in hints if one.column == column}
            is_rule = is_weight and has_few_values(ordered_codes(original, column)[rows])  # one of few categories
            look_at_keys = partial(
                _look_at_key_pairs, pairs_of_keys, codes, found, units, changed, is_by_design=is_rule
            )
            ruled_together = known.find(("key pairs", *of_keys.items(), *of_column), look_at_keys)
            hints += [Hint(pair, column, ruled, column) for pair, ruled in ruled_together]
        for words, kinds, is_shown in (
            *_cut_columns(masked, column, codes, original, rows),
            *(_cut_dates(masked, column) if parts else ()),
        ):
            of_kinds, found = (words, _digest(kinds), members), {}
            of_shown = (*of_kinds, digest, "shown")
            for name, key in looked.items():
                look = partial(_look, key, kinds, units, is_ordered=False, is_by_design=False)
                ruled = known.find((*of_keys[name], *of_kinds), look)
                if ruled is not None:
                    found[name] = ruled
                    shown = known.find((*of_keys[name], *of_shown), partial(keep_shown, ruled, is_shown))
                    hints.append(Hint(name, words, shown, column))
            if has_few_values(kinds):
                look_at_keys = partial(_look_at_key_pairs, pairs_of_keys, kinds, found, units, changed)
                ruled_together = known.find(("key pairs", *of_keys.items(), *of_kinds), look_at_keys)
                keep = partial(_keep_all_shown, ruled_together, is_shown)
                kept = known.find(("key pairs", *of_keys.items(), *of_shown), keep)
                hints += [Hint(pair, words, ruled, column) for pair, ruled in kept]
    for pairs in _pairs_apart(masked, list(numbers)):
        about = tuple((pair, numbers[pair.first], numbers[pair.second]) for pair in pairs)
        look_at_pairs = partial(hinting_pairs, masked, pairs, changed, homes, persons)
        hints += [Hint(*one) for one in known.find((about, members, *of_keys.items()), look_at_pairs)]
    tariffs = known_tariffs(masked, names, original, rows, known) if changed else []
    by_tariffs = reading_tariffs(masked, list(changed), tariffs, original, rows)
    for reading in (
        *_readings(list(numbers), original, rows, changed, persons, known),
        *(Reading(source.key, source) for source in by_tariffs),
    ):
        exact, released = reading.of(original)[rows], reading.of(masked)
        if not np.array_equal(exact, released, equal_nan=True):  # else the key is simply told
            ruled = ruled_out_by_reading(changed[reading.key], exact, released)
            hints += [Hint(reading.key, reading.words, ruled)] if ruled is not None else []
    for name in (name for name in changed if has_numbers(original, name)):
        sizes = numbers_of(original, name)[rows]
        for column in (one for one in numbers if is_number(original, one)):
            fraction = partial(ruled_out_by_fraction, sizes, original.values(column)[rows], masked.values(column))
            ruled = known.find(("fractions", column, numbers[column], *of_keys[name]), fraction)
            hints += [Hint(name, f"{column}, a share or mean of it", ruled, column)] if ruled is not None else []
    return keys, hints


def _cut_columns(
    masked: Microdata, column: str, codes: CodeColumn, original: Microdata, rows: Rows
) -> Iterator[tuple[str, CodeColumn, Booleans]]:
    """Yield what a column of many values tells by what many of them share, and which records show it.

    Numbers have their most frequent value, such as zero, or another: before masking, and shown where all records with
    the same number are of one kind. Codes and texts have parts.
    """
    if column == SIZE:
        return
    if not is_number(masked, column):
        everybody = np.ones(masked.n, dtype=np.bool_)
        yield from ((words, part, everybody) for words, part in text_parts(masked, column))
    elif is_number(original, column):
        kinds = mass_point(ordered_codes(original, column)[rows])
        if kinds is not None:
            yield f"whether {column} has its most frequent value", kinds, is_shown_by(kinds, codes)


def _parts_of_dates(original: Microdata, keys: Mapping[str, ReleasedKey], rows: Rows) -> dict[str, ReleasedKey]:
    """Return the parts of the dates among some keys, which broader classes of these do not show."""
    return {
        words: ReleasedKey(codes, np.full(codes.size, -1), is_ordered=False)
        for name in keys
        for words, codes in date_parts(original, name, rows)
    }


def _cut_dates(masked: Microdata, column: str) -> Iterator[tuple[str, CodeColumn, Booleans]]:
    """Yield the parts of a column of dates, and that each record shows them."""
    if column != SIZE:
        everybody = np.ones(masked.n, dtype=np.bool_)
        yield from ((words, part, everybody) for words, part in date_parts(masked, column))


def _codes_and_digest(masked: Microdata, column: str) -> tuple[bytes, CodeColumn]:
    """Return a column as codes in its order, and a digest of its values."""
    if not is_number(masked, column):
        codes = ordered_codes(masked, column)
        return _digest(codes), codes
    return _digest(masked.values(column)), ordered_codes(masked, column)


def _readings(
    columns: Sequence[str],
    original: Microdata,
    rows: Rows,
    keys: Mapping[str, ReleasedKey],
    persons: CodeColumn | None,
    known: KnownHints,
) -> list[Reading]:
    """Return the keys with the numbers, or pairs of them, that told them before masking."""
    numbers = [name for name in columns if is_number(original, name)]
    about = ("readings", *numbers, *keys, _digest(rows))
    return known.find(about, partial(readings, original, numbers, keys, rows, persons))


def known_tariffs(
    masked: Microdata, names: Sequence[str], original: Microdata, rows: Rows, known: KnownHints
) -> list[KeyTariff]:
    """Return how amounts were computed by keys, categories and numbers before masking; looked for once."""
    about = (
        "tariffs",
        *names,
        "of",
        *masked.select(role("other")),
        *masked.select(role("confidential")),
        _digest(rows),
    )
    return known.find(about, partial(key_tariffs, original, masked, names, rows))


def _pairs_apart(masked: Microdata, columns: Sequence[str]) -> tuple[list[ColumnPair], list[ColumnPair]]:
    """Return the pairs without weights and those with one, which are looked at again when weights are rounded."""
    weights, pairs = {*masked.select(role("weight"))}, usual_pairs(masked, columns)
    apart = [pair for pair in pairs if weights & {pair.first, pair.second}]
    return [pair for pair in pairs if not weights & {pair.first, pair.second}], apart


def _look(
    key: ReleasedKey,
    codes: CodeColumn,
    units: UnitRows,
    *,
    is_ordered: bool,
    is_by_design: bool,
) -> RuledOut | None:
    """Return what a column rules out of a key; members of a household, or records of a person, alike count once."""
    return rule_out(key, codes, units.of(key.before, codes), is_ordered, is_by_design=is_by_design)


def _look_at_key_pairs(
    pairs: Mapping[tuple[str, str], ReleasedKey],
    codes: CodeColumn,
    found: Mapping[str, RuledOut],
    units: UnitRows,
    keys: Mapping[str, ReleasedKey],
    *,
    is_by_design: bool = False,
) -> list[tuple[str, RuledOut]]:
    """Return what a column rules out of two keys together, and of neither by itself; `found` is what it rules out."""
    told = []
    for one, other in ordered_pairs(keys):
        first, second = keys[one], keys[other]
        if ruled_out_within(first, second, codes, None, is_by_design=is_by_design) is None:
            continue
        both = first.before * (int(second.before.max(initial=0)) + 2) + second.before
        ruled = ruled_out_within(first, second, codes, units.of(both, codes), is_by_design=is_by_design)
        if ruled is not None and tells_more(ruled, [found[name] for name in (one, other) if name in found]):
            told.append((f"{one} and {other}", ruled))
    for names, key in pairs.items():
        ruled = rule_out(key, codes, units.of(key.before, codes), is_ordered=False, is_each=True)
        if ruled is not None and tells_more(ruled, [found[name] for name in names if name in found]):
            told.append((" and ".join(names), ruled))
    return told


def _keep_all_shown(found: Sequence[tuple[str, RuledOut]], is_shown: Booleans) -> list[tuple[str, RuledOut]]:
    return [(words, keep_shown(ruled, is_shown)) for words, ruled in found]


def _digest(codes: CodeColumn | FloatColumn | Booleans) -> bytes:
    return blake2b(np.ascontiguousarray(codes).data).digest()


def released_keys(masked: Microdata, names: tuple[str, ...], original: Microdata, rows: Rows) -> list[ReleasedKey]:
    """Return the keys as they were and as they are released."""
    return [
        ReleasedKey(ordered_codes(original, name)[rows], ordered_codes(masked, name), has_order(original, name))
        for name in names
    ]
