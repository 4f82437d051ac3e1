"""Two columns that tell a key together: the day of leaving and the days of a stay tell the day of arrival."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from sfumato.data import METRIC, Kind, Microdata, Role
from sfumato.keys._trimmed_fits import ROUNDING, central_width, shortest_range, trimmed_fit
from sfumato.keys.classes import MissingKeys, class_sizes
from sfumato.keys.fitting_persons import FittingPersons
from sfumato.keys.hinting_columns import released_keys
from sfumato.keys.telling_columns import (
    DAYS_OF_YEAR,
    MAX_DRAWN,
    MAX_RECORDS,
    TOLD,
    Telling,
    has_order,
    in_order,
    is_told,
    known_codes,
    ordered_codes,
    telling_names,
)
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, Rows

MAX_COLUMNS = 20  # of numbers, of which all pairs are tried
FIRST_LOOK = 200  # records, by which most pairs are left aside
MIN_FITTED = 20  # records that have a key and both columns: of fewer nothing is concluded
BETTER = 0.5  # of what one column leaves open: two that leave more than that tell hardly more


def telling_pairs(
    masked: Microdata,
    names: tuple[str, ...],
    found: Sequence[Telling],
    original: Microdata | None = None,
    rows: Rows | None = None,
) -> list[Telling]:
    """Return the pairs of columns whose sum or difference, in any units, tells an ordered key better than either.

    A key that is a number or a date is compared as it was before it was masked, where that is known.

    Parameters
    ----------
    masked, names
        The file as it is released, and its keys.
    found
        What is known to tell a key.
    original, rows
        The file before masking, and the row of each record in it.
    """
    columns = [name for name in telling_names(masked) if _is_number(masked, name)]
    columns = sorted(columns, key=names.__contains__)[:MAX_COLUMNS]
    drawn = np.random.default_rng(0).permutation(masked.n)[:MAX_DRAWN]  # which records are looked at is no secret
    values = {name: masked.values(name)[drawn] for name in columns}
    tried = [pair for pair in combinations(columns, 2) if not set(pair) <= set(names)]
    told = {(one.key, one.column) for one in found}
    pairs = []
    for key in names:
        exact = exact_key(masked, key, original, rows)
        if exact is None and not has_order(masked, key):
            continue
        codes = ordered_codes(masked, key)[drawn]
        is_known = codes >= 0 if exact is None else np.isfinite(exact[drawn])
        for first, second in (pair for pair in tried if key not in pair):
            both = np.flatnonzero(is_known & np.isfinite(values[first] + values[second]))[:MAX_RECORDS]
            one, other = values[first][both], values[second][both]
            if exact is not None:
                factor = _fitting_factor(exact[drawn[both]], one, other)
                pairs += [Telling(key, first, other=second, factor=factor)] if factor else []
            elif not {(key, first), (key, second)} & told:
                factors = _usual_factors(masked, first, second)
                telling = [factor for factor in factors if _is_told(codes[both], in_order(one + factor * other))]
                pairs += [Telling(key, first, other=second, factor=factor) for factor in telling[:1]]
    return pairs


def fitting_records(
    masked: Microdata, names: tuple[str, ...], found: Sequence[Telling], original: Microdata, rows: Rows, k: int
) -> CodeColumn:
    """Return how many records fit each for somebody who reads keys off other columns too.

    What two columns tell of a number or a date is known of everybody, and used where it is told right: there the
    persons are counted whose keys, as they were recoded and before any was suppressed, fit the record; k if enough.
    """
    values_told = {one: exact_key(masked, one.key, original, rows) for one in found if one.other}
    exact = {one: values for one, values in values_told.items() if values is not None}
    codes = known_codes(masked, names, [one for one in found if one not in exact], original, rows)
    sizes = class_sizes(codes, MissingKeys.WILDCARD)
    for one, values in exact.items():
        read, is_right = read_values(values, masked.values(one.column) + one.factor * masked.values(one.other))
        persons = FittingPersons.of(released_keys(masked, names, original, rows), ()).with_key(read)
        told = np.flatnonzero(is_right)
        sizes[told] = np.minimum(sizes[told], persons.counts(told, k))
    return sizes


def exact_key(masked: Microdata, key: str, original: Microdata | None, rows: Rows | None) -> FloatColumn | None:
    """Return a key that is a number or a date as it was before masking, or is in the file; None where it is neither."""
    data = masked if original is None else original
    if data.schema[key].kind not in METRIC or (data.schema[key].kind is Kind.DATE and data.summary.date_problem(key)):
        return None
    values = data.values(key)
    return values if original is None or rows is None else values[rows]


def read_values(key: FloatColumn, column: FloatColumn) -> tuple[CodeColumn, Booleans]:
    """Return what can be told of a key by a column that goes with it, and of which records it is told right.

    The first is a code for each value, or for each range that the column leaves: twice that in which nine of ten lie.

    Examples
    --------
    >>> arrival = np.arange(40.0) % 13
    >>> leaving = arrival + 100
    >>> leaving[:2] = 500
    >>> codes, is_right = read_values(arrival, leaving)
    >>> codes[:5], is_right[:5]
    (array([0, 1, 2, 3, 4]), array([False, False,  True,  True,  True]))
    """
    known = np.isfinite(key) & np.isfinite(column)
    rest = trimmed_fit(column[known, None], key[known]).rest
    low, high = shortest_range(rest)
    least = ROUNDING * max(central_width(key[known]), float(np.abs(key[known]).max()))
    is_right = np.zeros(key.size, dtype=np.bool_)
    is_right[known] = (rest >= low - least) & (rest <= high + least)
    width = 2 * (high - low)
    return in_order(key if width <= 4 * least else np.floor(key / width)), is_right


def _fitting_factor(key: FloatColumn, first: FloatColumn, second: FloatColumn) -> float | None:
    """Return by what the second of two columns is multiplied for the sum to tell a key; None where it does not."""
    if key.size < MIN_FITTED:
        return None
    few = slice(None, FIRST_LOOK)
    if _open_width(key[few], first[few], second[few]) > TOLD * central_width(key[few]):
        return None
    width, whole = _open_width(key, first, second), central_width(key)
    alone = min(_open_width(key, first), _open_width(key, second))
    if width > TOLD * whole or width + ROUNDING * whole >= BETTER * alone:
        return None
    factors = trimmed_fit(np.column_stack([first, second]), key).factors
    return float(factors[1] / factors[0])


def _open_width(key: FloatColumn, *columns: FloatColumn) -> float:
    return central_width(trimmed_fit(np.column_stack(columns), key).rest)


def _usual_factors(data: Microdata, first: str, second: str) -> tuple[float, ...]:
    """Return by what one column may be multiplied to be added to another: beside a date a number is days or years."""
    dates = [data.schema[name].kind is Kind.DATE for name in (first, second)]
    if all(dates):
        return (-1.0,)
    if not any(dates):
        return 1.0, -1.0
    year = DAYS_OF_YEAR if dates[0] else 1 / DAYS_OF_YEAR
    return 1.0, -1.0, year, -year


def _is_told(key: CodeColumn, column: CodeColumn) -> bool:
    """Tell whether a column tells a key: by a few records first, as most do not."""
    few: Rows = np.arange(min(FIRST_LOOK, key.size))
    return is_told(key[few], column[few], True) and is_told(key, column, True)


def _is_number(data: Microdata, name: str) -> bool:
    return name in data.schema and data.schema[name].kind in METRIC and data.schema[name].role is not Role.WEIGHT
