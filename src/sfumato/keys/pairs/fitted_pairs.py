"""Pairs of columns of which a sum of multiples tells a number: many are looked at together, few fitted."""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from sfumato.keys.pairs._trimmed_fits import ROUNDING, central_width, open_widths, trimmed_fit
from sfumato.keys.pairs.column_pairs import AT_ONCE, ColumnPair
from sfumato.keys.telling_columns import MAX_RECORDS, TOLD
from sfumato.numerics.arrays import FloatColumn

FIRST_LOOK = 200  # records, by which most pairs are left aside
MIN_FITTED = 20  # records that have a key and both columns: of fewer nothing is concluded
BETTER = 0.5  # of what one column leaves open: two that leave more than that tell hardly more


def fitting_pairs(
    key: FloatColumn, values: Mapping[str, FloatColumn], tried: Iterable[tuple[str, str]]
) -> Iterator[ColumnPair]:
    """Yield the pairs of columns of which a sum of multiples tells a number."""
    is_known = np.isfinite(key)
    for first, second in _promising_fits(key, values, tried):
        both = np.flatnonzero(is_known & np.isfinite(values[first] + values[second]))[:MAX_RECORDS]
        factor = fitting_factor(key[both], values[first][both], values[second][both])
        if factor:
            yield ColumnPair(first, second, factor)


def fitting_factor(key: FloatColumn, first: FloatColumn, second: FloatColumn) -> float | None:
    """Return by what the second of two columns is multiplied for the sum to tell a key; None where it does not."""
    if key.size < MIN_FITTED or not central_width(key):  # of one value of nearly all, rounding decides what tells it
        return None
    few = slice(None, FIRST_LOOK)
    if open_width(key[few], first[few], second[few]) > TOLD * central_width(key[few]):
        return None
    width, whole = open_width(key, first, second), central_width(key)
    alone = min(open_width(key, first), open_width(key, second))
    if width > TOLD * whole or width + ROUNDING * whole >= BETTER * alone:
        return None
    factors = trimmed_fit(np.column_stack([first, second]), key).factors
    return float(factors[1] / factors[0])


def open_width(key: FloatColumn, *columns: FloatColumn) -> float:
    """Return how wide the range of nine of ten records is that the best sum of some columns leaves open of a key."""
    return central_width(trimmed_fit(np.column_stack(columns), key).rest)


def _promising_fits(
    key: FloatColumn, values: Mapping[str, FloatColumn], tried: Iterable[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    """Yield the pairs of columns that leave little of a number open in a few records, many looked at together."""
    names, gaps = list(values), {name: np.isnan(column).tobytes() for name, column in values.items()}
    alike: dict[tuple[bytes, ...], list[tuple[int, int]]] = {}  # pairs that the same records have
    for first, second in tried:
        lacking = tuple(sorted({gaps[first], gaps[second]}))
        alike.setdefault(lacking, []).append((names.index(first), names.index(second)))
    columns = np.array(list(values.values()))
    for pairs in alike.values():
        few = np.flatnonzero(np.isfinite(key + columns[list(pairs[0])].sum(axis=0)))[:FIRST_LOOK]
        if few.size < MIN_FITTED:
            continue
        least = TOLD * central_width(key[few])
        used, places = np.unique(np.array(pairs), return_inverse=True)
        places = places.reshape(-1, 2)
        for part in np.array_split(places, -(-len(pairs) * few.size // AT_ONCE)):
            told = part[open_widths(key[few], columns[np.ix_(used, few)], part) <= least]
            yield from ((names[used[one]], names[used[other]]) for one, other in told)
