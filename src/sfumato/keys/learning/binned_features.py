"""Keys, columns and what two numbers give together, each in few bins, so that tables of them can be learnt."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from sfumato.data import Kind, Microdata
from sfumato.keys.gaps.own_gaps import gap_kinds
from sfumato.keys.number_codes import has_numbers, numbers_of
from sfumato.keys.pairs.column_pairs import is_number
from sfumato.keys.ruled_out import ReleasedKey
from sfumato.keys.telling_columns import SIZE, ordered_codes, telling_names
from sfumato.numerics.arrays import CodeColumn, FloatColumn, Rows

BINS, KEY_BINS, PAIR_BINS = 24, 48, 16  # of a column, of a key, and of each of two keys together
MAX_KEYS = 8  # of which pairs are looked at
MAX_NUMBERS = 4  # columns of numbers whose differences and ratios are looked at, those of most values


class Feature(NamedTuple):
    """Something that is known of a person or shown by a record: what it is called, and the bin of each.

    What was made of two of them is looked at only beside what was not, as there are many pairs.
    """

    name: str
    bins: CodeColumn
    bin_count: int
    is_made: bool = False


def person_features(original: Microdata, names: tuple[str, ...], keys: Sequence[ReleasedKey]) -> list[Feature]:
    """Return what somebody knows of each person: the keys that were masked, and what two of them give together.

    Parameters
    ----------
    original, names, keys
        The file before masking, its keys, and what became of them in a file of the same order.
    """
    changed = [place for place, key in enumerate(keys) if key.is_changed][:MAX_KEYS]
    alone = [Feature(names[place], *_bins(keys[place].before, keys[place].is_ordered, KEY_BINS)) for place in changed]
    pairs = [pair for pair in combinations(range(len(keys)), 2) if {*pair} & {*changed}][: MAX_KEYS * MAX_KEYS]
    few = {place: _bins(keys[place].before, keys[place].is_ordered, PAIR_BINS) for place in {*sum(pairs, ())}}
    found = []
    for one, other in pairs:
        (first, width), (second, wide) = few[one], few[other]
        found.append(Feature(f"{names[one]} and {names[other]}", first * wide + second, width * wide, True))
    numbers = {place: numbers_of(original, names[place]) for place in few if has_numbers(original, names[place])}
    for one, other in pairs:
        if one in numbers and other in numbers:
            named = f"{names[one]} and {names[other]}"
            found += [Feature(named, *bins, True) for bins in _together(numbers[one], numbers[other])]
    return [*alone, *found]


def record_features(masked: Microdata, names: tuple[str, ...], rows: Rows) -> list[Feature]:
    """Return what records show beside their keys: other columns, two numbers together, and the gaps of keys.

    Only some rows are looked at; those of others are in no bin that means anything.
    """
    data = masked.take_rows(rows)
    found = _features_of_records(data, names)
    if SIZE in telling_names(masked):  # which is counted in the whole file
        found.append(Feature(SIZE, *_bins(ordered_codes(masked, SIZE)[rows], True, BINS)))
    return [one._replace(bins=_at(rows, one.bins, masked.n)) for one in found]


def _at(rows: Rows, bins: CodeColumn, count: int) -> CodeColumn:
    placed = np.zeros(count, dtype=np.int64)
    placed[rows] = bins
    return placed


def _features_of_records(masked: Microdata, names: tuple[str, ...]) -> list[Feature]:
    columns = [name for name in telling_names(masked) if name not in names and name != SIZE]
    found = []
    for name in columns:
        is_ordered = masked.schema[name].kind is not Kind.NOMINAL
        found.append(Feature(name, *_bins(ordered_codes(masked, name), is_ordered, BINS)))
    for name in (*names, *columns):
        gaps = gap_kinds(masked, name)
        if 0 < np.count_nonzero(gaps) < masked.n:
            found.append(Feature(f"the gaps of {name}", *_bins(gaps, False, BINS)))
    numbers = {name: masked.values(name) for name in columns if is_number(masked, name)}
    widest = sorted(numbers, key=lambda name: -np.unique(numbers[name]).size)[:MAX_NUMBERS]
    for one, other in combinations(widest, 2):
        found += [Feature(f"{one} and {other}", *bins, True) for bins in _together(numbers[one], numbers[other])]
    return found


def _together(first: FloatColumn, second: FloatColumn) -> Iterator[tuple[CodeColumn, int]]:
    """Yield the bins of the difference, the sum and the ratio of two columns of numbers."""
    for made in (first - second, first + second, _ratio(first, second)):
        codes = np.full(made.size, -1)
        known = np.isfinite(made)
        codes[known] = np.unique(np.round(made[known], 9), return_inverse=True)[1]
        yield _bins(codes, True, KEY_BINS)


def _ratio(first: FloatColumn, second: FloatColumn) -> FloatColumn:
    ratio = np.full(first.size, np.nan)
    np.divide(first, second, out=ratio, where=np.isfinite(second) & (second != 0))
    return ratio


def _bins(codes: CodeColumn, is_ordered: bool, most: int) -> tuple[CodeColumn, int]:
    """Return codes in few bins, a gap in the last, and how many bins there are.

    Neighbours in an order share one, as many records in each; of names the rare ones do.
    """
    records = np.bincount(codes[codes >= 0], minlength=1)
    if records.size <= most:
        place = np.arange(records.size)
    elif is_ordered:
        place = (np.cumsum(records) - records) * most // max(int(records.sum()), 1)
    else:
        place = np.full(records.size, most - 1)
        place[np.argsort(-records, kind="stable")[: most - 1]] = np.arange(most - 1)
    count = int(place.max(initial=0)) + 1
    return np.where(codes < 0, count, place[codes]), count + 1
