"""Keys that a released amount still tells beside a category or a number, by what it was computed with."""

from collections.abc import Iterator, Sequence

import numpy as np

from sfumato.data import Microdata
from sfumato.keys.number_codes import numbers_of
from sfumato.keys.pairs._trimmed_fits import ROUNDING, central_width, trimmed_fit
from sfumato.keys.pairs.column_pairs import ColumnPair
from sfumato.keys.pairs.key_tariffs import AmountOfKeys, KeyByTariff, KeyTariff
from sfumato.keys.pairs.readings import MOSTLY_RIGHT
from sfumato.keys.telling_columns import MAX_RECORDS, TOLD, Telling, is_told, ordered_codes
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, Rows
from sfumato.numerics.hashing import rows_by_content
from sfumato.numerics.ranking import in_order

MIN_FITTED = 20  # records that have a key and what tells it: of fewer nothing is concluded


def telling_tariffs(
    masked: Microdata,
    names: Sequence[str],
    found: Sequence[Telling],
    tariffs: Sequence[KeyTariff],
    original: Microdata,
    rows: Rows,
) -> list[Telling]:
    """Return the keys that are told by an amount and what else it was computed with, and the amounts that keys tell.

    Parameters
    ----------
    masked, names
        The file as it is released, and its keys.
    found
        What is known to tell a key by itself.
    tariffs
        How amounts were computed before masking.
    original, rows
        The file before masking, and the row of each record in it.
    """
    told = {(one.key, one.column) for one in found if one.pair is None}
    told |= {(one.key, one.pair.first) for one in found if isinstance(one.pair, ColumnPair)}
    told |= {(one.key, one.pair.second) for one in found if isinstance(one.pair, ColumnPair)}
    tellings = []
    for tariff in tariffs:
        by_keys = [*_amounts_told(masked, names, tariff, original, rows)]
        tellings += by_keys or [*_keys_told(masked, names, tariff, original, rows)]
    new = {(one.key, one.words): one for one in tellings if (one.key, one.column) not in told}
    return list(new.values())


def reading_tariffs(
    masked: Microdata, names: Sequence[str], tariffs: Sequence[KeyTariff], original: Microdata, rows: Rows
) -> Iterator[KeyByTariff]:
    """Yield by what each key was worked out before masking, where that no longer tells it but may be right of some."""
    for source in _sources(names, tariffs):
        if not _tells_key(source, masked, original, rows):
            yield source


def _sources(names: Sequence[str], tariffs: Sequence[KeyTariff]) -> Iterator[KeyByTariff]:
    """Yield by what each key is worked out that was used to compute an amount."""
    for one in tariffs:
        read = one.columns[: len(one.columns) - len(one.others)]  # others that are keys have a tariff of their own
        yield from (KeyByTariff(name, one) for name in read if name in names)


def nearest_codes(exact: FloatColumn, released: FloatColumn) -> tuple[CodeColumn, Booleans]:
    """Return which released amount is nearest to that of each person, as a code, and which records show another one.

    Examples
    --------
    >>> nearest_codes(np.array([10.0, 12.0, 40.0, np.nan]), np.array([11.0, 11.0, 11.0, 50.0]))
    (array([0, 0, 1, 2]), array([False, False,  True,  True]))
    """
    values = np.unique(released[np.isfinite(released)])
    if not values.size:
        return np.zeros(exact.size, dtype=np.int64), np.ones(exact.size, dtype=np.bool_)
    place = np.searchsorted((values[1:] + values[:-1]) / 2, exact)
    codes = np.where(np.isfinite(exact), place, values.size)
    return codes, ~(np.append(values, np.nan)[codes] == released)


def _keys_told(
    masked: Microdata, names: Sequence[str], tariff: KeyTariff, original: Microdata, rows: Rows
) -> Iterator[Telling]:
    """Yield the keys that an amount tells with the other columns by which it was computed."""
    for source in _sources(names, [tariff]):
        if _tells_key(source, masked, original, rows):
            yield Telling(source.key, tariff.amount, pair=source, is_fitted=source.key != tariff.category)


def _tells_key(source: KeyByTariff, masked: Microdata, original: Microdata, rows: Rows) -> bool:
    """Tell whether the columns of a file as it is released tell a key."""
    read = source.of(masked)
    known = np.flatnonzero(np.isfinite(read))
    if known.size < max(MIN_FITTED, TOLD * masked.n):
        return False
    if source.key == source.by.category:
        exact = ordered_codes(original, source.key)[rows]
        some = known[rows_by_content(exact[known], read[known])][:MAX_RECORDS]
        return is_told(exact[some], in_order(read[some]), True)
    values = numbers_of(original, source.key)[rows]
    some = known[rows_by_content(values[known], read[known])][:MAX_RECORDS]
    some = some[np.isfinite(values[some])]
    return some.size >= MIN_FITTED and _leaves_little(values[some], read[some])


def _leaves_little(key: FloatColumn, read: FloatColumn) -> bool:
    """Tell whether hardly anything of a key is left open by what is read of it."""
    open_width = central_width(trimmed_fit(read[:, None], key).rest)
    return open_width <= TOLD * central_width(key) + ROUNDING * float(np.abs(key).max())


def _amounts_told(
    masked: Microdata, names: Sequence[str], tariff: KeyTariff, original: Microdata, rows: Rows
) -> Iterator[Telling]:
    """Yield the amounts, or times, that whoever knows all keys by which they were computed knows of a person."""
    keys = [name for name in tariff.columns if name in names]
    is_time = tariff.category not in names and not tariff.others
    if len(keys) < 2 or (not tariff.others and len(keys) < len(tariff.number) + (not is_time)):
        return
    source = AmountOfKeys(tariff, is_time, tuple(name for name in tariff.others if name not in names))
    exact = source.of(original)[rows]
    _, is_open = nearest_codes(exact, source.of(masked))
    if np.count_nonzero(~is_open) > MOSTLY_RIGHT * np.count_nonzero(np.isfinite(exact)):
        yield from (Telling(key, tariff.amount, is_copy=True, pair=source) for key in keys)
